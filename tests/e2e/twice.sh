#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sending something twice changes nothing; the server's store is the local one, byte for byte.
. "$(dirname "$0")/tap.sh"
start_server
assay run -n once -p commit=a -c uptime,meminfo -i 100ms -- sleep 0.5 2>/dev/null
id=$(assay runs --json testcase=once | jq -r '.runs[0].id')

assay push --to "$url" @0 >"$work/first"
like "a stored run can be pushed" "$(cat "$work/first")" '^[1-9][0-9]* segments delivered'
curl -s "$url/v1/runs/$id" >"$work/before"
assay stats --store "$url" "$id" >"$work/stats.before"
assay push --to "$url" @0 >/dev/null
equal "and pushed again" $? 0
curl -s "$url/v1/runs/$id" >"$work/after"
check "which changes nothing" cmp "$work/before" "$work/after"

assay stats "$id" >"$work/stats.local"
check "server and store give the same stats" cmp "$work/stats.local" "$work/stats.before"
check "server and store show the same run" \
	cmp <(assay show "$id") <(assay show --store "$url" "$id")
check "server and store dump the same frames" \
	cmp <(assay dump --frames "$id") <(assay dump --frames --store "$url" "$id")

segment=$(find "$ASSAY_STORE/runs/$id" -name '*.seg' | head -n 1)
equal "the same bytes again are 200" \
	"$(curl -s -o /dev/null -w '%{http_code}' -X PUT --data-binary "@$segment" "$url/v1/runs/$id/segments/1")" 200
assay run -n other -c uptime -- true 2>/dev/null
other=$(find "$ASSAY_STORE/runs/$(assay runs --json testcase=other | jq -r '.runs[0].id')" -name '000001.seg')
equal "bytes of another run are refused with 422" \
	"$(curl -s -o /dev/null -w '%{http_code}' -X PUT --data-binary "@$other" "$url/v1/runs/$id/segments/77")" 422
# The same frames, packed at another level, are other bytes.
zstd -dqc "$segment" | zstd -19 -qc --no-check >"$work/other.seg"
equal "other bytes under a number that is taken are 409" \
	"$(curl -s -o /dev/null -w '%{http_code}' -X PUT --data-binary "@$work/other.seg" "$url/v1/runs/$id/segments/1")" 409
check "and change nothing" cmp <(curl -s "$url/v1/runs/$id/segments/1") "$segment"
done_testing
