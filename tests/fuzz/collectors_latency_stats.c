/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/collector_input.h"

FUZZ_COLLECTOR(latency_stats, "proc/latency_stats")
