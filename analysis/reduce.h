/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The events of one run -> its stats, in one pass and in memory that does not grow with the run's length.
 *
 * Rules: spec A.1, with the corrections marked "assay:" in A.1c:
 *   DELTA   counters: the sum of the steps; a step back is a reset (adds the new value), of a COUNTER32 a wrap
 *   MEAN    gauges: over the samples that the slot has, between command.start and command.end; the closing snapshot
 *           counts only when there is no other
 *   SINGLE  one sample: that value
 * A key whose values are all zero is dropped (A.1, rule 3). Views (vmstat, mpstat, iostat, numa ratios, pressure
 * percentages, the folded cpuidle keys) are computed here from raw samples, each in a file analysis/view_*.c.
 * A new generation of a shape begins its deltas anew; nothing is attributed across.
 */
#ifndef ASSAY_ANALYSIS_REDUCE_H
#define ASSAY_ANALYSIS_REDUCE_H

#include "analysis/stats.h"
#include "base/run.h"

struct reduce;

int reduce_open(struct reduce **ret, struct err *err);
extern const struct run_events reduce_events; /* context: struct reduce * */

/* Sorted stats, results of the benchmark among them (analysis/results.h). Call once. */
int reduce_finish(struct reduce *r, struct stats *ret, struct err *err);
void reduce_close(struct reduce *r);

/*
 * How a slot's number is called: "<collector>.<instance>.<metric>", "<collector>.<metric>" for the instance "",
 * "diskstats.<metric>.<instance>". Blanks become '-'. Appended to `ret`. The one place that knows; dump, show and stats use it.
 */
int key_of(const char *collector, const char *instance, const char *metric, struct buf *ret);

#endif
