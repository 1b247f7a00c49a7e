/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/expression_function.h"

#include <math.h>
#include <stdlib.h>

const char *const function_names[FUNCTIONS] = {
	[F_SUM] = "sum",       [F_MEAN] = "mean",   [F_GEOMEAN] = "geomean", [F_MEDIAN] = "median",
	[F_STDDEV] = "stddev", [F_MIN] = "min",	    [F_MAX] = "max",	     [F_FIRST] = "first",
	[F_LAST] = "last",     [F_COUNT] = "count", [F_FLOOR] = "floor",     [F_ROUND] = "round",
};

static void make_one(struct column *c, double value)
{
	c->at[0] = value;
	c->count = 1;
}

static void fold_sum(struct column *c, double divisor)
{
	double sum = 0;

	for (size_t i = 0; i < c->count; i++)
		sum += c->at[i];
	make_one(c, sum / divisor);
}

static void fold_extreme(struct column *c, bool largest)
{
	double value = c->at[0];

	for (size_t i = 1; i < c->count; i++)
		if (largest ? c->at[i] > value : c->at[i] < value)
			value = c->at[i];
	make_one(c, value);
}

static void fold_geometric_mean(struct column *c)
{
	double logs = 0;

	for (size_t i = 0; i < c->count; i++) {
		if (!(c->at[i] > 0)) {
			c->count = 0;
			return;
		}
		logs += log(c->at[i]);
	}
	make_one(c, exp(logs / (double)c->count));
}

/* Of exactly these values, not an estimate of more: divided by their number. */
static void fold_deviation(struct column *c)
{
	double mean = 0, squares = 0;

	for (size_t i = 0; i < c->count; i++)
		mean += c->at[i] / (double)c->count;
	for (size_t i = 0; i < c->count; i++)
		squares += (c->at[i] - mean) * (c->at[i] - mean);
	make_one(c, sqrt(squares / (double)c->count));
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void fold_median(struct column *c)
{
	size_t half = c->count / 2;

	qsort(c->at, c->count, sizeof(*c->at), ascending);
	make_one(c, c->count % 2 ? c->at[half] : (c->at[half - 1] + c->at[half]) / 2);
}

void function_apply(enum function f, struct column *c, double digits)
{
	switch (f) {
	case F_SUM:
		fold_sum(c, 1);
		break;
	case F_MEAN:
		fold_sum(c, (double)c->count);
		break;
	case F_GEOMEAN:
		fold_geometric_mean(c);
		break;
	case F_MEDIAN:
		fold_median(c);
		break;
	case F_STDDEV:
		fold_deviation(c);
		break;
	case F_MIN:
	case F_MAX:
		fold_extreme(c, f == F_MAX);
		break;
	case F_FIRST:
		make_one(c, c->at[0]);
		break;
	case F_LAST:
		make_one(c, c->at[c->count - 1]);
		break;
	case F_COUNT:
		make_one(c, (double)c->count);
		break;
	default:
		for (size_t i = 0; i < c->count; i++)
			c->at[i] = f == F_FLOOR ? floor(c->at[i]) : round(c->at[i] * digits) / digits;
	}
}
