/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which earlier runs tell of a table's noise, and in what sets (spec/statistics, section 4.6): of the same machine,
 * benchmark and parameters; a set is identical in everything, commit included.
 */
#ifndef ASSAY_ANALYSIS_VERDICT_HISTORY_H
#define ASSAY_ANALYSIS_VERDICT_HISTORY_H

#include "analysis/grouping.h"
#include "analysis/history.h"

#define HISTORY_RUNS_MAX 64 /* 60 degrees of freedom are all that is asked for */

struct verdict_past {
	const struct compare_run **runs; /* set by set, the newest first */
	size_t count;
	struct history_sets sets;
};

/* Of options->history. Memory is the arena's. -ENOMEM. */
int verdict_past_find(const struct group *group, const struct compare_options *options, const char *axis,
		      const struct pairs *common, struct arena *arena, struct verdict_past *ret);

#endif
