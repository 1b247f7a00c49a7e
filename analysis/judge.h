/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All metrics of a comparison judged together (spec/statistics, sections 5 and 6): which lines a reader is shown so
 * that at most a share q of them is false.
 *
 * A line is one metric, or a group of four and more that differ in a CPU's number only ("softirqs.CPU#.RCU").
 * Deterministic; linear in the values but for sorting.
 */
#ifndef ASSAY_ANALYSIS_JUDGE_H
#define ASSAY_ANALYSIS_JUDGE_H

#include "analysis/arena.h"
#include "analysis/history.h"
#include "analysis/session.h"

struct judge_metric {
	const char *key;    /* each once */
	struct values a, b; /* one a run, NAN where it is missing; as many as the other metrics have */
	struct values history; /* of the runs of all history sets, as judge_options names them; may be empty for all */
};

struct judge_options {
	double q;            /* 0.05 */
	double least_effect; /* as log ratio: log(1.005) */
	const double *positions_a, *positions_b; /* [run] in the session, or NULL where that is not known */
	struct history_sets sets;
};

struct judged {
	struct difference difference;
	struct noise prior, history;
	struct evidence evidence;
	size_t line;
	bool changed; /* a shown line of its own, or one of those that changed in a shown group */
};

struct judged_line {
	const char *key;
	bool group;
	bool shown;
	size_t members, changed;
	size_t whole; /* members of a group that are in every run */
	double p, q; /* q: the least share at which it would be shown; NAN: not tested */
	struct judged sum; /* of a group: the sum over its members that are in every run */
	struct judge_metric summed; /* its values */
};

struct judgement {
	struct judged *metrics; /* in the order given */
	struct judged_line *lines; /* in the order of their first members */
	size_t line_count, tested, shown;
	size_t with_history; /* metrics */
	enum session_order order;
	bool adjusted; /* a drift of the machine was taken out of all differences */
	/* How much more the runs vary now than earlier ones did, as ratio of variances; 1 where that is not more. The noise
	 * that earlier runs tell of is so much larger: a machine that is busier today is busier for all metrics. */
	double unrest;
	struct arena arena;
};

/* -ENOMEM; the judgement is empty then. */
int judge(const struct judge_metric *metrics, size_t count, const struct judge_options *options,
	  struct judgement *ret);
void judgement_free(struct judgement *j);

#endif
