/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of analysis/expression.h over the values of a name. */
#ifndef ASSAY_ANALYSIS_EXPRESSION_FUNCTION_H
#define ASSAY_ANALYSIS_EXPRESSION_FUNCTION_H

#include "analysis/expression.h"

/* Up to F_COUNT they make one value of many; the others work value by value. */
enum function {
	F_SUM,
	F_MEAN,
	F_GEOMEAN,
	F_MEDIAN,
	F_STDDEV,
	F_MIN,
	F_MAX,
	F_FIRST,
	F_LAST,
	F_COUNT,
	F_FLOOR,
	F_ROUND,
	FUNCTIONS
};

extern const char *const function_names[FUNCTIONS];

/* Of at least one value; geomean() of what is not above zero leaves none. `digits`: of round(), as 10^digits. */
void function_apply(enum function f, struct column *c, double digits);

#endif
