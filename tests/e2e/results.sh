#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Benchmarks are listed, and results are read from saved outputs.
. "$(dirname "$0")/tap.sh"
like "benchmarks are listed with their KPI" "$(assay benchmarks)" '^fio +read_iops '
like "one is shown with its results" "$(assay benchmarks sysbench)" 'result +events_per_sec +events/s +more is better +KPI'
like "and with the file it is in" "$(assay benchmarks sysbench)" 'from +/.*/sysbench.yaml'
equal "benchmarks --json tells units and directions" \
	"$(assay benchmarks --json tbench | jq -c '.[0].results[0] | [.name, .unit, .direction, .kpi]')" \
	'["throughput_MB/s","MB/s",1,true]'
assay benchmarks nonsense >/dev/null 2>"$work/err"
equal "one that is none is refused" $? 1
printf 'Throughput 113.424 MB/sec  2 clients  2 procs  max_latency=59.569 ms\n' >"$work/tbench"
like "results are read from a saved output" "$(assay results tbench "$work/tbench")" '^tbench.throughput_MB/s 113.424$'
equal "and from stdin, as JSON" \
	"$(assay results --json tbench - <"$work/tbench" | jq '."tbench.max_latency"')" 59.569
printf 'Throughput 113.424 MB/sec  2 clients  2 procs  max_latency=59' >"$work/torn"
assay results tbench "$work/torn" >"$work/out" 2>"$work/err"
equal "a torn line fails" $? 1
equal "and gives nothing" "$(cat "$work/out")" ""
like "and says so" "$(cat "$work/err")" 'no result of tbench'
cat >"$work/own.yaml" <<'END'
name: own
description: mine
programs: [own]
lines:
  - {pattern: '^(?<what>\w+) (?<rate>\d+)$', label: "{what}"}
results:
  - {name: "{}.rate", value: "max(rate)", unit: x, direction: 1}
  - {name: best, value: "max(rate)", unit: x, direction: 1, kpi: true}
END
printf 'a 1\nb 2\n' >"$work/output"
equal "a file of one's own" "$(assay results "$work/own.yaml" "$work/output" | tr '\n' ' ')" 'own.a.rate 1 own.b.rate 2 own.best 2 '
sed -i 's/max(rate)", unit: x, direction: 1, kpi/maximum(rate)", unit: x, kpi/' "$work/own.yaml"
assay results "$work/own.yaml" "$work/output" >/dev/null 2>"$work/err"
equal "a bad file is refused" $? 1
like "with line and column" "$(cat "$work/err")" 'own.yaml:8:[0-9]+: .*no such function'
mkdir "$work/benchmarks"
cp "$work/own.yaml" "$work/benchmarks"
ASSAY_BENCHMARKS=$work/benchmarks assay benchmarks >"$work/out" 2>"$work/err"
equal "one bad file makes the list fail" $? 1
like "names it" "$(cat "$work/err")" 'own.yaml:8:'
like "and does not hide the others" "$(cat "$work/out")" '^fio '
assay results tbench >/dev/null 2>"$work/err"
equal "two arguments are wanted" $? 2
done_testing
