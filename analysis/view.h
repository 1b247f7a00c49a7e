/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A view: keys that no kernel file shows, made of raw samples: one constant, in one file, and one line in views.c.
 *
 * Order:   sample for each sample of the collectors it names, before the reducer takes it (so that what it keeps is
 *          the sample before); then finish once; free always.
 * Results: 0 or -ENOMEM.
 * State:   zeroed; bounded by the names of the shape, never by the number of samples.
 */
#ifndef ASSAY_ANALYSIS_VIEW_H
#define ASSAY_ANALYSIS_VIEW_H

#include <errno.h>

#include "analysis/stats.h"
#include "analysis/track.h"
#include "base/pairs.h"

/* One sample beside the one before it. */
struct sight {
	const struct track *track;
	const struct sample *sample;
	enum phase phase;
	double seconds;		   /* since the sample before; 0: there was none, so there are no steps */
	double start;		   /* of the sample, since the first of this collector, s */
	const struct pairs *facts; /* those known so far */
};

/* What is known at the end. */
struct view_end {
	const struct pairs *facts;
	const struct track *tracks;
	size_t track_count;
};

/* A key that a view makes, for docs/metrics.md: "<x>" stands for a name, "{a,b}" for one of these. */
struct view_key {
	const char *key;
	enum unit unit;	  /* what the key's own suffix does not say */
	const char *help; /* one sentence */
};

struct view {
	const char *name;
	const char *const *collectors; /* ends at NULL; may be NULL: only the end is of interest */
	size_t state_size;
	int (*sample)(void *state, const struct sight *s);
	int (*finish)(void *state, const struct view_end *end, struct stats *ret);
	void (*free)(void *state); /* or NULL */
	const struct view_key *keys; /* ends at the row without one */
};

extern const struct view_key reduce_keys[]; /* what the reducer itself tells of the agent */
extern const struct view *const views[]; /* ends at NULL */
extern const struct view view_boot;
extern const struct view view_cpufreq;
extern const struct view view_cpuidle;
extern const struct view view_energy;
extern const struct view view_iostat;
extern const struct view view_latency_stats;
extern const struct view view_lock_stat;
extern const struct view view_meminfo;
extern const struct view view_mpstat;
extern const struct view view_netdev;
extern const struct view view_nfsstat;
extern const struct view view_numa;
extern const struct view view_perf_stat;
extern const struct view view_powercap;
extern const struct view view_pressure;
extern const struct view view_sched_debug;
extern const struct view view_turbostat;
extern const struct view view_uptime;
extern const struct view view_vmstat;

/* By names. value: signed, as levels are. step: since the sample before. */
static inline bool sight_value(const struct sight *s, const char *metric, double *ret)
{
	uint64_t raw;

	if (!track_value(s->track, s->sample, track_row(s->track, metric), track_column(s->track, ""), &raw))
		return false;
	*ret = (double)(int64_t)raw;
	return true;
}

static inline bool sight_step(const struct sight *s, int row, int column, double *ret)
{
	uint64_t step;

	if (s->seconds <= 0 || !track_step(s->track, s->sample, row, column, &step))
		return false;
	*ret = (double)step;
	return true;
}

/* What went by in the time that was seen: a rate is amount / seconds over the whole window. */
struct flow {
	double amount, seconds;
};

static inline void flow_add(struct flow *f, double amount, double seconds)
{
	f->amount += amount;
	f->seconds += seconds;
}

/* The track of a collector; NULL when it has none. */
const struct track *view_track(const struct view_end *end, const char *collector);

/* A number of the facts ("page.size"); false when it is not there. */
bool fact_number(const struct pairs *facts, const char *name, double *ret);

/* Make `*at` hold `count` zeroed elements of `size` at least. */
int view_room(void *at, size_t *room, size_t count, size_t size);

/* perf-stat.overall.path-length, of sorted stats that hold the benchmark's results, too; they are sorted after it. */
int perf_path_length(struct stats *stats);

/* ---- cpu times, for the three views that know them (view_cpu.c) ---- */

enum cpu_time {
	CPU_USER,
	CPU_NICE,
	CPU_SYSTEM,
	CPU_IDLE,
	CPU_IOWAIT,
	CPU_IRQ,
	CPU_SOFTIRQ,
	CPU_STEAL,
	CPU_GUEST,
	CPU_GUEST_NICE,
	CPU_TIMES
};

extern const char *const cpu_time_names[CPU_TIMES]; /* metrics of proc-stat */

/*
 * The ticks of one CPU ("" is all of them) between two samples, and their total: user and nice hold the guests' time
 * already, so the last two are not added. A time that steps back made no progress (iowait may, the kernel moves it to
 * idle). False: not in both samples, or nothing went by.
 */
bool cpu_ticks(const struct sight *s, int column, double ret[CPU_TIMES], double *total);

#endif
