/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/failures.h"

#include <math.h>

#define SHOWN_FROM 0.05
#define AS_LIKELY  1e-7 /* relative: equally likely tables differ by rounding */

static double log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* ln of the chance that `x` of all the failures fall on side a, but for what all x share. */
static double log_chance(struct failures a, struct failures b, double x)
{
	double failed = (double)a.failed + b.failed;

	return log_choose(a.runs, x) + log_choose(b.runs, failed - x);
}

double failures_p(struct failures a, struct failures b)
{
	double failed = (double)a.failed + b.failed, seen = log_chance(a, b, a.failed), as_unlikely = 0, all = 0;
	double least = fmax(0, failed - b.runs), most = fmin(failed, a.runs);

	for (double x = least; x <= most; x++) {
		double chance = exp(log_chance(a, b, x) - seen);

		all += chance;
		as_unlikely += chance <= 1 + AS_LIKELY ? chance : 0;
	}
	return all > 0 ? as_unlikely / all : 1;
}

bool failures_changed(struct failures a, struct failures b)
{
	if ((a.failed == 0) != (b.failed == 0))
		return true;
	return failures_p(a, b) <= SHOWN_FROM;
}
