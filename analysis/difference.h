/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One metric on two sides: how far apart they are, and how noisy each is (spec/statistics, section 3).
 *
 * Values are compared on a scale that is a logarithm far above the metric's own resolution and linear near zero:
 * y = asinh(v / offset), or sign(v) ln(2|v|) when the offset is 0. Differences of y are log ratios there, and zeros and
 * small counts are harmless.
 */
#ifndef ASSAY_ANALYSIS_DIFFERENCE_H
#define ASSAY_ANALYSIS_DIFFERENCE_H

#include <stdbool.h>

#include "analysis/values.h"

struct scale {
	double resolution; /* the first of 1, 0.1 ... 0.0001 of which all values are multiples; 0: none */
	double offset;
};

struct difference {
	struct scale scale;
	size_t count_a, count_b; /* values that are there */
	bool varies;             /* both sides have a value, and not all are the same */
	bool tested;             /* two values a side, too */
	double d;                /* mean of b less mean of a, of y */
	double s2, df;           /* variance within the sides and its degrees of freedom */
	double h;                /* the variance of d is h times that of a run */
	double level;            /* mean of y */
	double floor2;           /* the variance that rounding alone makes */
	double slope_p;          /* with positions: p of "no drift along them"; else NAN */
};

/* `v` are all values of both sides; none missing. `scratch` has room for as many. */
struct scale scale_of(struct values v, double *scratch);
double scale_apply(struct scale scale, double value);

/*
 * Where each run stood in the session; numbers of any unit. `adjusted`: a linear drift is taken out of the difference,
 * at the cost of a degree of freedom.
 */
struct positions {
	const double *a, *b;
	bool adjusted;
};

/* NAN is a missing value. `positions` may be NULL. `scratch` has room for 3 x (a.count + b.count) numbers. */
void difference_of(struct values a, struct values b, const struct positions *positions, double *scratch,
		   struct difference *ret);

/* Of the values that are there, on the scale; *ret_count of them. NAN of fewer than two. */
double side_variance(struct values v, struct scale scale, double *ret_count);

#endif
