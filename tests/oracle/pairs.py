#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""
What counted between two recordings of one machine, as the readers beside this file see it, against the stats of a run
that saw the first tree at its beginning and the second at its end. Prints what differs, and how many were compared.

    assay stats @0 --json | pairs.py BEFORE AFTER
"""
import json
import re
import sys
from decimal import Decimal

import net      # noqa: F401 - they fill FAMILIES
import proc     # noqa: F401
import system   # noqa: F401
from tree import FAMILIES, Tree

# Files of which every number counts, but for these.
COUNTING = ["interrupts", "softirqs", "cpuidle", "diskstats", "proc-stat", "netdev", "numa-numastat", "powercap"]
LEVELS = re.compile(r"diskstats\.in_flight\.|proc-stat\.(btime|procs_)|powercap\..*max_energy_range_uj")
# Told by mpstat, vmstat and iostat as shares, by softirqs by CPU.
VIEWED = re.compile(r"proc-stat\.(cpu|softirqs)")


def summed(counts):
    """The machine's sums that the robot gives beside those of the CPUs."""
    sums = {}
    for key, count in counts.items():
        family, cpu, rest = (key.split(".", 2) + ["", ""])[:3]
        if family in ("interrupts", "softirqs") and cpu.startswith("CPU"):
            sums.setdefault(family + "." + rest, []).append(count)
        if family == "cpuidle" and "." in rest:  # the machine's own times have no state
            state, field = rest.rsplit(".", 1)
            sums.setdefault("cpuidle.%s.%s" % (state, field), []).append(count)
            sums.setdefault("cpuidle..%s" % field, []).append(count)
    return {key: sum(values) for key, values in sums.items()}


def main(before, after):
    stats = json.load(sys.stdin, parse_float=Decimal)["stats"]
    first, last, counts, ever = {}, {}, {}, set()
    for collector in COUNTING:
        first.update(FAMILIES[collector](Tree(before)))
        last.update(FAMILIES[collector](Tree(after)))
    for key in first:
        if key in last and first[key] is not None and not LEVELS.match(key) and not VIEWED.match(key):
            if last[key] < first[key]:
                continue  # a step back: tests/cli/pairs_test.c
            counts[key] = last[key] - first[key]
            if first[key] or last[key]:
                ever.add(key)
    sums = summed(counts)
    wanted = {key: count for key, count in counts.items() if key in ever and not key.startswith("cpuidle.")}
    wanted.update({key: count for key, count in sums.items() if count})
    wrong = 0
    for key, count in sorted(wanted.items()):
        found = stats.get(key)
        if found is None or abs(Decimal(found) - count) > abs(count) * Decimal("1e-9"):
            wrong += 1
            if wrong <= 8:
                print("%s is %s, not %s" % (key, found, count))
    print("%d counters, %d differ" % (len(wanted), wrong))
    return 1 if wrong or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
