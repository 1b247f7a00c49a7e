#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that is tested, from nothing: ./test.sh
#
#   ./test.sh                        build with GCC (warnings are errors), run all tests; then the same tests of the rooms
#                                    under the address and undefined-behaviour sanitizers, the threaded ones under the
#                                    thread sanitizer, a build with Clang, and each fuzzer for 5 s
#   ./test.sh --quick                the first of these only
#   ./test.sh --guest                the program in emulated machines of 8 and 16 CPUs whose CPUs, disks and memory come
#                                    and go; nothing else (2 minutes; needs x86-64; takes a kernel from Debian)
#   ./test.sh --all                  what ./test.sh does, then what ./test.sh --guest does
#   ./test.sh --fuzz NAME SECONDS    one fuzzer, for as long as you like ("all" runs each)
#   ./test.sh --filter REGEX         only tests whose name matches (ctest -R)
set -u
cd "$(dirname "$0")" || exit 1
. packaging/packages.sh

quick=no filter=. fuzz="" guest=no others=yes
while [ $# -gt 0 ]; do
	case $1 in
	--quick) quick=yes ;;
	--guest) guest=yes others=no ;;
	--all) guest=yes ;;
	--filter) filter=${2:?--filter REGEX}; shift ;;
	--fuzz) fuzz=${2:?--fuzz NAME SECONDS} seconds=${3:?--fuzz NAME SECONDS}; shift 2 ;;
	-h | --help) sed -n '3,15s/^# \{0,1\}//p' "$0"; exit 0 ;;
	*) echo "test.sh: unknown option '$1' (see --help)" >&2; exit 2 ;;
	esac
	shift
done

need $build_packages $run_packages $test_packages || exit 1
[ "$guest" = no ] || need $guest_packages || exit 1

jobs=$(nproc)
passed=0 failed=0 skipped=0
logs=$(mktemp -d "${TMPDIR:-/tmp}/assay-tests.XXXXXX")
running=""
trap 'rm -rf "$logs"' EXIT
# shellcheck disable=SC2086 # several processes are several words
trap '[ -z "$running" ] || kill $running 2>/dev/null; exit 130' INT TERM

say() { printf '\n== %s\n' "$*"; }

# build PRESET [TARGET...]: configure and build; a failure is one failed test
build() {
	local preset=$1
	shift
	say "build: $preset"
	if ! { cmake --preset "$preset" -DASSAY_WERROR=ON -DASSAY_TESTS=ON && cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}; } \
		>"$logs/build-$preset" 2>&1; then
		tail -n 60 "$logs/build-$preset"
		echo "not ok - builds with preset $preset, without a warning"
		failed=$((failed + 1))
		return 1
	fi
	echo "ok - builds with preset $preset, without a warning"
	passed=$((passed + 1))
}

# tests PRESET REGEX: run ctest, count what the programs print as TAP
tests() {
	local preset=$1 regex=$2 log ok bad skip broken status again
	say "tests: $preset"
	log=build/$preset/Testing/Temporary/LastTest.log
	rm -f "$log"
	ctest --test-dir "build/$preset" -R "$regex" -j "$jobs" --output-on-failure --repeat until-pass:2 \
		>"$logs/ctest-$preset" 2>&1 &
	running=$!
	wait "$running"
	status=$?
	running=""
	grep -E '^ *[0-9]+/[0-9]+ Test +#|tests passed|tests failed|No tests were found' "$logs/ctest-$preset" |
		grep -vE ' Passed ' || true
	# A test that skips itself whole counts as one skipped; a program that died without a "not ok" as one failed.
	if [ ! -f "$log" ] || ! grep -qaE '^(ok|not ok) ' "$log"; then
		echo "not ok - some test runs ($preset, $regex)"
		failed=$((failed + 1))
		return
	fi
	skip=$(grep -acE '^ok .*# SKIP|^not ok .*# SKIP' "$log")
	ok=$(($(grep -acE '^ok ' "$log") - $(grep -acE '^ok .*# SKIP' "$log")))
	bad=$(($(grep -acE '^not ok ' "$log") - $(grep -acE '^not ok .*# SKIP' "$log")))
	broken=$(grep -cE '\*\*\*(Failed|Timeout|Exception|Not Run)' "$logs/ctest-$preset")
	[ "$bad" -ge "$broken" ] || bad=$broken
	# Tests of processes, clocks and sockets get a second try on a busy machine; who needed it is named, and why.
	if [ "$status" = 0 ] && [ "$broken" -gt 0 ]; then
		again=$(grep -E '\*\*\*(Failed|Timeout|Exception)' "$logs/ctest-$preset" | sed 's/^[^:]*: *//; s/ \.\.*.*//')
		echo "needed a second try ($preset): $(echo $again)"
		grep -aE '^not ok|^# ' "$logs/ctest-$preset" | grep -avE '# SKIP|^# ok' | head -n 20
		bad=0 broken=0
	fi
	[ "$bad" -eq 0 ] || grep -aE '^not ok|^# ' "$logs/ctest-$preset" | grep -avE '# SKIP' | head -n 60
	if [ "$broken" -gt 0 ]; then
		grep -aE 'ERROR: (Address|Leak|Thread)Sanitizer|runtime error|WARNING: ThreadSanitizer' -A 12 "$logs/ctest-$preset" |
			head -n 60
	fi
	passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
}

# fuzzers NAME SECONDS: libFuzzer over the kept corpus; what it finds stays in build/fuzz/found/
fuzzers() {
	local want=$1 time=$2 name program names=() programs=()
	for program in build/fuzz/tests/fuzz_*; do
		[ -x "$program" ] && [ -f "$program" ] || continue
		name=${program##*/fuzz_}
		[ "$want" = all ] || [ "$want" = "$name" ] || continue
		names+=("$name")
		mkdir -p "build/fuzz/found/$name" "build/fuzz/corpus/$name"
		"$program" -max_total_time="$time" -timeout=20 -rss_limit_mb=1024 -print_final_stats=0 -verbosity=0 \
			-artifact_prefix="build/fuzz/found/$name/" \
			"build/fuzz/corpus/$name" "tests/fuzz/corpus/$name" >"$logs/fuzz-$name" 2>&1 &
		programs+=($!)
		running="${programs[*]}"
		[ ${#programs[@]} -lt "$jobs" ] || finish_fuzzers
	done
	finish_fuzzers
	[ "${found:-no}" = yes ] || { echo "not ok - there is a fuzzer called $want"; failed=$((failed + 1)); }
}

# those that run: as many at a time as there are processors
finish_fuzzers() {
	local i
	for i in "${!programs[@]}"; do
		found=yes
		if wait "${programs[$i]}"; then
			echo "ok - fuzzer ${names[$i]}, $time s"
			passed=$((passed + 1))
		else
			echo "not ok - fuzzer ${names[$i]}, $time s"
			tail -n 40 "$logs/fuzz-${names[$i]}"
			failed=$((failed + 1))
		fi
	done
	names=() programs=() running=""
}

# guests: what their tests print as TAP is shown and counted
guests() {
	say "tests: guests"
	if [ "$(uname -m)" != x86_64 ]; then
		echo "ok - guests # SKIP they are x86-64 machines, this is none"
		skipped=$((skipped + 1))
		return
	fi
	tests/guest/run.sh build/release/cli/assay >"$logs/guests" 2>&1 &
	running=$!
	wait "$running"
	running=""
	grep -vE '^ok|^# (ok|off) ' "$logs/guests"
	passed=$((passed + $(grep -c '^ok' "$logs/guests"))) failed=$((failed + $(grep -c '^not ok' "$logs/guests")))
	grep -qE '^(ok|not ok)' "$logs/guests" || { echo "not ok - some guest is tested"; failed=$((failed + 1)); }
}

finish() {
	say "result"
	if [ "$skipped" -gt 0 ]; then
		echo "$passed passed, $failed failed, $skipped skipped"
	else
		echo "$passed passed, $failed failed"
	fi
	[ "$failed" = 0 ]
	exit
}

if [ -n "$fuzz" ]; then
	build fuzz && fuzzers "$fuzz" "$seconds"
	finish
fi

if [ "$others" = no ]; then
	build release assay && guests
	finish
fi
build release && tests release "$filter"
if [ "$quick" = no ] && [ "$filter" = . ]; then
	build asan && tests asan '^(base|host|collectors|proto|store|agent|analysis|benchmarks|lab|server|fuzz)/'
	build tsan && tests tsan '^(agent|server|store)/'
	build clang
	build fuzz && fuzzers all 5
fi
[ "$guest" = no ] || guests
finish
