# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f counters.awk -f judge.awk OUTER_BEGIN INNER_BEGIN INNER_END OUTER_END DUMP, with the names and times of the two
# CPUs: what is wrong with a recorded run, a line each, "TEST KEY ...".
#
# The first snapshot of the run was taken between the first two readings, its last between the other two.
FNR == 1 { file++ }
file <= 4 {
	read_[file, $1] = $2
	next
}

/^# tick / {
	at = $5 + 0
	next
}
/^# shape / {
	generations[$3] = $5 + 0
	next
}
/^#/ { next }
{
	key = $1
	value = $2 + 0
	cpu = ""
	if (match(key, /^(interrupts\.CPU|proc-stat\.cpu)[0-9]+\./)) {
		cpu = substr(key, 1, RLENGTH - 1)
		sub(/^.*[uU]/, "", cpu)
	}
	if (cpu == one)
		seen("one", off_one, on_one)
	if (cpu == two)
		seen("two", off_two, on_two)
	if (!(key in first))
		first[key] = value
	if (counts_up(key) && key in last && value < last[key])
		print "steps", key, "from", last[key], "to", value, "at", at
	if (at < off_one)
		until_off[key] = value
	last[key] = value
}

# A value of a CPU that is off or on from some instant. While the kernel switches it either may be seen.
function seen(which, off, on) {
	if (at > off + 0.02 && at < on - 0.02)
		print "away", key, value, "at", at, "while it was off from", off, "to", on
	if (at > on + 0.02)
		returned[which]++
}

function between(test, key, value, low, high) {
	compared++
	if (value < low || value > high)
		print test, key, value, "is not between", low, "and", high
}

END {
	for (key in first) {
		if (!counts_up(key) || !((1, key) in read_) || !((4, key) in read_))
			continue
		if ((2, key) in read_)
			between("first", key, first[key], read_[1, key] + 0, read_[2, key] + 0)
		if ((3, key) in read_)
			between("last", key, last[key], read_[3, key] + 0, read_[4, key] + 0)
	}
	print "# " compared " first and last values compared"
	if (!returned["one"])
		print "back", "CPU", one
	if (!returned["two"])
		print "back", "CPU", two
	# Two programs kept one CPU each busy for 0.6 s, after both had come back.
	for (i = 1; i <= 2; i++) {
		key = "proc-stat.cpu" (i == 1 ? one : two) ".user"
		if (last[key] - until_off[key] < 50)
			print "busy", key, "from", until_off[key], "to", last[key]
	}
	n = split("interrupts proc-stat diskstats", changed, " ")
	for (i = 1; i <= n; i++)
		if (generations[changed[i]] < 2)
			print "generations", "of", changed[i] ":", generations[changed[i]] + 0
	if (!(("proc-stat.cpu" late ".user") in last))
		print "generations", "CPU", late, "has no values"
	for (name in generations)
		if (generations[name] > 1)
			print "# " name " had " generations[name] " generations"
}
