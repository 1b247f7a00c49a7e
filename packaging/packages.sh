# SPDX-License-Identifier: GPL-3.0-or-later
# Debian 12's packages, sourced by quickstart.sh and test.sh: what to build, and what to test with.
build_packages="gcc libc6-dev cmake ninja-build pkg-config protobuf-c-compiler libprotobuf-c-dev libcpuid-dev
	libcurl4-openssl-dev libzstd-dev libyaml-dev libxxhash-dev libsqlite3-dev libmicrohttpd-dev libjansson-dev
	libpcre2-dev libgsl-dev"
run_packages="rt-tests"
test_packages="clang llvm libclang-rt-14-dev libcmocka-dev protobuf-compiler zstd tmux vim-tiny curl jq git procps
	util-linux time python3 sqlite3"
