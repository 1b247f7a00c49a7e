/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/session.h"

#include <math.h>

#define BLOCKED_FROM  0.5 /* correlation of side and position */
#define DRIFT_MIXED   0.10
#define DRIFT_BLOCKED 0.07

const char *const session_order_names[] = { "unknown", "alternating", "mixed", "blocked" };

static double mean_of(struct values v)
{
	double sum = 0;

	for (size_t i = 0; i < v.count; i++)
		sum += v.at[i];
	return sum / (double)v.count;
}

static double squares_about(struct values v, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < v.count; i++)
		sum += (v.at[i] - mean) * (v.at[i] - mean);
	return sum;
}

/* How many of `v` stand before a position. */
static size_t before(struct values v, double position)
{
	size_t count = 0;

	for (size_t i = 0; i < v.count; i++)
		count += v.at[i] < position;
	return count;
}

/* Never more than two runs of a side in a row, as in ABAB and ABBA: at any run the sides are one apart at most. */
static bool alternates(struct values a, struct values b)
{
	for (size_t i = 0; i < a.count + b.count; i++) {
		double at = i < a.count ? a.at[i] : b.at[i - a.count];
		size_t from_a = before(a, at), from_b = before(b, at);

		if (from_a > from_b + 1 || from_b > from_a + 1)
			return false;
	}
	return true;
}

enum session_order session_order_of(struct values a, struct values b)
{
	double n_a = (double)a.count, n_b = (double)b.count, mean_a, mean_b, all, r;

	if (!a.at || !b.at || a.count == 0 || b.count == 0)
		return ORDER_UNKNOWN;
	mean_a = mean_of(a);
	mean_b = mean_of(b);
	all = (n_a * mean_a + n_b * mean_b) / (n_a + n_b);
	r = fabs(mean_b - mean_a) * sqrt(n_a * n_b / (n_a + n_b)) / sqrt(squares_about(a, all) + squares_about(b, all));
	if (r > BLOCKED_FROM)
		return ORDER_BLOCKED;
	return alternates(a, b) ? ORDER_ALTERNATING : ORDER_MIXED;
}

bool session_drifts(enum session_order order, size_t drifting, size_t metrics)
{
	double share = metrics ? (double)drifting / (double)metrics : 0;

	return order != ORDER_UNKNOWN && share > (order == ORDER_BLOCKED ? DRIFT_BLOCKED : DRIFT_MIXED);
}
