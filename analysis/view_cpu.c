/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/view.h"

const char *const cpu_time_names[CPU_TIMES] = { "user", "nice",	   "system", "idle",  "iowait",
						"irq",	"softirq", "steal",  "guest", "guest_nice" };

bool cpu_ticks(const struct sight *s, int column, double ret[CPU_TIMES], double *total)
{
	const struct track *t = s->track;
	bool any = false;

	*total = 0;
	for (int i = 0; i < CPU_TIMES; i++) {
		int row = track_row(t, cpu_time_names[i]);
		uint64_t value;

		ret[i] = 0; /* old kernels have fewer columns */
		if (!track_value(t, s->sample, row, column, &value))
			continue;
		if (t->samples == 0 || track_slot(t, row, column)->seen != t->samples)
			continue;
		if (value > track_slot(t, row, column)->last)
			ret[i] = (double)(value - track_slot(t, row, column)->last);
		if (i != CPU_GUEST && i != CPU_GUEST_NICE)
			*total += ret[i];
		any = true;
	}
	return any && *total > 0;
}
