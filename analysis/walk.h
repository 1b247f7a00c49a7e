/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sorted stats of many runs walked together, key by key in byte order: each step tells one key and what each run
 * has under it.
 */
#ifndef ASSAY_ANALYSIS_WALK_H
#define ASSAY_ANALYSIS_WALK_H

#include <stdbool.h>

#include "analysis/arena.h"
#include "analysis/compare.h"

struct key_walk {
	size_t runs;
	double *values; /* [run] of the present key; 0 where the run lacks it */
	bool *have;	/* [run] is there a finite value? */
	struct walk_cursor *cursors;
};

/* `runs` is lent for the walk. Memory is the arena's. -ENOMEM. */
int key_walk_open(struct key_walk *w, const struct compare_run *const *runs, size_t count, struct arena *arena);

/* The next key, lent by a run's stats; NULL: all are at their end. */
const char *key_walk_next(struct key_walk *w);

/* Has the run a key that begins so? */
bool run_has_family(const struct compare_run *run, const char *prefix);

#endif
