/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How noisy metrics of one kind are, told by all of them together, and what that says of one of them
 * (spec/statistics, sections 4.2, 4.5 and 5).
 *
 * The variances of a family are modelled as s02 times an F distribution: s02 is the usual variance, d0 how many
 * degrees of freedom of knowledge that is worth (infinite when all are alike, near 0 when they have nothing in common).
 */
#ifndef ASSAY_ANALYSIS_NOISE_H
#define ASSAY_ANALYSIS_NOISE_H

#include "analysis/difference.h"

#define NOISE_INFINITE 1e6 /* degrees of freedom, where there is no end */

struct noise {
	double s02, d0; /* d0 = 0: nothing is known */
};

/* From `count` variances above 0 that all have `df`; sorts them. Quartiles are matched, so that a few bursting metrics
 * do not set the noise of the rest. */
struct noise noise_fit(double *variances, size_t count, double df);

struct evidence {
	double variance, df; /* of a run, the prior's share in it, and what they are worth */
	double se, t;        /* of the difference on its scale */
	double p;            /* that it is beyond the least effect by chance; NAN: not tested */
	bool gated;          /* noisier than was expected: only its own variance counts */
	bool history_only;   /* a side has one run: the noise is that of earlier runs */
};

/*
 * `history` is what earlier runs say of this very metric; d0 = 0: nothing. `least_effect`: differences up to this, as
 * log ratio, are not looked for. A side of one run is tested if there is history of 8 degrees of freedom.
 */
struct evidence evidence_of(const struct difference *difference, struct noise prior, struct noise history,
			    double least_effect);

/* P(T > t); df may be infinite. */
double student_above(double t, double df);

/* Half the width of the interval that misses in `miss` of all cases, as log ratio. */
double evidence_half_width(const struct evidence *e, double miss);

#endif
