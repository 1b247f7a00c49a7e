/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/slot_keys.h"

#include <errno.h>

#include "analysis/number.h"
#include "analysis/reduce.h"

/* What is no key of its own. The first row whose patterns fit decides; what no row names is shown. */
static const struct {
	const char *collector, *metric;
	bool whole, each; /* show the instance "" and the folded key; show the other instances */
} shown[] = {
	{ "uptime", "*", false, false }, /* view_uptime.c */
	{ "cpuidle", "*", true, false },
	{ "proc-stat", "intr", true, false },
	{ "proc-stat", "ctxt", true, false },
	{ "proc-stat", "processes", true, false },
	{ "proc-stat", "procs_*", true, false },
	{ "proc-stat", "softirqs", true, false },
	{ "proc-stat", "*", false, false }, /* cpu times: view_mpstat.c and others */
	{ "perf-stat", "*", false, false }, /* view_perf_stat.c */
	{ "energy", "*", false, false }, /* view_energy.c */
	{ "turbostat", "*", false, false }, /* view_turbostat.c */
	{ "powercap", "*", false, false }, /* view_powercap.c */
	{ "lock_stat", "*", false, false }, /* view_lock_stat.c */
	{ "latency_stats", "*", false, false }, /* view_latency_stats.c */
	{ "sched_debug", "*", true, false }, /* view_sched_debug.c */
	{ "schedstat", "timestamp", false, false },
	{ "schedstat", "domain*", true, false }, /* by CPU they are too many to be read */
	{ "slabinfo", "objsize", false, false },
	{ "slabinfo", "objperslab", false, false },
	{ "slabinfo", "pagesperslab", false, false },
	{ "protocols", "size", false, false },
	{ "protocols", "maxhdr", false, false },
};

/* Levels that also show their largest. */
static const struct {
	const char *collector, *metric;
} with_max[] = {
	{ "numa-meminfo", "AnonPages" },
	{ "process", "processes" },
	{ "process", "threads" },
	{ "process", "rss" },
	{ "process", "fds" },
};

static void what_is_shown(const struct track *t, const char *metric, bool *whole, bool *each)
{
	*whole = *each = true;
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		if (strcmp(shown[i].collector, t->collector) != 0 || !text_glob(text_of(metric), shown[i].metric))
			continue;
		*whole = shown[i].whole;
		*each = shown[i].each;
		return;
	}
}

static bool has_max(const struct track *t, const char *metric)
{
	for (size_t i = 0; i < sizeof(with_max) / sizeof(*with_max); i++)
		if (strcmp(with_max[i].collector, t->collector) == 0 && strcmp(with_max[i].metric, metric) == 0)
			return true;
	return false;
}

/* A single reading of a counter tells what went by since the boot, not in the run. */
static bool has_value(const struct metric *m, const struct slot *s)
{
	return s->count > (is_counter(m) ? 1u : 0u);
}

static double value_of(const struct metric *m, const struct slot *s)
{
	return number_scale(is_counter(m) ? (double)s->steps : level_mean(&s->level), m->exponent);
}

static int put(const struct track *t, const char *instance, const char *metric, double value, const char *suffix,
	       struct buf *key, struct stats *ret)
{
	buf_clear(key);
	(void)key_of(t->collector, instance, metric, key);
	if (buf_puts(key, suffix) < 0)
		return -ENOMEM;
	return stats_set(ret, key->data, value);
}

static void fold(enum fold how, double value, size_t nth, double *ret)
{
	if (nth == 0 || (how == FOLD_MAX && value > *ret) || (how == FOLD_MIN && value < *ret))
		*ret = value;
	else if (how == FOLD_SUM || how == FOLD_MEAN)
		*ret += value;
}

/* Exact for counters whatever their size: the sum is made before it becomes a double. */
static int put_folded(const struct track *t, int row, struct buf *key, struct stats *ret)
{
	const struct metric *m = &t->meaning[row];
	uint64_t steps = 0;
	double value = 0;
	size_t n = 0;

	if (m->fold < FOLD_SUM || m->fold > FOLD_MIN)
		return 0;
	for (int column = 0; column < (int)t->instances.count; column++) {
		const struct slot *s = track_slot(t, row, column);

		if (!has_value(m, s))
			continue;
		if (*names_at(&t->instances, column) == '\0')
			return 0; /* the kernel tells the whole itself */
		fold(m->fold, value_of(m, s), n++, &value);
		steps += is_counter(m) ? s->steps : 0;
	}
	if (n == 0)
		return 0;
	if (m->fold == FOLD_MEAN)
		value /= (double)n;
	if (m->fold == FOLD_SUM && is_counter(m))
		value = number_scale((double)steps, m->exponent);
	return put(t, "", m->name, value, "", key, ret);
}

/*
 * A zero is a number. But a counter of one of many CPUs that never counted is left to its sum: an interrupt line that is
 * quiet on most of a thousand CPUs would be a thousand keys. Whoever compares reads those that lack as zero.
 */
static bool is_told_by_sum(const struct metric *m, const char *instance)
{
	return *instance && is_counter(m) && m->fold == FOLD_SUM;
}

static int put_row(const struct track *t, int row, struct buf *key, struct stats *ret)
{
	const struct metric *m = &t->meaning[row];
	bool whole, each;
	int r = 0;

	what_is_shown(t, m->name, &whole, &each);
	for (int column = 0; column < (int)t->instances.count && r == 0; column++) {
		const char *instance = names_at(&t->instances, column);
		const struct slot *s = track_slot(t, row, column);

		if (!(*instance ? each : whole) || !has_value(m, s) || (!s->moved && is_told_by_sum(m, instance)))
			continue;
		r = put(t, instance, m->name, value_of(m, s), "", key, ret);
		if (r == 0 && !is_counter(m) && has_max(t, m->name))
			r = put(t, instance, m->name, number_scale(s->level.max, m->exponent), ".max", key, ret);
	}
	return r == 0 && whole ? put_folded(t, row, key, ret) : r;
}

int slot_keys(const struct track *t, struct stats *ret)
{
	cleanup_buf struct buf key = { 0 };
	int r = 0;

	for (int row = 0; row < (int)t->metrics.count && r == 0; row++)
		r = put_row(t, row, &key, ret);
	return r;
}
