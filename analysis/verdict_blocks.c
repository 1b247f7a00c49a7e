/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands beside the table: failures, what moves with the first result, what became noisier, warnings. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "analysis/discovery.h"
#include "analysis/fact_warnings.h"
#include "analysis/failures.h"
#include "analysis/lists.h"
#include "analysis/related.h"
#include "analysis/rows.h"
#include "analysis/verdict.h"

#define RELATED_MOST  10
#define BOOTS_TELL    3
#define UNEQUAL_RATIO 3 /* runs of the sides: beyond, the larger one is of little use */

/* ---- failures ---- */

static struct failures failures_on(const struct verdict_work *w, size_t row, size_t side)
{
	const struct verdict_side *s = &w->in.sides[side];
	struct failures f = { .runs = (unsigned)s->runs };

	for (size_t i = 0; i < s->runs; i++)
		f.failed += w->in.function_values[row * w->in.runs + s->first_run + i] != 0;
	return f;
}

/* Of what the runs counted, where they count more than whether. */
static double mean_on(const struct verdict_work *w, size_t row, size_t side)
{
	const struct verdict_side *s = &w->in.sides[side];
	double sum = 0;

	for (size_t i = 0; i < s->runs; i++)
		sum += w->in.function_values[row * w->in.runs + s->first_run + i];
	return s->runs ? sum / (double)s->runs : 0;
}

static double rate(struct failures f)
{
	return f.runs ? (double)f.failed / f.runs : 0;
}

static int make_function(struct verdict_work *w, size_t which, struct compare_row *ret)
{
	struct failures base = failures_on(w, which, 0);

	if (verdict_row(w, w->in.function_keys[which], ret) < 0)
		return -ENOMEM;
	ret->function = true;
	for (size_t side = 0; side < w->in.side_count; side++) {
		struct failures f = failures_on(w, which, side);
		struct verdict *v = side ? arena_take(w->arena, 1, sizeof(*v)) : NULL;

		ret->cells[side] = (struct compare_cell){
			.mean = mean_on(w, which, side),
			.fails = f.failed,
			.runs = f.runs,
			.have = f.failed,
			.verdict = v,
			.change = 100 * (rate(f) - rate(base)),
		};
		if (side == 0)
			continue;
		if (!v)
			return -ENOMEM;
		*v = (struct verdict){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, .detectable = NAN, .runs_needed = NAN };
		v->p = failures_p(base, f);
		v->word = failures_changed(base, f) ? VERDICT_CHANGED : VERDICT_UNDECIDED;
		ret->changed |= v->word == VERDICT_CHANGED;
	}
	return 0;
}

int verdict_functions(struct verdict_work *w, struct compare_table *ret)
{
	ret->functions = arena_take(w->arena, w->in.function_count, sizeof(*ret->functions));
	if (!ret->functions)
		return -ENOMEM;
	for (size_t i = 0; i < w->in.function_count; i++) {
		struct compare_row *row = &ret->functions[ret->function_count];

		if (!verdict_wanted(w, w->in.function_keys[i]))
			continue;
		if (make_function(w, i, row) < 0)
			return -ENOMEM;
		ret->function_count += row->changed || w->options->all;
	}
	return sort_rows(ret->functions, ret->function_count, w->in.side_count, w->testcase, w->options->era);
}

/* ---- what moves with the first result ---- */

struct mover {
	const struct compare_row *row;
	double moves, size;
};

static int by_moves(const void *a, const void *b)
{
	const struct mover *x = a, *y = b;

	if (x->moves < y->moves || x->moves > y->moves)
		return x->moves > y->moves ? -1 : 1;
	if (x->size < y->size || x->size > y->size)
		return x->size > y->size ? -1 : 1;
	return strcmp(x->row->key, y->row->key);
}

/* The line a printed key stands for, or NULL. */
static const struct judged_line *line_called(const struct judgement *j, const char *key)
{
	for (size_t l = 0; l < j->line_count; l++) {
		const char *a = j->lines[l].key, *b = key;

		while (*a && (*a == *b || (*a == '#' && *b == '*')))
			a++, b++;
		if (*a == '\0' && *b == '\0')
			return &j->lines[l];
	}
	return NULL;
}

/* How a shown line moves with a result; of a single metric, the metric, of a group, its sum. */
static double moves_with(const struct verdict_work *w, size_t kpi, const struct judged_line *line)
{
	const struct judgement *j = &w->heads[1].judgement;
	struct judge_metric result = verdict_metric(w, w->kpis[kpi], 1), x;
	const struct difference *d = &line->sum.difference;
	size_t metric = w->members[w->first[line - j->lines]];

	x = line->group ? line->summed : verdict_metric(w, w->metrics[metric], 1);
	if (!line->group)
		d = &j->metrics[metric].difference;
	return related_to(&result, &w->heads[1].kpis[kpi].difference, &x, d, w->in.sets).score;
}

int verdict_related(struct verdict_work *w, struct compare_table *ret)
{
	struct mover *movers = calloc(ret->row_count + 1, sizeof(*movers));
	size_t count = 0;

	ret->related = arena_take(w->arena, RELATED_MOST, sizeof(struct compare_row *));
	if (!movers || !ret->related) {
		free(movers);
		return -ENOMEM;
	}
	for (size_t i = 0; i < ret->row_count && w->kpi_count && w->heads[1].kpis[0].word == KPI_CHANGED; i++) {
		struct compare_row *row = &ret->rows[i];
		const struct verdict *v = row->cells[1].verdict;
		const struct judged_line *line;

		if (row->kpi || v->word != VERDICT_CHANGED || family_is_testcase(key_family(row->key), w->testcase))
			continue; /* another figure of the benchmark explains nothing */
		line = line_called(&w->heads[1].judgement, row->key);
		row->moves = line ? moves_with(w, 0, line) : 0;
		if (row->moves > 0)
			movers[count++] = (struct mover){ row, row->moves, isnan(v->d) ? 0 : fabs(v->d) / v->se };
	}
	qsort(movers, count, sizeof(*movers), by_moves);
	for (size_t i = 0; i < count && i < RELATED_MOST; i++)
		ret->related[ret->related_count++] = movers[i].row;
	free(movers);
	return 0;
}

/* ---- noise ---- */

/* Two-sided F test of the variances; rounding alone makes the floor. */
static double noise_p(const struct judge_metric *m, const struct difference *d)
{
	double n_a, n_b, a = side_variance(m->a, d->scale, &n_a), b = side_variance(m->b, d->scale, &n_b), f;

	if (!d->tested)
		return NAN;
	a = fmax(a, d->floor2);
	b = fmax(b, d->floor2);
	if (!(a > 0) || !(b > 0))
		return NAN;
	f = b / a;
	return fmin(1, 2 * fmin(gsl_cdf_fdist_Q(f, n_b - 1, n_a - 1), gsl_cdf_fdist_P(f, n_b - 1, n_a - 1)));
}

/* Of a group: the noise of its sum, or that of any member. */
static double noise_of_line(const struct verdict_work *w, const struct judgement *j, size_t l, double *p,
			    double *scratch)
{
	const struct judged_line *line = &j->lines[l];

	for (size_t i = 0; i < line->members; i++) {
		size_t metric = w->members[w->first[l] + i];
		struct judge_metric m = verdict_metric(w, w->metrics[metric], 1);

		p[i] = noise_p(&m, &j->metrics[metric].difference);
	}
	if (!line->group)
		return p[0];
	return group_p(noise_p(&line->summed, &line->sum.difference), simes(p, line->members, scratch));
}

static int make_noise_row(struct verdict_work *w, size_t l, double p, double q, struct compare_row *ret)
{
	const struct judged_line *line = &w->heads[1].judgement.lines[l];
	struct verdict *v = arena_take(w->arena, 1, sizeof(*v));

	if (!v || verdict_row(w, line->key, ret) < 0)
		return -ENOMEM;
	ret->members = line->group ? (unsigned)line->members : 0;
	for (size_t side = 0; side < w->in.side_count; side++)
		w->sides[side] = verdict_values(&w->in, w->metrics[w->members[w->first[l]]], side);
	if (line->group) {
		w->sides[0] = line->summed.a;
		for (size_t head = 1; head < w->in.side_count; head++)
			w->sides[head] = w->heads[head].judgement.lines[l].summed.b;
	}
	if (verdict_cells(w, line->group && line->whole ? line->whole : 1, ret) < 0)
		return -ENOMEM;
	*v = (struct verdict){ NAN, NAN, NAN, p, q, NAN, NAN, .detectable = NAN, .runs_needed = NAN };
	v->word = VERDICT_CHANGED;
	for (size_t head = 1; head < w->in.side_count; head++)
		ret->cells[head].verdict = v;
	return 0;
}

/* Of the first head. */
int verdict_noise(struct verdict_work *w, struct compare_table *ret)
{
	const struct judgement *j = &w->heads[1].judgement;
	size_t room = w->metric_count + j->line_count + 1, *order = calloc(room, sizeof(*order));
	double *p = calloc(room, sizeof(*p)), *q = calloc(room, sizeof(*q));
	double *members = calloc(room, sizeof(*members)), *scratch = calloc(room, sizeof(*scratch));
	int r = order && p && q && members && scratch ? 0 : -ENOMEM;

	ret->noise = arena_take(w->arena, j->line_count, sizeof(*ret->noise));
	if (!ret->noise)
		r = -ENOMEM;
	for (size_t l = 0; l < j->line_count && r == 0; l++)
		p[l] = noise_of_line(w, j, l, members, scratch);
	if (r == 0)
		(void)adjust_bh(p, j->line_count, order, q);
	for (size_t l = 0; l < j->line_count && r == 0; l++)
		if (q[l] <= w->q && verdict_wanted(w, j->lines[l].key))
			r = make_noise_row(w, l, p[l], q[l], &ret->noise[ret->noise_count++]);
	free(order);
	free(p);
	free(q);
	free(members);
	free(scratch);
	return r;
}

/* ---- warnings ---- */

static int warn(struct verdict_work *w, struct compare_table *t, const struct buf *text)
{
	char *copy = text->failed ? NULL : arena_copy(w->arena, text->data);

	if (!copy)
		return -ENOMEM;
	t->warnings[t->warning_count++] = copy;
	return 0;
}

static int warn_of_head(struct verdict_work *w, const struct group *g, size_t head, struct compare_table *t)
{
	double a = (double)w->in.sides[0].units, b = (double)w->in.sides[head].units;
	struct buf text = { 0 };
	int r = 0;

	if (w->heads[head].order == ORDER_BLOCKED) {
		const double *at = w->in.positions;
		bool base_first = at[w->in.sides[0].first] < at[w->in.sides[head].first];

		(void)buf_printf(
			&text,
			"the runs of %s were %s those of %s: drift of the machine cannot be told from the change",
			g->sides[0].value, base_first ? "before" : "after", g->sides[head].value);
		r = warn(w, t, &text);
	}
	buf_clear(&text);
	if (r == 0 && (a > UNEQUAL_RATIO * b || b > UNEQUAL_RATIO * a)) {
		(void)buf_printf(&text, "%.0f runs of %s against %.0f of %s: more of the fewer would tell more", a,
				 g->sides[0].value, b, g->sides[head].value);
		r = warn(w, t, &text);
	}
	buf_free(&text);
	return r;
}

int verdict_warnings(struct verdict_work *w, const struct group *group, struct compare_table *ret)
{
	struct buf text = { 0 };
	int r = 0;

	ret->warnings = arena_take(w->arena, 2 * group->count + 4 + FACT_WARNINGS_MOST, sizeof(*ret->warnings));
	if (!ret->warnings)
		return -ENOMEM;
	r = fact_warnings(group, w->axis, w->arena, ret->warnings);
	if (r < 0)
		return r;
	ret->warning_count = (size_t)r;
	r = 0;
	if (w->options->caution) {
		(void)buf_puts(&text, w->options->caution);
		r = warn(w, ret, &text);
		buf_clear(&text);
	}
	if (r == 0 && w->few) {
		(void)buf_puts(&text, "too few runs to tell noise from change: these are the largest differences, no "
				      "more; three runs a side are the least");
		r = warn(w, ret, &text);
		buf_clear(&text);
	}
	if (r == 0 && !w->in.positions) {
		(void)buf_puts(&text,
			       "the order of the runs is not known: a drift of the machine would look like a change");
		r = warn(w, ret, &text);
		buf_clear(&text);
	}
	if (r == 0 && w->in.boots_least && w->in.boots_least < BOOTS_TELL && !w->in.same_boots) {
		(void)buf_printf(&text, "%zu boot%s on a side: what differs from boot to boot is not measured",
				 w->in.boots_least, w->in.boots_least == 1 ? "" : "s");
		r = warn(w, ret, &text);
	}
	buf_free(&text);
	for (size_t head = 1; head < group->count && r == 0; head++)
		r = warn_of_head(w, group, head, ret);
	return r;
}
