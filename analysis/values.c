/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/values.h"

#include <stdlib.h>

int values_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double values_median(double *at, size_t count)
{
	qsort(at, count, sizeof(*at), values_order);
	return count % 2 ? at[count / 2] : (at[count / 2 - 1] + at[count / 2]) / 2;
}
