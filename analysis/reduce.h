/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The events of one run -> its stats, in one pass and in memory that does not grow with the run's length.
 *
 * Rules: spec A.1, with the corrections marked "assay:" in A.1c:
 *   DELTA   counters: the sum of the steps (analysis/track.h tells what a step back means), over all samples. One
 *           reading alone is no difference: no key
 *   MEAN    gauges: over the samples that the slot has, from the opening snapshot (time 0) to command.end; the closing
 *           snapshot counts only when there is no other. Without these marks: all
 * A counter that goes on in the next generation of its shape, under the same name, loses nothing; one that begins anew
 * there adds nothing. A key whose values are all zero has the value 0; only the counters of single CPUs are then left to
 * their sum. (The test robot drops every such key: A.1, rule 3. Absent is not zero here.) Views (vmstat, mpstat, iostat, pressure
 * percentages, the folded cpuidle keys ...) are computed from raw samples, each in a file analysis/view_*.c.
 *
 * What the agent itself cost and lost: agent.cost_ms (all samples together), agent.lateness_ms.max, and, where there is
 * something to tell, agent.{ticks_missed,bytes_dropped,output_dropped,collector_failures}.
 *
 * Facts that are read: "page.size" (bytes), RESULTS_FACT, REDUCE_PER_CPU_FACT. Axis: "testcase".
 */
#ifndef ASSAY_ANALYSIS_REDUCE_H
#define ASSAY_ANALYSIS_REDUCE_H

#include "analysis/stats.h"
#include "base/run.h"

#define REDUCE_PER_CPU_FACT "proc-stat.per_cpu" /* "yes": mpstat.cpu.<N>.*, and mpstat.node.<N>.* by node.<N>.cpus */

struct reduce;

int reduce_open(struct reduce **ret, struct err *err);
extern const struct run_events reduce_events; /* context: struct reduce * */

/* Sorted stats, results of the benchmark among them (analysis/results.h). Call once. */
int reduce_finish(struct reduce *r, struct stats *ret, struct err *err);
void reduce_close(struct reduce *r);

/*
 * How a slot's number is called: "<collector>.<instance>.<metric>", "<collector>.<metric>" for the instance "",
 * "diskstats.<metric>.<instance>", "sched_debug.<metric>.<instance>", "latency_stats.<metric>.<instance>",
 * "lock_stat.<instance>" for the metric "times", "proc-stat.cpu.user" and "proc-stat.softirq" (the line's total),
 * "memory--stat.<instance>.<item>" and "memory--numa_stat.<instance>.<item>" of control groups. Blanks become '-'. Appended to `ret`. The one place that knows; dump, show and stats use it.
 */
int key_of(const char *collector, const char *instance, const char *metric, struct buf *ret);

#endif
