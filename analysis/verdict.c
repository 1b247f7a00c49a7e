/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/verdict.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/judge_lines.h"
#include "analysis/lists.h"
#include "analysis/rows.h"

#define Q_USUAL	     0.05
#define EFFECT_USUAL 0.005
#define RUNS_TELL    3 /* a side; with two a claim needs history */
#define ONLY_LEAST   3 /* runs that have a key which the other side lacks */

bool verdict_wanted(const struct verdict_work *w, const char *key)
{
	if (w->options->family && !key_is_of(key, w->options->family))
		return false;
	return !w->options->filter || text_glob(text_of(key), w->options->filter);
}

struct judge_metric verdict_metric(const struct verdict_work *w, size_t row, size_t head)
{
	return (struct judge_metric){
		.key = w->in.keys[row],
		.a = verdict_values(&w->in, row, 0),
		.b = verdict_values(&w->in, row, head),
		.history = verdict_history(&w->in, row),
	};
}

/* ---- judging ---- */

static int judge_head(struct verdict_work *w, size_t head)
{
	struct verdict_head *h = &w->heads[head];
	const double *at = w->in.positions;
	struct judge_options options = {
		.q = w->q,
		.least_effect = w->effect,
		.positions_a = at ? at + w->in.sides[0].first : NULL,
		.positions_b = at ? at + w->in.sides[head].first : NULL,
		.sets = w->in.sets,
	};
	struct positions along = { options.positions_a, options.positions_b, true };
	struct judge_metric *metrics = calloc(w->in.count + 1, sizeof(*metrics));
	int r = -ENOMEM;

	h->order = session_order_of((struct values){ along.a, w->in.sides[0].units },
				    (struct values){ along.b, w->in.sides[head].units });
	h->kpis = arena_take(w->arena, w->kpi_count, sizeof(*h->kpis));
	if (!metrics || !h->kpis)
		goto out;
	for (size_t i = 0; i < w->metric_count; i++)
		metrics[i] = verdict_metric(w, w->metrics[i], head);
	r = judge(metrics, w->metric_count, &options, &h->judgement);
	if (r < 0)
		goto out;
	for (size_t i = 0; i < w->kpi_count; i++)
		metrics[i] = verdict_metric(w, w->kpis[i], head);
	r = judge_kpis(metrics, w->kpi_count, h->judgement.adjusted ? &along : NULL, w->in.sets, h->judgement.unrest,
		       h->kpis);
out:
	free(metrics);
	return r;
}

static bool is_listed(const struct verdict_work *w, const char *key)
{
	for (size_t i = 0; i < w->options->kpi_count; i++)
		if (strcmp(w->options->kpis[i], key) == 0)
			return true;
	return false;
}

static bool is_kpi(const struct verdict_work *w, bool listed, const char *key)
{
	return listed ? is_listed(w, key) : key_is_result(key, w->testcase);
}

static int judge_all(struct verdict_work *w)
{
	const struct judgement *any;
	bool listed = false;
	int r = 0;

	w->metrics = arena_take(w->arena, w->in.count, sizeof(*w->metrics));
	w->kpis = arena_take(w->arena, w->in.count, sizeof(*w->kpis));
	w->heads = arena_take(w->arena, w->in.side_count, sizeof(*w->heads));
	w->sides = arena_take(w->arena, w->in.side_count, sizeof(*w->sides));
	if (!w->metrics || !w->kpis || !w->heads || !w->sides)
		return -ENOMEM;
	for (size_t i = 0; i < w->in.count && !listed; i++)
		listed = is_listed(w, w->in.keys[i]);
	for (size_t i = 0; i < w->in.count; i++)
		if (is_kpi(w, listed, w->in.keys[i]))
			w->kpis[w->kpi_count++] = i;
		else
			w->metrics[w->metric_count++] = i;
	w->few = w->in.history_runs == 0;
	for (size_t head = 1; head < w->in.side_count && r == 0; head++) {
		r = judge_head(w, head);
		w->few &= w->in.sides[head].units < RUNS_TELL && w->in.sides[0].units < RUNS_TELL;
	}
	if (r < 0)
		return r;
	any = &w->heads[1].judgement; /* which metrics make a line is the same for all heads */
	w->first = arena_take(w->arena, any->line_count + 1, sizeof(*w->first));
	w->members = arena_take(w->arena, w->metric_count + 1, sizeof(*w->members));
	if (!w->first || !w->members)
		return -ENOMEM;
	list_members(any, w->metric_count, w->first, w->members);
	return 0;
}

/* ---- results ---- */

static int make_results(struct verdict_work *w, struct compare_table *ret)
{
	static const enum verdict_word words[] = {
		[KPI_UNDECIDED] = VERDICT_UNDECIDED,
		[KPI_CHANGED] = VERDICT_CHANGED,
		[KPI_UNCHANGED] = VERDICT_UNCHANGED,
		[KPI_UNTESTED] = VERDICT_NONE,
	};

	for (size_t i = 0; i < w->kpi_count; i++) {
		struct compare_row *row = &ret->rows[ret->row_count];

		if (!verdict_wanted(w, w->in.keys[w->kpis[i]]))
			continue;
		if (verdict_row(w, w->in.keys[w->kpis[i]], row) < 0)
			return -ENOMEM;
		ret->row_count++;
		row->kpi = true;
		for (size_t side = 0; side < w->in.side_count; side++)
			w->sides[side] = verdict_values(&w->in, w->kpis[i], side);
		if (verdict_cells(w, 1, row) < 0)
			return -ENOMEM;
		for (size_t head = 1; head < w->in.side_count; head++) {
			const struct kpi_verdict *k = &w->heads[head].kpis[i];
			struct judge_metric m = verdict_metric(w, w->kpis[i], head);
			struct claim claim = { &m, &k->difference, &k->evidence, k->history.d0 > 0, KPI_ALPHA };
			struct verdict *v = verdict_of(w, &claim, row, head);

			if (!v)
				return -ENOMEM;
			v->q = k->p_holm;
			v->word = words[k->word];
			v->detectable = 100 * k->detectable;
			v->runs_needed = k->runs_needed;
			row->changed |= v->word == VERDICT_CHANGED;
			row->cells[head].verdict = v;
		}
	}
	return 0;
}

/* ---- the table ---- */

/* Keys that one side lacks whole, and the other has often enough. */
static int find_only(struct verdict_work *w, bool base, const char ***ret, size_t *ret_count)
{
	*ret = arena_take(w->arena, w->metric_count, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	for (size_t i = 0; i < w->metric_count; i++) {
		const char *key = w->in.keys[w->metrics[i]];
		bool only = verdict_wanted(w, key);

		for (size_t head = 1; head < w->in.side_count && only; head++) {
			const struct difference *d = &w->heads[head].judgement.metrics[i].difference;

			only = base ? d->count_a >= ONLY_LEAST && d->count_b == 0
				    : d->count_b >= ONLY_LEAST && d->count_a == 0;
		}
		if (!only)
			continue;
		(*ret)[(*ret_count)++] = arena_copy(w->arena, key);
		if (!(*ret)[*ret_count - 1])
			return -ENOMEM;
	}
	return 0;
}

static int tell_heads(struct verdict_work *w, struct compare_table *ret)
{
	ret->heads = arena_take(w->arena, w->in.side_count, sizeof(*ret->heads));
	ret->units = arena_take(w->arena, w->in.side_count, sizeof(*ret->units));
	if (!ret->heads || !ret->units)
		return -ENOMEM;
	for (size_t side = 0; side < w->in.side_count; side++)
		ret->units[side] = (unsigned)w->in.sides[side].units;
	for (size_t head = 1; head < w->in.side_count; head++) {
		const struct judgement *j = &w->heads[head].judgement;

		ret->heads[head] = (struct compare_head){
			.order = session_order_names[w->heads[head].order],
			.adjusted = j->adjusted,
			.unrest = j->unrest,
			.metrics = w->metric_count,
			.tested = j->tested,
			.shown = j->shown,
		};
	}
	ret->q = w->q;
	ret->keys = w->in.looked_at;
	ret->history_runs = w->in.history_runs;
	ret->by_boot = w->in.by_boot;
	ret->few = w->few;
	return 0;
}

static int fill_table(struct verdict_work *w, const struct group *group, struct compare_table *ret)
{
	int r = judge_all(w);

	if (r == 0)
		r = tell_heads(w, ret);
	ret->rows = arena_take(w->arena, w->in.count, sizeof(*ret->rows));
	if (r < 0 || !ret->rows)
		return -ENOMEM;
	r = make_results(w, ret);
	if (r == 0 && !w->options->kpi_only)
		r = w->options->all ? verdict_everything(w, ret) : verdict_lines(w, ret);
	if (r == 0)
		r = sort_rows(ret->rows, ret->row_count, w->in.side_count, w->testcase, w->options->era);
	if (r == 0)
		r = sort_rows(ret->weak, ret->weak_count, w->in.side_count, w->testcase, w->options->era);
	if (r == 0 && !w->options->kpi_only) {
		r = verdict_functions(w, ret);
		if (r == 0)
			r = find_only(w, true, &ret->only_base, &ret->only_base_count);
		if (r == 0)
			r = find_only(w, false, &ret->only_head, &ret->only_head_count);
		if (r == 0)
			r = verdict_related(w, ret);
		if (r == 0 && w->options->noise)
			r = verdict_noise(w, ret);
	}
	return r < 0 ? r : verdict_warnings(w, group, ret);
}

int make_verdicts(const struct group *group, const struct compare_options *options, const char *axis,
		  const char *testcase, struct arena *arena, struct compare_table *ret)
{
	struct verdict_work w = {
		.options = options,
		.axis = axis,
		.testcase = testcase,
		.arena = arena,
		.q = options->q > 0 ? options->q : Q_USUAL,
		.effect = log1p(options->effect > 0 ? options->effect : EFFECT_USUAL),
	};
	int r = verdict_input_make(group, options, axis, &ret->axes, arena, &w.in);

	if (r == 0)
		r = fill_table(&w, group, ret);
	for (size_t head = 1; w.heads && head < w.in.side_count; head++)
		judgement_free(&w.heads[head].judgement);
	verdict_input_free(&w.in);
	return r;
}
