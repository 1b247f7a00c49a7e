/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.<event> = joules / seconds, in watts (spec A.4; the kernel test robot's own conversion is wrong), over all
 * packages or cores that count the event. */
#include "analysis/turbostat.h"

static int energy_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "energy");
	double seconds = t ? (double)(t->last_ns - t->first_ns) / 1e9 : 0, sum;
	size_t count;
	int r = 0;

	for (size_t row = 0; seconds > 0 && row < t->metrics.count && r == 0; row++) {
		struct count_names names = { t->meaning[row].name, NULL };

		if (turbostat_sum(t, &names, &sum, &count) && sum > 0)
			r = stats_setf(ret, sum / 4294967296.0 / seconds, "energy.%s", names.of_register);
	}
	return r;
}

static const struct view_key keys[] = {
	{ "energy.<event>", UNIT_WATTS, "Energy of that domain, in joules, divided by time." },
	{ 0 },
};

const struct view view_energy = { .name = "energy", .finish = energy_finish, .keys = keys };
