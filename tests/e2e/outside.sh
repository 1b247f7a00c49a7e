#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Collectors from outside the tree: a shared object built against an installed header, and programs; the list of -c.
. "$(dirname "$0")/tap.sh"
cc=${CC:-cc}
installed=$work/installed
DESTDIR=$installed cmake --install "$ASSAY_BUILD" >"$work/install.log" 2>&1 || { echo "Bail out! not installed: $(tail -3 "$work/install.log")"; exit 1; }
export PKG_CONFIG_PATH=$(dirname "$(find "$installed" -name assay.pc)")
unset PKG_CONFIG_SYSROOT_DIR
flags=$(PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 pkg-config --cflags assay)
plugins=$work/plugins
mkdir "$plugins"
build() { # SOURCE OUT [FLAG...]
	local source=$1 out=$2
	shift 2
	# shellcheck disable=SC2086 # flags are words
	"$cc" -shared -fPIC -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -Werror "$@" $flags "$source" -o "$out"
}
example=$ASSAY_SOURCE/docs/examples/answer.c
check "the example builds against the installed tree" build "$example" "$plugins/answer.so"
check "and as C17 without extensions" build "$example" "$work/strict.so" -std=c17 -Wpedantic
chmod 644 "$plugins/answer.so"

cat >"$work/shared.c" <<-'END'
	#include <assay/collector.h>
	static const struct hint hints[] = { { "*", GAUGE, UNIT_KIB, "Memory." }, { 0 } };
	static const struct collector c = { .name = "twin", .description = "", .source = "proc/meminfo", .hints = hints, KEYED_FILE };
	ASSAY_COLLECTOR(c);
END
check "so does one by a shared parser" build "$work/shared.c" "$plugins/twin.so" -Wno-override-init
chmod 644 "$plugins/twin.so"
if "$cc" --version | grep -q 'Free Software Foundation'; then
	echo '#include <assay/collector.h>' >"$work/all.c"
	# shellcheck disable=SC2086 # flags are words
	"$cc" $flags -aux-info "$work/declared" -fsyntax-only "$work/all.c"
	# What drives a collector and opens a host is the program's own.
	equal "the program exports what the header declares" "$(sed -n '/assay\/collector.h.* extern /s/.*[ *]\([a-z0-9_]*\) (.*/\1/p' "$work/declared" |
		grep -vE '^(collector_(find|probe|is_of_levels|run_.*)|host_close|host_open_root)$' | sort -u |
		comm -23 - <(nm -D --defined-only "$(command -v assay)" | awk '{ print $3 }' | sort -u))" ""
else
	skip "the program exports what the header declares" "only gcc lists declarations"
fi

# ---- a shared object ----
equal "without ASSAY_PLUGINS it is not there" "$(assay collectors --json | jq 'map(select(.name == "answer")) | length')" 0
export ASSAY_PLUGINS=$work/none:$plugins
like "collectors shows it with its file" "$(assay collectors)" "^answer .*\[$plugins/answer.so\]"
equal "as JSON, too" "$(assay collectors --json | jq -r '.[] | select(.name == "answer") | .file')" "$plugins/answer.so"
like "by name it tells of its keys" "$(assay collectors answer)" 'pid_max +gauge +count'
equal "its value is the kernel's" "$(assay sample -c answer 2>/dev/null | sed -n 's/^answer.pid_max \([0-9]*\) count/\1/p')" \
	"$(cat /proc/sys/kernel/pid_max)"
equal "a shared parser reads what it reads inside" "$(assay sample -c twin | sed -n 's/^twin.MemTotal //p')" "$(assay sample -c meminfo | sed -n 's/^meminfo.MemTotal //p')"
assay run -c answer,loadavg -- true 2>"$work/err"
equal "a run has its stats" "$(assay stats @0 --json | jq '.stats["answer.pid_max"]')" "$(cat /proc/sys/kernel/pid_max)"
like "a folder that is not there is said" "$(cat "$work/err")" "not taken: $work/none: No such file"
export ASSAY_PLUGINS=$plugins

# ---- those that are refused ----
refused() { # NAME FILE REGEX
	like "$1" "$(assay doctor 2>/dev/null)" "^off +collector +$2: .*$3"
}
cp "$plugins/answer.so" "$plugins/b.so"
refused "a name that is taken stays with the first" "$plugins/b.so" "a collector 'answer' already"
rm "$plugins/b.so"
sed 's/= "answer"/= "meminfo"/' "$example" >"$work/taken.c"
build "$work/taken.c" "$plugins/taken.so"
chmod 644 "$plugins/taken.so"
refused "one of the program's own cannot be replaced" "$plugins/taken.so" "a collector 'meminfo' already"
sed 's/= "answer"/= "Bad Name"/' "$example" >"$work/name.c"
build "$work/name.c" "$plugins/taken.so"
refused "a name begins keys" "$plugins/taken.so" "'Bad Name' is no name"
{ echo '#include <assay/collector.h>'; echo '#undef ASSAY_ABI'; echo '#define ASSAY_ABI 99'; cat "$example"; } >"$work/abi.c"
build "$work/abi.c" "$plugins/taken.so"
refused "another ABI" "$plugins/taken.so" "built for ABI 99, this program speaks [0-9]+: build it anew"
include=$(sed -n 's/.*-I\([^ ]*\).*/\1/p' <<<"$flags")
mkdir -p "$work/old/assay"
sed 's/^\tconst struct hint \*hints;.*/&\n\tlong more;/' "$include/assay/collector.h" >"$work/old/assay/collector.h"
"$cc" -shared -fPIC -I"$work/old" -D_GNU_SOURCE "$example" -o "$plugins/taken.so"
refused "another form of struct collector" "$plugins/taken.so" "its struct collector has [0-9]+ bytes, this program's [0-9]+"
echo 'int nothing;' >"$work/nothing.c"
build "$work/nothing.c" "$plugins/taken.so"
refused "a library that is no plugin" "$plugins/taken.so" "exports no assay_plugin"
echo 'no library' >"$plugins/taken.so"
refused "what is no library" "$plugins/taken.so" "(file too short|invalid ELF header)"
{ cat "$example"; echo 'void missing(void); __attribute__((constructor)) static void use(void) { missing(); }'; } >"$work/symbol.c"
build "$work/symbol.c" "$plugins/taken.so" -Wno-missing-prototypes
refused "a symbol that nobody has" "$plugins/taken.so" "undefined symbol: missing"
cp "$plugins/answer.so" "$plugins/taken.so"
chmod 666 "$plugins/taken.so"
refused "a file that everybody may write to" "$plugins/taken.so" "everybody may write to it"
chmod 644 "$plugins/taken.so"
if [ "$(id -u)" = 0 ]; then
	chown 12345 "$plugins/taken.so"
	refused "a file of another user" "$plugins/taken.so" "belongs to user 12345"
else
	skip "a file of another user" "only root can make one"
fi
rm -f "$plugins/taken.so"
chmod 777 "$plugins"
refused "a folder that everybody may write to" "$plugins/answer.so" "everybody may write to its folder"
chmod 755 "$plugins"

# ---- programs ----
cat >"$plugins/mine.yaml" <<-END
	lamp:
	  exec: [sh, -c, 'n=0; while :; do n=\$((n + 1)); printf "bright 1.5 W\nblinks %d count counter\n\n" \$n; sleep 0.05; done']
	  description: A lamp
	  interval: 100ms
END
like "a program is shown with its file" "$(assay collectors)" "^lamp +0.1 s +A lamp +\[$plugins/mine.yaml\]"
like "its values have units" "$(assay sample -c lamp)" '^lamp.bright 1.5 W'
assay run -c lamp -i 100ms -- sleep 1 2>"$work/err"
equal "a run has its gauges" "$(assay stats @0 --json | jq '.stats["lamp.bright"]')" 1.5
check "and its counters" test "$(assay stats @0 --json | jq '.stats["lamp.blinks"] // 0 | floor')" -ge 2
check "and it is not taken for one of the command's processes" sh -c '! grep -q "still there" "$0"' "$work/err"
equal "nothing of it is left" "$(pgrep -f 'bright 1.5 W' | wc -l)" 0
mkdir -p "$HOME/.config/assay"
printf 'dies:\n  exec: [sh, -c, "echo no lamp >&2; exit 4"]\n' >"$HOME/.config/assay/collectors.yaml"
assay run -c dies,uptime -i 100ms -- sleep 0.5 2>"$work/err"
like "how one ended is said" "$(cat "$work/err")" 'dies: sh ended with status 4; started anew after 1 s: no lamp'
like "a recorded tree has no programs" "$(assay collectors --root "$work")" '^dies +off .*recorded tree'
config() { # NAME REGEX; the file is stdin
	cat >"$HOME/.config/assay/collectors.yaml"
	like "$1" "$(assay doctor 2>/dev/null)" "^off +collector +$HOME/.config/assay/collectors.yaml:$2"
}
config "an unknown setting has line and column" '3:3: colour: unknown; known are exec' <<<$'a:\n  exec: [true]\n  colour: red'
config "exec is a list" '2:9: exec is a list' <<<$'a:\n  exec: true'
config "exec is needed" '1:1: a: says no exec' <<<$'a:\n  interval: 1s'
config "a time is a time" '3:13: a time from 1ms' <<<$'a:\n  exec: [true]\n  interval: soon'
config "a name is taken" '1:1: lamp: there is a collector' <<<$'lamp:\n  exec: [true]'
config "a name begins keys" '1:1: A b: a collector.s name' <<<$'A b:\n  exec: [true]'
config "a broken file" '[0-9]+:[0-9]+: ' <<<$'a: [b'
rm "$HOME/.config/assay/collectors.yaml"

# ---- the list of -c ----
said() { # NAME LIST REGEX
	assay sample -c "$2" >/dev/null 2>"$work/err"
	like "$1" "$?: $(cat "$work/err")" "^1: .*$3"
}
of() { assay sample --json -c "$1" 2>"$work/err" | jq -r '.values | keys[]' | sed 's/\..*//' | sort -u | tr '\n' ' '; }
said "an unknown collector" nothing "no collector 'nothing'"
said "an unknown option, with those there are" pressure:x=1 "pressure: no option 'x'; it has interval, full"
said "a value of another type" pressure:full=maybe "pressure: full: 'maybe' is neither yes nor no"
said "an interval that is none" meminfo:interval=soon "meminfo: interval: 'soon' is not a time"
said "an interval of nothing" meminfo:0 "meminfo: an interval must be longer than 0"
said "twice" meminfo,meminfo "meminfo: named twice"
said "an empty list" , "list of collectors is empty"
equal "all less one" "$(of all | tr ' ' '\n' | grep -c '^meminfo$')" 1
equal "is less that one" "$(of all,-meminfo | tr ' ' '\n' | grep -c '^meminfo$')" 0
equal "as is -one alone" "$(of -meminfo | tr ' ' '\n' | grep -c -e '^meminfo$' -e '^loadavg$')" 1
equal "an option is set" "$(assay sample -c pressure:full=no --json 2>/dev/null | jq -r '.values | keys[]' | grep -c full)" 0
equal "all with an option for one" "$(assay sample -c all,-slabinfo,pressure:full=no --json 2>/dev/null | jq -r '.values | keys[]' | grep -c '^pressure.*full')" 0
assay run -c loadavg:interval=200ms,uptime:100ms -i 100ms -- sleep 1 2>/dev/null
both=$(assay dump @0 2>/dev/null)
check "intervals are set" test "$(grep -c '^uptime.boot' <<<"$both")" -gt "$(grep -c '^loadavg.1min' <<<"$both")"

# ---- what one costs ----
cost=$(assay collectors --cost meminfo uptime)
like "--cost tells of each" "$cost" '^meminfo +[1-9][0-9]* +[0-9]+ +[0-9.]+ +[0-9]+ +1 s +cheap +[0-9.]+'
like "and of all" "$cost" '^all +[1-9]'
equal "as JSON" "$(assay collectors --cost --json uptime | jq -r '.[0] | [.name, .values, .lane, .interval_s] | join(" ")')" "uptime 2 cheap 10"
like "with --root" "$(assay collectors --cost --root / uptime)" '^uptime'
done_testing
