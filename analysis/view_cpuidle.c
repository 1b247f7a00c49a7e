/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpuidle..time and cpuidle..usage: all states and CPUs in one, as the kernel test robot's reports have had it since
 * July 2021 (spec A.3.4); for comparing with them.
 */
#include "analysis/view.h"

static int folded(const struct track *t, const char *suffix, struct stats *ret)
{
	uint64_t sum = 0;
	bool moved = false;

	for (int row = 0; row < (int)t->metrics.count; row++) {
		if (!is_counter(&t->meaning[row]) || !text_ends(text_of(t->meaning[row].name), suffix))
			continue;
		for (int column = 0; column < (int)t->instances.count; column++) {
			const struct slot *s = track_slot(t, row, column);

			sum += s->steps;
			moved = moved || (s->moved && s->count > 1);
		}
	}
	return moved ? stats_setf(ret, (double)sum, "cpuidle.%s", suffix) : 0;
}

static int cpuidle_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "cpuidle");
	int r;

	if (!t)
		return 0;
	r = folded(t, ".time", ret);
	return r < 0 ? r : folded(t, ".usage", ret);
}

static const struct view_key keys[] = {
	{ "cpuidle..time",  UNIT_MICROSECONDS, "Time in idle states, all states and CPUs in one, as the robot's reports have it since July 2021." },
	{ "cpuidle..usage", UNIT_COUNT,        "How often an idle state was entered, all states and CPUs in one." },
	{ 0 },
};

const struct view view_cpuidle = { .name = "cpuidle", .finish = cpuidle_finish, .keys = keys };
