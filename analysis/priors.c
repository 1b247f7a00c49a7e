/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/priors.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define BINS_MAX 10
#define BIN_SIZE 40

struct point {
	double level, log_s2;
};

/* ln s2 by level: linear between the bins, constant outside; none: 0. */
struct trend {
	size_t bins;
	double level[BINS_MAX], log_s2[BINS_MAX];
};

struct fit {
	struct trend trend;
	struct noise noise;
};

/* Room for the points and variances of one fit. */
struct room {
	struct point *points;
	double *variances;
};

static int by_level(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	return (x->log_s2 > y->log_s2) - (x->log_s2 < y->log_s2);
}

static double median(double *at, size_t count)
{
	qsort(at, count, sizeof(*at), values_order);
	return (at[(count - 1) / 2] + at[count / 2]) / 2;
}

static struct trend trend_of(struct room room, size_t count)
{
	struct trend t = { .bins = count / BIN_SIZE };

	if (t.bins > BINS_MAX)
		t.bins = BINS_MAX;
	if (t.bins < 2) {
		t.bins = 0;
		return t;
	}
	qsort(room.points, count, sizeof(*room.points), by_level);
	for (size_t bin = 0; bin < t.bins; bin++) {
		size_t begin = bin * count / t.bins, end = (bin + 1) * count / t.bins;

		for (size_t i = begin; i < end; i++) {
			t.level[bin] += room.points[i].level / (double)(end - begin);
			room.variances[i - begin] = room.points[i].log_s2;
		}
		t.log_s2[bin] = median(room.variances, end - begin);
	}
	return t;
}

static double trend_at(const struct trend *t, double level)
{
	size_t bin = 1;

	if (t->bins == 0)
		return 0;
	if (level <= t->level[0])
		return t->log_s2[0];
	if (level >= t->level[t->bins - 1])
		return t->log_s2[t->bins - 1];
	while (level > t->level[bin])
		bin++;
	return t->log_s2[bin - 1] + (t->log_s2[bin] - t->log_s2[bin - 1]) * (level - t->level[bin - 1]) /
					    (t->level[bin] - t->level[bin - 1]);
}

static struct fit fit_points(struct room room, size_t count, double df)
{
	struct fit fit = { .trend = trend_of(room, count) };

	for (size_t i = 0; i < count; i++)
		room.variances[i] = exp(room.points[i].log_s2 - trend_at(&fit.trend, room.points[i].level));
	fit.noise = noise_fit(room.variances, count, df);
	return fit;
}

static struct noise prior_of(const struct fit *fit, double level)
{
	return (struct noise){ fit->noise.s02 * exp(trend_at(&fit->trend, level)), fit->noise.d0 };
}

static bool is_usable(const struct difference *d, double df)
{
	return d->tested && d->s2 > 0 && d->df == df;
}

/* The metrics of each family one after the other: members[first[f]] .. members[first[f + 1] - 1]. */
static void sort_by_family(const size_t *family, size_t count, size_t family_count, size_t *first, size_t *members)
{
	for (size_t i = 0; i < count; i++)
		first[family[i] + 1]++;
	for (size_t f = 0; f < family_count; f++)
		first[f + 1] += first[f];
	for (size_t i = count; i > 0; i--) /* from the back: first[f + 1] walks down to the beginning of f */
		members[--first[family[i - 1] + 1]] = i - 1;
	for (size_t f = 0; f < family_count; f++)
		first[f] = first[f + 1];
	first[family_count] = count;
}

static size_t take_points(const struct difference *metrics, const size_t *members, size_t count, double df,
			  struct point *ret)
{
	size_t taken = 0;

	for (size_t i = 0; i < count; i++) {
		const struct difference *d = &metrics[members[i]];

		if (is_usable(d, df))
			ret[taken++] = (struct point){ d->level, log(d->s2) };
	}
	return taken;
}

static void fill_priors(const struct difference *metrics, size_t count, const size_t *least, size_t family_count,
			const size_t *first, const size_t *members, struct room room, struct noise *ret)
{
	struct fit all, own;
	double df = 0;
	size_t usable;

	for (size_t i = 0; i < count; i++)
		if (metrics[i].tested)
			df = fmax(df, metrics[i].df);
	usable = take_points(metrics, members, count, df, room.points);
	if (usable < PRIORS_LEAST)
		return; /* nothing is known of anything */
	all = fit_points(room, usable, df);
	for (size_t f = 0; f < family_count; f++) {
		size_t size = first[f + 1] - first[f];
		const struct fit *fit = &all;

		usable = take_points(metrics, members + first[f], size, df, room.points);
		if (usable >= least[f]) {
			own = fit_points(room, usable, df);
			fit = &own;
		}
		for (size_t i = first[f]; i < first[f + 1]; i++)
			ret[members[i]] = prior_of(fit, metrics[members[i]].level);
	}
}

int find_priors(const struct difference *metrics, const size_t *family, size_t count, const size_t *least,
		size_t family_count, struct noise *ret)
{
	size_t *first = calloc(family_count + 2, sizeof(*first));
	size_t *members = calloc(count ? count : 1, sizeof(*members));
	struct room room = { calloc(count ? count : 1, sizeof(*room.points)),
			     calloc(count ? count : 1, sizeof(*room.variances)) };
	int r = -ENOMEM;

	for (size_t i = 0; i < count; i++)
		ret[i] = (struct noise){ 0 };
	if (first && members && room.points && room.variances) {
		sort_by_family(family, count, family_count, first, members);
		fill_priors(metrics, count, least, family_count, first, members, room, ret);
		r = 0;
	}
	free(first);
	free(members);
	free(room.points);
	free(room.variances);
	return r;
}
