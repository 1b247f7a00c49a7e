#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Stores that are not there, not ours or not writable; files by any path; machines of any size.
. "$(dirname "$0")/tap.sh"

# A store on a disk that is not mounted.
ln -s "$work/unmounted/assay" "$work/dangling"
assay run -c none -s "$work/dangling" -- sh -c 'exit 5' 2>"$work/err"
equal "a run whose store is not there ends as its command does" $? 5
like "and says that it waits in the spool" "$(cat "$work/err")" '1 of 1 segments wait'
assay push >"$work/out" 2>&1
equal "a push to where the store still is not fails" $? 1
check "and keeps the run" test -n "$(find "$ASSAY_SPOOL" -name '*.seg')"
mkdir -p "$work/unmounted/assay"
assay push >"$work/out" 2>&1
equal "a push to the store that is back succeeds" $? 0
equal "the run is where it was to go" "$(assay runs -s "$work/dangling" | wc -l)" 1
check "and nowhere else" test ! -e "$ASSAY_STORE/runs"

# Two stores by relative names: each run goes to its own, from wherever it is pushed.
cd "$work" || exit 1
ln -s "$work/later" one
assay run -c none -n first -s one/a -- true 2>/dev/null
assay run -c none -n second -s one/b -- true 2>/dev/null
mkdir later
cd / || exit 1
assay push >/dev/null 2>&1
equal "a relative store is found again from another folder" \
	"$(assay runs -s "$work/later/a" | wc -l) $(assay runs -s "$work/later/b" testcase=second | wc -l)" "1 1"

assay run --to http://127.0.0.1:9 -c none -- true 2>"$work/err"
equal "nothing is called sent that was not" "$(grep -c 'sent to' "$work/err")" 0
rm -rf "$ASSAY_SPOOL"

# Another's store can be read.
assay run -c uptime -n mine -- sleep 0.1 2>/dev/null
if [ "$(id -u)" = 0 ]; then
	chmod 755 "$work"
	chmod -R go+rX "$ASSAY_STORE"
	other() { setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent "$(command -v assay)" "$@" -s "$ASSAY_STORE"; }
	equal "another user lists a store that is not his" "$(other runs | grep -c mine)" 1
	like "and reads its stats" "$(other stats @0)" '^mine\.time\.elapsed_time '
else
	skip "another user lists a store that is not his" "needs root to become another"
fi

# A segment by any path, from any folder.
assay sample -c uptime -o "$work/now.seg" >"$work/sampled"
mkdir -p "$work/deep/host" "$work/deep/sub"
ln -s "$work/now.seg" "$work/deep/link.seg"
cd "$work/deep" || exit 1
check "by an absolute path, beside a folder called host" cmp "$work/sampled" <(assay dump "$work/now.seg")
check "by a path upwards" cmp "$work/sampled" <(assay dump ../now.seg)
check "by a link" cmp "$work/sampled" <(assay dump link.seg)
cd "$work" || exit 1

# What is interrupted is there as far as it came.
assay sample -c uptime -i 20ms -n 100000 -o "$work/long.seg" >"$work/out" &
pid=$!
pids+=($pid)
for _ in $(seq 100); do [ "$(grep -c '^# tick' "$work/out")" -gt 5 ] && break; sleep 0.1; done
kill -9 $pid
wait $pid 2>/dev/null
check "an interrupted recording keeps its snapshots" \
	test "$(assay dump "$work/long.seg" 2>/dev/null | grep -c '^# tick')" -gt 4

# Names of any length, and shares of one run.
name=$(head -c 300 /dev/zero | tr '\0' n)
assay run -c none -n "$name" -- true 2>/dev/null
check "a long name loses no number" test "$(assay stats @0 | grep -c "^$name\.time\.")" -ge 3
assay run -c none -n again -r 4 -- true 2>/dev/null
cpu() { assay stats "$1" -k agent.cpu_seconds | cut -d' ' -f2; }
check "the agent's CPU time is that of its run, not of those before" \
	awk -v first="$(cpu @3)" -v last="$(cpu @0)" 'BEGIN { exit !(last < 2.5 * first + 0.005) }'

# Broken lines, and trees without anything.
mkdir -p "$work/tree/proc" "$work/empty"
printf 'MemTotal: 16 kB\nBroken: kB\nMemFree: 8 kB\n' >"$work/tree/proc/meminfo"
assay sample --root "$work/tree" >"$work/out" 2>"$work/err"
like "a broken line costs that line" "$(cat "$work/out")" '^meminfo\.MemFree 8 KiB$'
like "and is named" "$(cat "$work/err")" 'no number after Broken'
assay sample --root "$work/empty" >/dev/null 2>"$work/err"
equal "a tree that gives nothing is a failure" $? 1
like "that says so" "$(cat "$work/err")" 'no collector gives anything'
if [ -r "${ASSAY_SHARED:-}/data/roots/pcp-1152cpu.tar.gz" ]; then
	tar -xzf "$ASSAY_SHARED/data/roots/pcp-1152cpu.tar.gz" -C "$work"
	/usr/bin/time -f %M -o "$work/rss" assay sample --root "$work/pcp-1152cpu" -o "$work/big.seg" >"$work/big"
	equal "1,152 CPUs are sampled" $? 0
	check "whole ($(wc -l <"$work/big") lines)" test "$(wc -l <"$work/big")" -gt 100000
	check "in bounded memory ($(tail -n 1 "$work/rss") KiB)" test "$(tail -n 1 "$work/rss")" -lt 81920
	check "and dumped as they were sampled" cmp "$work/big" <(assay dump "$work/big.seg")
else
	skip "1,152 CPUs are sampled" "the recorded tree is not here"
fi
done_testing
