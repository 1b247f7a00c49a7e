#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A snapshot of everything each second, for $ASSAY_LATENESS_SECONDS (default 600): how late each came, none may be missed, and what
# the agent's own numbers in the data say of its CPU time. With perf's counters also instructions by value.
set -eu
seconds=${ASSAY_LATENESS_SECONDS:-600}
folder=$(mktemp -d "${TMPDIR:-/tmp}/assay-bench.XXXXXX")
trap 'rm -rf "$folder"' EXIT
export ASSAY_STORE=$folder/store ASSAY_SPOOL=$folder/spool
counted=()
if perf stat -x, -e instructions -o "$folder/perf" true 2>/dev/null && grep -q '^[0-9][0-9]*,' "$folder/perf"; then
	counted=(perf stat -x, -e instructions -o "$folder/perf")
fi
"${counted[@]}" assay run -i 1s -- sleep "$seconds" 2>"$folder/errors" || { cat "$folder/errors" >&2; exit 1; }
# {"tick":3,"monotonic_ns":N,"lateness_ns":N,"values":{...}}: the first and the last are taken beside the ticks.
assay dump --json @0 | sed '1d;$d' | awk -F'[:,]' '
	BEGIN { n = split("0.1 0.2 0.5 1 2 5 10 100 1000", edge, " ") }
	{
		ms = $6 / 1e6
		most = ms > most ? ms : most
		values += gsub(/":/, "") - 4
		for (i = 1; i <= n && ms >= edge[i]; i++)
			;
		bin[i]++
	}
	END {
		for (i = 1; i <= n; i++)
			printf "lateness.below-%sms %d snapshots\n", edge[i], bin[i]
		printf "lateness.%sms-and-more %d snapshots\n", edge[n], bin[n + 1]
		printf "lateness.snapshots %d snapshots\nlateness.max %.3f ms\nlateness.values %d values\n", NR, most, values
	}' | tee "$folder/figures"
assay stats --json @0 >"$folder/stats"
of() { sed -n "s/.*\"agent.$1\": *\([0-9.e+-]*\).*/\1/p" "$folder/stats"; }
missed=$(of ticks_missed)
values=$(awk '$1 == "lateness.values" { print $2 }' "$folder/figures")
echo "lateness.missed ${missed:-0} ticks"
awk -v cpu="$(of cpu_seconds)" -v cost="$(of cost_ms)" -v seconds="$seconds" -v values="$values" 'BEGIN {
	printf "lateness.agent-cpu %.3f s\nlateness.agent-cpu-share %.3f percent\nlateness.samples %.3f s\nlateness.cpu-by-value %.0f ns\n",
		cpu, 100 * cpu / seconds, cost / 1000, 1e9 * cpu / values }'
[ "${#counted[@]}" = 0 ] || awk -F, -v values="$values" '/instructions/ { printf "lateness.instructions-by-value %.0f instructions\n", $1 / values }' "$folder/perf"
