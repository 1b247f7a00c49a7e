/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of a row (spec/statistics, section 9): means, changes, intervals. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/lists.h"
#include "analysis/verdict.h"

#define LEVELS_MAKE_PERCENT 10 /* times the offset: below, a ratio makes no sense */
#define FAR		    5  /* deviations from the median of the side */

int verdict_row(struct verdict_work *w, const char *key, struct compare_row *ret)
{
	*ret = (struct compare_row){
		.key = arena_copy(w->arena, key),
		.cells = arena_take(w->arena, w->in.side_count, sizeof(*ret->cells)),
		.points = key_is_points(key),
	};
	return ret->key && ret->cells ? 0 : -ENOMEM;
}

static void fill(struct values v, double members, double *copy, struct compare_cell *cell)
{
	double squares = 0;

	*cell = (struct compare_cell){ .runs = (unsigned)v.count, .values = copy };
	for (size_t i = 0; i < v.count; i++)
		copy[i] = v.at[i] / members;
	for (size_t i = 0; i < v.count; i++)
		cell->have += isfinite(v.at[i]);
	for (size_t i = 0; i < v.count; i++)
		if (isfinite(v.at[i]))
			cell->mean += v.at[i] / (double)cell->have;
	for (size_t i = 0; i < v.count; i++)
		if (isfinite(v.at[i]))
			squares += (v.at[i] - cell->mean) * (v.at[i] - cell->mean);
	cell->stddev = cell->have > 1 ? sqrt(squares / (double)(cell->have - 1)) / members : 0;
	cell->mean /= members;
}

int verdict_cells(const struct verdict_work *w, size_t members, struct compare_row *row)
{
	double *copy = arena_take(w->arena, w->in.units, sizeof(*copy));
	struct compare_cell *base = &row->cells[0];

	if (!copy)
		return -ENOMEM;

	for (size_t side = 0; side < w->in.side_count; side++) {
		struct compare_cell *cell = &row->cells[side];

		fill(w->sides[side], (double)members, copy + w->in.sides[side].first, cell);
		if (side && row->points)
			cell->change = cell->mean - base->mean;
		else if (side && (base->mean < 0 || base->mean > 0))
			cell->change = 100 * (cell->mean - base->mean) / fabs(base->mean);
		else if (side)
			cell->change = 100 * cell->mean / 1e-100;
	}
	return 0;
}

/* Is a run of the side far from the side's median? `y` has room for all its values. */
static bool has_outlier(struct values v, const struct claim *c, double *y)
{
	double median, far = FAR * sqrt(c->evidence->variance);
	size_t n = 0;

	for (size_t i = 0; i < v.count; i++)
		if (isfinite(v.at[i]))
			y[n++] = scale_apply(c->difference->scale, v.at[i]);
	if (n < 3)
		return false;
	median = values_median(y, n);
	return median - y[0] > far || y[n - 1] - median > far;
}

static unsigned flags_of(const struct claim *c, double *y)
{
	return (c->history ? VERDICT_HISTORY : 0U) | (c->evidence->history_only ? VERDICT_HISTORY_ONLY : 0U) |
	       (c->evidence->gated ? VERDICT_GATED : 0U) |
	       (has_outlier(c->metric->a, c, y) || has_outlier(c->metric->b, c, y) ? VERDICT_OUTLIER : 0U);
}

/* A ratio has a meaning far above the offset only; a key in percent is told in points anyway. */
static bool is_in_percent(const struct claim *c, const struct compare_row *row, size_t head)
{
	double least = LEVELS_MAKE_PERCENT * c->difference->scale.offset;
	double a = row->cells[0].mean, b = row->cells[head].mean;

	return !row->points && a > 0 && b > 0 && a >= least && b >= least;
}

struct verdict *verdict_of(struct verdict_work *w, const struct claim *c, const struct compare_row *row, size_t head)
{
	const struct compare_cell *base = &row->cells[0], *cell = &row->cells[head];
	struct verdict *v = arena_take(w->arena, 1, sizeof(*v));
	double *y = calloc(c->metric->a.count + c->metric->b.count + 1, sizeof(*y));
	double half, offset = c->difference->scale.offset, mean = (base->mean + cell->mean) / 2, apart;

	if (!v || !y) {
		free(y);
		return NULL;
	}
	*v = (struct verdict){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, .detectable = NAN, .runs_needed = NAN };
	if (isnan(c->evidence->p)) {
		free(y);
		return v;
	}
	v->d = c->difference->d;
	v->se = c->evidence->se;
	v->df = c->evidence->df;
	v->p = c->evidence->p;
	v->flags = flags_of(c, y);
	half = evidence_half_width(c->evidence, c->miss);
	v->percent = is_in_percent(c, row, head);
	if (v->percent) {
		v->low = 100 * expm1(v->d - half);
		v->high = 100 * expm1(v->d + half);
	} else {
		apart = half * sqrt(mean * mean + offset * offset / (double)(row->members ? row->members : 1));
		v->low = cell->mean - base->mean - apart;
		v->high = cell->mean - base->mean + apart;
	}
	free(y);
	return v;
}
