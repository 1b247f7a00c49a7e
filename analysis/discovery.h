/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many p-values at once (spec/statistics, section 6). NAN is one that was not tested: it gets NAN and counts nowhere.
 */
#ifndef ASSAY_ANALYSIS_DISCOVERY_H
#define ASSAY_ANALYSIS_DISCOVERY_H

#include <stddef.h>

/*
 * Benjamini and Hochberg: ret[i] is the least share of false ones among those shown at which p[i] is shown, too.
 * `order` has room for `count` numbers. Returns how many were tested.
 */
size_t adjust_bh(const double *p, size_t count, size_t *order, double *ret);

/* Holm: ret[i] is the level at which p[i] is shown when no single false one may be. The rest as adjust_bh(). */
size_t adjust_holm(const double *p, size_t count, size_t *order, double *ret);

/* Simes: p of "none of these changed". NAN when none was tested. `scratch` has room for `count` numbers. */
double simes(const double *p, size_t count, double *scratch);

/* Of a group: by the sum of its members, or by any of them; p_sum may be NAN. */
double group_p(double p_sum, double p_simes);

#endif
