/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/history.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#define ENOUGH	    60 /* degrees of freedom */
#define LEAST	    4
#define OTHER_NOISE 1e-4
#define NO_VARIANCE 1e-20 /* below it is what arithmetic leaves of none */

struct squares {
	double sum, df;
};

static struct squares squares_of(const double *at, size_t count, struct scale scale)
{
	struct squares s = { 0 };
	double mean = 0;
	size_t there = 0;

	for (size_t i = 0; i < count; i++)
		if (isfinite(at[i])) {
			mean += scale_apply(scale, at[i]);
			there++;
		}
	if (there < 2)
		return s;
	mean /= (double)there;
	for (size_t i = 0; i < count; i++)
		if (isfinite(at[i])) {
			double apart = scale_apply(scale, at[i]) - mean;

			s.sum += apart * apart;
		}
	s.df = (double)there - 1;
	return s;
}

static bool differs(struct squares set, struct squares pool)
{
	double a = set.sum / set.df, b = pool.sum / pool.df;

	if (a < NO_VARIANCE || b < NO_VARIANCE)
		return (a < NO_VARIANCE) != (b < NO_VARIANCE);
	return 2 * fmin(gsl_cdf_fdist_P(a / b, set.df, pool.df), gsl_cdf_fdist_Q(a / b, set.df, pool.df)) < OTHER_NOISE;
}

struct noise history_of(struct values v, struct history_sets sets, struct scale scale)
{
	struct squares pool = { 0 };
	size_t from = 0;

	/* Without an offset zero has no logarithm: the comparison saw none, so a history that did is of something else.
	 */
	if (scale.offset == 0)
		for (size_t i = 0; i < v.count; i++)
			if (v.at[i] == 0)
				return (struct noise){ 0 };
	for (size_t i = 0; i < sets.count && from < v.count && pool.df < ENOUGH; from += sets.runs[i++]) {
		struct squares set = squares_of(v.at + from, sets.runs[i], scale);

		if (set.df == 0)
			continue;
		if (pool.df > 0 && differs(set, pool))
			break;
		pool.sum += set.sum;
		pool.df += set.df;
	}
	if (pool.df < LEAST || pool.sum / pool.df < NO_VARIANCE)
		return (struct noise){ 0 };
	return (struct noise){ pool.sum / pool.df, pool.df };
}
