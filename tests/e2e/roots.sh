#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every number of recorded trees, and of invented ones, against the independent reader in tests/oracle.
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm # tens of thousands of small files
. "$(dirname "$0")/tap.sh"

roots=${ASSAY_SHARED:-}/data/roots
oracle=$ASSAY_SOURCE/tests/oracle
. "$oracle/unpack.sh"
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
[ -d "$roots" ] || roots=$work/none # the invented ones are there in any case

# Two at a time: half of the trees each, the large ones spread over both.
compare() {
	local tree name list=()

	mkdir -p "$work/$1"
	for tree in "${@:2}"; do
		name=$(basename "$tree" .tar.gz)
		if [ -d "$tree" ]; then
			list+=("$tree")
		else
			unpack "$tree" "$work/$1"
			list+=("$work/$1/$name")
		fi
	done
	python3 "$oracle/compare.py" assay "${list[@]}" >"$work/$1.tap"
}
odd=() even=() i=0 wanted=0
python3 "$oracle/invent.py" "$work/invented" $(seq 40)
trees=("$roots"/* "$roots"/../cases/*/root "$roots"/../cases/*/t[0-9] "$work"/invented/*)
for tree in "${trees[@]}"; do
	[ -e "$tree" ] || continue
	wanted=$((wanted + 1))
	if [ $((i++ % 2)) = 0 ]; then even+=("$tree"); else odd+=("$tree"); fi
done
compare even "${even[@]}" &
compare odd "${odd[@]}"
wait $!
while IFS= read -r line; do
	case $line in
	"ok "*) ok "${line#* - }" ;;
	"not ok "*) not_ok "${line#* - }" ;;
	"#"*) echo "$line" ;;
	esac
done < <(cat "$work/even.tap" "$work/odd.tap")
equal "every tree was compared" "$n" "$wanted"
done_testing
