/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * powercap.<zone>.watts = energy / time, and powercap.<zone>.joules (spec A.4): the counter begins anew at
 * max_energy_range_uj, which is neither 2^32 nor 2^64, so that a step back is the rest of the range and the new value.
 * A range that is never told makes a step back a reset: what went by is not known, and neither is the time.
 */
#include <stdlib.h>

#include "analysis/view.h"

struct energy {
	uint64_t last, range;
	bool any;
	struct flow spent; /* uJ, s */
};

struct powercap {
	struct energy *of; /* [column] */
	size_t room;
};

static void take(struct energy *e, uint64_t now, double seconds)
{
	if (e->any && seconds > 0 && now >= e->last)
		flow_add(&e->spent, (double)(now - e->last), seconds);
	else if (e->any && seconds > 0 && e->range >= e->last)
		flow_add(&e->spent, (double)(e->range - e->last + now), seconds);
	e->last = now;
	e->any = true;
}

static int powercap_sample(void *state, const struct sight *s)
{
	struct powercap *p = state;
	int energy = track_row(s->track, "energy_uj"), range = track_row(s->track, "max_energy_range_uj");

	if (view_room(&p->of, &p->room, s->track->instances.count, sizeof(*p->of)) < 0)
		return -ENOMEM;
	for (int column = 0; column < (int)s->track->instances.count; column++) {
		struct energy *e = &p->of[column];
		uint64_t now;

		(void)track_value(s->track, s->sample, range, column, &e->range);
		if (track_value(s->track, s->sample, energy, column, &now))
			take(e, now, s->seconds);
		else
			e->any = false; /* it is not known how often it began anew meanwhile */
	}
	return 0;
}

static int powercap_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "powercap");
	struct powercap *p = state;
	int r = 0;

	for (size_t column = 0; column < p->room && r == 0; column++) {
		const struct flow *spent = &p->of[column].spent;
		const char *zone = names_at(&t->instances, (int)column);

		if (spent->seconds <= 0 || spent->amount <= 0)
			continue;
		r = stats_setf(ret, spent->amount / 1e6 / spent->seconds, "powercap.%s.watts", zone);
		if (r == 0)
			r = stats_setf(ret, spent->amount / 1e6, "powercap.%s.joules", zone);
	}
	return r;
}

static void powercap_free(void *state)
{
	free(((struct powercap *)state)->of);
}

static const struct view_key keys[] = {
	{ "powercap.<zone>.watts",  UNIT_WATTS,  "Energy divided by time, over the run." },
	{ "powercap.<zone>.joules", UNIT_JOULES, "Energy of the run." },
	{ 0 },
};

static const char *const collectors[] = { "powercap", NULL };

const struct view view_powercap = { "powercap",	     collectors,      sizeof(struct powercap),
				    powercap_sample, powercap_finish, powercap_free, keys };
