#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A disk that holds the spool and the store is full in the middle of a run: the run ends as it should all the same.
. "$(dirname "$0")/tap.sh"
disk=$work/disk
mkdir "$disk"
if ! mount -t tmpfs -o size=768k tmpfs "$disk" 2>/dev/null; then
	skip "a run ends well on a full disk" "no tmpfs can be mounted here"
	done_testing
fi
trap 'umount "$disk"; cleanup' EXIT
export ASSAY_STORE=$disk/store ASSAY_SPOOL=$disk/spool

# It fills what is left, goes on for a while, prints more than finds place, and ends with a status of its own.
cat >"$work/command" <<-'END'
	sleep 0.5
	cat /dev/zero >"$1" 2>/dev/null
	sleep 1
	head -c 2000000 /dev/urandom | base64
	exit 7
END
assay run -n filled -i 20ms -- sh "$work/command" "$disk/filling" >"$work/out" 2>"$work/err"
equal "the command's status is passed on" $? 7
like "it is told that snapshots were lost" "$(cat "$work/err")" "bytes of snapshots found no place in the spool and are lost"
equal "all that the command printed was shown" "$(wc -c <"$work/out")" "$(head -c 2000000 /dev/zero | base64 | wc -c)"
check "the disk was full" test "$(df --output=avail "$disk" | tail -n 1)" -lt 256
rm "$disk/filling"
assay push >"$work/out" 2>"$work/err"
equal "what waits is delivered when there is room" $? 0
like "the run is complete" "$(assay runs --json)" '"complete":true,"exit_code":7,"signal":0'
like "how long it took is known" "$(assay runs --json)" '"duration_ns":[1-9]'
like "and tells how much was lost" "$(assay dump --frames @0 | grep '^# end')" '^# end seen, exit 7, .* [1-9][0-9]* bytes dropped'
check "its results are there" sh -c 'assay stats @0 | grep -q "^filled.time.elapsed_time"'
equal "nothing is left in the spool" "$(ls "$disk/spool")" ""
done_testing
