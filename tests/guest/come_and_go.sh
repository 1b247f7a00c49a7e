#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command of the run: come_and_go.sh CPU CPU CPU BLOCKS, as inside.sh has them. It leaves what it saw in the folder
# it is run in: `inner_begin` and `inner_end`, readings just behind the first and just before the last snapshot, and
# `moments`.
one=$1 two=$2 late=$3 blocks=$4
. /guest/files.sh
now() { awk '{ print $1 }' /proc/uptime; }
switch() { echo "$2" >"/sys/devices/system/cpu/cpu$1/online"; }
mask() { printf %x $((1 << $1)); }
user_of() { awk -v cpu="cpu$1" '$1 == cpu { print $2 }' /proc/stat; }
# Keeps a CPU busy in user space, and only that one, until it has spent 0.6 s: however slow the machine is.
work_on() {
	begun=$(user_of "$1")
	while [ $(($(user_of "$1") - begun)) -lt 60 ]; do
		taskset "$(mask "$1")" awk 'BEGIN { for (i = 0; i < 400000; i++) n += i }'
	done
}

read_all inner_begin
work_on "$one"
switch "$one" 0
echo "off_one=$(now)" >moments
# A block that the kernel itself uses cannot go; one of those that are free can.
away=none
for n in $(echo "$blocks" | tr , ' '); do
	if echo offline >/sys/devices/system/memory/memory$n/state; then
		away=$n
		break
	fi
done 2>/dev/null
echo "memory block that is off: $away"
sleep 1
switch "$two" 0
echo "off_two=$(now)" >>moments
ping -c 2 -q 127.0.0.1 >/dev/null
disk=$(cat /sys/class/zram-control/hot_add)
fill() { echo 16M >/sys/block/zram$disk/disksize && dd if=/dev/zero of=/dev/zram$disk bs=65536 count=$1 2>/dev/null; }
fill 100
sleep 0.6
echo 1 >/sys/block/zram$disk/reset
echo "$disk" >/sys/class/zram-control/hot_remove
sleep 0.6
echo "on_one=$(now)" >>moments
switch "$one" 1
sleep 1
echo "on_two=$(now)" >>moments
switch "$two" 1
[ "$away" = none ] || echo online >/sys/devices/system/memory/memory$away/state
switch "$late" 1
disk=$(cat /sys/class/zram-control/hot_add)
fill 10
work_on "$one" &
work_on "$two"
wait
dd if=/dev/zero of=/tmp/w/filled bs=65536 count=200 2>/dev/null
read_all inner_end
