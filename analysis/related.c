/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/related.h"

#include <math.h>

#define SHRINK 4

struct sums {
	double kk, xx, kx, degrees;
};

struct both_scales {
	struct scale kpi, x;
};

/* The runs of one side or set that have both numbers. */
static void add_set(const double *kpi, const double *x, size_t count, struct both_scales scales, struct sums *s)
{
	double mean_k = 0, mean_x = 0;
	size_t there = 0;

	for (size_t i = 0; i < count; i++)
		if (isfinite(kpi[i]) && isfinite(x[i])) {
			mean_k += scale_apply(scales.kpi, kpi[i]);
			mean_x += scale_apply(scales.x, x[i]);
			there++;
		}
	if (there < 2)
		return;
	mean_k /= (double)there;
	mean_x /= (double)there;
	for (size_t i = 0; i < count; i++)
		if (isfinite(kpi[i]) && isfinite(x[i])) {
			double k = scale_apply(scales.kpi, kpi[i]) - mean_k, e = scale_apply(scales.x, x[i]) - mean_x;

			s->kk += k * k;
			s->xx += e * e;
			s->kx += k * e;
		}
	s->degrees += (double)there - 1;
}

static double sign(double v)
{
	return (double)((v > 0) - (v < 0));
}

struct related related_to(const struct judge_metric *kpi, const struct difference *kpi_difference,
			  const struct judge_metric *x, const struct difference *x_difference, struct history_sets sets)
{
	struct both_scales scales = { kpi_difference->scale, x_difference->scale };
	struct sums s = { 0 };
	struct related ret;
	size_t from = 0;

	add_set(kpi->a.at, x->a.at, kpi->a.count, scales, &s);
	add_set(kpi->b.at, x->b.at, kpi->b.count, scales, &s);
	for (size_t i = 0; i < sets.count && from < kpi->history.count && from < x->history.count;
	     from += sets.runs[i++])
		add_set(kpi->history.at + from, x->history.at + from, sets.runs[i], scales, &s);
	ret = (struct related){ .degrees = s.degrees };
	if (!(s.kk > 0) || !(s.xx > 0))
		return ret;
	ret.r = s.kx / sqrt(s.kk * s.xx);
	if (sign(ret.r) * sign(x_difference->d) * sign(kpi_difference->d) > 0)
		ret.score = fabs(ret.r) * s.degrees / (s.degrees + SHRINK);
	return ret;
}
