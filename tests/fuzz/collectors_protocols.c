/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/collector_input.h"

FUZZ_COLLECTOR(protocols, "proc/net/protocols")
