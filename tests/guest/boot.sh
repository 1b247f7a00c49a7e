#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Boots a Linux of its own in an emulated machine, runs one script there, and ends with the script's exit status.
#
#   tests/guest/boot.sh [OPTION]... SCRIPT [ARG]...
#
#   --program PATH    copy this program to the guest's /bin, with the libraries it needs; may be repeated
#   --file PATH       copy this file to the guest's /guest, where SCRIPT is, too; may be repeated
#   --module NAME     load this module of the kernel first (msr, cpuid ...); may be repeated, in the order of their need
#   --nodes LIST      CPUS:MIB of each NUMA node, comma between: "0-3:384,4-7:256,:128" (the last one has no CPU)
#   --cpus N          without --nodes: so many CPUs (default 2)
#   --memory MIB      without --nodes: so much memory (default 512)
#   --cpu MODEL       what the processor is, as qemu names it: Haswell, EPYC,+topoext ... (default max)
#   --append WORDS    words for the kernel's command line
#   --kernel KIND     Debian's package linux-image-KIND (default cloud-amd64)
#   --console FILE    keep what the kernel says; on trouble its end is shown without this, too
#   --qemu WORDS      more words for qemu
#   --seconds N       the guest is ended after so long (default 120)
#
# What SCRIPT prints, to either stream, is printed. Exit status: SCRIPT's; 124 when the time was over; 125 when the guest
# did not come to an end of its own, or could not be made. The guest has a busybox, proc, sys, dev, debugfs (at
# /sys/kernel/debug), cgroup v2, a tmpfs at /tmp, and loopback; SCRIPT is run by its sh, as root. There is no KVM in it:
# the machine is emulated, so that it is the same everywhere.
#
# The kernel is taken from Debian's package and unpacked, not installed, in $ASSAY_GUEST_CACHE
# (default ${XDG_CACHE_HOME:-~/.cache}/assay-guest).
set -u
programs=() files=() modules=() nodes="" cpus=2 memory=512 cpu=max append="" kind=cloud-amd64 console="" more=()
seconds=120

usage() {
	echo "boot.sh: $* (its first lines tell how it is called)" >&2
	exit 2
}

while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) sed -n '3,29s/^# \{0,1\}//p' "$0"; exit 0 ;;
	--*) [ $# -ge 2 ] || usage "$1 needs a value" ;;
	esac
	case $1 in
	--program) programs+=("$2") ;;
	--file) files+=("$2") ;;
	--module) modules+=("$2") ;;
	--nodes) nodes=$2 ;;
	--cpus) cpus=$2 ;;
	--memory) memory=$2 ;;
	--cpu) cpu=$2 ;;
	--append) append=$2 ;;
	--kernel) kind=$2 ;;
	--console) console=$2 ;;
	--qemu) read -r -a words <<<"$2"; more+=("${words[@]}") ;;
	--seconds) seconds=$2 ;;
	-*) usage "unknown option '$1'" ;;
	*) break ;;
	esac
	shift 2
done
[ $# -ge 1 ] || usage "which script?"
[ -r "$1" ] || usage "$1: cannot be read"

cache=${ASSAY_GUEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-guest}
work=$(mktemp -d "${TMPDIR:-/tmp}/assay-guest.XXXXXX") || exit 125
emulator=""
trap 'rm -rf "$work"' EXIT
trap '[ -z "$emulator" ] || kill "$emulator" 2>/dev/null; exit 130' INT TERM

fail() {
	echo "boot.sh: $*" >&2
	exit 125
}

# The package that linux-image-KIND stands for today: linux-image-6.1.0-18-cloud-amd64
package_of() {
	apt-cache depends --no-recommends --no-suggests "linux-image-$1" 2>/dev/null |
		sed -n 's/^ *Depends: \(linux-image-[0-9][^ ]*\)$/\1/p' | head -n 1
}

# fetch PACKAGE: $cache/PACKAGE/ holds boot/ and lib/modules/ of it. Two that come at once do not harm each other.
fetch() {
	local new
	mkdir -p "$cache" && new=$(mktemp -d "$cache/.new.XXXXXX") || return
	if (cd "$new" && apt-get -qq download "$1" >/dev/null 2>"$new/why") && dpkg-deb -x "$new"/*.deb "$new/root"; then
		mkdir "$cache/$1" 2>/dev/null && mv "$new/root/boot" "$new/root/lib" "$cache/$1/"
	else
		cat "$new/why" >&2
	fi
	rm -rf "$new"
	[ -d "$cache/$1/lib" ]
}

# The newest that Debian has; where nobody can be asked, the newest that is here.
find_kernel() {
	local package
	package=$(package_of "$kind")
	if [ -z "$package" ]; then
		apt-get -qq update >/dev/null 2>&1
		package=$(package_of "$kind")
	fi
	if [ -z "$package" ] || ! { [ -d "$cache/$package/lib" ] || fetch "$package" || { apt-get -qq update && fetch "$package"; }; }; then
		package=$(cd "$cache" 2>/dev/null && ls -d linux-image-*[0-9]-"$kind" 2>/dev/null | sort -V | tail -n 1)
	fi
	[ -n "$package" ] || fail "no kernel: neither Debian's linux-image-$kind can be had nor is one in $cache"
	kernel=$(echo "$cache/$package"/boot/vmlinuz-*)
	module_folder=$(echo "$cache/$package"/lib/modules/*)
	[ -r "$kernel" ] || fail "no kernel in $cache/$package; remove that folder to have it fetched anew"
}

add_program() {
	local library
	[ -x "$1" ] || fail "$1: no such program"
	cp -L "$1" "$root/bin/" || exit 125
	# Libraries keep their places, so that the loader finds them by its own rules.
	for library in $(ldd "$1" 2>/dev/null | grep -o '/[^ ]*'); do
		mkdir -p "$root${library%/*}"
		cp -L "$library" "$root$library" || exit 125
	done
}

make_root() {
	local applet file n=0
	root=$work/root
	mkdir -p "$root"/{bin,sbin,dev,proc,sys,tmp,run,etc,root,lib,lib64,guest,usr/lib}
	busybox=$(command -v busybox) || fail "busybox is missing"
	add_program "$busybox"
	for applet in $(busybox --list); do
		ln -s busybox "$root/bin/$applet" 2>/dev/null
	done
	for file in ${programs[@]+"${programs[@]}"}; do
		rm -f "$root/bin/${file##*/}"
		add_program "$file"
	done
	for file in "$1" ${files[@]+"${files[@]}"}; do
		cp -L "$file" "$root/guest/" || exit 125
	done
	mkdir "$root/modules"
	for file in ${modules[@]+"${modules[@]}"}; do
		n=$((n + 1))
		cp "$(find "$module_folder" -name "$file.ko" | head -n 1)" "$root/modules/$(printf %03d $n)-$file.ko" ||
			fail "the kernel has no module $file"
	done
	echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
	cat >"$root/init" <<-'END'
	#!/bin/sh
	export PATH=/bin HOME=/root
	mount -t proc proc /proc
	mount -t sysfs sys /sys
	mount -t devtmpfs dev /dev
	mount -t debugfs debug /sys/kernel/debug
	mount -t cgroup2 cgroup /sys/fs/cgroup
	mount -t tmpfs tmp /tmp
	ip link set lo up
	for m in /modules/*.ko; do [ ! -f "$m" ] || insmod "$m" || echo "no module $m"; done
	exec </dev/null >/dev/ttyS1 2>&1
	stty -opost <&1
	cd /guest
	sh ./SCRIPT; status=$?
	echo "guest: ends with $status"
	stty -F /dev/ttyS1 >/dev/null # waits until it is all sent
	sleep 0.1
	poweroff -f
	END
	chmod 755 "$root/init"
	{
		echo '#!/bin/sh'
		printf 'exec sh'
		printf ' %q' "./${1##*/}" "${@:2}"
		echo
	} >"$root/guest/SCRIPT"
	(cd "$root" && find . | cpio --quiet -o -H newc >"$work/initrd") || fail "cpio cannot pack the guest's root"
}

# Words of qemu for CPUs, memory and nodes.
make_machine() {
	local list i=0 node size total=0 last=-1 range
	machine=(-machine pc,accel=tcg,usb=off -cpu "$cpu")
	if [ -z "$nodes" ]; then
		machine+=(-smp "$cpus" -m "${memory}M")
		return
	fi
	IFS=, read -r -a list <<<"$nodes"
	for node in "${list[@]}"; do
		size=${node#*:} range=${node%%:*}
		if [ "$size" -gt 0 ]; then
			machine+=(-object "memory-backend-ram,id=node$i,size=${size}M"
				-numa "node,nodeid=$i,memdev=node$i${range:+,cpus=$range}")
		else
			machine+=(-numa "node,nodeid=$i${range:+,cpus=$range}")
		fi
		total=$((total + size)) i=$((i + 1)) range=${range##*-}
		[ "${range:--1}" -le "$last" ] || last=$range
	done
	machine+=(-smp $((last + 1)) -m "${total}M")
}

find_kernel
make_root "$@"
make_machine
: "${console:=$work/console}"
mkfifo "$work/out"
timeout "$seconds" qemu-system-x86_64 "${machine[@]}" -nodefaults -no-user-config -display none -no-reboot \
	-kernel "$kernel" -initrd "$work/initrd" \
	-append "console=ttyS0 panic=-1 mitigations=off rcupdate.rcu_cpu_stall_suppress=1 nowatchdog $append" \
	-serial "file:$console" -chardev stdio,id=out,signal=off -serial chardev:out \
	${more[@]+"${more[@]}"} </dev/null >"$work/out" 2>"$work/trouble" &
emulator=$!
awk '/^guest: ends with [0-9]+$/ { status = $4; ended = 1; next } { print; fflush() } END { exit ended ? status : 125 }' \
	<"$work/out"
status=$?
wait "$emulator"
code=$?
emulator=""
[ "$code" != 124 ] || status=124
if [ "$status" -ge 124 ]; then
	[ "$status" != 124 ] || echo "boot.sh: the guest was ended after $seconds s" >&2
	{ cat "$work/trouble"; tail -n 40 "$console"; } >&2
fi
exit "$status"
