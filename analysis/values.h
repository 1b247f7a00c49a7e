/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_ANALYSIS_VALUES_H
#define ASSAY_ANALYSIS_VALUES_H

#include <stddef.h>

/* The values of a key, one a run; lent. What stands for a run that lacks it, the user of the type says. */
struct values {
	const double *at;
	size_t count;
};

/* For qsort(): ascending. No NAN. */
int values_order(const void *a, const void *b);

/* The mean of the two in the middle of an even number. Sorts them; at least one. */
double values_median(double *at, size_t count);

#endif
