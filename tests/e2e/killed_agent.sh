#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The agent dies at any instant: what it had sealed arrives all the same, and the run is marked incomplete.
. "$(dirname "$0")/tap.sh"
start_server
times=${ASSAY_KILLS:-50}
RANDOM=${ASSAY_SEED:-4242}
lost="" unmarked="" survivors="" seen=0
for i in $(seq "$times"); do
	rm -rf "$ASSAY_SPOOL"
	# Short ticks, so that the instants fall into every step of a segment's life.
	assay run -c uptime,proc-vmstat -i 5ms -n "victim$i" --to "$url" -- sleep 30 >/dev/null 2>&1 &
	pid=$!
	sleep "0.$(printf '%03d' $((RANDOM % 300 + 5)))"
	kill -9 "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	# The command of a killed agent does not outlive it.
	for _ in $(seq 50); do pgrep -P 1 -f '^sleep 30$' >/dev/null || break; sleep 0.02; done
	pgrep -f '^sleep 30$' >/dev/null && { survivors="$survivors $i"; pkill -9 -f '^sleep 30$'; }
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
check "most of the killed runs arrived ($seen of $times)" test "$seen" -gt $((times / 2))
done_testing
