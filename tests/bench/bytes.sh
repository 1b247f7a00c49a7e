#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a value costs to send and to keep, beside sadc and pmlogger, which record the same machine over the same window
# at the same interval of 1 s, while hackbench runs a third of the time.
#
#   bytes.sh [SECONDS]      the window, 60; 600 is the archive's case
#
#   bytes-wire.ours, .sar, .pcp      bytes a value as they are sent or written: segments of 5 s; the sar file; the archive
#   bytes-wire.ratio                 the best of the others / ours
#   bytes-packed.ours, .sar, .pcp    ours packed as a run that has ended; theirs after zstd -3
#   bytes-packed.ratio               the best of the others / ours
#
# A value is one number of one instance at one second. Each side has its own set of them; what the ratio compares is the
# price of one. Of sar it is what `sadf` prints, of PCP the archive's records.
set -eu
cd "$(dirname "$0")/../.."
. packaging/packages.sh
need sysstat zstd libpcp3 libpcp-pmda3 libpcp-web1 libpcp-mmv1 libpcp-archive1 libpcp-gui2 pcp-conf
seconds=${1:-60}
folder=$(mktemp -d "${TMPDIR:-/tmp}/assay-bench.XXXXXX")
pids=()
trap 'for p in "${pids[@]}"; do kill "$p" 2>/dev/null || true; done; wait; rm -rf "$folder"' EXIT

# PCP's package starts services, and cannot be installed where there is no systemd: it is unfolded here instead.
(cd "$folder" && apt-get -qq download pcp >/dev/null 2>&1 && dpkg-deb -x pcp_*.deb pcp)
pcp=$folder/pcp/usr
pcpbin=$pcp/lib/pcp/bin
sed -e "s,^PCP_BINADM_DIR=.*,PCP_BINADM_DIR=$pcpbin," -e "s,^PCP_\(RUN\|LOG\|TMP\|TMPFILE\)_DIR=.*,PCP_\1_DIR=$folder," /etc/pcp.conf >"$folder/pcp.conf"
export PCP_CONF=$folder/pcp.conf PMCD_PORT=44399
echo "linux 60 dso linux_init $pcp/lib/pcp/pmdas/linux/pmda_linux.so" >"$folder/pmcd.conf"
printf 'log mandatory on 1 sec {\n kernel\n mem\n disk\n swap\n network\n}\n' >"$folder/log.conf"
cp "$pcp/lib/pcp/pmns/root_linux" "$folder/names"
"$pcpbin/pmcd" -f -n "$folder/names" -i 127.0.0.1 -s "$folder/pmcd.sock" -l "$folder/pmcd.log" \
	-c "$folder/pmcd.conf" -U "$(id -un)" &
pids+=($!)
sleep 2

"$pcpbin/pmlogger" -n "$folder/names" -h 127.0.0.1 -c "$folder/log.conf" -l "$folder/pmlogger.log" -t 1sec \
	-T "${seconds}sec" "$folder/archive" &
logger=$!
pids+=($logger)
/usr/lib/sysstat/sadc -S XALL 1 $((seconds + 1)) "$folder/sar" &
sadc=$!
pids+=($sadc)
# No server listens there: the segments stay in the spool, as they would be sent.
assay run --spool "$folder/spool" --to http://127.0.0.1:9 -- \
	bash -c "end=\$((SECONDS + $seconds)); while sleep 10; [ \$SECONDS -lt \$end ]; do timeout 5 hackbench -g 1 -l 1000000; done" \
	>/dev/null 2>"$folder/assay.log" || true
wait $logger $sadc || true

read -r wire values packed < <(bench_bytes "$folder"/spool/*/*.seg)
sar_bytes=$(stat -c %s "$folder/sar")
sar_values=$(sadf -p "$folder/sar" -- -A | wc -l)
pcp_bytes=$(cat "$folder"/archive.* | wc -c)
# Records of the archive, as text: "pmid (name):" with one value behind it, or one "inst [...] value" a line.
pcp_values=$("$pcp/bin/pmdumplog" -n "$folder/names" "$folder/archive" | grep -c ' value ')
sar_packed=$(zstd -3 -c -q "$folder/sar" | wc -c)
pcp_packed=$(cat "$folder"/archive.* | zstd -3 -c -q | wc -c)
awk -v w="$wire" -v v="$values" -v p="$packed" -v sb="$sar_bytes" -v sv="$sar_values" -v sp="$sar_packed" \
	-v pb="$pcp_bytes" -v pv="$pcp_values" -v pp="$pcp_packed" '
function least(a, b) { return a < b ? a : b }
function three(name, ours, sar, pcp) {
	printf "%s.ours %.4f bytes/value\n%s.sar %.4f bytes/value\n%s.pcp %.4f bytes/value\n", name, ours, name, sar, name, pcp
	printf "%s.ratio %.2f x\n", name, least(sar, pcp) / ours
}
BEGIN {
	if (!v || !sv || !pv) { print "bytes: a side recorded nothing" > "/dev/stderr"; exit 1 }
	printf "bytes.values-ours %d values\nbytes.values-sar %d values\nbytes.values-pcp %d values\n", v, sv, pv
	three("bytes-wire", w / v, sb / sv, pb / pv)
	three("bytes-packed", p / v, sp / sv, pp / pv)
}'
