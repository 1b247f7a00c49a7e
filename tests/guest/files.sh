# SPDX-License-Identifier: GPL-3.0-or-later
# The files that the second reader knows; sourced.
files() {
	ls /proc/vmstat /proc/meminfo /proc/stat /proc/interrupts /proc/softirqs /proc/slabinfo /proc/diskstats /proc/net/dev
	ls /proc/net/snmp /proc/net/netstat /proc/net/snmp6 /proc/net/sockstat /proc/net/sockstat6 /proc/buddyinfo /proc/zoneinfo
	ls /sys/devices/system/node/node*/vmstat /sys/devices/system/node/node*/meminfo /sys/devices/system/node/node*/numastat
}
read_all() { awk -f /guest/reader.awk $(files) >"$1"; }
