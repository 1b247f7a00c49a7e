/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/judge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "analysis/judge_lines.h"
#include "analysis/lists.h"
#include "analysis/priors.h"
#include "base/names.h"

#define SUMS_LEAST 8
#define DRIFTING   0.05 /* p of a slope */

/* Metrics, and behind them the sums of groups: what is judged in one go. */
struct pool {
	const struct judge_metric *metrics;
	struct difference *differences;
	struct noise *priors;
	size_t *family, *least;
	size_t count, family_count;
	struct history_sets sets;
	const struct positions *positions; /* or NULL */
	double *scratch;
};

/* Is every run of one side zero and none of the other? And how many values are not zero? */
struct split {
	bool clean;
	size_t some;
};

static struct text family_of(const char *key)
{
	size_t first = strcspn(key, ".");

	if (key[first] && (key_is_of(key, "perf-profile") || key_is_of(key, "perf-sched")))
		first += 1 + strcspn(key + first + 1, ".");
	return text_n(key, first);
}

static size_t count_some(struct values v)
{
	size_t some = 0;

	for (size_t i = 0; i < v.count; i++)
		some += isfinite(v.at[i]) && v.at[i] != 0;
	return some;
}

static struct split split_of(const struct judge_metric *m, const struct difference *d)
{
	size_t a = count_some(m->a), b = count_some(m->b);

	return (struct split){ (a == 0 && b == d->count_b) || (b == 0 && a == d->count_a), a + b };
}

static double choose(size_t n, size_t k)
{
	double ways = 1;

	for (size_t i = 1; i <= k; i++)
		ways = ways * (double)(n - k + i) / (double)i;
	return ways;
}

/* How often an unchanged metric of a family would be split so: `mixed` others have as many values, `tested` are all. */
static double split_p(const struct difference *d, size_t some, size_t mixed, size_t tested)
{
	double w = d->count_a == d->count_b ? 2 : 1;
	double ways = choose(d->count_a + d->count_b, some) - w;

	return ways > 0 ? fmin(1, w * ((double)mixed + 0.5) / ways / (double)tested) : 1;
}

/* How many metrics drifted, of those that tell: half of their values and more are not zero. */
static bool drifts(const struct pool *p, enum session_order order)
{
	size_t drifting = 0, telling = 0;

	for (size_t i = 0; i < p->count; i++) {
		const struct difference *d = &p->differences[i];

		if (!d->tested || isnan(d->slope_p) || 2 * split_of(&p->metrics[i], d).some < d->count_a + d->count_b)
			continue;
		telling++;
		drifting += d->slope_p < DRIFTING;
	}
	return session_drifts(order, drifting, telling);
}

static void measure(struct pool *p, size_t from)
{
	for (size_t i = from; i < p->count; i++)
		difference_of(p->metrics[i].a, p->metrics[i].b, p->positions, p->scratch, &p->differences[i]);
}

/* Differences of all, less the drift where there is one. `positions` is kept in the pool. */
static void measure_all(struct pool *p, const struct judge_options *o, struct positions *positions, struct judgement *j)
{
	const struct judge_metric *any = p->metrics;

	if (p->count == 0)
		return;
	*positions = (struct positions){ o->positions_a, o->positions_b, false };
	j->order = session_order_of((struct values){ positions->a, any->a.count },
				    (struct values){ positions->b, any->b.count });
	p->positions = j->order == ORDER_UNKNOWN ? NULL : positions;
	measure(p, 0);
	if (p->positions && drifts(p, j->order)) {
		j->adjusted = positions->adjusted = true;
		measure(p, 0);
	}
}

/* The median of now / then over the metrics that tell, less what it is by chance. `ratios` has room for all. */
static double find_unrest(const struct pool *p, struct judged *const *judged, double *ratios)
{
	double df = 0, then = 0;
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++) {
		const struct noise *h = &judged[i]->history;

		if (!p->differences[i].tested || !(h->d0 > 0) || !(p->differences[i].s2 > 0))
			continue;
		ratios[count++] = p->differences[i].s2 / h->s02;
		df += p->differences[i].df;
		then += h->d0;
	}
	if (count < PRIORS_LEAST)
		return 1;
	qsort(ratios, count, sizeof(*ratios), values_order);
	df /= (double)count;
	then /= (double)count;
	return fmax(1, ratios[count / 2] / gsl_cdf_fdist_Pinv(0.5, df, then));
}

/* Differences and priors of all; then the evidence of the metrics from `from` on. */
static int weigh(struct pool *p, size_t from, double least_effect, struct judged **ret, double *unrest)
{
	size_t runs = p->count ? p->metrics[0].a.count + p->metrics[0].b.count : 0;
	size_t *mixed = calloc(p->family_count * (runs + 1) + 1, sizeof(*mixed));
	size_t *tested = calloc(p->family_count + 1, sizeof(*tested));
	int r = mixed && tested ? find_priors(p->differences, p->family, p->count, p->least, p->family_count, p->priors)
				: -ENOMEM;

	for (size_t i = 0; i < p->count && r == 0; i++) {
		struct split s = split_of(&p->metrics[i], &p->differences[i]);

		if (!p->differences[i].tested)
			continue;
		tested[p->family[i]]++;
		mixed[p->family[i] * (runs + 1) + s.some] += !s.clean;
	}
	for (size_t i = from; i < p->count && r == 0; i++)
		ret[i]->history = history_of(p->metrics[i].history, p->sets, p->differences[i].scale);
	if (from == 0 && r == 0) {
		double *ratios = calloc(p->count + 1, sizeof(*ratios));

		r = ratios ? 0 : -ENOMEM;
		*unrest = ratios ? find_unrest(p, ret, ratios) : 1;
		free(ratios);
	}
	for (size_t i = from; i < p->count && r == 0; i++) {
		struct split s = split_of(&p->metrics[i], &p->differences[i]);
		struct judged *j = ret[i];
		size_t f = p->family[i];

		j->difference = p->differences[i];
		j->prior = p->priors[i];
		j->history.s02 *= *unrest;
		j->evidence = evidence_of(&j->difference, j->prior, j->history, least_effect);
		if (j->difference.tested && s.clean)
			j->evidence.p = fmax(j->evidence.p, split_p(&j->difference, s.some,
								    mixed[f * (runs + 1) + s.some], tested[f]));
	}
	free(mixed);
	free(tested);
	return r;
}

static bool is_whole(const struct judge_metric *m)
{
	for (size_t i = 0; i < m->a.count; i++)
		if (!isfinite(m->a.at[i]))
			return false;
	for (size_t i = 0; i < m->b.count; i++)
		if (!isfinite(m->b.at[i]))
			return false;
	return true;
}

static void add_values(double *sum, struct values v)
{
	for (size_t i = 0; i < v.count; i++)
		sum[i] += v.at[i];
}

/* Put the sums of the groups behind the metrics; room for all lines is there. */
static int add_sums(struct pool *p, struct judgement *j, struct judge_metric *metrics, struct judged **ret)
{
	size_t count = p->count, sums = 0, a = count ? metrics[0].a.count : 0, b = count ? metrics[0].b.count : 0;
	size_t history = count ? metrics[0].history.count : 0, row = a + b + history;
	size_t *place = calloc(j->line_count + 1, sizeof(*place));
	double *values = arena_take(&j->arena, (count / GROUP_LEAST + 1) * row, sizeof(*values));

	for (size_t l = 0; place && values && l < j->line_count; l++) {
		double *at = values + sums * row;

		if (!j->lines[l].group)
			continue;
		metrics[count + sums] = j->lines[l].summed = (struct judge_metric){
			j->lines[l].key,
			{ at, a },
			{ at + a, b },
			{ at + a + b, history },
		};
		ret[count + sums] = &j->lines[l].sum;
		place[l] = ++sums;
	}
	for (size_t i = 0; place && values && i < count; i++) {
		size_t k = place[j->metrics[i].line];

		if (k && is_whole(&metrics[i])) {
			double *at = values + (k - 1) * row;

			j->lines[j->metrics[i].line].whole++;
			add_values(at, metrics[i].a);
			add_values(at + a, metrics[i].b);
			add_values(at + a + b, metrics[i].history);
		}
	}
	free(place);
	if (!place || !values)
		return -ENOMEM;
	p->count += sums;
	measure(p, count);
	for (size_t k = count; k < p->count; k++)
		p->family[k] = p->family_count;
	p->least[p->family_count++] = SUMS_LEAST;
	return 0;
}

static int name_families(struct pool *p, struct arena *arena)
{
	struct names names = { 0 };
	int r = 0;

	for (size_t i = 0; i < p->count && r >= 0; i++) {
		r = names_add(&names, family_of(p->metrics[i].key));
		p->family[i] = r < 0 ? 0 : (size_t)r;
	}
	p->family_count = names.count;
	p->least = arena_take(arena, names.count + 1, sizeof(*p->least));
	for (size_t f = 0; p->least && f < names.count; f++)
		p->least[f] = PRIORS_LEAST;
	names_free(&names);
	return r < 0 || !p->least ? -ENOMEM : 0;
}

static int judge_in(struct arena *work, const struct judge_metric *metrics, size_t count,
		    const struct judge_options *options, struct judgement *j)
{
	size_t runs = count ? metrics[0].a.count + metrics[0].b.count : 0, room;
	struct judge_metric *all;
	struct judged **ret;
	size_t *first, *members, *order;
	double *values, *p, *q;
	struct positions positions;
	struct pool pool = { .count = count, .sets = options->sets };
	int r = make_lines(metrics, count, j);

	if (r < 0)
		return r;
	room = count + j->line_count + 1;
	all = arena_take(work, room, sizeof(*all));
	ret = arena_take(work, room, sizeof(*ret));
	first = arena_take(work, room, sizeof(*first));
	members = arena_take(work, room, sizeof(*members));
	order = arena_take(work, room, sizeof(*order));
	p = arena_take(work, room, sizeof(*p));
	q = arena_take(work, room, sizeof(*q));
	values = arena_take(work, room, sizeof(*values));
	pool.metrics = all;
	pool.differences = arena_take(work, room, sizeof(*pool.differences));
	pool.priors = arena_take(work, room, sizeof(*pool.priors));
	pool.family = arena_take(work, room, sizeof(*pool.family));
	pool.scratch = arena_take(work, 3 * runs + 1, sizeof(*pool.scratch));
	if (!all || !ret || !first || !members || !order || !p || !q || !values || !pool.differences || !pool.priors ||
	    !pool.family || !pool.scratch)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		all[i] = metrics[i];
		ret[i] = &j->metrics[i];
	}
	measure_all(&pool, options, &positions, j);
	r = name_families(&pool, work);
	if (r == 0)
		r = weigh(&pool, 0, options->least_effect, ret, &j->unrest);
	if (r == 0)
		r = add_sums(&pool, j, all, ret);
	if (r == 0)
		r = weigh(&pool, count, options->least_effect, ret, &j->unrest);
	if (r < 0)
		return r;
	list_members(j, count, first, members);
	for (size_t i = 0; i < count; i++)
		j->with_history += j->metrics[i].history.d0 > 0;
	decide_lines(j, first, members, options, values, p, q, order);
	return 0;
}

int judge(const struct judge_metric *metrics, size_t count, const struct judge_options *options, struct judgement *ret)
{
	struct arena work = { 0 };
	int r = -ENOMEM;

	*ret = (struct judgement){ .unrest = 1 };
	ret->metrics = arena_take(&ret->arena, count, sizeof(*ret->metrics));
	if (ret->metrics)
		r = judge_in(&work, metrics, count, options, ret);
	arena_free(&work);
	if (r < 0)
		judgement_free(ret);
	return r;
}

void judgement_free(struct judgement *j)
{
	arena_free(&j->arena);
	*j = (struct judgement){ 0 };
}
