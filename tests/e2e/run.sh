#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The wrapper as its user sees it: status, signals, streams, what is kept.
. "$(dirname "$0")/tap.sh"

assay run -c none -- sh -c 'exit 7' 2>/dev/null
equal "exits 7 when the command does" $? 7

assay run -c none -- sh -c 'kill -TERM $$' 2>/dev/null
equal "exits 143 when SIGTERM ended the command" $? 143

assay run -c none -- /no/such/program 2>"$work/err"
equal "exits 127 when there is no such command" $? 127
like "names the command that is not there" "$(cat "$work/err")" '/no/such/program'

: >"$work/not-a-program"
assay run -c none -- "$work/not-a-program" 2>/dev/null
equal "exits 126 when it cannot be executed" $? 126

assay run -c nonsense -- true 2>"$work/err"
equal "refuses a collector that does not exist" $? 1
like "and names it" "$(cat "$work/err")" "no collector 'nonsense'"

assay run --no-such-option -- true 2>/dev/null
equal "exits 2 on wrong usage" $? 2

equal "hands stdin through" "$(printf 'one\ntwo\n' | assay run -c none -- cat 2>/dev/null)" $'one\ntwo'
equal "shows stdout on stdout" "$(assay run -c none -- echo hello 2>/dev/null)" hello
equal "shows stderr on stderr" "$(assay run -c none -- sh -c 'echo oops >&2' 2>&1 >/dev/null | grep -v ^assay)" oops
equal "keeps stdout" "$(assay show @1 --output)" hello
equal "keeps stderr" "$(assay show @0 --output 2>&1 >/dev/null)" oops
equal "shows nothing with --quiet, and keeps it" \
	"$(assay run -c none --quiet -- echo silent 2>/dev/null)$(assay show @0 --output)" silent

# Signals reach the command: it is the command that decides what an INT means.
cat >"$work/patient" <<'END'
#!/bin/sh
trap 'echo got INT; exit 3' INT
echo ready
i=0; while [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done
END
chmod +x "$work/patient"
# A shell starts what runs in the background with INT ignored, and what is ignored stays so below it.
env --default-signal=INT assay run -c none -- "$work/patient" >"$work/out" 2>/dev/null &
pid=$!
pids+=($pid)
for _ in $(seq 100); do grep -q ready "$work/out" && break; sleep 0.1; done
kill -INT $pid
wait $pid
equal "exits as the command does that was interrupted" $? 3
like "kill -INT reaches the command" "$(cat "$work/out")" 'got INT'

# Everything below a timeout ends, too.
start=$SECONDS
assay run -c none --timeout 1s -- sh -c 'sleep 60; true' 2>/dev/null
equal "--timeout ends the command with SIGTERM" $? 143
check "and does so in time" test $((SECONDS - start)) -lt 30

# A hundred megabytes of output pass through a bounded memory, whole, and the two ends of them are kept.
/usr/bin/time -f %M -o "$work/rss" assay run -c none --keep-output 1M -- \
	sh -c 'head -c 104857600 /dev/zero | tr "\0" x; printf END' 2>/dev/null | wc -c >"$work/count"
equal "passes 100 MB through whole" "$(cat "$work/count")" 104857603
check "in less than 32 MiB ($(tail -n 1 "$work/rss") KiB)" test "$(tail -n 1 "$work/rss")" -lt 32768
equal "keeps the end of it" "$(assay show @0 --output 2>/dev/null | tail -c 3)" END
kept=$(assay show @0 --output 2>/dev/null | wc -c)
equal "keeps a megabyte of it" "$kept" 1048576
like "and counts what it did not keep" "$(assay show @0)" '103809027 of them not kept'

assay run -c none -r 3 -n thrice -- true 2>/dev/null
equal "-r makes a run of each repetition" "$(assay runs testcase=thrice | wc -l)" 3

assay run -c uptime -n named -p commit=v6.12 -p color=red -- sleep 0.2 2>/dev/null
like "-p names axes" "$(assay runs color=red)" 'named .*commit=v6.12'
stats=$(assay stats @0)
like "the time of a run is a stat" "$stats" '^named\.time\.elapsed_time 0\.[2-9]'
like "so is the largest" "$stats" '^named\.time\.elapsed_time\.max 0\.[2-9]'
like "so is the page size" "$stats" '^named\.time\.page_size [0-9]+$'
like "and the memory" "$stats" '^named\.time\.maximum_resident_set_size [0-9]+$'
equal "stats --json is an object of numbers" \
	"$(assay stats @0 --json | jq -r '"\(.run | length) \(.stats["uptime.boot"] | type)"')" "26 number"
show=$(assay show @0)
for fact in kernel.release cpu.vendor cpu.model memory.total_kib cpu.threads page.size command; do
	like "the run knows its machine: $fact" "$show" "^fact +$fact=."
done

equal "the command keeps the file limit that the user had" \
	"$(ulimit -Sn 64; assay run -- sh -c 'ulimit -Sn' 2>/dev/null)" 64

# A daemon that keeps the output open holds nobody up.
start=$SECONDS
assay run -c none -- sh -c 'sleep 300 & echo $! >"$0"' "$work/daemon" 2>/dev/null
check "a daemon it leaves behind does not hold it up" test $((SECONDS - start)) -lt 60
kill "$(cat "$work/daemon")" 2>/dev/null

equal "leaves nothing in the spool" "$(find "$ASSAY_SPOOL" -name '*.seg' -o -name '*.open' | wc -l)" 0
assay run -c none -p a=1 -p a=2 -- true 2>"$work/err"
equal "an axis that is given twice is a wrong use" $? 2
like "and the error names it" "$(cat "$work/err")" "-p: 'a' is given twice"
assay run -c none -p "a=$(printf %2000d 1)" -- touch "$work/never" 2>"$work/err"
equal "an axis that is too long is a wrong use" $? 2
assay run -c none -n "$(printf %2000d 1)" -- touch "$work/never" 2>"$work/err"
equal "a name that is too long is refused before the command runs" "$? $(ls "$work/never" 2>&1 | grep -c 'No such')" "1 1"
# Files: the agent takes as many as it may, the command keeps what it was given.
(ulimit -Sn 30 && assay run -c numa-vmstat,netdev,meminfo,slabinfo,uptime,proc-vmstat,interrupts,softirqs,proc-stat,diskstats,loadavg,entropy \
	-- sh -c 'ulimit -Sn') >"$work/out" 2>"$work/err"
equal "the command has the limits of its user" "$(cat "$work/out")" 30
equal "a low soft limit costs no collector" "$(grep -c 'Too many' "$work/err")" 0
(ulimit -n 20 && assay sample -c numa-vmstat,numa-meminfo,numa-numastat,netdev,netstat,snmp,meminfo,uptime,softirqs,proc-stat,interrupts,diskstats,slabinfo,loadavg,proc-vmstat,pressure) \
	>"$work/out" 2>"$work/err"
like "a low hard limit is told as what it is" "$(cat "$work/err")" 'Too many open files: the limit is 20 \(ulimit -Hn\)'
equal "and no file is said to be absent for it" "$(grep -ic 'no such file' "$work/err")" 0
done_testing
