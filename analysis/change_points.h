/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a result changed over a history of commits or days (spec/statistics, section 14): the series is cut into
 * segments of one level each, exactly, with a price for every cut; single spikes are set aside first, and noise that
 * hangs together from point to point makes cuts dearer.
 */
#ifndef ASSAY_ANALYSIS_CHANGE_POINTS_H
#define ASSAY_ANALYSIS_CHANGE_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#define SEGMENT_LEAST 3 /* points */

struct change_point {
	size_t at;	     /* the first point of the new level */
	size_t first, last;  /* it may be any of these, with 95 % */
	double before, after; /* means of the levels, in the unit of the values */
	double percent, low, high; /* the change and its 95 % interval; NAN where a percentage makes no sense */
	double p;
};

struct change_history {
	struct change_point *points; /* in their order */
	size_t count;
	bool *outlier; /* [value] a single spike, set aside */
	double sigma;  /* of a value of one run, on the scale of analysis/difference.h */
	double dearer; /* how much dearer cuts were made for noise that hangs together; 1: not */
	/* The last value, against the level before it: NAN where that has fewer than 5 points. Below SUSPECT_P it is
	 * worth running both commits again; it is no change before that was done. */
	double last_p;
};

#define SUSPECT_P 0.001

/* `values`, none missing, in the order of commits; `runs` behind each. -ENOMEM. */
int find_change_points(const double *values, const double *runs, size_t count, struct change_history *ret);
void change_history_free(struct change_history *h);

/* ---- parts, on any scale ---- */

/* Noise of a value of weight 1, from the differences of neighbours; few jumps do not disturb it. -ENOMEM. */
int series_sigma(const double *y, const double *weights, size_t count, double *ret);

/*
 * Cuts that make the squares about the segments' means, in units of sigma2, and `price` a cut the least. cuts[count / 3]
 * get the first points of all segments but the first. Quadratic in `count`. -ENOMEM.
 */
int series_cut(const double *y, const double *weights, size_t count, double sigma2, double price, size_t *cuts,
	       size_t *ret_count, double *ret_cost);

#endif
