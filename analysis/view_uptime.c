/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two numbers of /proc/uptime: boot-time.* as the run began, uptime.* as it ended (spec A.3.7). */
#include "analysis/number.h"
#include "analysis/view.h"

struct uptime {
	double first[2], last[2];
	bool any[2];
};

static const char *const names[2] = { "boot", "idle" };

static int uptime_sample(void *state, const struct sight *s)
{
	struct uptime *u = state;

	for (int i = 0; i < 2; i++) {
		double value;

		if (!sight_value(s, names[i], &value))
			continue;
		value = number_scale(value, s->track->meaning[track_row(s->track, names[i])].exponent);
		if (!u->any[i])
			u->first[i] = value;
		u->last[i] = value;
		u->any[i] = true;
	}
	return 0;
}

static int uptime_finish(void *state, const struct view_end *end, struct stats *ret)
{
	struct uptime *u = state;
	int r = 0;

	for (int i = 0; i < 2 && r == 0; i++) {
		if (!u->any[i])
			continue;
		r = stats_setf(ret, u->first[i], "boot-time.%s", names[i]);
		if (r == 0)
			r = stats_setf(ret, u->last[i], "uptime.%s", names[i]);
	}
	return r;
}

static const struct view_key keys[] = {
	{ "boot-time.{boot,idle}", UNIT_SECONDS, "/proc/uptime as the run began." },
	{ "uptime.{boot,idle}",    UNIT_SECONDS, "/proc/uptime as the run ended." },
	{ 0 },
};

static const char *const collectors[] = { "uptime", NULL };

const struct view view_uptime = { "uptime", collectors, sizeof(struct uptime), uptime_sample, uptime_finish, NULL, keys };
