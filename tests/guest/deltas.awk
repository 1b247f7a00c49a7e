# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f counters.awk -f deltas.awk OUTER_BEGIN INNER_BEGIN INNER_END OUTER_END STATS: the stats of counters that are
# their difference over the run, against the differences of the readings.
FNR == 1 { file++ }
file <= 4 {
	read_[file, $1] = $2 + 0
	keys[$1]
	next
}
{
	key = $1
	if (!(key in keys) || !counts_up(key))
		next
	if (!((1, key) in read_) || !((2, key) in read_) || !((3, key) in read_) || !((4, key) in read_))
		next
	low = read_[3, key] - read_[2, key]
	high = read_[4, key] - read_[1, key]
	compared++
	if ($2 < low || $2 > high)
		print key, $2, "is not between", low, "and", high
}
END { print "# " compared " stats compared" }
