/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpufreq-stats.time_in_state.<kHz>% = the share of that clock in the time that all CPUs had a clock, and
 * cpufreq-stats.mean_kHz, the clocks weighted by it. Policies count for the CPUs that they set, once each.
 */
#include "analysis/number.h"
#include "analysis/view.h"

static const char prefix[] = "time_in_state.";

/* What all CPUs spent at the clock of that row; false: it is none. */
static bool time_at(const struct track *t, int row, double *kilohertz, double *ret)
{
	struct text name = text_of(t->meaning[row].name);

	if (!text_skip(&name, prefix) || !number_read(name, kilohertz) || !is_counter(&t->meaning[row]))
		return false;
	*ret = 0;
	for (int column = 0; column < (int)t->instances.count; column++)
		*ret += (double)track_slot(t, row, column)->steps;
	return true;
}

static int cpufreq_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "cpufreq-stats");
	double kilohertz, time, whole = 0, weighted = 0;
	int r = 0;

	for (int row = 0; t && row < (int)t->metrics.count; row++)
		if (time_at(t, row, &kilohertz, &time)) {
			whole += time;
			weighted += time * kilohertz;
		}
	if (whole <= 0)
		return 0;
	for (int row = 0; row < (int)t->metrics.count && r == 0; row++)
		if (time_at(t, row, &kilohertz, &time) && time > 0)
			r = stats_setf(ret, 100 * time / whole, "cpufreq-stats.%s%%", t->meaning[row].name);
	return r < 0 ? r : stats_set(ret, "cpufreq-stats.mean_kHz", weighted / whole);
}

static const struct view_key keys[] = {
	{ "cpufreq-stats.time_in_state.<kHz>%", UNIT_PERCENT,   "Time at that clock, of all CPUs." },
	{ "cpufreq-stats.mean_kHz",             UNIT_KILOHERTZ, "The clocks, weighted by the time at them." },
	{ 0 },
};

const struct view view_cpufreq = { .name = "cpufreq", .finish = cpufreq_finish, .keys = keys };
