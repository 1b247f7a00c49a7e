/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAB_HISTORY_H
#define ASSAY_LAB_HISTORY_H

#include "base/names.h"
#include "lab/lab.h"

#define LAB_HISTORY_LOOKED_AT 512 /* of the newest runs, for those that fit */
#define LAB_HISTORY_RUNS      128 /* that are read */

/*
 * Earlier runs of the same benchmarks on the same machines as those of the sides, that began before the last of these:
 * sets of two and more that are identical in all axes but `run`. They differ from a run of a side in no axis but the
 * commit, the compared one, and the dropped ones.
 */
struct lab_history {
	struct compare_run *runs;
	size_t count;
	struct store_runs found; /* what the runs point into, as do the three below */
	struct stats *stats;
	struct pairs *axes;
	char **sets;
};

/* When a run began, in s; 0: an imported file did not tell. */
double lab_when(const struct store_run *run);

int lab_history_open(struct lab_history *ret, const struct lab_side *sides, size_t count, const char *axis,
		     const struct names *dropped, struct err *err);
void lab_history_close(struct lab_history *h);

#endif
