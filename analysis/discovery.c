/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/discovery.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/values.h"

static int by_size(const void *a, const void *b, void *values)
{
	const size_t *x = a, *y = b;
	const double *p = values;

	if (p[*x] != p[*y])
		return p[*x] < p[*y] ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* Those that were tested, the smallest first; all of `ret` becomes NAN. */
static size_t rank(const double *p, size_t count, size_t *order, double *ret)
{
	size_t tested = 0;

	for (size_t i = 0; i < count; i++) {
		ret[i] = NAN;
		if (!isnan(p[i]))
			order[tested++] = i;
	}
	qsort_r(order, tested, sizeof(*order), by_size, (void *)(uintptr_t)p);
	return tested;
}

size_t adjust_bh(const double *p, size_t count, size_t *order, double *ret)
{
	size_t tested = rank(p, count, order, ret);
	double least = 1;

	for (size_t r = tested; r > 0; r--) {
		least = fmin(least, p[order[r - 1]] * (double)tested / (double)r);
		ret[order[r - 1]] = least;
	}
	return tested;
}

size_t adjust_holm(const double *p, size_t count, size_t *order, double *ret)
{
	size_t tested = rank(p, count, order, ret);
	double most = 0;

	for (size_t r = 0; r < tested; r++) {
		most = fmax(most, fmin(1, p[order[r]] * (double)(tested - r)));
		ret[order[r]] = most;
	}
	return tested;
}

double simes(const double *p, size_t count, double *scratch)
{
	size_t tested = 0;
	double least = NAN;

	for (size_t i = 0; i < count; i++)
		if (!isnan(p[i]))
			scratch[tested++] = p[i];
	qsort(scratch, tested, sizeof(*scratch), values_order);
	for (size_t r = 1; r <= tested; r++)
		least = fmin(least, scratch[r - 1] * (double)tested / (double)r); /* fmin prefers a number */
	return least;
}

double group_p(double p_sum, double p_simes)
{
	double p = 2 * fmin(p_sum, p_simes);

	return isnan(p) ? p : fmin(1, p);
}
