/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/difference.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#define SAME_MULTIPLE  1e-9  /* relative */
#define NO_VARIANCE    1e-20 /* below it is what arithmetic leaves of none */
#define ORDER_RUNS_MIN 6

/* What is there of both sides: values, then y, and where the runs stood. */
struct both {
	double *v, *y, *x;
	size_t count_a, count;
};

/* The means of the sides. */
struct within {
	double mean_a, mean_b;
};

static bool are_multiples(struct values v, double per_unit)
{
	for (size_t i = 0; i < v.count; i++) {
		double t = v.at[i] * per_unit;

		if (!(fabs(t - round(t)) <= SAME_MULTIPLE * fabs(t)))
			return false;
	}
	return true;
}

static double resolution_of(struct values v)
{
	static const double per_unit[] = { 1, 10, 100, 1000, 10000 };

	for (size_t i = 0; i < sizeof(per_unit) / sizeof(per_unit[0]); i++)
		if (are_multiples(v, per_unit[i]))
			return 1 / per_unit[i];
	return 0;
}

/* The upper median of the sizes that are not zero; 0 without any. */
static double usual_size(struct values v, double *scratch)
{
	size_t count = 0;

	for (size_t i = 0; i < v.count; i++)
		if (v.at[i] != 0)
			scratch[count++] = fabs(v.at[i]);
	qsort(scratch, count, sizeof(*scratch), values_order);
	return count ? scratch[count / 2] : 0;
}

struct scale scale_of(struct values v, double *scratch)
{
	struct scale scale = { .resolution = resolution_of(v) };
	size_t above = 0, below = 0;

	for (size_t i = 0; i < v.count; i++) {
		above += v.at[i] > 0;
		below += v.at[i] < 0;
	}
	if (above && below)
		scale.offset = fmax(scale.resolution, usual_size(v, scratch));
	else if (scale.resolution > 0)
		scale.offset = scale.resolution;
	else if (above < v.count && below < v.count)
		scale.offset = 0.1 * usual_size(v, scratch);
	return scale;
}

double scale_apply(struct scale scale, double value)
{
	if (scale.offset > 0)
		return asinh(value / scale.offset);
	return value < 0 ? -log(-2 * value) : log(2 * value);
}

static void take_side(struct values v, const double *x, struct both *to)
{
	for (size_t i = 0; i < v.count; i++) {
		if (!isfinite(v.at[i]))
			continue;
		to->v[to->count] = v.at[i];
		to->x[to->count] = x ? x[i] : 0;
		to->count++;
	}
}

static double mean_of(const double *at, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += at[i];
	return sum / (double)count;
}

static struct within means_of(const double *at, const struct both *b)
{
	return (struct within){ mean_of(at, b->count_a), mean_of(at + b->count_a, b->count - b->count_a) };
}

/* Sum of products of what p and q deviate from their means within the sides. */
static double products(const double *p, const double *q, struct within mp, struct within mq, const struct both *b)
{
	double sum = 0;

	for (size_t i = 0; i < b->count; i++)
		sum += (p[i] - (i < b->count_a ? mp.mean_a : mp.mean_b)) *
		       (q[i] - (i < b->count_a ? mq.mean_a : mq.mean_b));
	return sum;
}

static void take_out_drift(const struct both *b, struct within y, double ss, bool adjusted, struct difference *ret)
{
	struct within x = means_of(b->x, b);
	double sxx = products(b->x, b->x, x, x, b), sxy = products(b->x, b->y, x, y, b);
	double apart = x.mean_b - x.mean_a, df = (double)b->count - 3, slope, left, error;

	if (b->count < ORDER_RUNS_MIN || !(sxx > 0))
		return;
	slope = sxy / sxx;
	left = fmax(ss - slope * sxy, 0);
	error = sqrt(left / df / sxx);
	if (error > 0)
		ret->slope_p = 2 * gsl_cdf_tdist_Q(fabs(slope) / error, df);
	else
		ret->slope_p = slope != 0 ? 0 : 1;
	if (!adjusted)
		return;
	ret->d -= slope * apart;
	ret->s2 = left / df;
	ret->df = df;
	ret->h += apart * apart / sxx;
}

static bool all_same(const struct both *b)
{
	for (size_t i = 1; i < b->count; i++)
		if (b->v[i] != b->v[0])
			return false;
	return true;
}

void difference_of(struct values a, struct values b, const struct positions *positions, double *scratch,
		   struct difference *ret)
{
	size_t room = a.count + b.count;
	struct both both = { .v = scratch, .y = scratch + room, .x = scratch + 2 * room };
	struct within y;
	double mean, ss;

	*ret = (struct difference){ .slope_p = NAN };
	take_side(a, positions ? positions->a : NULL, &both);
	both.count_a = both.count;
	take_side(b, positions ? positions->b : NULL, &both);
	ret->count_a = both.count_a;
	ret->count_b = both.count - both.count_a;
	if (ret->count_a == 0 || ret->count_b == 0)
		return;
	ret->varies = !all_same(&both);
	ret->tested = ret->varies && ret->count_a >= 2 && ret->count_b >= 2;
	ret->scale = scale_of((struct values){ both.v, both.count }, both.y);
	for (size_t i = 0; i < both.count; i++)
		both.y[i] = scale_apply(ret->scale, both.v[i]);
	y = means_of(both.y, &both);
	ss = products(both.y, both.y, y, y, &both);
	mean = mean_of(both.v, both.count);
	ret->d = y.mean_b - y.mean_a;
	ret->df = (double)both.count - 2;
	ret->s2 = ret->df > 0 ? ss / ret->df : 0;
	ret->h = 1 / (double)ret->count_a + 1 / (double)ret->count_b;
	ret->level = mean_of(both.y, both.count);
	if (ret->scale.resolution > 0)
		ret->floor2 = ret->scale.resolution * ret->scale.resolution / 12 /
			      (mean * mean + ret->scale.offset * ret->scale.offset);
	if (positions)
		take_out_drift(&both, y, ss, positions->adjusted, ret);
	if (ret->s2 < NO_VARIANCE)
		ret->s2 = 0;
}

double side_variance(struct values v, struct scale scale, double *ret_count)
{
	double mean = 0, squares = 0, n = 0;

	for (size_t i = 0; i < v.count; i++)
		if (isfinite(v.at[i])) {
			mean += scale_apply(scale, v.at[i]);
			n++;
		}
	mean /= n;
	for (size_t i = 0; i < v.count; i++)
		if (isfinite(v.at[i])) {
			double apart = scale_apply(scale, v.at[i]) - mean;

			squares += apart * apart;
		}
	*ret_count = n;
	return n > 1 ? squares / (n - 1) : NAN;
}
