#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the command and all that comes from it use, whether it waits for its children or leaves them behind.
. "$(dirname "$0")/tap.sh"

stat() { assay stats @0 | awk -v key="process.$1" '$1 == key { value = $2 } END { printf "%.0f", value }'; }
at_least() { check "$1: $2 of $3 at least" test "$2" -ge "$3"; }

assay run -c process -- sh -c 'head -c 30000000 /dev/zero >"$0"/a & head -c 20000000 /dev/zero >"$0"/b; wait' "$work" \
	2>/dev/null
at_least "writes of children that were waited for" "$(stat wchar)" 50000000
at_least "their calls of write()" "$(stat syscw)" 100

assay run -c process -- sh -c 'sleep 3 & sleep 3 & sleep 3 & wait' 2>/dev/null
equal "processes at most" "$(stat processes.max)" 4
at_least "processes that came" "$(stat seen)" 3
at_least "resident memory" "$(stat rss.max)" 1000000

assay run -c process -- sh -c '(head -c 40000000 /dev/zero >"$0"/c; sleep 1.5) & exec sleep 3' "$work" 2>/dev/null
at_least "writes of a child that nobody waits for" "$(stat wchar)" 40000000

assay run -c process -- sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done' 2>/dev/null
cpu=$(($(stat utime) + $(stat stime)))
time=$(assay stats @0 | awk '$1 ~ /^sh\.time\.(user|system)_time$/ { sum += $2 } END { printf "%d", sum * 100 }')
check "CPU time is that of time -v: $cpu and $time ticks" test $((cpu - time)) -le 2 -a $((time - cpu)) -le 2

assay sample -c process >"$work/out" 2>"$work/err"
like "without a command it says why it gives nothing" "$(cat "$work/err")" 'there is no command'
done_testing
