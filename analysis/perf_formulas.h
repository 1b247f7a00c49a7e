/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is made of counts of perf events in one stretch of time (spec A.3.8): ratios, rates by unit, latency and
 * bandwidth of memory controllers, and the ratios that a user wants.
 */
#ifndef ASSAY_ANALYSIS_PERF_FORMULAS_H
#define ASSAY_ANALYSIS_PERF_FORMULAS_H

#include "analysis/stats.h"
#include "base/names.h"

/* Clocks in ms, all else in events; those of `names` without a count have `has` false. */
struct perf_counts {
	const struct names *names;
	const double *at; /* [name] */
	const bool *has;  /* [name] */
	double seconds;	  /* the stretch's length */
};

/* How a number is handed over: its key behind "i." or "overall.". 0 or -ENOMEM, which ends the row. */
typedef int (*perf_put)(void *context, const char *key, double value);

/*
 * ipc cpi MPKI <x>-miss-rate% ..., and the top-down shares of issue slots ("topdown-retiring%") by the events that Intel
 * has had since Ice Lake, or by those before. Without a divisor, or with one that is 0, there is no ratio.
 */
int perf_ratios(const struct perf_counts *c, perf_put put, void *context);

/*
 * metric.GHz, metric.K/sec, metric.M/sec, metric.G/sec: the sums of those rates per second of CPU time (task-clock) that
 * have that unit, each rate being scaled by 1000 as long as it exceeds 1000. One below 1000 counts nowhere.
 */
int perf_metrics(const struct perf_counts *c, perf_put put, void *context);

/*
 * UNC_M_<m>_INSERTS with UNC_M_<m>_OCCUPANCY and UNC_M_CLOCKTICKS: <m>_latency_ns, how long an entry stays in the queue;
 * with the first alone <m>_throughput_MBps, 64 bytes an entry (MB of 2^20). <m> in small letters: rpq_latency_ns.
 * `boxes`: of how many memory controllers CLOCKTICKS is the sum; 0: not known, and there is no latency.
 */
int perf_uncore(const struct perf_counts *c, double boxes, perf_put put, void *context);

/* Lines "name: expression" over names of events (analysis/expression.h). A name is the longest that stands there. What
 * is no such line, or cannot be computed, gives nothing. */
int perf_wanted(const struct perf_counts *c, struct text lines, perf_put put, void *context);

#endif
