/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One key over a history: a point for each commit (or day, or run, or value of an axis), where its level changed, and
 * how that is printed. And one key of two groups, run by run, drawn.
 */
#ifndef ASSAY_LAB_TREND_H
#define ASSAY_LAB_TREND_H

#include "analysis/change_points.h"
#include "lab/lab.h"

struct trend_point {
	char *name;           /* the commit, the day (2026-11-30), the run's id */
	uint64_t realtime_ns; /* of its first run; points are in this order */
	double mean, stddev;  /* of its runs; stddev of the sample, 0 of one run */
	unsigned runs;
};

struct trend {
	char *key, *by;
	struct trend_point *points;
	size_t count;
	size_t without; /* complete runs that lack the key, or the axis */
	struct change_history changes;
};

/*
 * Complete runs that the query asks for. `by`: an axis, "day" or "run"; NULL: "commit". -ENOENT: no run has the key;
 * -EINVAL: the runs differ in other axes, too, which the words name; not a query. -E2BIG: more than LAB_RUNS_MAX runs.
 */
int lab_trend(struct store *store, const char *key, const char *query, const char *by, struct trend *ret,
	      struct err *err);
void trend_free(struct trend *t);

/*
 * A line for each point, a line between two where the level changed. As JSON:
 * {"key":..,"by":..,"sigma":X,"points":[{"name","time_ns","mean","stddev","runs","outlier":bool}],
 *  "changes":[{"at":N,"first":N,"last":N,"name":..,"before":X,"after":X,"change":X,"ci_low":X,"ci_high":X,"p":X}],"suspect":P|null}
 * with places counted from 0. As SVG: a plot with a dashed line at each change. Results: the buffer's.
 */
int trend_text(const struct trend *t, struct buf *ret);
int trend_json(const struct trend *t, struct buf *ret);
int trend_svg(const struct trend *t, struct buf *ret);

/* The values of one or two groups of complete runs in the order of their start; as lab_side_open() names them. */
int lab_plot(struct store *store, const char *key, const char *const *names, size_t count, const char *axis, bool svg,
	     struct buf *ret, struct err *err);

#endif
