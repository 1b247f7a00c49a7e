#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# bench_snapshot_cost on this machine; then on recorded ones of 1,152, 480 and 576 CPUs, where they are. Those lie in the
# page cache: a bare pread copies what a kernel would have to print number by number, so that their ratio says how
# our work compares with a copy, and snapshot-cost.beyond-* what a value costs beyond it.
set -eu
bench_snapshot_cost "$@"
[ $# -eq 0 ] || exit 0
roots=${ASSAY_SHARED:-../shared}/data/roots
folder=$(mktemp -d "${TMPDIR:-/tmp}/assay-bench.XXXXXX")
trap 'rm -rf "$folder"' EXIT
for pair in pcp-1152cpu:1152cpu pcp-bigsys:480cpu pepc-cwf0:576cpu; do
	tree=${pair%:*}
	if [ -d "$roots/$tree" ]; then
		root=$roots/$tree
	elif [ -r "$roots/$tree.tar.gz" ]; then
		tar -xzf "$roots/$tree.tar.gz" -C "$folder" --exclude='*/cache'
		root=$folder/$tree
	else
		echo "snapshot_cost: left out, there is no $roots/$tree" >&2
		continue
	fi
	echo "# $tree" >&2
	bench_snapshot_cost --root "$root" --name "${pair#*:}"
done
