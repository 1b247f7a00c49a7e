#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# No arrow points up: every #include of a room's files is of that room or of one that it may include.
set -u
rooms=${ASSAY_BUILD:?}/rooms.txt
cd "${ASSAY_SOURCE:?}" || exit 1
n=0 bad=0
declare -A may
while IFS=: read -r room arrows; do
	may[$room]="$room $arrows"
done <"$rooms"
# May include is transitive: what a room may include, it may reach through that room's headers.
for room in "${!may[@]}"; do
	wrong=$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' "$room"/*.[ch] 2>/dev/null |
		while IFS= read -r line; do
			target=${line#*\"}
			target=${target%%\"*}
			dir=${target%%/*}
			# generated code (assay/v1/...) is proto's alone
			[ "$dir" = assay ] && dir=$([ "$room" = proto ] && echo proto || echo "proto's generated code")
			case " ${may[$room]} " in
			*" $dir "*) ;;
			*) echo "# $line" ;;
			esac
		done)
	n=$((n + 1))
	if [ -z "$wrong" ]; then
		echo "ok $n - $room includes only: ${may[$room]}"
	else
		echo "not ok $n - $room includes only: ${may[$room]}"
		echo "$wrong"
		bad=1
	fi
done
names=$(git ls-files 2>/dev/null | grep -E '(^|/)(util|utils|common|misc|helpers?)(\.[ch])?(/|$)')
n=$((n + 1))
[ -z "$names" ] && echo "ok $n - nothing is called util, common or misc" || {
	echo "not ok $n - nothing is called util, common or misc"
	echo "# $names"
	bad=1
}
echo "1..$n"
exit $bad
