#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What assay costs, beside what it is compared with: ./bench.sh [NAME]...
#
# Builds tests/bench/NAME.c, or takes NAME.sh (default: all), and runs it. Each runs both sides in one go and prints lines
# "NAME.FIGURE VALUE UNIT". Benchmarks are not tests: nothing here passes or fails.
# "lateness" takes ten minutes, or $ASSAY_LATENESS_SECONDS.
set -u
cd "$(dirname "$0")" || exit 1
case ${1:-} in
-h | --help) sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
. packaging/packages.sh
need $build_packages $run_packages libcmocka-dev time || exit 1
names=("${@//-/_}") # as figures are called, or as files are
[ $# -gt 0 ] || mapfile -t names < <(cd tests/bench && ls -- *.c *.sh | sed 's/\.[a-z]*$//' | sort -u)
programs=()
for name in "${names[@]}"; do
	[ ! -f "tests/bench/$name.c" ] || programs+=("bench_$name")
done
log=$(mktemp "${TMPDIR:-/tmp}/assay-bench.XXXXXX")
trap 'rm -f "$log"' EXIT
{ cmake --preset release -DASSAY_TESTS=ON && cmake --build --preset release --target assay assay-server "${programs[@]}"; } >"$log" 2>&1 ||
	{ tail -n 40 "$log"; exit 1; }
export PATH=$PWD/build/release/cli:$PWD/build/release/server:$PWD/build/release/tests:$PATH
status=0
for name in "${names[@]}"; do
	if [ -f "tests/bench/$name.sh" ]; then
		"tests/bench/$name.sh" || status=1
	else
		"build/release/tests/bench_$name" || status=1
	fi
done
exit $status
