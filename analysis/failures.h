/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of failures on two sides (spec/statistics, section 8). */
#ifndef ASSAY_ANALYSIS_FAILURES_H
#define ASSAY_ANALYSIS_FAILURES_H

#include <stdbool.h>

struct failures {
	unsigned failed, runs;
};

/* Fisher's exact test, two-sided: p of failing as often on both sides. 1 without runs. */
double failures_p(struct failures a, struct failures b);

/* New, gone, or more or less often than chance has it. */
bool failures_changed(struct failures a, struct failures b);

#endif
