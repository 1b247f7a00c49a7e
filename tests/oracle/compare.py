#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""
Every number of recorded trees, read twice: by `assay --root TREE sample --json`, and by the functions beside this
file, which are short and slow, share nothing with it and follow docs/metrics-and-report.md and the kernel's own
documentation. Nothing may differ, nothing may be missing on either side. Prints TAP.

    compare.py ASSAY TREE...
"""
import json
import subprocess
import sys
from decimal import Decimal

import memory   # noqa: F401 - they fill FAMILIES
import net      # noqa: F401
import proc     # noqa: F401
import system   # noqa: F401
import tasks    # noqa: F401
from tree import FAMILIES, Tree

SHOWN = 8  # differences of one tree
REGISTERS = ("turbostat.", "perf-")  # counters of the processor have tests of their own


def as_text(name):
    """JSON is UTF-8: a byte that is none is U+FFFD there."""
    return name.encode("latin-1").decode("utf-8", "replace")


def once(pairs):
    found = {}
    for name, value in pairs:
        if name in found:
            found.setdefault("twice", set()).add(name)
        found[name] = value
    return found


def sample(assay, root):
    """The values, and how it went."""
    done = subprocess.run([assay, "--root", root, "sample", "--json"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        return None, "exit status %d: %s" % (done.returncode, done.stderr.decode("latin-1"))
    if not done.stdout:
        return {}, done.stderr.decode("latin-1")
    text = done.stdout.decode("utf-8")
    return json.loads(text, parse_float=Decimal, object_pairs_hook=once)["values"], ""


def differences(assay, root, known):
    found, words = sample(assay, root)
    if found is None:
        return [words], 0
    expected = {}
    for collector in known:
        if collector in FAMILIES:
            values = FAMILIES[collector](Tree(root))
            expected.update({as_text(name): value for name, value in values.items() if value is not None})
    wrong = ["%s stands there twice" % name for name in found.pop("twice", ())]
    for name in sorted(set(found) | set(expected)):
        if name.startswith(REGISTERS):
            continue
        if found.get(name) != expected.get(name):
            wrong.append("%s is %s, the reader of the tests says %s" % (name, found.get(name), expected.get(name)))
    return wrong, len(expected)


def main(assay, roots):
    listed = subprocess.run([assay, "collectors", "--json"], stdout=subprocess.PIPE, check=True).stdout
    known = [one["name"] for one in json.loads(listed)]
    total = 0
    print("1..%d" % len(roots))
    for i, root in enumerate(roots):
        wrong, count = differences(assay, root, known)
        total += count
        name = "/".join(root.rstrip("/").split("/")[-2:])
        print("%s %d - %s: %d numbers" % ("not ok" if wrong else "ok", i + 1, name, count), flush=True)
        for line in wrong[:SHOWN]:
            print("#   " + line)
        if len(wrong) > SHOWN:
            print("#   and %d more" % (len(wrong) - SHOWN))
    print("# %d numbers of %d trees" % (total, len(roots)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
