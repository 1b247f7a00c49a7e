/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which noise is expected of which metric (spec/statistics, sections 4.3 and 4.4): that of its family where this has
 * enough metrics, else that of all. Inside a family the noise may depend on the level.
 */
#ifndef ASSAY_ANALYSIS_PRIORS_H
#define ASSAY_ANALYSIS_PRIORS_H

#include "analysis/noise.h"

#define PRIORS_LEAST 30 /* variances that a fit needs */

/*
 * family[i] < family_count is the family of metric i, least[family] how many usable variances make it one of its own.
 * A variance is usable when it is of a tested metric, above 0, and of as many runs as the best ones. Fills ret[count].
 * -ENOMEM.
 */
int find_priors(const struct difference *metrics, const size_t *family, size_t count, const size_t *least,
		size_t family_count, struct noise *ret);

#endif
