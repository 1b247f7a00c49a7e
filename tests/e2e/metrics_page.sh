#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# docs/metrics.md is what the program says of its keys, and says something of each.
. "$(dirname "$0")/tap.sh"
assay collectors --markdown >"$work/page"
page=$(cat "$work/page")
difference=$(diff "$ASSAY_SOURCE/docs/metrics.md" "$work/page" | head -10)
equal "docs/metrics.md is as the program prints it; if not: cmake --build build/debug --target metrics_page" "$difference" ""
equal "every key is explained" "$(grep -cE '^\| `.*\|  \|$' <<<"$page")" 0
equal "every collector and every view has keys" "$(awk '
	/^### / { if (name && !rows) print name; name = $0; rows = 0 }
	/^\| `/ { rows++ }
	END { if (!rows) print name }' <<<"$page")" ""
for name in $(assay collectors --json | jq -r '.[].name'); do
	grep -qx "### $name" <<<"$page" || missing="${missing:-} $name"
done
equal "every collector is there" "${missing:-}" ""
equal "the page depends on nothing but the program" "$(cd / && ASSAY_PLUGINS=/ HOME=/ assay collectors --markdown | cmp - "$work/page" && echo same)" same
done_testing
