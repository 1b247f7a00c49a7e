# SPDX-License-Identifier: GPL-3.0-or-later
# TAP for shell tests, sourced:
#   . "$(dirname "$0")/tap.sh"
#   check "exits 7 when the command does" test "$status" = 7
#   done_testing
# Gives: $work, a fresh folder that goes away at the end; the built programs first in PATH; a store, spool and home of
# its own; every process started with `background` is ended with the script.
set -u
n=0 bad=0 pids=()
PATH=${ASSAY_BUILD:?}/cli:$ASSAY_BUILD/server:$PATH
work=$(mktemp -d "${TMPDIR:-/tmp}/assay-e2e.XXXXXX")
export HOME=$work/home ASSAY_STORE=$work/store ASSAY_SPOOL=$work/spool
unset XDG_DATA_HOME XDG_CONFIG_HOME XDG_STATE_HOME ASSAY_BENCHMARKS
mkdir -p "$HOME"
cleanup() {
	local p
	for p in "${pids[@]:-}"; do [ -n "$p" ] && kill -9 "$p" 2>/dev/null; done
	wait 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() {
	n=$((n + 1)) bad=$((bad + 1))
	echo "not ok $n - $1"
	shift
	[ $# -eq 0 ] || printf '%s\n' "$@" | sed 's/^/# /'
}
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }
check() {
	local name=$1
	shift
	if "$@"; then ok "$name"; else not_ok "$name" "failed: $*"; fi
}
# equal NAME GOT WANTED
equal() {
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got:    $2" "wanted: $3"; fi
}
# like NAME GOT REGEX
like() {
	if grep -qE -- "$3" <<<"$2"; then ok "$1"; else not_ok "$1" "got:    $2" "wanted: /$3/"; fi
}
background() { "$@" & pids+=($!); }
done_testing() {
	echo "1..$n"
	[ "$bad" = 0 ]
	exit
}
# start_server [ARG...]: assay-server on a free port of loopback with a store of its own; sets $server_pid, $url
start_server() {
	: >"$work/server.out"
	assay-server --port 0 --store "$work/server" "$@" >"$work/server.out" 2>>"$work/server.err" &
	server_pid=$!
	pids+=("$server_pid")
	local i
	for i in $(seq 100); do
		url=$(sed -n 's/^listening on //p' "$work/server.out")
		[ -n "$url" ] && return 0
		kill -0 "$server_pid" 2>/dev/null || break
		sleep 0.1
	done
	echo "Bail out! assay-server did not start: $(cat "$work/server.err")"
	exit 1
}
