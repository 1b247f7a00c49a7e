#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Recordings of one machine before and after: a run that sees both counts what an independent reader counts.
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm # tens of thousands of small files
. "$(dirname "$0")/tap.sh"

roots=${ASSAY_SHARED:-}/data/roots
oracle=$ASSAY_SOURCE/tests/oracle
. "$oracle/unpack.sh"
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
[ -d "$roots" ] || { echo "1..0 # SKIP no recorded trees"; exit 77; }

# The tree, unpacked, at $tree.
unpacked() {
	tree=$roots/$1
	[ -d "$tree" ] && return
	tree=$work/$1
	[ -d "$tree" ] || unpack "$roots/$1.tar.gz" "$work"
}
pair() {
	local before after now=$work/now

	unpacked "$1" && before=$tree
	unpacked "$2" && after=$tree
	rm -rf "$now" && cp -r "$before" "$now"
	assay run --root "$now" -i 10m -n pair -- cp -r "$after/." "$now" 2>"$work/err"
	equal "$1 and $2: the run ends well" $? 0
	assay stats @0 --json >"$work/stats"
	if words=$(python3 "$oracle/pairs.py" "$before" "$after" <"$work/stats"); then
		ok "$1 and $2: $words"
	else
		not_ok "$1 and $2" "$words"
	fi
	rm -rf "$work/$1" "$work/$2"
}
pair sc-adl0-before sc-adl0-after
pair sc-knl0-before sc-knl0-after
pair sc-milan0-before sc-milan0-after
pair sysstat-root1 sysstat-root2
pair sysstat-root2 sysstat-root3
pair sysstat-root6 sysstat-root7
done_testing
