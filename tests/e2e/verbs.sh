#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every verb explains itself, and says what is wrong in a way one can act on.
. "$(dirname "$0")/tap.sh"
verbs=$(assay --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
check "there are verbs" test "$(wc -w <<<"$verbs")" -ge 11
for verb in $verbs; do
	help=$(assay "$verb" --help)
	like "$verb --help shows an example" "$help" "^  assay $verb"
	assay "$verb" --no-such-option >/dev/null 2>"$work/err"
	equal "$verb refuses an unknown option with status 2" $? 2
	like "$verb names it" "$(cat "$work/err")" "no-such-option"
	man=$(assay --man "$verb")
	like "$verb has a manual page" "$man" "^\.TH \"assay-$verb\" 1"
	like "with an example" "$man" '^\.SH EXAMPLES'
	if command -v mandoc >/dev/null; then
		equal "that mandoc reads without error" "$(mandoc -Tlint -Werror <<<"$man" 2>&1)" ""
	fi
done
assay nonsense >/dev/null 2>"$work/err"
equal "an unknown verb is wrong usage" $? 2
like "and is named" "$(cat "$work/err")" "no verb 'nonsense'"
assay --version >"$work/out"
like "assay has a version" "$(cat "$work/out")" '^assay [0-9]+\.[0-9]+'

assay stats @0 >/dev/null 2>"$work/err"
equal "stats without a store fails" $? 1
like "and says what makes one" "$(cat "$work/err")" 'assay run'
assay doctor >"$work/out"
equal "doctor ends well" $? 0
like "doctor tells of the machine" "$(cat "$work/out")" '^ok +machine .*Linux'
like "doctor tells of every collector" "$(cat "$work/out")" '^(ok|off) +numa-vmstat'
equal "doctor --json is a list of findings" \
	"$(assay doctor --json | jq -r '[.[] | select(.what == "meminfo") | .ok] | .[0]')" true
assay doctor --to http://127.0.0.1:9 >/dev/null 2>&1
equal "doctor fails when the server does not answer" $? 1
equal "collectors --json is a list" "$(assay collectors --json | jq -r 'type')" array
like "collectors NAME tells of its keys" "$(assay collectors pressure)" 'total +counter +us'
assay run -c none -- true 2>/dev/null
mv "$ASSAY_STORE/catalog.sqlite" "$work/old"
rm -f "$ASSAY_STORE"/catalog.sqlite-*
assay runs --rebuild >"$work/out" 2>/dev/null
equal "runs --rebuild makes the catalog anew" "$(wc -l <"$work/out")" 1
assay runs 'nonsense' >/dev/null 2>"$work/err"
equal "a query that is none is refused" $? 1
assay dump "$work/old" >/dev/null 2>"$work/err"
equal "dump refuses what is no segment" $? 1
like "and names the file" "$(cat "$work/err")" 'old'
done_testing
