#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the kernel's log and a command's stderr tell is counted in a comparison; a command sets marks.
. "$(dirname "$0")/tap.sh"
tree=$work/tree
mkdir -p "$tree/proc" "$tree/sys" "$tree/log"
echo '1.0 2.0' >"$tree/proc/uptime"
echo '[    1.5] all is well' >"$tree/log/dmesg"
axes=(-n try -p commit=x -p tbox_group=t -c uptime -R "$tree")

for _ in 1 2 3; do assay run -p side=a "${axes[@]}" -- true 2>/dev/null; done
equal "a log that tells of nothing is clean" "$(assay stats @0 | grep dmesg)" "dmesg.boot_failures 0"
echo '[    1.6] WARNING: CPU: 3 PID: 77 at mm/page_alloc.c:4400 get_page+0x1/0x2' >>"$tree/log/dmesg"
for _ in 1 2 3; do assay run -p side=b "${axes[@]}" -- sh -c 'echo "disk 3: write error" >&2' 2>/dev/null; done
assay compare side=a side=b >"$work/table"
like "a warning of the kernel is counted by runs" "$(cat "$work/table")" \
	' :3 +100% +3:3 +dmesg\.WARNING:at_mm/page_alloc\.c:#get_page '
like "and a line of stderr" "$(cat "$work/table")" ' :3 +100% +3:3 +stderr\.disk#:write_error '

rm "$tree/log/dmesg"
assay run "${axes[@]}" -- true 2>/dev/null
like "a log that is not there is unknown" "$(assay show @0)" 'kernel\.log=unknown: the recording has no log'
equal "and not clean" "$(assay stats @0 | grep -c dmesg)" 0

# shellcheck disable=SC2016 # for the command's shell
assay run -c uptime -- sh -c 'assay mark warm-up && echo "round 3" > "$ASSAY_MARK"' 2>/dev/null
equal "a command sets marks" $? 0
like "and they are shown" "$(assay show @0)" '^mark +\+[0-9.]+ s warm-up$'
like "with their values" "$(assay show @0)" '^mark +\+[0-9.]+ s round 3$'
assay mark alone 2>"$work/error"
equal "outside of a run there is nothing to mark" $? 1
like "and that is said" "$(cat "$work/error")" 'ASSAY_MARK is not set'
assay run -c uptime -- assay mark 'two words' 2>/dev/null
equal "a name with a blank is refused" $? 2
done_testing
