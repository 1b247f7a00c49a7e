/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table that tells all that happened since some moment, looked at from its two ends: what is not in it is 0, so a
 * thing that only the last sample has did all of it in the run. With one sample there is no other end: it is taken
 * as it is.
 */
#ifndef ASSAY_ANALYSIS_ENDS_H
#define ASSAY_ANALYSIS_ENDS_H

#include "analysis/view.h"

struct ends_slot {
	uint64_t first, last;
	bool seen;
};

struct ends {
	struct ends_row {
		struct ends_slot *at; /* [column] */
		size_t room;
	} *rows;
	size_t room;
	uint32_t samples;
};

int ends_sample(struct ends *e, const struct sight *s); /* 0 or -ENOMEM */
void ends_free(struct ends *e);

/* Raw, by row and column of the track (-1 is allowed: false). What went by between the ends; and the last value. */
bool ends_went(const struct ends *e, int row, int column, uint64_t *ret);
bool ends_last(const struct ends *e, int row, int column, uint64_t *ret);

#endif
