/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two files that make turbostat's columns share: counts over the whole run, and what the processor is. */
#ifndef ASSAY_ANALYSIS_TURBOSTAT_H
#define ASSAY_ANALYSIS_TURBOSTAT_H

#include "analysis/view.h"

/* A count, by its register and by the perf event that counts the same; either name may be NULL. */
struct count_names {
	const char *of_register, *event;
};

struct turbostat_run {
	const struct track *track; /* of the collector turbostat; NULL: there is none */
	const struct pairs *facts;
	double seconds; /* that its samples span */
	double longest; /* from one of its samples to the next, s */
};

/* What the slot counted; false when it was not there twice. */
bool turbostat_steps(const struct track *t, const struct count_names *names, int column, double *ret);

/* Over all CPUs, and on how many of them it was counted; false: on none. */
bool turbostat_sum(const struct track *t, const struct count_names *names, double *sum, size_t *count);

/* The last reading of a register that does not change, on that CPU or, with column -1, on the first that has it. */
bool turbostat_register(const struct track *t, const char *name, int column, uint64_t *ret);

/* Of the CPU that measures for this one's "core" or "package"; -1: it is not told. */
int turbostat_owner(const struct track *t, const char *what, int column);

/* An Intel of family 6 with one of these models; they end at 0. */
bool is_intel_model(const struct pairs *facts, const unsigned char *models);

/* PkgWatt, CorWatt, GFXWatt, RAMWatt, PKG_% and RAM_%: of registers, else of the energy events, else of powercap's
 * zones, whose watts stand in `ret` already. 0 or -ENOMEM. */
int turbostat_energy(const struct turbostat_run *run, const struct view_end *end, struct stats *ret);

#endif
