/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the processors' time went, in percent of all ticks (spec A.3.3): mpstat.cpu.all.<column>%, and of the busiest
 * interval mpstat.max_utilization_pct and mpstat.max_utilization.seconds. Of each CPU (mpstat.cpu.3.usr%) and each
 * node (mpstat.node.0.usr%) when the fact REDUCE_PER_CPU_FACT is "yes". Which CPUs a node has, its fact node.<n>.cpus
 * tells: "0-3,8".
 */
#include <stdlib.h>

#include "analysis/reduce.h"
#include "analysis/view.h"

struct ticks {
	double of[CPU_TIMES], total;
};

struct mpstat {
	struct ticks all;
	struct ticks *cpu; /* [column] */
	size_t cpu_room;
	double busiest, busiest_at; /* percent; s */
	bool any;
};

/* The column of a time, without the guests that it holds. */
static const struct {
	const char *name;
	enum cpu_time time;
	int less; /* -1: nothing */
} columns[] = {
	{ "usr", CPU_USER, CPU_GUEST },	 { "nice", CPU_NICE, CPU_GUEST_NICE },
	{ "sys", CPU_SYSTEM, -1 },	 { "iowait", CPU_IOWAIT, -1 },
	{ "irq", CPU_IRQ, -1 },		 { "soft", CPU_SOFTIRQ, -1 },
	{ "steal", CPU_STEAL, -1 },	 { "guest", CPU_GUEST, -1 },
	{ "gnice", CPU_GUEST_NICE, -1 }, { "idle", CPU_IDLE, -1 },
};

static void add(struct ticks *to, const double ticks[CPU_TIMES], double total)
{
	for (int i = 0; i < CPU_TIMES; i++)
		to->of[i] += ticks[i];
	to->total += total;
}

static int each_cpu(struct mpstat *m, const struct sight *s)
{
	const struct track *t = s->track;
	double ticks[CPU_TIMES], total;

	if (view_room(&m->cpu, &m->cpu_room, t->instances.count, sizeof(*m->cpu)) < 0)
		return -ENOMEM;
	for (size_t column = 0; column < t->instances.count; column++)
		if (cpu_ticks(s, (int)column, ticks, &total))
			add(&m->cpu[column], ticks, total);
	return 0;
}

static bool asked_for_each(const struct pairs *facts)
{
	const char *each = pairs_get(facts, REDUCE_PER_CPU_FACT);

	return each && strcmp(each, "yes") == 0;
}

static int mpstat_sample(void *state, const struct sight *s)
{
	struct mpstat *m = state;
	double ticks[CPU_TIMES], total;

	if (cpu_ticks(s, track_column(s->track, ""), ticks, &total)) {
		double busy = 100 - 100 * (ticks[CPU_IDLE] + ticks[CPU_IOWAIT]) / total;

		add(&m->all, ticks, total);
		if (!m->any || busy > m->busiest) {
			m->busiest = busy;
			m->busiest_at = s->start;
		}
		m->any = true;
	}
	return asked_for_each(s->facts) ? each_cpu(m, s) : 0;
}

static int put(const struct ticks *ticks, const char *of, struct text which, struct stats *ret)
{
	int r = 0;

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns) && r == 0 && ticks->total > 0; i++) {
		double less = columns[i].less < 0 ? 0 : ticks->of[columns[i].less];
		double value = 100 * (ticks->of[columns[i].time] - less) / ticks->total;

		/* The kernel counts guests apart from users: between two reads they may be ahead. */
		if (value > 0)
			r = stats_setf(ret, value, "mpstat.%s.%.*s.%s%%", of, TEXT_ARGS(which), columns[i].name);
	}
	return r;
}

/* The number of "cpu12"; false for another name, as that of all CPUs. */
static bool cpu_of(const struct track *t, size_t column, struct text *name, uint64_t *number)
{
	struct text rest = text_of(names_at(&t->instances, (int)column));

	if (!text_skip(&rest, "cpu"))
		return false;
	*name = rest;
	return text_u64(&rest, number) && text_len(rest) == 0;
}

/* Is the number in "0-3,8"? */
static bool list_has(struct text list, uint64_t number)
{
	uint64_t first, last;

	while (text_u64(&list, &first)) {
		last = first;
		if (text_skip(&list, "-") && !text_u64(&list, &last))
			return false;
		if (number >= first && number <= last)
			return true;
		if (!text_skip(&list, ","))
			return false;
	}
	return false;
}

static int put_cpus(const struct mpstat *m, const struct track *t, struct stats *ret)
{
	struct text name;
	uint64_t number;
	int r = 0;

	for (size_t column = 0; column < m->cpu_room && r == 0; column++)
		if (cpu_of(t, column, &name, &number))
			r = put(&m->cpu[column], "cpu", name, ret);
	return r;
}

static int put_node(const struct mpstat *m, const struct track *t, struct text node, struct text list,
		    struct stats *ret)
{
	struct ticks sum = { 0 };
	struct text name;
	uint64_t number;

	for (size_t column = 0; column < m->cpu_room; column++)
		if (cpu_of(t, column, &name, &number) && list_has(list, number))
			add(&sum, m->cpu[column].of, m->cpu[column].total);
	return put(&sum, "node", node, ret);
}

static int put_each(const struct mpstat *m, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "proc-stat");
	int r = t ? put_cpus(m, t, ret) : 0;

	for (size_t i = 0; t && i < end->facts->count && r == 0; i++) {
		struct text name = text_of(end->facts->at[i].name), node;

		if (text_skip(&name, "node.") && text_cut(&name, ".", &node) && text_is(name, "cpus"))
			r = put_node(m, t, node, text_of(end->facts->at[i].value), ret);
	}
	return r;
}

static int mpstat_finish(void *state, const struct view_end *end, struct stats *ret)
{
	struct mpstat *m = state;
	int r = put(&m->all, "cpu", text_of("all"), ret);

	if (r == 0 && m->cpu_room > 0)
		r = put_each(m, end, ret);
	if (r == 0 && m->any && m->busiest > 0) {
		r = stats_set(ret, "mpstat.max_utilization_pct", m->busiest);
		if (r == 0)
			r = stats_set(ret, "mpstat.max_utilization.seconds", m->busiest_at);
	}
	return r;
}

static void mpstat_free(void *state)
{
	free(((struct mpstat *)state)->cpu);
}

static const struct view_key keys[] = {
	{ "mpstat.cpu.all.{usr,nice,sys,iowait,irq,soft,steal,guest,gnice,idle}%", UNIT_PERCENT, "Share of all CPUs' time over the run; users' without that of guests." },
	{ "mpstat.cpu.<n>.<column>%",                                              UNIT_PERCENT, "The same of one CPU; by the option per_cpu of proc-stat." },
	{ "mpstat.node.<n>.<column>%",                                             UNIT_PERCENT, "The same of a node's CPUs; by the option per_cpu of proc-stat." },
	{ "mpstat.max_utilization_pct",                                            UNIT_PERCENT, "Of the busiest interval: all but idle and iowait." },
	{ "mpstat.max_utilization.seconds",                                        UNIT_SECONDS, "When that interval ended, since the first sample." },
	{ 0 },
};

static const char *const collectors[] = { "proc-stat", NULL };

const struct view view_mpstat = {
	"mpstat", collectors, sizeof(struct mpstat), mpstat_sample, mpstat_finish, mpstat_free, keys };
