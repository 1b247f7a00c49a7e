#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The agent dies at any instant: what it had sealed arrives all the same, and the run is marked incomplete.
. "$(dirname "$0")/tap.sh"
start_server
nap=30.$$ # seconds; told from those of others
times=${ASSAY_KILLS:-50}
RANDOM=${ASSAY_SEED:-4242}
lost="" unmarked="" survivors="" seen=0
for i in $(seq "$times"); do
	rm -rf "$ASSAY_SPOOL"
	# Short ticks, so that the instants fall into every step of a segment's life.
	assay run -c uptime,proc-vmstat -i 5ms -n "victim$i" --to "$url" -- sleep "$nap" >/dev/null 2>&1 &
	pid=$!
	sleep "0.$(printf '%03d' $((RANDOM % 300 + 5)))"
	kill -9 "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	# The command of a killed agent does not outlive it.
	for _ in $(seq 100); do pgrep -f "^sleep $nap$" >/dev/null || break; sleep 0.02; done
	left=$(pgrep -f "^sleep $nap$") && { survivors="$survivors $i"; kill -9 $left; }
	runs=$(find "$ASSAY_SPOOL" -mindepth 1 -maxdepth 1 -type d 2>/dev/null | wc -l)
	assay push >"$work/push" 2>&1
	left=$(find "$ASSAY_SPOOL" -name '*.seg' -o -name '*.open' 2>/dev/null | wc -l)
	[ "$left" = 0 ] || lost="$lost $i:$left"
	[ "$runs" = 0 ] && continue # it died before it had a run
	state=$(curl -s "$url/v1/runs?query=testcase=victim$i" | jq -r '.runs[] | .complete')
	case $state in
	false) seen=$((seen + 1)) ;;
	"") ;; # not even the header was whole
	*) unmarked="$unmarked $i:$state" ;;
	esac
done
equal "nothing is left in the spool after a push, $times times" "$lost" ""
equal "no run of a killed agent counts as complete" "$unmarked" ""
equal "the command does not outlive its agent" "$survivors" ""

# Workers of the command end with it. A daemon that left its process group was meant to live on.
assay run -c none -- sh -c "sleep ${nap}1 & setsid sleep ${nap}2 & echo ready; sleep ${nap}3; exit" >"$work/out" 2>&1 &
pid=$!
for _ in $(seq 100); do grep -q ready "$work/out" && pgrep -f "^sleep ${nap}2$" >/dev/null && break; sleep 0.05; done
kill -9 "$pid"
wait "$pid" 2>/dev/null
for _ in $(seq 100); do pgrep -f "^sleep ${nap}[13]$" >/dev/null || break; sleep 0.05; done
equal "nor do its workers" "$(pgrep -f "^sleep ${nap}[13]$")" ""
equal "a daemon of it does" "$(pgrep -f "^sleep ${nap}2$" | wc -l)" 1
kill -9 $(pgrep -f "^sleep ${nap}2$") 2>/dev/null
# The same in peace: nobody is sent a signal, and no guard stays.
assay run -c none -- sh -c "sleep ${nap}5 >/dev/null 2>&1 & echo \$!" >"$work/out" 2>"$work/err"
check "what a command leaves behind lives on" kill -0 "$(cat "$work/out")"
like "and is counted without the guard" "$(cat "$work/err")" "1 processes of the command are still there"
kill -9 "$(cat "$work/out")"

check "most of the killed runs arrived ($seen of $times)" test "$seen" -gt $((times / 2))
done_testing
