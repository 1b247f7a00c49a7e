# SPDX-License-Identifier: GPL-3.0-or-later
# What of the second reader's keys only ever counts up; the rest are levels.
function counts_up(key) {
	if (key ~ /^(interrupts|softirqs|numa-numastat|netdev)\./)
		return 1
	if (key ~ /^proc-stat\./) # the kernel's idle times step when a CPU goes off
		return key !~ /\.(idle|iowait|btime|procs_running|procs_blocked)$/
	if (key ~ /^diskstats\.[a-z_]*\.zram0$/) # the other one begins anew
		return key !~ /\.in_flight\./
	if (key ~ /^(snmp|netstat|snmp6)\./)
		return key !~ /\.(CurrEstab|Forwarding|DefaultTTL|Rto[A-Za-z]*|MaxConn|MPCurrEstab)$/
	if (key ~ /^proc-vmstat\./)
		return key !~ /\.(nr_.*|numa_pages_.*|workingset_nodes|.*_fails|swap_ra.*)$/ || key ~ /\.nr_(dirtied|written)$/
	if (key ~ /^numa-vmstat\./)
		return key ~ /\.(numa_[a-z]*|nr_dirtied|nr_written|nr_vmscan_[a-z_]*|workingset_[ra][a-z_]*)$/
	return 0
}
