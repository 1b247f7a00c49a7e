#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The server is away while a run goes on: nothing is lost, and the run arrives when it is back.
. "$(dirname "$0")/tap.sh"
start_server
port=${url##*:}
kill "$server_pid"
wait "$server_pid" 2>/dev/null
assay run -c uptime -i 100ms -n away --to "$url" -- sleep 0.3 2>"$work/err"
equal "a run without its server ends as the command does" $? 0
like "says where the segments wait, and what delivers them" "$(cat "$work/err")" 'assay push'
check "keeps the segments" test -n "$(find "$ASSAY_SPOOL" -name '*.seg')"
assay push --patience 1s >"$work/out" 2>&1
equal "a push to a server that is still away fails" $? 1
start_server --port "$port"
assay push >"$work/out" 2>&1
equal "a push to a server that is back succeeds" $? 0
equal "the run is whole" "$(assay runs --store "$url" --json testcase=away | jq -r '.runs[].complete')" true
equal "the spool is empty" "$(find "$ASSAY_SPOOL" -name '*.seg' | wc -l)" 0
assay push >"$work/out" 2>&1
like "a further push has nothing to do" "$(cat "$work/out")" '^0 segments delivered'
done_testing
