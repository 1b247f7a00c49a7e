# SPDX-License-Identifier: GPL-3.0-or-later
# Debian 12's packages, and how they get there; sourced by quickstart.sh, test.sh and bench.sh from the root.
build_packages="gcc libc6-dev cmake ninja-build pkg-config protobuf-c-compiler libprotobuf-c-dev libcpuid-dev
	libcurl4-openssl-dev libzstd-dev libyaml-dev libxxhash-dev libsqlite3-dev libmicrohttpd-dev libjansson-dev
	libpcre2-dev libgsl-dev libpfm4-dev"
run_packages="rt-tests"
test_packages="clang llvm libclang-rt-14-dev libcmocka-dev protobuf-compiler zstd tmux vim-tiny curl jq git procps
	util-linux time sqlite3 strace mandoc python3 libfuse3-dev fuse3 qemu-user linux-perf"
# of ./test.sh --guest
guest_packages="qemu-system-x86 busybox-static cpio"

# need PACKAGE... - install those that are missing; says what it does, asks nothing, through sudo where it is not root.
need() {
	local missing="" sudo="" p
	for p in "$@"; do
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
	done
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" != 0 ]; then
		sudo="sudo"
		command -v sudo >/dev/null || {
			echo "These Debian packages are missing, and there is neither root nor sudo to install them:$missing" >&2
			return 1
		}
	fi
	echo "Installing from Debian:$missing" >&2
	# The lists may be old or absent: bring them up once, and go on with what is there when that fails.
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq update </dev/null >&2 || true
	# shellcheck disable=SC2086
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends $missing \
		</dev/null >"${TMPDIR:-/tmp}/assay-apt.$$" 2>&1 || {
		cat "${TMPDIR:-/tmp}/assay-apt.$$" >&2
		rm -f "${TMPDIR:-/tmp}/assay-apt.$$"
		echo "apt-get could not install:$missing" >&2
		return 1
	}
	rm -f "${TMPDIR:-/tmp}/assay-apt.$$"
}
