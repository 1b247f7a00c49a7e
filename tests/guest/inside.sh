#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is tested inside the guest: inside.sh LABEL CPU CPU CPU BLOCKS
# Two CPUs go off and come back while `assay run` samples, the third, which was off, comes; a disk comes, goes and comes
# back; one of these blocks of memory (4,5; or "") goes off and comes back. LABEL stands behind each test's name. Prints TAP.
label=$1 one=$2 two=$3 late=$4 blocks=$5
here=/guest
mkdir -p /tmp/w && cd /tmp/w
export ASSAY_STORE=/tmp/w/store ASSAY_SPOOL=/tmp/w/spool ASSAY_WORK=/tmp/w

# result STATUS NAME: what the last command printed to `why` is shown when it failed
result() {
	if [ "$1" = 0 ]; then
		echo "ok - $2 ($label)"
	else
		echo "not ok - $2 ($label)"
		[ ! -s why ] || head -n 20 why | sed 's/^/#   /'
	fi
	: >why
}

. $here/files.sh
values() { sed '/^#/d' | awk '{ print $1, $2 }'; }

# A disk that is there from the beginning. Another one comes, goes and comes back during the run.
echo 32M >/sys/block/zram0/disksize && dd if=/dev/urandom of=/dev/zram0 bs=65536 count=20 2>/dev/null
# One CPU is not there at first.
echo 0 >/sys/devices/system/cpu/cpu$late/online

# ---- samples ----

assay doctor >doctor 2>&1
sed 's/^/# /' doctor
awk '$1 == "ok" && $2 != "machine" && $2 != "store" && $2 != "spool" { print $2 }' doctor >working
[ "$(wc -l <working)" -ge 10 ] || cp doctor why
result $? "collectors work here"

assay sample 2>why | values | cut -d. -f1 | sort -u >given
grep -vxF -f given working | grep -vx process >silent # there is no command whose processes it could measure
[ ! -s silent ] || { cp silent why; false; }
result $? "each collector that works gives values"

families=proc-vmstat,meminfo,proc-stat,interrupts,softirqs,slabinfo,diskstats,netdev,numa-vmstat,numa-meminfo,numa-numastat
families=$families,snmp,netstat,snmp6,sockstat,sockstat6,buddyinfo,zoneinfo
# Levels move while they are read, and one who reads moves them, too. So the program samples while the other reader reads
# again and again, and of each key one value at least lies between the least and the most that was read. Counters are
# looked at closely further down.
read_all reading.1
assay sample -c $families -n 12 -i 300ms >samples 2>why &
sampler=$!
n=1
while kill -0 $sampler 2>/dev/null; do
	n=$((n + 1))
	read_all reading.$n
done
wait $sampler
result $? "twelve samples can be taken"
read_all reading.$((n + 1))
values <samples | awk -f $here/between.awk reading.* - >wrong
grep '^#' wrong
grep '^outside' wrong >why
[ ! -s why ]
result $? "each value is that of the file"
grep '^missing' wrong >why
[ ! -s why ]
result $? "no value of a file is left out"
grep '^unknown' wrong >why
[ ! -s why ]
result $? "no value is made up"
awk 'NR == FNR { split($1, p, "."); known[p[1]]; next } !($1 in known)' reading.1 working >others
echo "# without a second reader here:" $(cat others)

# ---- a run while CPUs and memory come and go ----

# Those that the second reader knows four times a second, the others each second.
choice=$(awk -v known="$families" 'BEGIN { n = split(known, k, ","); for (i = 1; i <= n; i++) fast[k[i]] }
	{ print $1 ":" ($1 in fast ? "250ms" : "1s") }' working | tr '\n' ',')
read_all outer_begin
assay run -n hotplug -i 250ms -c "${choice%,}" -- sh $here/come_and_go.sh "$one" "$two" "$late" "$blocks" >run_out 2>run_err
status=$?
read_all outer_end
sed 's/^/# /' run_out run_err
[ $status = 0 ] || cp run_err why
result $? "a run ends well while CPUs go off and come back"

if [ -n "$blocks" ]; then
	grep 'memory block that is off: [0-9]' run_out >/dev/null || cp run_out why
	[ ! -s why ]
	result $? "a block of memory went off and came back"
fi

assay dump --frames @0 >dump 2>why
result $? "what it recorded can be read"
grep '^# end seen, exit 0, signal 0, .* 0 bytes dropped' dump >/dev/null || grep '^# end' dump >why
result $? "it has its end, and nothing was dropped"
awk '/^# end / { for (i = 2; i <= NF; i++) if ($i == "failed") print $(i - 1) }' dump >failed_samples
[ "$(cat failed_samples)" = 0 ] || { grep -E '^# (end|log)' dump >why; false; }
result $? "no sample failed"

. ./moments # when what went off and came back
awk -v one="$one" -v two="$two" -v late="$late" -v off_one="$off_one" -v on_one="$on_one" -v off_two="$off_two" -v on_two="$on_two" \
	-f $here/counters.awk -f $here/judge.awk outer_begin inner_begin inner_end outer_end dump >verdicts
for test in first last steps away back busy generations; do
	grep "^$test " verdicts | cut -d' ' -f2- >why
	case $test in
	first) name="each counter's first value lies between the readings around it" ;;
	last) name="each counter's last value lies between the readings around it" ;;
	steps) name="no counter of the recording runs backward" ;;
	away) name="a CPU that is off has no values" ;;
	back) name="a CPU that came back has values again" ;;
	busy) name="what a CPU did after it came back is its own" ;;
	generations) name="a new CPU, a new disk: their collectors have a new generation" ;;
	esac
	[ ! -s why ]
	result $? "$name"
done
grep '^#' verdicts

assay stats @0 >stats 2>why
[ -s stats ]
result $? "the run has stats"
awk -f $here/counters.awk -f $here/deltas.awk outer_begin inner_begin inner_end outer_end stats >why
grep '^#' why
sed -i '/^#/d' why
[ ! -s why ]
result $? "the stats of counters are what the files say"
awk 'NF >= 2 && $2 < 0' stats | grep -vE '^((turbostat|thermal|hwmon)\.|snmp\.Tcp\.MaxConn |sched_debug\..*(spread0|nr_uninterruptible|vruntime))' >why
[ ! -s why ]
result $? "no stat is negative"
awk '$1 ~ /(%|_pct)$/ && $2 > 100.5' stats | grep -E '^(mpstat|vmstat|iostat|pressure)\.' >why
[ ! -s why ]
result $? "no share is more than all"
exit 0
