#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# memory.rss-1152cpu: what the agent takes at most while it samples a recorded host of 1,152 CPUs (its interrupts and
# softirqs, the files that grow by CPU) and stores the run. The recording is no part of the project: it is looked
# for in $ASSAY_SHARED/data/roots. memory.rss, of this machine, is told by run_true.
set -eu
root=${ASSAY_SHARED:-../shared}/data/roots/pcp-1152cpu.tar.gz
[ -r "$root" ] || { echo "memory: left out, there is no $root" >&2; exit 0; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/assay-bench.XXXXXX")
trap 'rm -rf "$folder"' EXIT
tar -xzf "$root" -C "$folder"
# Three snapshots and more: the first one of a segment is the largest.
\time -f %M -o "$folder/rss" \
	assay run --root "$folder/pcp-1152cpu" --spool "$folder/spool" --store "$folder/store" -c interrupts,softirqs \
	-i 1s -- sleep 3 2>"$folder/errors" || { cat "$folder/errors" >&2; exit 1; }
awk '{ printf "memory.rss-1152cpu %.2f MiB\n", $1 / 1024 }' "$folder/rss"
