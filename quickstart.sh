#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The main job on this machine, from nothing: ./quickstart.sh
#
# Installs what is missing from Debian, builds, starts assay-server on loopback, wraps hackbench in two groups of four
# runs - 1 and 6 groups of tasks, alternating - streams them to the server and prints what it says changed.
#
#   ./quickstart.sh --keep      leave the server running until Ctrl-C, to look at its page
#   ./quickstart.sh --runs N    runs a side (default 4)
set -u
cd "$(dirname "$0")" || exit 1
. packaging/packages.sh

keep=no runs=4
while [ $# -gt 0 ]; do
	case $1 in
	--keep) keep=yes ;;
	--runs) runs=${2:?--runs N}; shift ;;
	-h | --help) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
	*) echo "quickstart.sh: unknown option '$1' (see --help)" >&2; exit 2 ;;
	esac
	shift
done

data=$PWD/build/quickstart
server="" child=""
finish() {
	local p
	trap - EXIT INT TERM HUP
	# The run first: while the server is there it can deliver what it has.
	for p in $child $server; do
		kill "$p" 2>/dev/null
		wait "$p" 2>/dev/null
	done
	exit "${1:-0}"
}
trap 'finish $?' EXIT
trap 'finish 130' INT
trap 'finish 143' TERM HUP
# A child in the background, so that a signal to this script is acted on at once and not when the child is done; and one
# that ends with it, should it be killed without a word.
step() {
	setpriv --pdeathsig TERM "$@" &
	child=$!
	wait "$child"
	local status=$?
	child=""
	return $status
}
die() { echo "quickstart: $*" >&2; exit 1; }

echo "1/4  Packages and build"
need $build_packages $run_packages || exit 1
mkdir -p build
{ step cmake --preset release -DASSAY_TESTS=OFF && step cmake --build --preset release; } >build/quickstart.log 2>&1 ||
	{ tail -n 40 build/quickstart.log; die "the build failed; the whole of it is in build/quickstart.log"; }
PATH=$PWD/build/release/cli:$PWD/build/release/server:$PATH

echo "2/4  A server on loopback, with its data in build/quickstart/"
mkdir -p "$data"
export ASSAY_SPOOL=$data/spool
setpriv --pdeathsig TERM assay-server --port 0 --store "$data/store" >"$data/server.out" 2>"$data/server.log" &
server=$!
url=""
for _ in $(seq 100); do
	url=$(sed -n 's/^listening on //p' "$data/server.out")
	[ -z "$url" ] || break
	kill -0 "$server" 2>/dev/null || die "assay-server ended: $(cat "$data/server.log")"
	sleep 0.1
done
[ -n "$url" ] || die "assay-server did not come up in 10 s: $(cat "$data/server.log")"

echo "3/4  hackbench with 1 and with 6 groups, $runs runs each, alternating"
session=$(date +%Y%m%dT%H%M%S)
side() {
	step assay run --quiet -n hackbench -p session="$session" --to "$url" -- \
		hackbench -g "$1" -l 8000 --pipe || die "the run failed (status $?)"
}
order="1 6 6 1 6 1 1 6" # cancels a drift of the machine
set --
while [ $# -lt $((2 * runs)) ]; do set -- "$@" $order; done
i=0 a=0 b=0
for groups in "$@"; do
	if [ "$groups" = 1 ]; then
		[ "$a" -lt "$runs" ] || continue
		a=$((a + 1))
	else
		[ "$b" -lt "$runs" ] || continue
		b=$((b + 1))
	fi
	i=$((i + 1))
	printf '     run %d of %d: hackbench -g %s\n' "$i" "$((2 * runs))" "$groups"
	side "$groups"
done

echo "4/4  What changed from 1 to 6 groups, as $url sees it"
echo
base=session=$session,nr_threads=1 head=session=$session,nr_threads=6
step assay compare --store "$url" "$base" "$head" || die "the comparison failed"
echo "And softirqs, changed or not:"
echo
step assay compare --all --family softirqs --store "$url" "$base" "$head" || die "the comparison failed"
cat <<END

The runs stay in build/quickstart/store. Look at them again with
    build/release/cli/assay runs --store $data/store
    build/release/cli/assay compare --store $data/store $base $head
END
if [ "$keep" = yes ]; then
	echo "The server's page is $url/ - Ctrl-C ends it."
	wait "$server"
fi
