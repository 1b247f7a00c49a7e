/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/noise.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#define D0_LEAST     0.2
#define D0_MOST      10000
#define GATE         0.05
#define HISTORY_ALONE 8
#define NO_LESS      1e-24 /* variance */
#define SPREAD_STEPS 100

/* ln F^-1(p; df, d0). GSL's own inverse fails for few degrees of freedom: halve the interval of the logarithm. */
static double log_quantile(double p, double df, double d0)
{
	double low = -60, high = 60;

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (gsl_cdf_fdist_P(exp(middle), df, d0) < p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* How far apart the quartiles of ln s2 lie: the less is common, the farther. */
static double spread(double df, double log_d0)
{
	double d0 = exp(log_d0);

	return log_quantile(0.75, df, d0) - log_quantile(0.25, df, d0);
}

/* The d0 of that spread: regula falsi, with the weight of an end halved that stays (Illinois). */
static double d0_of_spread(double wanted, double df)
{
	double low = log(D0_LEAST), high = log(D0_MOST);
	double above = spread(df, low) - wanted, below = spread(df, high) - wanted;
	int stayed = 0;

	if (above <= 0)
		return D0_LEAST;
	if (below >= 0)
		return NOISE_INFINITE;
	for (int i = 0; i < SPREAD_STEPS && high - low > 1e-10; i++) {
		double x = (low * below - high * above) / (below - above);
		double y = spread(df, x) - wanted;

		if (fabs(y) < 1e-12)
			return exp(x);
		if (y > 0) {
			low = x;
			above = y;
			below = stayed == 1 ? below / 2 : below;
			stayed = 1;
		} else {
			high = x;
			below = y;
			above = stayed == -1 ? above / 2 : above;
			stayed = -1;
		}
	}
	return exp((low + high) / 2);
}

/* Of sorted numbers, between the two nearest. */
static double quantile(const double *sorted, size_t count, double p)
{
	double place = (double)(count - 1) * p;
	size_t i = (size_t)place;

	return i + 1 < count ? sorted[i] + (place - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[count - 1];
}

struct noise noise_fit(double *variances, size_t count, double df)
{
	struct noise fit = { 0 };

	if (count == 0)
		return fit;
	for (size_t i = 0; i < count; i++)
		variances[i] = log(variances[i]);
	qsort(variances, count, sizeof(*variances), values_order);
	fit.d0 = d0_of_spread(quantile(variances, count, 0.75) - quantile(variances, count, 0.25), df);
	fit.s02 = exp(quantile(variances, count, 0.5) - log_quantile(0.5, df, fmin(fit.d0, D0_MOST)));
	return fit;
}

double student_above(double t, double df)
{
	return df > NOISE_INFINITE ? gsl_cdf_ugaussian_Q(t) : gsl_cdf_tdist_Q(t, df);
}

/* One outlying run cannot carry a metric when the prior's weight is capped. */
static struct noise expected(const struct difference *difference, struct noise prior, struct noise history)
{
	double d0 = fmin(prior.d0, 2 * difference->df), df = d0 + history.d0;

	return df > 0 ? (struct noise){ (d0 * prior.s02 + history.d0 * history.s02) / df, df } : (struct noise){ 0 };
}

struct evidence evidence_of(const struct difference *difference, struct noise prior, struct noise history,
			    double least_effect)
{
	struct noise known = expected(difference, prior, history);
	struct evidence e = { .p = NAN };
	double size = fabs(difference->d), df = difference->df;

	e.history_only = !difference->tested && difference->varies && history.d0 >= HISTORY_ALONE;
	if (!difference->tested && !e.history_only)
		return e;
	if (e.history_only) {
		e.variance = history.s02;
		e.df = history.d0;
	} else {
		e.gated = known.d0 > 0 && difference->s2 > 0 &&
			  gsl_cdf_fdist_Q(difference->s2 / known.s02, df, known.d0) < GATE;
		e.df = e.gated ? df : df + known.d0;
		e.variance = e.gated ? difference->s2 : (df * difference->s2 + known.d0 * known.s02) / e.df;
	}
	e.variance = fmax(fmax(e.variance, difference->floor2), NO_LESS);
	e.se = sqrt(e.variance * difference->h);
	e.t = difference->d / e.se;
	e.p = fmin(1, student_above((size - least_effect) / e.se, e.df) +
			      student_above((size + least_effect) / e.se, e.df));
	return e;
}

double evidence_half_width(const struct evidence *e, double miss)
{
	return gsl_cdf_tdist_Qinv(miss / 2, e->df) * e->se;
}
