/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What earlier runs of the same benchmark on the same machine say of a metric's noise (spec/statistics, section 4.6).
 *
 * They come in sets of runs that are identical in everything, kernel included; between sets the level may differ,
 * inside one it may not. Of every metric the values of all sets stand in a row, the newest set first.
 */
#ifndef ASSAY_ANALYSIS_HISTORY_H
#define ASSAY_ANALYSIS_HISTORY_H

#include "analysis/noise.h"

struct history_sets {
	const size_t *runs; /* [set] */
	size_t count;
};

/*
 * s02: the variance within the sets, on the scale of the present comparison; d0: its degrees of freedom, 0 where there
 * are fewer than 4 or no variance. Sets are added up to 60 degrees of freedom, or until one is of another noise.
 * NAN is a missing value. `v` may be empty.
 */
struct noise history_of(struct values v, struct history_sets sets, struct scale scale);

#endif
