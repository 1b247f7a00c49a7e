/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The few numbers a benchmark is about (spec/statistics, section 7): each is told, whatever becomes of the others, and
 * "not changed" only where that is known.
 */
#ifndef ASSAY_ANALYSIS_KPI_H
#define ASSAY_ANALYSIS_KPI_H

#include "analysis/judge.h"

#define KPI_ALPHA  0.05
#define KPI_MARGIN 0.01 /* within it a change is none, as ratio */

enum kpi_word { KPI_UNDECIDED, KPI_CHANGED, KPI_UNCHANGED, KPI_UNTESTED };

struct kpi_verdict {
	struct difference difference;
	struct noise history;
	struct evidence evidence;
	double p_holm;	    /* among the KPIs; NAN: not tested */
	double detectable;  /* the change, as ratio (0.03), that runs like these would show */
	double runs_needed; /* a side, to see KPI_MARGIN */
	enum kpi_word word;
};

/* ret[count], in the order given. `unrest` is that of the judgement of all other metrics, or 1. -ENOMEM. */
int judge_kpis(const struct judge_metric *metrics, size_t count, const struct positions *positions,
	       struct history_sets sets, double unrest, struct kpi_verdict *ret);

#endif
