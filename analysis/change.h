/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Did a key change between two groups of runs, by the rules of the kernel test robot (spec D.1, steps 3 to 9)?
 */
#ifndef ASSAY_ANALYSIS_CHANGE_H
#define ASSAY_ANALYSIS_CHANGE_H

#include "analysis/compare.h"
#include "analysis/values.h"

/* Of values: a run that lacks the key has 0. Failures: on one side only. */
bool function_changed(struct values base, struct values head);

/*
 * Numbers: the ranges lie apart, and the difference is large enough, relatively and absolutely. `testcase` may be
 * NULL. `scratch` has room for base.count + head.count numbers.
 */
bool number_changed(const char *key, struct values base, struct values head, const struct compare_options *options,
		    const char *testcase, double *scratch);

#endif
