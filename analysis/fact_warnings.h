/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which facts of the machines set the sides of a comparison apart, besides what is compared. */
#ifndef ASSAY_ANALYSIS_FACT_WARNINGS_H
#define ASSAY_ANALYSIS_FACT_WARNINGS_H

#include "analysis/grouping.h"

#define FACT_WARNINGS_MOST 12 /* lines; the last one counts those left out */

/*
 * Lines "cpu.microcode differs: 0x1d in v6.11, 0x2a in v6.12", for facts that matter to a measurement and that runs of
 * each of two sides have; `axis` is what the sides are to differ in. Memory is the arena's. `ret` has
 * FACT_WARNINGS_MOST places. How many lines, or -ENOMEM.
 */
int fact_warnings(const struct group *group, const char *axis, struct arena *arena, const char **ret);

#endif
