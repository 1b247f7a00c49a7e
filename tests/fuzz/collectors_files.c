/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/collector_input.h"

FUZZ_COLLECTOR(cpufreq_stats, "sys/devices/system/cpu/cpu0/cpufreq/stats/time_in_state")
