/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * latency_stats.{hits,sum,avg,max}.<chain>, and of each the largest as latency_stats.{hits,sum,avg,max}.max (spec A.3.6).
 * The longest wait is the run's only when the file was cleared before it.
 */
#include <string.h>

#include "analysis/ends.h"
#include "analysis/reduce.h"

enum { HITS, SUM, AVG, MAX, KEYS };

static const char *const names[KEYS] = { "hits", "sum", "avg", "max" };

static int latency_stats_sample(void *state, const struct sight *s)
{
	return ends_sample(state, s);
}

static int put(const char *name, const char *chain, uint64_t value, struct buf *key, struct stats *ret)
{
	buf_clear(key);
	if (value == 0)
		return 0;
	(void)key_of("latency_stats", chain, name, key);
	return key->failed ? -ENOMEM : stats_set(ret, key->data, (double)value);
}

static int latency_stats_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "latency_stats");
	const struct ends *e = state;
	const char *cleared = pairs_get(end->facts, "latency_stats.cleared");
	bool of_the_run = e->samples == 1 || (cleared && strcmp(cleared, "yes") == 0);
	cleanup_buf struct buf key = { 0 };
	uint64_t most[KEYS] = { 0 };
	int r = 0;

	for (int column = 0; t && column < (int)t->instances.count && r == 0; column++) {
		uint64_t values[KEYS] = { 0 };

		(void)ends_went(e, track_row(t, "hits"), column, &values[HITS]);
		(void)ends_went(e, track_row(t, "sum"), column, &values[SUM]);
		if (values[HITS] == 0)
			continue;
		values[AVG] = values[SUM] / values[HITS];
		if (of_the_run)
			(void)ends_last(e, track_row(t, "max"), column, &values[MAX]);
		for (int i = 0; i < KEYS && r == 0; i++) {
			most[i] = values[i] > most[i] ? values[i] : most[i];
			r = put(names[i], names_at(&t->instances, column), values[i], &key, ret);
		}
	}
	for (int i = 0; i < KEYS && r == 0; i++)
		r = put(names[i], "max", most[i], &key, ret);
	return r;
}

static void latency_stats_free(void *state)
{
	ends_free(state);
}

static const struct view_key keys[] = {
	{ "latency_stats.hits.<chain>",           UNIT_COUNT,        "Waits at this chain of calls in the run." },
	{ "latency_stats.sum.<chain>",            UNIT_MICROSECONDS, "Time waited there in the run." },
	{ "latency_stats.avg.<chain>",            UNIT_MICROSECONDS, "Sum divided by hits." },
	{ "latency_stats.max.<chain>",            UNIT_MICROSECONDS, "The longest wait there; only of a file that was cleared before the run." },
	{ "latency_stats.{hits,sum,avg,max}.max", UNIT_NONE,         "The largest of all chains." },
	{ 0 },
};

static const char *const collectors[] = { "latency_stats", NULL };

const struct view view_latency_stats = { "latency_stats",      collectors,	     sizeof(struct ends),
					 latency_stats_sample, latency_stats_finish, latency_stats_free, keys };
