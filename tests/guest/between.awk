# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f between.awk READING... SAMPLES: each key that was sampled has one value at least between the least and the most
# that was read, "outside" else; one that only one side has is "missing" or "unknown"
FILENAME != "-" {
	value = $2 + 0
	if (!($1 in least) || value < least[$1])
		least[$1] = value
	if (!($1 in most) || value > most[$1])
		most[$1] = value
	next
}
{
	sampled[$1] = $2
	if ($1 in least && $2 + 0 >= least[$1] && $2 + 0 <= most[$1])
		in_between[$1]
}
END {
	for (key in sampled)
		if (!(key in least))
			print "unknown", key, sampled[key]
		else if (!(key in in_between))
			print "outside", key, sampled[key], "is not between", least[key], "and", most[key]
		else
			right++
	for (key in least)
		if (!(key in sampled))
			print "missing", key, least[key]
	print "# " right + 0 " values lie between readings of their file"
}
