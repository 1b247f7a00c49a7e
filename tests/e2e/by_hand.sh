#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The numbers are those that a person finds who reads the files before and after.
. "$(dirname "$0")/tap.sh"

# Two recorded moments of a machine, an hour apart; the command of the run is what turns the clock.
tree=$work/tree
mkdir -p "$tree/proc"
awk 'NF == 2' /proc/vmstat >"$work/before"
awk '{ print $1, $2 + NR * 7 }' "$work/before" >"$work/after"
cp "$work/before" "$tree/proc/vmstat"
assay run --root "$tree" -c proc-vmstat -n turn -- cp "$work/after" "$tree/proc/vmstat" 2>"$work/err"
equal "a run over a recorded tree ends well" $? 0
assay stats @0 -k 'proc-vmstat.*' | sed 's/^proc-vmstat\.//' | sort >"$work/stats"

# Counters, by their names: what the kernel only ever adds to.
grep -E '^(pg(alloc|free|fault|majfault|scan|steal|activate|deactivate|pgin|pgout|rotated|refill|migrate|lazyfree)|pswp|numa_(hit|miss|foreign|local|other|interleave)|workingset_(refault|activate|restore|nodereclaim)|compact_|thp_|oom_kill|drop_|slabs_scanned|kswapd_|allocstall|unevictable_pgs_|nr_dirtied|nr_written|swap_ra|balloon_)' \
	"$work/before" | while read -r key value; do
	echo "$key $(awk -v k="$key" '$1 == k { print $2 }' "$work/after" | awk -v v="$value" '{ printf "%d", $1 - v }')"
done | sort >"$work/wanted"
wrong=$(join -a 1 "$work/wanted" "$work/stats" | awk '$2 != $3')
check "there are counters to look at ($(wc -l <"$work/wanted"))" test "$(wc -l <"$work/wanted")" -gt 40
equal "every counter's number is the difference of the two readings" "$wrong" ""
equal "a gauge is the mean of what was seen while the command ran" \
	"$(awk '$1 == "nr_free_pages" { print $2 }' "$work/stats")" \
	"$(awk '$1 == "nr_free_pages" { print $2 }' "$work/before")"

# The same on this machine: no difference is outside what reading by hand around the run gives.
cat /proc/vmstat >"$work/outer0"
assay run -c proc-vmstat -n live -- sh -c 'cat /proc/vmstat >"$0"; sleep 2; cat /proc/vmstat >"$1"' \
	"$work/inner0" "$work/inner1" 2>/dev/null
cat /proc/vmstat >"$work/outer1"
assay stats @0 -k 'proc-vmstat.*' | sed 's/^proc-vmstat\.//' >"$work/stats"
wrong=$(for key in pgfault pgalloc_normal pgfree numa_hit nr_written; do
	value() { awk -v k="$key" '$1 == k { print $2 }' "$1"; }
	[ -n "$(value "$work/outer0")" ] || continue
	got=$(value "$work/stats")
	low=$(($(value "$work/inner1") - $(value "$work/inner0")))
	high=$(($(value "$work/outer1") - $(value "$work/outer0")))
	[ "${got:-0}" -ge "$low" ] && [ "${got:-0}" -le "$high" ] || echo "$key: $got is not in $low..$high"
done)
equal "a live counter lies between the readings inside and outside of the run" "$wrong" ""

# What sample prints, dump prints.
assay sample -n 3 -i 50ms -c proc-vmstat,meminfo,interrupts,proc-stat,diskstats,uptime -o "$work/now.seg" >"$work/sampled"
assay dump "$work/now.seg" >"$work/dumped"
check "there is something to compare" test "$(wc -l <"$work/sampled")" -gt 300
check "dump prints what sample printed" cmp "$work/sampled" "$work/dumped"
assay sample -c meminfo --json | jq -e '.values["meminfo.MemTotal"] > 0' >"$work/json"
equal "sample --json is JSON" "$(cat "$work/json")" true

# A recording can stand in for the machine.
assay record "$work/recorded" >"$work/out"
like "record says what it copied" "$(cat "$work/out")" '^[0-9]+ files'
assay sample --root "$work/recorded" -c meminfo >"$work/replayed"
equal "a replay shows the recorded values" \
	"$(awk '/^meminfo.MemTotal/ { print $2 }' "$work/replayed")" "$(awk '/^MemTotal/ { print $2 }' /proc/meminfo)"
done_testing
