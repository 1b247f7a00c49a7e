/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The share of the time in which some or all tasks waited: pressure.<resource>.{some,full}% (spec A.4). */
#include <stdlib.h>

#include "analysis/view.h"

struct waiting {
	struct flow some, full; /* us */
};

struct pressure {
	struct waiting *of; /* [column] */
	size_t room;
};

static int pressure_sample(void *state, const struct sight *s)
{
	struct pressure *p = state;
	int some = track_row(s->track, "some.total"), full = track_row(s->track, "full.total");
	double step;

	if (view_room(&p->of, &p->room, s->track->instances.count, sizeof(*p->of)) < 0)
		return -ENOMEM;
	for (int column = 0; column < (int)s->track->instances.count; column++) {
		if (sight_step(s, some, column, &step))
			flow_add(&p->of[column].some, step, s->seconds);
		if (sight_step(s, full, column, &step))
			flow_add(&p->of[column].full, step, s->seconds);
	}
	return 0;
}

static int put(const struct flow *f, const char *resource, const char *who, struct stats *ret)
{
	if (f->seconds <= 0 || f->amount <= 0)
		return 0;
	return stats_setf(ret, 100 * f->amount / (1e6 * f->seconds), "pressure.%s.%s%%", resource, who);
}

static int pressure_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "pressure");
	struct pressure *p = state;
	int r = 0;

	for (size_t column = 0; column < p->room && r == 0; column++) {
		r = put(&p->of[column].some, names_at(&t->instances, (int)column), "some", ret);
		if (r == 0)
			r = put(&p->of[column].full, names_at(&t->instances, (int)column), "full", ret);
	}
	return r;
}

static void pressure_free(void *state)
{
	free(((struct pressure *)state)->of);
}

static const struct view_key keys[] = {
	{ "pressure.<resource>.some%", UNIT_PERCENT, "Share of the time in which a task waited." },
	{ "pressure.<resource>.full%", UNIT_PERCENT, "Share of the time in which all tasks waited." },
	{ 0 },
};

static const char *const collectors[] = { "pressure", NULL };

const struct view view_pressure = { "pressure",	     collectors,      sizeof(struct pressure),
				    pressure_sample, pressure_finish, pressure_free, keys };
