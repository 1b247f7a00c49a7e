#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Nothing changed, on this machine: many runs of one command, cut again and again into two sides of four that took turns.
# Whatever is then called changed is false. By our rules, by these with earlier runs, and by the test robot's.
#
#   real_runs.sh [RUNS] [SPLITS]      default 40 and 60
set -eu
runs=${1:-40} splits=${2:-60}
work=$(mktemp -d "${TMPDIR:-/tmp}/assay-real.XXXXXX")
trap 'rm -rf "$work"' EXIT
export ASSAY_STORE=$work/store ASSAY_SPOOL=$work/spool
for _ in $(seq "$runs"); do
	assay run --quiet -p commit=same -- hackbench -g 2 -l 2000 --pipe >/dev/null 2>&1
done
assay export --format matrix testcase=hackbench >"$work/all.json"
python3 - "$work" "$splits" <<'PYTHON'
import json, random, subprocess, sys

work, splits = sys.argv[1], int(sys.argv[2])
every = json.load(open(f"{work}/all.json"))
runs = len(every["assay.when"])
turns = [0, 1, 1, 0, 1, 0, 0, 1]
dice = random.Random(1)

def write(name, which):
    json.dump({k: [v[i] if i < len(v) else None for i in which] for k, v in every.items()}, open(f"{work}/{name}.json", "w"))

def lines(options):
    out = subprocess.run(["assay", "compare", "--json", *options, f"{work}/a.json", f"{work}/b.json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return sum(row["changed"] for row in json.loads(out.stdout)["tables"][0]["rows"])

seen = {"alone": [], "history": [], "robot": []}
for _ in range(splits):
    first = dice.randrange(12, runs - 8)
    swap = dice.randrange(2)
    write("a", [first + i for i in range(8) if turns[i] == swap])
    write("b", [first + i for i in range(8) if turns[i] != swap])
    write("h", range(first))
    seen["alone"].append(lines([]))
    seen["history"].append(lines(["--history", f"{work}/h.json"]))
    seen["robot"].append(lines(["--rules", "lkp"]))
for way, counts in seen.items():
    print(f"real-runs.{way}.with-a-false-line {100 * sum(c > 0 for c in counts) / splits:.0f} percent  (goal 5)")
    print(f"real-runs.{way}.false-lines {sum(counts) / splits:.2f} lines")
PYTHON
