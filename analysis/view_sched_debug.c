/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_debug.<block>.<field>.{avg,min,max,stddev}: of each snapshot over the CPUs that have the block (the deviation is
 * that of a population), then the mean over the snapshots (spec A.3.5). What is all zero is no key.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/number.h"
#include "analysis/reduce.h"
#include "analysis/view.h"

#define STATISTICS 4

static const char *const names[STATISTICS] = { "avg", "min", "max", "stddev" };

struct spread {
	struct level of[STATISTICS];
};

struct sched_debug {
	struct spread *rows;
	size_t room;
};

/* False: no CPU has it. */
static bool describe(const struct sight *s, int row, double ret[STATISTICS])
{
	double sum = 0, squares = 0, least = INFINITY, most = -INFINITY, mean;
	size_t n = 0;
	uint64_t raw;

	for (int pass = 0; pass < 2; pass++) {
		mean = n ? sum / (double)n : 0;
		for (int column = 0; column < (int)s->track->instances.count; column++) {
			double value;

			if (*names_at(&s->track->instances, column) == '\0' ||
			    !track_value(s->track, s->sample, row, column, &raw))
				continue;
			value = (double)(int64_t)raw;
			if (pass == 1) {
				squares += (value - mean) * (value - mean);
				continue;
			}
			n++;
			sum += value;
			least = fmin(least, value);
			most = fmax(most, value);
		}
		if (n == 0)
			return false;
	}
	ret[0] = mean;
	ret[1] = least;
	ret[2] = most;
	ret[3] = sqrt(squares / (double)n);
	return true;
}

static int sched_debug_sample(void *state, const struct sight *s)
{
	struct sched_debug *d = state;
	double found[STATISTICS];

	if (view_room(&d->rows, &d->room, s->track->metrics.count, sizeof(*d->rows)) < 0)
		return -ENOMEM;
	for (int row = 0; row < (int)s->track->metrics.count; row++) {
		if (!describe(s, row, found))
			continue;
		for (int i = 0; i < STATISTICS; i++)
			level_add(&d->rows[row].of[i], s->phase, found[i]);
	}
	return 0;
}

static int sched_debug_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "sched_debug");
	cleanup_buf struct buf key = { 0 };
	struct sched_debug *d = state;
	int r = 0;

	for (size_t row = 0; row < d->room; row++)
		for (int i = 0; i < STATISTICS && r == 0; i++) {
			const struct level *l = &d->rows[row].of[i];

			if (l->count == 0 || (l->sum == 0 && l->max == 0)) /* without one above 0, the sum is 0 if all are */
				continue;
			buf_clear(&key);
			(void)key_of("sched_debug", "", names_at(&t->metrics, (int)row), &key);
			if (buf_printf(&key, ".%s", names[i]) < 0)
				return -ENOMEM;
			r = stats_set(ret, key.data, number_scale(level_mean(l), t->meaning[row].exponent));
		}
	return r;
}

static void sched_debug_free(void *state)
{
	free(((struct sched_debug *)state)->rows);
}

static const struct view_key keys[] = {
	{ "sched_debug.<block>.<field>.{avg,min,max}", UNIT_NONE, "Over the CPUs that have the block, then the mean over the snapshots." },
	{ "sched_debug.<block>.<field>.stddev",        UNIT_NONE, "Deviation (of a population) over the CPUs, then the mean over the snapshots." },
	{ 0 },
};

static const char *const collectors[] = { "sched_debug", NULL };

const struct view view_sched_debug = { "sched_debug",	   collectors,	       sizeof(struct sched_debug),
				       sched_debug_sample, sched_debug_finish, sched_debug_free, keys };
