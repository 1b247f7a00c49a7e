# SPDX-License-Identifier: GPL-3.0-or-later
# A second reader of the kernel's files, written for its plainness alone: KEY VALUE for each number, under the keys of
# `assay sample`. It shares nothing with the program it judges but the kernel's files.
#
#   awk -f reader.awk /proc/vmstat /proc/interrupts ...

function put(key, value) { print key, value }

# A line of proc/interrupts has its numbers, one for each online CPU, and then words.
function interrupt_name(fields, columns,    name, i, from) {
	name = $1
	from = 2
	for (i = 0; i < columns && $from ~ /^[0-9]+$/; i++)
		from++
	if (from > fields) {
		sub(/:$/, "", name)
		return name
	}
	for (i = from; i <= fields; i++)
		name = name (i > from ? ($1 ~ /^[0-9]/ ? "." : "_") : "") $i
	gsub(/,\./, ",", name)
	return name
}

FNR == 1 {
	file = FILENAME
	node = ""
	if (match(file, /node[0-9]+/))
		node = substr(file, RSTART, RLENGTH)
}

file == "/proc/vmstat" { put("proc-vmstat." $1, $2); next }
file == "/proc/meminfo" { put("meminfo." substr($1, 1, length($1) - 1), $2); next }
node && file ~ /\/vmstat$/ { put("numa-vmstat." node "." $1, $2); next }
node && file ~ /\/numastat$/ { put("numa-numastat." node "." $1, $2); next }
node && file ~ /\/meminfo$/ { put("numa-meminfo." node "." substr($3, 1, length($3) - 1), $4); next }

file == "/proc/stat" && /^cpu/ {
	n = split("user nice system idle iowait irq softirq steal guest guest_nice", names, " ")
	for (i = 2; i <= NF && i - 1 <= n; i++)
		put("proc-stat." $1 "." names[i - 1], $i)
	next
}
file == "/proc/stat" && /^softirq / {
	n = split("HI TIMER NET_TX NET_RX BLOCK IRQ_POLL TASKLET SCHED HRTIMER RCU", names, " ")
	for (i = 1; i <= n; i++)
		put("proc-stat.softirqs." names[i], $(i + 2))
}
file == "/proc/stat" { put("proc-stat." $1, $2); next }

file == "/proc/interrupts" && FNR == 1 {
	columns = NF
	for (i = 1; i <= NF; i++)
		cpu[i] = $i
	next
}
file == "/proc/interrupts" {
	name = interrupt_name(NF, columns)
	for (i = 1; i <= columns && $(i + 1) ~ /^[0-9]+$/; i++)
		if (name == "ERR" || name == "MIS")
			put("interrupts." name, $(i + 1))
		else
			put("interrupts." cpu[i] "." name, $(i + 1))
	next
}

file == "/proc/softirqs" && FNR == 1 { next }
file == "/proc/softirqs" {
	for (i = 2; i <= NF; i++)
		put("softirqs.CPU" (i - 2) "." substr($1, 1, length($1) - 1), $i)
	next
}

file == "/proc/slabinfo" && FNR <= 2 { next }
file == "/proc/slabinfo" {
	put("slabinfo." $1 ".active_objs", $2)
	put("slabinfo." $1 ".num_objs", $3)
	put("slabinfo." $1 ".objsize", $4)
	put("slabinfo." $1 ".objperslab", $5)
	put("slabinfo." $1 ".pagesperslab", $6)
	put("slabinfo." $1 ".active_slabs", $14)
	put("slabinfo." $1 ".num_slabs", $15)
	next
}

file == "/proc/diskstats" {
	n = split("read_ios read_merges read_sectors read_ticks write_ios write_merges write_sectors write_ticks in_flight " \
		  "io_ticks time_in_queue discard_ios discard_merges discard_sectors discard_ticks flush_ios flush_ticks",
		  names, " ")
	for (i = 1; i <= n && i + 3 <= NF; i++)
		put("diskstats." names[i] "." $3, $(i + 3))
	next
}

file == "/proc/net/dev" && FNR <= 2 { next }
file == "/proc/net/dev" {
	sub(/:/, ": ")
	device = substr($1, 1, length($1) - 1)
	n = split("rx_bytes rx_packets rx_errs rx_drop rx_fifo rx_frame rx_compressed rx_multicast tx_bytes tx_packets " \
		  "tx_errs tx_drop tx_fifo tx_colls tx_carrier tx_compressed", names, " ")
	for (i = 1; i <= n; i++)
		put("netdev." device "." names[i], $(i + 1))
	next
}

# Two lines for each protocol: names, numbers.
file ~ /^\/proc\/net\/(snmp|netstat)$/ && FNR % 2 == 1 {
	n = split($0, names, " ")
	next
}
file ~ /^\/proc\/net\/(snmp|netstat)$/ {
	for (i = 2; i <= NF && i <= n; i++)
		put(substr(file, 11) "." substr($1, 1, length($1) - 1) "." names[i], $i)
	next
}
file == "/proc/net/snmp6" { put("snmp6." $1, $2); next }

file ~ /^\/proc\/net\/sockstat6?$/ {
	for (i = 2; i < NF; i += 2)
		put(substr(file, 11) "." substr($1, 1, length($1) - 1) "." $i, $(i + 1))
	next
}

file == "/proc/buddyinfo" {
	for (i = 5; i <= NF; i++)
		put("buddyinfo.Node." ($2 + 0) ".zone." $4 "." (i - 5), $i)
	next
}

# Numbers of a node, then those of each of its zones, some of them by CPU.
file == "/proc/zoneinfo" && $1 == "Node" {
	zone = "zoneinfo.node" ($2 + 0) "." $4
	whole = "zoneinfo.node" ($2 + 0)
	per = 0
	next
}
file == "/proc/zoneinfo" && $1 == "per-node" { per = 1; next }
file == "/proc/zoneinfo" && $1 == "pages" { per = 0; put(zone ".pages." $2, $3); next }
file == "/proc/zoneinfo" && $1 == "pagesets" { next }
file == "/proc/zoneinfo" && $1 == "cpu:" { processor = zone ".pagesets.cpu" $2; next }
file == "/proc/zoneinfo" && $1 == "vm" { put(processor ".vm_stats_threshold", $4); next }
file == "/proc/zoneinfo" && $1 == "protection:" {
	gsub(/[(),]/, " ")
	for (i = 2; i <= NF; i++)
		put(zone ".protection." (i - 2), $i)
	next
}
file == "/proc/zoneinfo" && $1 ~ /^(node_unreclaimable|start_pfn):$/ { put(zone "." substr($1, 1, length($1) - 1), $2); next }
file == "/proc/zoneinfo" && $1 ~ /:$/ { put(processor "." substr($1, 1, length($1) - 1), $2); next }
file == "/proc/zoneinfo" && per { put(whole "." $1, $2); next }
file == "/proc/zoneinfo" && NF == 2 { put(zone ".pages." $1, $2); next }
