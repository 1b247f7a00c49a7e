#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Two groups of hackbench, on a server and in a store: one table, with the columns and the families it should have.
. "$(dirname "$0")/tap.sh"
start_server
export ASSAY_STORE=$work/store
for groups in 1 3 3 1 3 1 1 3; do
	assay run --quiet -p session=s --to "$url" -- hackbench -g $groups -l 600 --pipe 2>>"$work/err" || echo "# run failed: $(tail -n 1 "$work/err")"
done
assay compare --rules lkp --store "$url" session=s,nr_threads=1 session=s,nr_threads=3 >"$work/table"
equal "the server compares" $? 0
table=$(cat "$work/table")
equal "the table begins with 89 =" "$(head -n 1 "$work/table")" "$(printf '=%.0s' $(seq 89))"
like "the axes stand in the head" "$table" '^commit/.*tbox_group/testcase:$|testcase.*:$'
like "the compared axis has a line" "$table" '^nr_threads: $'
like "column heads are 16 and 27 wide" "$table" '^ {15}1 {27}3 $'
like "below them a line" "$table" '^-{16} -{27} $'
like "a line names the columns' numbers" "$table" '^ {9}%stddev {5}%change {9}%stddev$'
like "hackbench.throughput is recognised" "$(assay stats --store "$url" @0)" '^hackbench\.throughput [0-9.]+$'
like "hackbench.time.* is in it" "$table" '  hackbench\.time\.[a-z_]+$'
for family in proc-vmstat softirqs interrupts vmstat mpstat meminfo; do
	assay compare --store "$url" --all --filter "$family.*" session=s,nr_threads=1 session=s,nr_threads=3 >"$work/$family"
	like "--all shows $family" "$(cat "$work/$family")" "  $family\.[^ ]+$"
done
equal "rows are as wide as they should be" \
	"$(sed -n '/%stddev/,$p' "$work/table" | sed 1,2d | grep -vcE '^( {0,10}[-+0-9.e]+| {10})( ±[ 0-9]{3}%| {6}) {0,11}[-+0-9.e]+(%| ) {0,11}[-+0-9.e]+( ±[ 0-9]{3}%| {6})  [^ ]+$|^$')" 0
assay compare --store "$url" session=s,nr_threads=1 session=s,nr_threads=3 >"$work/judged"
like "the result has a verdict" "$(cat "$work/judged")" '^hackbench\.throughput: (changed by|undecided,|unchanged) '
like "runs that took turns are known to have" "$(cat "$work/judged")" '^4 runs of 1 against 4 of 3, order (alternating|mixed)'
assay compare --store "$work/server" session=s,nr_threads=1 session=s,nr_threads=3 >"$work/local"
check "the store behind the server gives the same bytes" cmp "$work/judged" "$work/local"
for form in markdown csv html; do
	assay compare --format $form --store "$url" session=s,nr_threads=1 session=s,nr_threads=3 >"$work/$form"
	like "there is $form, too" "$(cat "$work/$form")" 'hackbench\.throughput'
done
equal "as JSON it has one table of two groups" \
	"$(assay compare --store "$url" --json session=s,nr_threads=1 session=s,nr_threads=3 | jq -c '[(.tables | length), [.tables[0].groups[].value]]')" \
	'[1,["1","3"]]'
assay compare --store "$url" commit=nothing commit=less >/dev/null 2>"$work/err"
equal "a group without runs is an error" $? 1
like "that names it" "$(cat "$work/err")" 'nothing'
done_testing
