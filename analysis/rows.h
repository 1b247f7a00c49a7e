/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of one table: the runs' sorted stats are walked together, key by key, and what changed becomes a row.
 */
#ifndef ASSAY_ANALYSIS_ROWS_H
#define ASSAY_ANALYSIS_ROWS_H

#include "analysis/grouping.h"

/* Fills all of `ret` but its axes. Memory is the arena's. -ENOMEM. */
int make_rows(const struct group *group, const struct compare_options *options, const char *testcase,
	      const char *tbox_group, struct arena *arena, struct compare_table *ret);

/*
 * Families with fewer rows first, that of the testcase before all; then by key, perf-profile by its first two words
 * and then by change. -ENOMEM.
 */
int sort_rows(struct compare_row *rows, size_t count, size_t columns, const char *testcase, enum era era);

#endif
