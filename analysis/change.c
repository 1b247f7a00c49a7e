/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/change.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/lists.h"

#define RELATIVE_MIN     1.01
#define RELATIVE_DEFAULT 1.05 /* of January 2026; 1.10 before */
#define RATIO_MAX        5
#define VARIANCE_RUNS    10

struct samples {
	const double *at;
	size_t count;
	double least, most, median; /* the upper one of an even number */
};

/* The group of the lower median, and that of the upper. */
struct order {
	const struct samples *lower, *upper;
};

static double largest(struct values v)
{
	double most = v.count ? v.at[0] : 0;

	for (size_t i = 1; i < v.count; i++)
		if (v.at[i] > most)
			most = v.at[i];
	return most;
}

bool function_changed(struct values base, struct values head)
{
	return largest(base) != largest(head);
}

static void sort(double *at, size_t count)
{
	if (count > 32) {
		qsort(at, count, sizeof(*at), values_order);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		double value = at[i];
		size_t k = i;

		for (; k > 0 && at[k - 1] > value; k--)
			at[k] = at[k - 1];
		at[k] = value;
	}
}

/* Sorted, less the -1 that some tools write for "no value", less up to `most_cut` from each end of many. */
static bool samples_of(struct values v, double *scratch, size_t most_cut, struct samples *ret)
{
	size_t cut;

	for (size_t i = 0; i < v.count; i++)
		scratch[i] = v.at[i];
	sort(scratch, v.count);
	ret->at = scratch;
	ret->count = v.count;
	while (ret->count && ret->at[0] == -1) {
		ret->at++;
		ret->count--;
	}
	cut = ret->count / 32;
	if (cut > most_cut)
		cut = most_cut;
	ret->at += cut;
	ret->count -= 2 * cut;
	if (ret->count == 0)
		return false;
	ret->least = ret->at[0];
	ret->most = ret->at[ret->count - 1];
	ret->median = ret->at[ret->count / 2];
	return true;
}

static bool are_apart(struct order o, double share)
{
	double gap = o.upper->least - o.lower->most;

	return gap > 0 && gap > share * (o.upper->median - o.lower->median);
}

static bool are_whole(const struct samples *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->at[i] != floor(s->at[i]))
			return false;
	return true;
}

static bool are_distant(struct order o, double distance)
{
	double gap = o.upper->least - o.lower->most;

	if (gap == 1 && are_whole(o.upper) && are_whole(o.lower))
		return false;
	if (o.upper->count < 3 || o.lower->count < 3)
		return gap > 0 && gap > distance * fmax(o.upper->most - o.upper->least, o.lower->most - o.lower->least);
	return are_apart(o, 0.5);
}

static bool differ_in_spread(const struct samples *base, const struct samples *head, double times)
{
	double b = (base->most - base->least) * head->median, h = (head->most - head->least) * base->median;

	return base->count >= VARIANCE_RUNS && head->count >= VARIANCE_RUNS && (h > times * b || b > times * h);
}

static bool is_separated(const struct samples *base, const struct samples *head, struct order o,
			 const struct compare_options *options)
{
	if (options->variance > 0)
		return differ_in_spread(base, head, options->variance);
	if (options->distance > 0)
		return are_distant(o, options->distance);
	if (options->gap > 0)
		return are_apart(o, options->gap);
	return o.upper->least > o.lower->median && o.upper->median > o.lower->most;
}

static bool is_relatively_large(const char *key, struct order o, const struct compare_options *options,
				const char *testcase)
{
	double ratio = o.lower->median <= 0 ? RATIO_MAX : fmin(o.upper->median / o.lower->median, RATIO_MAX);

	if (!(ratio > RELATIVE_MIN))
		return false;
	return ratio > (options->relative > 0 ? options->relative : RELATIVE_DEFAULT) ||
	       key_is_perf_metric(key, testcase);
}

bool number_changed(const char *key, struct values base, struct values head, const struct compare_options *options,
		    const char *testcase, double *scratch)
{
	struct samples b, h;
	struct order o = { &b, &h };

	if (base.count < COMPARE_RUNS_MIN && head.count < COMPARE_RUNS_MIN)
		return false;
	if (!samples_of(base, scratch, 3, &b) || !samples_of(head, scratch + base.count, base.count <= 3 ? 1 : 3, &h))
		return false;
	if (b.median > h.median)
		o = (struct order){ &h, &b };
	if (!is_separated(&b, &h, o, options))
		return false;
	if (key_is_of(key, "perf-profile") && options->era != ERA_2016)
		return true;
	return is_relatively_large(key, o, options, testcase) &&
	       is_large_enough(key, fmax(b.most, h.most), o.upper->median - o.lower->median, options->max_half_only);
}
