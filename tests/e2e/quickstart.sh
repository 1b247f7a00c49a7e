#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ./quickstart.sh, killed at several moments, leaves no process behind.
. "$(dirname "$0")/tap.sh"
# A tree of its own, with this build in it: what is under test is the script, not the compiler.
tree=$work/tree
mkdir -p "$tree/build/release"
cp -r "$ASSAY_SOURCE"/quickstart.sh "$ASSAY_SOURCE"/packaging "$ASSAY_SOURCE"/benchmarks "$tree/"
ln -s "$ASSAY_BUILD/cli" "$tree/build/release/cli"
ln -s "$ASSAY_BUILD/server" "$tree/build/release/server"
mkdir "$work/bin"
printf '#!/bin/sh\nexit 0\n' >"$work/bin/cmake"
chmod +x "$work/bin/cmake"
export PATH=$work/bin:$PATH
# its processes: those that have our mark in their environment
mark=ASSAY_QUICKSTART_TEST=$$
ours() { grep -lzxF "$mark" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 | grep -v "^$$\$"; }

env "$mark" "$tree/quickstart.sh" --runs 4 >"$work/out" 2>"$work/err"
equal "quickstart runs through" $? 0
out=$(cat "$work/out")
like "it prints a table" "$out" '^={89}$'
like "of hackbench's groups" "$out" '^nr_threads: $'
like "with rows" "$out" '  hackbench\.'
# What is in the table is for the runs to tell; these differ between 40 and 240 tasks on any machine.
for family in proc-vmstat softirqs meminfo vmstat; do
	like "of $family" "$out" "  $family\\.[^ ]+$"
done
equal "and leaves no process" "$(ours)" ""
for when in 0.5 2 5; do
	env "$mark" setsid "$tree/quickstart.sh" >/dev/null 2>&1 &
	pid=$!
	sleep $when
	kill -TERM $pid 2>/dev/null
	wait $pid 2>/dev/null
	for _ in $(seq 50); do [ -z "$(ours)" ] && break; sleep 0.1; done
	equal "killed after $when s it leaves no process" "$(ours)" ""
done
done_testing
