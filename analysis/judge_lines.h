/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines that metrics make, and which of them are shown; parts of judge(). */
#ifndef ASSAY_ANALYSIS_JUDGE_LINES_H
#define ASSAY_ANALYSIS_JUDGE_LINES_H

#include "analysis/judge.h"

#define GROUP_LEAST 4

/* Which metrics make a line together: fills j->lines, and `line` of the metrics. -ENOMEM. */
int make_lines(const struct judge_metric *metrics, size_t count, struct judgement *j);

/* members[first[line]] ... are the metrics of a line, in the order given; `first` has room for one more. */
void list_members(const struct judgement *j, size_t count, size_t *first, size_t *members);

/* The p of each line, then which are shown; `values`, `p`, `q` and `order` have room for all metrics and lines. */
void decide_lines(struct judgement *j, const size_t *first, const size_t *members, const struct judge_options *o,
		  double *values, double *p, double *q, size_t *order);

#endif
