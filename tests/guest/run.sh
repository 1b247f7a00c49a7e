#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/guest/run.sh ASSAY: the guests that are tested, one after the other. Prints TAP.
# (What one of them does stands in inside.sh; boot.sh makes it.)
set -u
here=$(dirname "$0")
assay=${1:?run.sh ASSAY}

guest() {
	local label=$1 nodes=$2 append=$3
	shift 3
	echo "# a guest of $label"
	local file words=()
	for file in reader.awk between.awk counters.awk judge.awk deltas.awk files.sh come_and_go.sh; do
		words+=(--file "$here/$file")
	done
	"$here/boot.sh" --seconds 300 --nodes "$nodes" --append "$append" --module lzo --module lzo-rle --module zsmalloc --module zram \
		--program "$assay" "${words[@]}" "$here/inside.sh" "$label" "$@"
	status=$?
	[ "$status" = 0 ] && echo "ok - a guest of $label comes to its end" ||
		echo "not ok - a guest of $label comes to its end (status $status)"
}

guest "8 CPUs, 2 nodes" 0-3:384,4-7:256 "" 3 6 5 ""
# A node without memory, one without a CPU, of which a block goes off; no two of one size. Some of each node's memory is
# kept for pages that can be moved away, so that there are blocks that can go.
guest "16 CPUs, 4 nodes" 0-5:512,6-11:256,12-15:0,:512 movablecore=640M 3 13 15 8,2,7,1
