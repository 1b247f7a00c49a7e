/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lock_stat.<class>.<column>: what was counted and summed up in the run; averages of that; the shortest and the longest
 * time when the file was cleared before the run. lock_stat.<class>.{contentions,contending}.<function>.
 */
#include <string.h>

#include "analysis/ends.h"
#include "analysis/number.h"
#include "analysis/reduce.h"

static int lock_stat_sample(void *state, const struct sight *s)
{
	return ends_sample(state, s);
}

/* waittime-avg = waittime-total / contentions, holdtime-avg = holdtime-total / acquisitions, in the unit of the total. */
static bool average(const struct ends *e, const struct track *t, const char *metric, int column, double *ret)
{
	bool waiting = strcmp(metric, "waittime-avg") == 0;
	uint64_t total, count;

	if (!ends_went(e, track_row(t, waiting ? "waittime-total" : "holdtime-total"), column, &total) ||
	    !ends_went(e, track_row(t, waiting ? "contentions" : "acquisitions"), column, &count) || count == 0)
		return false;
	*ret = (double)total / (double)count;
	return true;
}

/* False: there is none, or it is not the run's. */
static bool value_of(const struct ends *e, const struct track *t, int row, int column, bool of_the_run, double *ret)
{
	const char *metric = t->meaning[row].name;
	uint64_t raw;

	if (text_ends(text_of(metric), "-avg"))
		return average(e, t, metric, column, ret);
	if (is_counter(&t->meaning[row]) ? !ends_went(e, row, column, &raw)
					 : !of_the_run || !ends_last(e, row, column, &raw))
		return false;
	*ret = (double)raw;
	return true;
}

static int lock_stat_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "lock_stat");
	const struct ends *e = state;
	const char *cleared = pairs_get(end->facts, "lock_stat.cleared");
	bool of_the_run = e->samples == 1 || (cleared && strcmp(cleared, "yes") == 0);
	cleanup_buf struct buf key = { 0 };
	int r = 0;

	for (int row = 0; t && row < (int)t->metrics.count; row++)
		for (int column = 0; column < (int)t->instances.count && r == 0; column++) {
			double value;

			if (!value_of(e, t, row, column, of_the_run, &value) || value == 0)
				continue;
			buf_clear(&key);
			if (key_of("lock_stat", names_at(&t->instances, column), t->meaning[row].name, &key) < 0)
				return -ENOMEM;
			r = stats_set(ret, key.data, number_scale(value, t->meaning[row].exponent));
		}
	return r;
}

static void lock_stat_free(void *state)
{
	ends_free(state);
}

static const struct view_key keys[] = {
	{ "lock_stat.<class>.<column>",                            UNIT_NONE,         "What the column counted or summed up in the run, as the collector's table tells." },
	{ "lock_stat.<class>.{waittime,holdtime}-avg",             UNIT_MICROSECONDS, "Of the run: total divided by contentions, or by acquisitions." },
	{ "lock_stat.<class>.{waittime,holdtime}-{min,max}",       UNIT_MICROSECONDS, "Only of a file that was cleared before the run." },
	{ "lock_stat.<class>.{contentions,contending}.<function>", UNIT_COUNT,        "Contentions at, or caused by, this place in the code." },
	{ 0 },
};

static const char *const collectors[] = { "lock_stat", NULL };

const struct view view_lock_stat = { "lock_stat",      collectors,	 sizeof(struct ends),
				     lock_stat_sample, lock_stat_finish, lock_stat_free, keys };
