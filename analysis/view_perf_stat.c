/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf-stat: rates, totals and ratios of counted events (spec A.3.8).
 *
 *   perf-stat.i.<x>         mean over the intervals: of rates, ratios, rates by unit (analysis/perf_formulas.h)
 *   perf-stat.ps.<event>    sum over the intervals / sum of their lengths: all of them, where the test robot leaves the
 *                           last one out of the sum but not out of the time
 *   perf-stat.total.<event> the sum
 *   perf-stat.overall.<x>   ratio of the sums; path-length is instructions / the run's only *.workload
 *
 * PMUs are added up. Those of unlike cores are told apart as well, as perf writes them:
 * perf-stat.i.cpu_core/cpu-cycles/. An event that did not count in an interval is not in it, and the time is not its
 * time. The stretch between the last tick and the command's end is an interval when it has half the length of the
 * others; else it counts in the sums alone.
 */
#include <stdlib.h>

#include "analysis/perf_formulas.h"
#include "analysis/view.h"

#define RATIOS_FACT "perf-stat.ratios"

/* What an event came to. Zeroed to begin. */
struct event {
	double sum, seconds;
	double pending; /* s in which it did not count, up to now */
	struct mean {
		double sum;
		uint32_t count;
	} rate;
	/* In the interval that is looked at: all that is new, and what is new of it. */
	double steps, fresh;
	bool stepped, is_fresh;
};

struct derived {
	char *key;
	struct mean mean;
};

/* All PMUs together, or one kind of core. */
struct side {
	char *pmu;	      /* NULL: all */
	struct event *events; /* [row] */
	size_t room;
	struct derived *derived;
	size_t derived_count, derived_room;
};

struct perf_stat {
	struct side *sides;
	size_t side_count, side_room;
	int *side_of; /* [column]; 0: none of its own */
	size_t columns, column_room;
	double *counts; /* [row], for the formulas */
	bool *has;
	size_t count_room, has_room;
	double intervals, length; /* how many, s */
	double boxes;		  /* of memory controllers that UNC_M_CLOCKTICKS is the sum of */
};

/* Is it an event, or what stands beside its group? */
static bool is_event(const struct track *t, int row)
{
	struct text name = text_of(names_at(&t->metrics, row));

	return is_counter(&t->meaning[row]) && !text_ends(name, ".enabled") && !text_ends(name, ".running");
}

static double unit_of(const struct track *t, int row)
{
	return t->meaning[row].unit == UNIT_NANOSECONDS ? 1e6 : 1; /* clocks are told in ms */
}

/* ---- room ---- */

static int add_side(struct perf_stat *p, struct text pmu)
{
	int r = view_room(&p->sides, &p->side_room, p->side_count + 1, sizeof(*p->sides));

	if (r < 0)
		return r;
	if (text_len(pmu) > 0) {
		p->sides[p->side_count].pmu = text_copy(pmu);
		if (!p->sides[p->side_count].pmu)
			return -ENOMEM;
	}
	return (int)p->side_count++;
}

/* "cpu_core", "cpu_core.CPU3": the kind of core it is of, where there may be more than one. */
static int find_side(struct perf_stat *p, const char *instance)
{
	const char *cpu = strstr(instance, ".CPU");
	struct text pmu = { instance, cpu ? cpu : instance + strlen(instance) };

	if (!text_starts(pmu, "cpu_") && !text_starts(pmu, "armv"))
		return 0;
	for (size_t i = 1; i < p->side_count; i++)
		if (text_is(pmu, p->sides[i].pmu))
			return (int)i;
	return add_side(p, pmu);
}

static int make_room(struct perf_stat *p, const struct track *t)
{
	int r = p->side_count ? 0 : add_side(p, text_of(""));

	if (r == 0)
		r = view_room(&p->side_of, &p->column_room, t->instances.count, sizeof(*p->side_of));
	for (; r >= 0 && p->columns < t->instances.count; p->columns++) {
		r = find_side(p, names_at(&t->instances, (int)p->columns));
		if (r >= 0)
			p->side_of[p->columns] = r;
	}
	if (r >= 0)
		r = view_room(&p->counts, &p->count_room, t->metrics.count, sizeof(*p->counts));
	if (r == 0)
		r = view_room(&p->has, &p->has_room, t->metrics.count, sizeof(*p->has));
	for (size_t i = 0; i < p->side_count && r == 0; i++)
		r = view_room(&p->sides[i].events, &p->sides[i].room, t->metrics.count, sizeof(struct event));
	return r < 0 ? r : 0;
}

/* ---- an interval ---- */

static void mean_add(struct mean *m, double value)
{
	m->sum += value;
	m->count++;
}

static int add_derived(void *context, const char *key, double value)
{
	struct side *side = context;
	size_t nth = 0;

	while (nth < side->derived_count && strcmp(side->derived[nth].key, key) != 0)
		nth++;
	if (nth == side->derived_count) {
		if (view_room(&side->derived, &side->derived_room, nth + 8, sizeof(*side->derived)) < 0)
			return -ENOMEM;
		side->derived[nth].key = text_copy(text_of(key));
		if (!side->derived[nth].key)
			return -ENOMEM;
		side->derived_count++;
	}
	mean_add(&side->derived[nth].mean, value);
	return 0;
}

/* Since the sample that had it last, also if that is some ago; not from one generation to the next. */
static void take_step(struct perf_stat *p, const struct sight *s, int row, int column, double unit)
{
	const struct slot *before = track_slot(s->track, row, column);
	bool fresh = before->seen == s->track->samples;
	uint64_t value;

	if (before->seen == 0 || before->seen < s->track->since ||
	    !track_value(s->track, s->sample, row, column, &value) || value < before->last)
		return;
	for (int side = 0;; side = p->side_of[column]) {
		struct event *e = &p->sides[side].events[row];
		double step = (double)(value - before->last) / unit;

		e->steps += step;
		e->fresh += fresh ? step : 0;
		e->stepped = true;
		e->is_fresh = e->is_fresh || fresh;
		if (side == p->side_of[column])
			break;
	}
}

static void take_event(struct perf_stat *p, const struct sight *s, int row)
{
	double unit = unit_of(s->track, row);

	for (size_t side = 0; side < p->side_count; side++) {
		struct event *e = &p->sides[side].events[row];

		e->steps = e->fresh = 0;
		e->stepped = e->is_fresh = false;
	}
	for (int column = 0; column < (int)p->columns; column++)
		take_step(p, s, row, column, unit);
	for (size_t side = 0; side < p->side_count; side++) {
		struct event *e = &p->sides[side].events[row];

		e->pending += s->seconds;
		if (!e->stepped)
			continue;
		e->sum += e->steps;
		e->seconds += e->pending;
		e->pending = 0;
	}
}

/* Of how many boxes: told beside the group, by the next row of that kind. */
static void look_at_boxes(struct perf_stat *p, const struct sight *s)
{
	double boxes = 0;
	uint64_t value;
	int row = 0;

	while (row < (int)s->track->metrics.count &&
	       !text_ends(text_of(names_at(&s->track->metrics, row)), "UNC_M_CLOCKTICKS"))
		row++;
	while (row < (int)s->track->metrics.count && !text_ends(text_of(names_at(&s->track->metrics, row)), ".counted"))
		row++;
	for (int column = 0; column < (int)p->columns && row < (int)s->track->metrics.count; column++)
		if (track_value(s->track, s->sample, row, column, &value))
			boxes += (double)value;
	p->boxes = boxes > 0 ? boxes : p->boxes;
}

static struct perf_counts counts_of(const struct perf_stat *p, const struct track *t, const struct side *side,
				    bool sums, double seconds)
{
	for (size_t row = 0; row < t->metrics.count; row++) {
		const struct event *e = &side->events[row];

		p->counts[row] = sums ? e->sum : e->fresh;
		p->has[row] = sums ? e->seconds > 0 : e->is_fresh;
	}
	return (struct perf_counts){ &t->metrics, p->counts, p->has, seconds };
}

static int derive(const struct perf_stat *p, const struct perf_counts *c, const struct side *side,
		  const struct pairs *facts, perf_put put, void *context)
{
	const char *wanted = pairs_get(facts, RATIOS_FACT);
	int r = perf_ratios(c, put, context);

	if (r == 0 && !side->pmu)
		r = perf_uncore(c, p->boxes, put, context);
	return r == 0 && wanted ? perf_wanted(c, text_of(wanted), put, context) : r;
}

static int take_interval(struct perf_stat *p, const struct sight *s)
{
	int r = 0;

	for (size_t i = 0; i < p->side_count && r == 0; i++) {
		struct side *side = &p->sides[i];
		struct perf_counts c = counts_of(p, s->track, side, false, s->seconds);

		for (size_t row = 0; row < s->track->metrics.count; row++)
			if (side->events[row].is_fresh)
				mean_add(&side->events[row].rate, side->events[row].fresh / s->seconds);
		r = derive(p, &c, side, s->facts, add_derived, side);
		if (r == 0 && !side->pmu)
			r = perf_metrics(&c, add_derived, side);
	}
	p->intervals++;
	p->length += s->seconds;
	return r;
}

static void begin_generation(struct perf_stat *p)
{
	for (size_t i = 0; i < p->side_count; i++)
		for (size_t row = 0; row < p->sides[i].room; row++)
			p->sides[i].events[row].pending = 0;
}

static int perf_stat_sample(void *state, const struct sight *s)
{
	const struct track *t = s->track;
	struct perf_stat *p = state;

	if (make_room(p, t) < 0)
		return -ENOMEM;
	if (s->seconds <= 0 || t->since > t->samples) {
		begin_generation(p);
		return 0;
	}
	look_at_boxes(p, s);
	for (int row = 0; row < (int)t->metrics.count; row++)
		if (is_event(t, row))
			take_event(p, s, row);
	if (s->phase == PHASE_AFTER && p->intervals > 0 && s->seconds < p->length / p->intervals / 2)
		return 0;
	return take_interval(p, s);
}

/* ---- the end ---- */

struct printer {
	const struct side *side;
	struct stats *ret;
};

static int put(const struct printer *to, const char *part, const char *key, double value)
{
	if (value == 0)
		return 0; /* spec A.1, rule 3 */
	if (to->side->pmu)
		return stats_setf(to->ret, value, "perf-stat.%s.%s/%s/", part, to->side->pmu, key);
	return stats_setf(to->ret, value, "perf-stat.%s.%s", part, key);
}

static int put_overall(void *context, const char *key, double value)
{
	return put(context, "overall", key, value);
}

static int put_event(const struct printer *to, const struct event *e, const char *name)
{
	int r = 0;

	if (e->rate.count)
		r = put(to, "i", name, e->rate.sum / e->rate.count);
	if (r == 0 && e->seconds > 0)
		r = put(to, "ps", name, e->sum / e->seconds);
	return r == 0 ? put(to, "total", name, e->sum) : r;
}

static int perf_stat_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "perf-stat");
	struct perf_stat *p = state;
	double seconds = t ? (double)(t->last_ns - t->first_ns) / 1e9 : 0;
	int r = 0;

	for (size_t i = 0; i < p->side_count && r == 0; i++) {
		const struct side *side = &p->sides[i];
		struct printer to = { side, ret };
		struct perf_counts c;

		for (size_t row = 0; row < t->metrics.count && row < side->room && r == 0; row++)
			r = put_event(&to, &side->events[row], names_at(&t->metrics, (int)row));
		for (size_t nth = 0; nth < side->derived_count && r == 0; nth++) {
			const struct mean *m = &side->derived[nth].mean;

			r = put(&to, "i", side->derived[nth].key, m->sum / m->count);
		}
		if (r < 0 || make_room(p, t) < 0)
			return -ENOMEM;
		c = counts_of(p, t, side, true, seconds);
		r = derive(p, &c, side, end->facts, put_overall, &to);
	}
	return r;
}

int perf_path_length(struct stats *s)
{
	static const char ending[] = ".workload";
	double instructions = 0, workload = 0;
	size_t workloads = 0;

	for (size_t i = 0; i < s->count; i++) {
		struct text key = text_of(s->at[i].key);

		if (text_is(key, "perf-stat.total.instructions"))
			instructions = s->at[i].value;
		if (!text_ends(key, ending) || text_len(key) == strlen(ending))
			continue;
		workload = s->at[i].value;
		workloads++;
	}
	if (workloads != 1 || instructions <= 0 || workload <= 0)
		return 0;
	if (stats_set(s, "perf-stat.overall.path-length", instructions / workload) < 0)
		return -ENOMEM;
	stats_sort(s);
	return 0;
}

static void perf_stat_free(void *state)
{
	struct perf_stat *p = state;

	for (size_t i = 0; i < p->side_count; i++) {
		for (size_t nth = 0; nth < p->sides[i].derived_count; nth++)
			free(p->sides[i].derived[nth].key);
		free(p->sides[i].derived);
		free(p->sides[i].events);
		free(p->sides[i].pmu);
	}
	free(p->sides);
	free(p->side_of);
	free(p->counts);
	free(p->has);
}

static const struct view_key keys[] = {
	{ "perf-stat.i.<event>",                        UNIT_NONE, "Events in a second, the mean over the intervals." },
	{ "perf-stat.i.<ratio>",                        UNIT_NONE, "A ratio of events (ipc, cpi, MPKI, <x>-miss-rate%, topdown-*), the mean over the intervals." },
	{ "perf-stat.i.metric.{GHz,K/sec,M/sec,G/sec}", UNIT_NONE, "Rates by second of CPU time, those of that size added up; the mean over the intervals." },
	{ "perf-stat.ps.<event>",                       UNIT_NONE, "Events in a second, over all intervals." },
	{ "perf-stat.total.<event>",                    UNIT_NONE, "Events of the whole run; clocks in ms." },
	{ "perf-stat.overall.<ratio>",                  UNIT_NONE, "A ratio of the run's sums." },
	{ "perf-stat.overall.path-length",              UNIT_NONE, "Instructions for one unit of the benchmark's work." },
	{ "perf-stat.{i,ps,total,overall}.<pmu>/<x>/",  UNIT_NONE, "The same of one kind of core." },
	{ 0 },
};

static const char *const collectors[] = { "perf-stat", NULL };

const struct view view_perf_stat = { "perf-stat",      collectors,	 sizeof(struct perf_stat),
				     perf_stat_sample, perf_stat_finish, perf_stat_free, keys };
