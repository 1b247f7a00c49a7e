/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of one table under RULES_ASSAY: everything is judged together, then it is told what is shown. */
#ifndef ASSAY_ANALYSIS_VERDICT_H
#define ASSAY_ANALYSIS_VERDICT_H

#include "analysis/kpi.h"
#include "analysis/verdict_input.h"

/* Fills all of `ret` but its axes and columns. `ret->axes` are there already. Memory is the arena's. -ENOMEM. */
int make_verdicts(const struct group *group, const struct compare_options *options, const char *axis,
		  const char *testcase, struct arena *arena, struct compare_table *ret);

/* ---- its parts ---- */

/* All that was found out about one head. */
struct verdict_head {
	struct judgement judgement; /* of all numbers that are no results */
	enum session_order order;
	struct kpi_verdict *kpis;
};

struct verdict_work {
	const struct compare_options *options;
	const char *axis, *testcase;
	struct arena *arena; /* of all that stays */
	struct verdict_input in;
	size_t *metrics, metric_count; /* rows of the input: numbers, */
	size_t *kpis, kpi_count;       /* and results */
	struct verdict_head *heads;    /* [side], from 1 */
	size_t *first, *members;       /* metrics by line: judge_lines.h */
	struct values *sides;          /* [side] scratch */
	double q, effect;
	bool few; /* no head has enough runs for any claim */
};

/* What one number of a head is judged by, and how often its interval may miss. */
struct claim {
	const struct judge_metric *metric;
	const struct difference *difference;
	const struct evidence *evidence;
	bool history;
	double miss;
};

bool verdict_wanted(const struct verdict_work *w, const char *key); /* by the filter */
struct judge_metric verdict_metric(const struct verdict_work *w, size_t row, size_t head);

/* Its key is copied; its cells are there, empty. -ENOMEM. */
int verdict_row(struct verdict_work *w, const char *key, struct compare_row *ret);

/* Means, deviations and changes, from the values of each side in w->sides; those of sums are divided by `members`.
 * -ENOMEM. */
int verdict_cells(const struct verdict_work *w, size_t members, struct compare_row *row);

/* Difference, interval and flags of a head; p, q and word are the caller's. NULL: no memory. */
struct verdict *verdict_of(struct verdict_work *w, const struct claim *claim, const struct compare_row *row,
			   size_t head);

/* These fill their part of the table. -ENOMEM. */
int verdict_lines(struct verdict_work *w, struct compare_table *ret);      /* appended to its rows, and the weak ones */
int verdict_everything(struct verdict_work *w, struct compare_table *ret); /* the same without claims */
int verdict_functions(struct verdict_work *w, struct compare_table *ret);
int verdict_noise(struct verdict_work *w, struct compare_table *ret);
int verdict_related(struct verdict_work *w, struct compare_table *ret);
int verdict_warnings(struct verdict_work *w, const struct group *group, struct compare_table *ret);

#endif
