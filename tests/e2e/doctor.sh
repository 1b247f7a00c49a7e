#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `assay doctor --root TREE` leaves nothing out silently: each file of a tree that a collector knows is read, or named.
. "$(dirname "$0")/tap.sh"

put() { mkdir -p "$(dirname "$work/tree/$1")" && printf '%b' "$2" >"$work/tree/$1"; }
left() { assay doctor --root "$work/tree" --json | jq -r --arg what "$1" '.[] | select(.what == $what and .files) | "\(.files | join(" ")): \(.words)"'; }

put proc/meminfo 'MemTotal: 12 kB\n'
put proc/slabinfo 'slabinfo - version: 1.1\nkmem_cache 80 80 248 5 5 1\n'
put proc/uptime ''
put proc/loadavg 'nonsense\n'
put sys/devices/system/node/node0/numastat 'numa_hit 1\n'
put sys/devices/system/node/node1/numastat ''
put sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq '100\n'
mkdir -p "$work/tree/sys/devices/system/cpu/cpufreq"
ln -s ../cpu0/cpufreq "$work/tree/sys/devices/system/cpu/cpufreq/policy0"
put sys/devices/system/cpu/cpufreq/policy1/scaling_cur_freq '200\n'
equal "what is read is not listed" "$(left meminfo)" ""
equal "a version that is not known is the reason" "$(left slabinfo)" "proc/slabinfo: proc/slabinfo: not of version 2.x"
equal "an empty file is named" "$(left uptime)" "proc/uptime: it is empty"
like "nonsense is named" "$(left loadavg)" '^proc/loadavg: .*no number'
equal "an empty file among others is named" "$(left numa-numastat)" "sys/devices/system/node/node1/numastat: it is empty"
equal "another name of what is read is not listed" "$(left cpufreq)" \
	"sys/devices/system/cpu/cpufreq/policy1/scaling_cur_freq: not needed: another file tells it"
like "people read it, too" "$(assay doctor --root "$work/tree")" '^left +slabinfo +proc/slabinfo: .*2\.x'
assay doctor --root "$work/tree" >/dev/null 2>&1
equal "a file that is left out is no failure" $? 0
if [ "$(id -u)" = 0 ]; then
	chmod 755 "$work" "$work/tree"
	chmod 000 "$work/tree/proc/meminfo"
	equal "a file that may not be read is named" "$(setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent \
		"$(command -v assay)" doctor --root "$work/tree" --json | jq -r '.[] | select(.what == "meminfo" and .files) | .words')" \
		"Permission denied"
else
	skip "a file that may not be read is named" "needs root to become another"
fi

# The same for recorded trees: the files that any pattern of any collector matches are opened, or listed.
roots=${ASSAY_SHARED:-}/data/roots
. "$ASSAY_SOURCE/tests/oracle/unpack.sh"
if [ -d "$roots" ] && command -v strace >/dev/null && strace -o "$work/trace" true 2>/dev/null; then
	assay collectors --json | jq -r '.[].source' | tr ' ' '\n' | sort -u >"$work/patterns"
	for name in jc-linux-proc node-exporter hotsos-kubernetes pcp-meminfo-007 pcp-rapl-t460s sysstat-root2 elastic-cgroup-docker; do
		tree=$roots/$name
		if [ ! -d "$tree" ]; then
			unpack "$tree.tar.gz" "$work"
			tree=$work/$name
		fi
		(cd "$tree" && while read -r pattern; do
			for file in $pattern; do [ -f "$file" ] && echo "$file"; done
		done <"$work/patterns" | sort -u) >"$work/known"
		strace -f -qq -e trace=openat,openat2,open -o "$work/trace" assay sample --root "$tree" >/dev/null 2>&1
		{
			grep -v ' = -1 ' "$work/trace" | sed -n 's/.*"\([^"]*\)".*/\1/p'
			assay doctor --root "$tree" --json | jq -r '.[] | .files // [] | .[]'
			# What is only watched beside files that this tree does not have.
			printf '%s\n' proc/partitions sys/devices/system/cpu/online sys/devices/system/node/online
		} | sed 's,^/,,' | sort -u >"$work/told"
		equal "$name: $(wc -l <"$work/known") known files, each is read or named" "$(comm -23 "$work/known" "$work/told" | head -5)" ""
	done
else
	skip "files of recorded trees" "no trees, or no strace"
fi
done_testing
