#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the verdict of a comparison is worth, on made-up runs whose truth is known (docs/statistics.md, section 17): false
# lines, share of false lines, power, each beside the goal and beside the test robot's rules on the same runs.
#
#   verdict_goals.sh [SEEDS]      default 20
#
# The generator comes with the shared data; without it nothing is measured.
set -eu
cd "$(dirname "$0")/../.."
shared=${ASSAY_SHARED:-$PWD/../shared}/tools/stats
[ -f "$shared/gen_matrix.c" ] || { echo "verdict-goals.skipped 1 no generator at $shared"; exit 0; }
work=$(mktemp -d "${TMPDIR:-/tmp}/assay-goals.XXXXXX")
trap 'rm -rf "$work"' EXIT
cc -O2 -o "$work/gen" "$shared/gen_matrix.c" "$shared/popgen.c" -lm
python3 - "$work" assay "${1:-20}" <<'PYTHON'
import json, math, re, subprocess, sys

work, assay, seeds = sys.argv[1], sys.argv[2], int(sys.argv[3])

def generate(seed, options):
    subprocess.run([f"{work}/gen", "--out", f"{work}/d", "--seed", str(seed), "--history", "20", *options], check=True)
    truth = json.load(open(f"{work}/d/truth.json"))
    for side, place in (("a", "position_a"), ("b", "position_b")):
        path = f"{work}/d/{side}/matrix.json"
        matrix = json.load(open(path))
        matrix["assay.when"] = [1000 + 60 * x for x in truth[place]]
        json.dump(matrix, open(path, "w"))
    return truth["truth"]

def lines(options):
    out = subprocess.run([assay, "compare", "--json", "--more", *options, f"{work}/d/a", f"{work}/d/b"], check=True, stdout=subprocess.PIPE)
    return [row["key"] for row in json.loads(out.stdout)["tables"][0]["rows"]]

def members(key, groups):
    return groups.get(key, [key])

def score(truth, shown):
    groups = {}
    for key in truth:
        groups.setdefault(re.sub(r"\.(CPU|cpu)\d+", r".\1*", key), []).append(key)
    false = sum(all(truth[m]["effect"] == 1 for m in members(key, groups)) for key in shown)
    return false, false / len(shown) if shown else 0

ways = {"alone": [], "history": ["--history", f"{work}/d/history"], "robot": ["--rules", "lkp"]}

def false_lines(name, options, goals):
    seen = {way: [] for way in ways}
    for seed in range(1, seeds + 1):
        truth = generate(seed, options)
        for way in ways:
            seen[way].append(score(truth, lines(ways[way] if way != "alone" else ["--no-history"])))
    for way, found in seen.items():
        count = sorted(f for f, _ in found)
        goal = f"  (goal {goals[way]})" if way in goals else ""
        print(f"verdict-goals.{name}.{way}.false {sum(count) / seeds:.2f} lines{goal}")
        print(f"verdict-goals.{name}.{way}.without {100 * sum(c == 0 for c in count) / seeds:.0f} percent")
        print(f"verdict-goals.{name}.{way}.share {sum(s for _, s in found) / seeds:.3f} ratio", flush=True)

def power(name, runs, cells):
    hits = {}
    for seed in range(1, seeds + 1):
        truth = generate(seed, ["--probe", "--na", str(runs), "--nb", str(runs)])
        for way in ways:
            shown = set(lines(ways[way] if way != "alone" else ["--no-history"]))
            for key, t in truth.items():
                effect = round(100 * (max(t["effect"], 1 / t["effect"]) - 1))
                cell = (way, effect, round(100 * t["sd_log"]))
                if (effect, cell[2]) in cells and t["effect"] != 1:
                    hits.setdefault(cell, []).append(key in shown)
    for (way, effect, noise), found in sorted(hits.items()):
        goal = cells[effect, noise].get(way)
        goal = f"  (goal {goal})" if goal else ""
        print(f"verdict-goals.{name}.{way}.power-{effect}-of-{noise} {sum(found) / len(found):.2f} ratio{goal}", flush=True)

false_lines("nothing-changed-4", ["--null"], {"alone": "<= 2", "history": "<= 0.3, >= 90 % without"})
false_lines("nothing-changed-3", ["--null", "--na", "3", "--nb", "3"], {"history": "<= 0.5"})
false_lines("nothing-changed-clean-4", ["--null", "--clean"], {"alone": "<= 0.3"})
false_lines("changed-4", [], {"alone": "share <= 0.08", "history": "share <= 0.06"})
false_lines("changed-3", ["--na", "3", "--nb", "3"], {"alone": "share <= 0.15", "history": "share <= 0.07"})
false_lines("changed-8", ["--na", "8", "--nb", "8"], {"alone": "share <= 0.06", "history": "share <= 0.05"})
power("power-4", 4, {(10, 2): {"alone": ">= 0.65", "history": ">= 0.90"}, (5, 1): {"alone": ">= 0.40", "history": ">= 0.90"}, (5, 2): {"history": ">= 0.28"}})
power("power-3", 3, {(10, 2): {"history": ">= 0.85"}})
power("power-8", 8, {(5, 2): {"alone": ">= 0.60"}})
PYTHON
