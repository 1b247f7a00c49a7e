/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which metrics move with a result from run to run inside the sides (spec/statistics, section 11). That is no cause;
 * causes and consequences look alike.
 */
#ifndef ASSAY_ANALYSIS_RELATED_H
#define ASSAY_ANALYSIS_RELATED_H

#include "analysis/judge.h"

#define RELATED_FROM 0.5 /* "moves with" */

struct related {
	double r, score;
	double degrees; /* residuals less means */
};

/* `kpi` and `x` are of the same runs. The scales and directions are those of their differences. */
struct related related_to(const struct judge_metric *kpi, const struct difference *kpi_difference,
			  const struct judge_metric *x, const struct difference *x_difference,
			  struct history_sets sets);

#endif
