/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   sys/devices/system/cpu/cpu<N>/cpufreq/stats/time_in_state     "1200000 4711": kHz, 10 ms
 *   sys/devices/system/cpu/cpu<N>/cpufreq/stats/total_trans
 */
#include "collectors/cpufreq.h"

static const struct hint hints[] = {
	/* key              kind     unit        help                                exponent fold */
	{ "time_in_state.*", COUNTER, UNIT_TICKS, "Time at that many kHz.",           0, FOLD_NONE },
	{ "total_trans",     COUNTER, UNIT_COUNT, "How often the clock was changed.", 0, FOLD_SUM },
	{ 0 },
};

static const char *const names[] = { "stats/time_in_state", "stats/total_trans", NULL };

static int cpufreq_stats_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return cpufreq_open_names(state, self, host, names, err);
}

const struct collector collector_cpufreq_stats = {
	.name = "cpufreq-stats",
	.description = "Time of each CPU at each clock",
	.source = CPU_FOLDER "cpu*/cpufreq/stats/time_in_state " CPU_FOLDER "cpu*/cpufreq/stats/total_trans " CPU_FOLDER
			     "cpufreq/policy*/stats/time_in_state " CPU_FOLDER
			     "cpufreq/policy*/stats/total_trans " CPU_FOLDER "online",
	.hints = hints,
	.state_size = sizeof(struct cpufreq),
	.dear = true,
	.probe = files_probe,
	.open = cpufreq_stats_open,
	.shape = files_shape,
	.sample = cpufreq_sample,
	.close = cpufreq_close,
};
