/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/judge.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/discovery.h"
#include "analysis/lists.h"
#include "analysis/priors.h"
#include "base/buf.h"
#include "base/names.h"

#define GROUP_LEAST 4
#define SUMS_LEAST  8

/* Metrics, and behind them the sums of groups: what is judged in one go. */
struct pool {
	const struct judge_metric *metrics;
	struct difference *differences;
	struct noise *priors;
	size_t *family, *least;
	size_t count, family_count;
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

/* Differences and priors of all; then the evidence of the metrics from `from` on. */
static int weigh(struct pool *p, size_t from, double least_effect, struct judged **ret)
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
	for (size_t i = from; i < p->count && r == 0; i++) {
		struct split s = split_of(&p->metrics[i], &p->differences[i]);
		struct judged *j = ret[i];
		size_t f = p->family[i];

		j->difference = p->differences[i];
		j->prior = p->priors[i];
		j->evidence = evidence_of(&j->difference, j->prior, least_effect);
		if (j->difference.tested && s.clean)
			j->evidence.p = fmax(j->evidence.p, split_p(&j->difference, s.some,
								    mixed[f * (runs + 1) + s.some], tested[f]));
	}
	free(mixed);
	free(tested);
	return r;
}

/* ".CPU12" -> ".CPU#", ".cpu12" -> ".cpu#" */
static int group_key(const char *key, struct buf *ret)
{
	buf_clear(ret);
	for (const char *at = key; *at;) {
		if ((strncmp(at, ".CPU", 4) == 0 || strncmp(at, ".cpu", 4) == 0) && isdigit((unsigned char)at[4])) {
			(void)buf_add(ret, at, 4);
			(void)buf_putc(ret, '#');
			at += 4 + strspn(at + 4, "0123456789");
		} else {
			(void)buf_putc(ret, *at++);
		}
	}
	return ret->failed;
}

/* Which metrics make a line together. */
static int make_lines(const struct judge_metric *metrics, size_t count, struct judgement *j)
{
	size_t *group = calloc(count + 1, sizeof(*group)), *size = calloc(count + 1, sizeof(*size));
	size_t *line = calloc(count + 1, sizeof(*line)); /* of a group, + 1 */
	struct names names = { 0 };
	struct buf key = { 0 };
	int r = group && size && line ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && r == 0; i++) {
		int g = group_key(metrics[i].key, &key) < 0 ? -ENOMEM : names_add(&names, buf_text(&key));

		if (g < 0)
			r = g;
		else
			size[group[i] = (size_t)g]++;
	}
	j->lines = r == 0 ? arena_take(&j->arena, count, sizeof(*j->lines)) : NULL;
	if (!j->lines)
		r = -ENOMEM;
	for (size_t i = 0; i < count && r == 0; i++) {
		bool grouped = size[group[i]] >= GROUP_LEAST;

		if (!grouped || !line[group[i]]) {
			struct judged_line *l = &j->lines[j->line_count++];

			l->group = grouped;
			l->key = arena_copy(&j->arena, grouped ? names_at(&names, (int)group[i]) : metrics[i].key);
			line[group[i]] = j->line_count;
			r = l->key ? 0 : -ENOMEM;
		}
		j->metrics[i].line = line[group[i]] - 1;
		j->lines[line[group[i]] - 1].members++;
	}
	names_free(&names);
	buf_free(&key);
	free(group);
	free(size);
	free(line);
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
static int add_sums(struct pool *p, const struct judgement *j, struct judge_metric *metrics, double *values,
		       struct judged **ret)
{
	size_t count = p->count, sums = 0, a = count ? metrics[0].a.count : 0, b = count ? metrics[0].b.count : 0;
	size_t *place = calloc(j->line_count + 1, sizeof(*place));

	if (!place)
		return -ENOMEM;
	for (size_t l = 0; l < j->line_count; l++) {
		double *at = values + sums * (a + b);

		if (!j->lines[l].group)
			continue;
		metrics[count + sums] = (struct judge_metric){ j->lines[l].key, { at, a }, { at + a, b } };
		ret[count + sums] = &j->lines[l].sum;
		place[l] = ++sums;
	}
	for (size_t i = 0; i < count; i++) {
		size_t k = place[j->metrics[i].line];

		if (k && is_whole(&metrics[i])) {
			add_values(values + (k - 1) * (a + b), metrics[i].a);
			add_values(values + (k - 1) * (a + b) + a, metrics[i].b);
		}
	}
	for (size_t k = count; k < count + sums; k++) {
		difference_of(metrics[k].a, metrics[k].b, NULL, p->scratch, &p->differences[k]);
		p->family[k] = p->family_count;
	}
	p->least[p->family_count++] = SUMS_LEAST;
	p->count += sums;
	free(place);
	return 0;
}

/* The p of each line, then which are shown; `values`, `q` and `order` have room for all metrics. */
static void decide(struct judgement *j, const size_t *first, const size_t *members, const struct judge_options *o,
		   double *values, double *p, double *q, size_t *order)
{
	for (size_t l = 0; l < j->line_count; l++) {
		struct judged_line *line = &j->lines[l];

		for (size_t i = 0; i < line->members; i++)
			values[i] = j->metrics[members[first[l] + i]].evidence.p;
		p[l] = line->group ? group_p(line->sum.evidence.p, simes(values, line->members, q)) : values[0];
	}
	j->tested = adjust_bh(p, j->line_count, order, q);
	for (size_t l = 0; l < j->line_count; l++) {
		j->lines[l].p = p[l];
		j->lines[l].q = q[l];
		j->lines[l].shown = q[l] <= o->q;
		j->shown += j->lines[l].shown;
	}
	for (size_t l = 0; l < j->line_count; l++) {
		struct judged_line *line = &j->lines[l];

		if (!line->shown)
			continue;
		for (size_t i = 0; i < line->members; i++)
			values[i] = j->metrics[members[first[l] + i]].evidence.p;
		(void)adjust_bh(values, line->members, order, q);
		for (size_t i = 0; i < line->members; i++) {
			struct judged *m = &j->metrics[members[first[l] + i]];

			m->changed = !line->group || q[i] <= o->q * (double)j->shown / (double)j->tested;
			line->changed += m->changed;
		}
	}
}

/* members[first[line]] ... are the metrics of a line, in the order given. */
static void list_members(const struct judgement *j, size_t count, size_t *first, size_t *members)
{
	size_t *next = first + 1;

	for (size_t l = 0; l < j->line_count; l++)
		next[l] = l ? next[l - 1] + j->lines[l - 1].members : 0;
	for (size_t i = 0; i < count; i++)
		members[next[j->metrics[i].line]++] = i;
	first[0] = 0;
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
	struct pool pool = { .count = count };
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
	values = arena_take(work, (count / GROUP_LEAST + 1) * runs + room, sizeof(*values));
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
		difference_of(metrics[i].a, metrics[i].b, NULL, pool.scratch, &pool.differences[i]);
	}
	r = name_families(&pool, work);
	if (r == 0)
		r = weigh(&pool, 0, options->least_effect, ret);
	if (r == 0)
		r = add_sums(&pool, j, all, values, ret);
	if (r == 0)
		r = weigh(&pool, count, options->least_effect, ret);
	if (r < 0)
		return r;
	list_members(j, count, first, members);
	decide(j, first, members, options, values, p, q, order);
	return 0;
}

int judge(const struct judge_metric *metrics, size_t count, const struct judge_options *options,
	  struct judgement *ret)
{
	struct arena work = { 0 };
	int r = -ENOMEM;

	*ret = (struct judgement){ 0 };
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
