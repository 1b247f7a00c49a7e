/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a table is judged by: a matrix of its keys by its runs, and behind them the earlier runs that fit
 * (spec/statistics, sections 2, 4.6 and 10).
 *
 * A unit is what counts as one: a complete run; or, where each side has three boots and more and some of several runs,
 * a boot, by the mean of its runs.
 */
#ifndef ASSAY_ANALYSIS_VERDICT_INPUT_H
#define ASSAY_ANALYSIS_VERDICT_INPUT_H

#include "analysis/grouping.h"
#include "analysis/judge.h"

struct verdict_side {
	size_t first, units; /* of the units of all sides */
	size_t first_run, runs;
};

struct verdict_input {
	struct verdict_side *sides;
	size_t side_count, units, runs;
	bool by_boot;
	size_t boots_least;   /* on the side with fewest; 0: not known */
	bool same_boots;      /* all sides ran in the same boots */
	double *positions;    /* [unit] in the session; NULL: not known */
	struct history_sets sets;
	size_t history_runs;

	/* Numbers: a row of units, then earlier runs, by sets; NAN is missing. */
	const char **keys;
	double *values;
	size_t count;
	/* Failures: a row of all runs, the incomplete ones, too; 0 or more. */
	const char **function_keys;
	double *function_values;
	size_t function_count;
	size_t looked_at; /* keys */
};

/* `ret` is to be freed after a failure, too. -ENOMEM. */
int verdict_input_make(const struct group *group, const struct compare_options *options, const char *axis,
		       const struct pairs *common, struct arena *arena, struct verdict_input *ret);
void verdict_input_free(struct verdict_input *in);

/* The values of a row on a side; the earlier runs'. */
struct values verdict_values(const struct verdict_input *in, size_t row, size_t side);
struct values verdict_history(const struct verdict_input *in, size_t row);

#endif
