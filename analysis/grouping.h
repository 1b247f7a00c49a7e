/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which runs stand side by side: runs that agree in all axes but the compared one (and `run`, which counts
 * repetitions) make a table, each value of the compared axis a side of it.
 */
#ifndef ASSAY_ANALYSIS_GROUPING_H
#define ASSAY_ANALYSIS_GROUPING_H

#include "analysis/arena.h"
#include "analysis/compare.h"

struct side {
	const char *value; /* of the compared axis; lent by the run */
	const struct compare_run **runs; /* complete ones first, else in the order given */
	unsigned count, complete;
};

struct group {
	struct side *sides; /* the base first; at least two */
	size_t count;
};

struct grouping {
	struct group *groups; /* in the order of their first runs */
	size_t count;
	size_t left_out; /* runs without the axis, of a value that is no column, or without a partner */
};

/* Memory is the arena's. -ENOMEM. */
int group_runs(const struct compare_run *runs, size_t count, const char *axis, const char *const *columns,
	       size_t column_count, struct arena *arena, struct grouping *ret);

/* All axes but one and `run`, in one string that is equal only for equal axes. Replaces what `ret` holds. */
int axes_fingerprint(const struct pairs *axes, const char *axis, struct buf *ret);

#endif
