/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs for comparisons, made of columns of literal numbers:
 *
 *	put(rig, "base", "vmstat.io.bo", 100, 101, 102);
 *	put(rig, "head", "vmstat.io.bo", 200, MISSING, 202);
 *
 * gives three runs of commit=base and three of commit=head. The i-th number belongs to the column's i-th run.
 */
#ifndef ASSAY_TESTS_ANALYSIS_COMPARE_RIG_H
#define ASSAY_TESTS_ANALYSIS_COMPARE_RIG_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/compare.h"

#define MISSING  NAN
#define RUNS_MAX 160

struct rig {
	struct stats stats[RUNS_MAX];
	struct pairs axes[RUNS_MAX];
	struct compare_run runs[RUNS_MAX];
	const char *column[RUNS_MAX]; /* of the run; lent */
	size_t count;
	const char *testcase; /* of the runs made from now on; NULL: none */
	const char *more;     /* another axis of theirs, `tbox_group`, or NULL */
	struct compare_options options;
	struct comparison c;
	struct buf out;
	struct err err;
};

static inline int rig_open(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	*state = rig;
	if (!rig)
		return -1;
	rig->options.rules = RULES_LKP;
	return 0;
}

static inline int rig_close(void **state)
{
	struct rig *rig = *state;

	for (size_t i = 0; i < rig->count; i++) {
		stats_free(&rig->stats[i]);
		pairs_free(&rig->axes[i]);
	}
	comparison_free(&rig->c);
	buf_free(&rig->out);
	free(rig);
	return 0;
}

static inline size_t add_run(struct rig *rig, const char *column)
{
	size_t i = rig->count++;

	assert_true(i < RUNS_MAX);
	rig->column[i] = column;
	assert_int_equal(pairs_set(&rig->axes[i], "commit", column), 0);
	if (rig->testcase)
		assert_int_equal(pairs_set(&rig->axes[i], "testcase", rig->testcase), 0);
	if (rig->more)
		assert_int_equal(pairs_set(&rig->axes[i], "tbox_group", rig->more), 0);
	rig->runs[i] = (struct compare_run){ &rig->stats[i], &rig->axes[i], false };
	return i;
}

/* The which-th run of a column, made when there is none yet. */
static inline size_t run_of(struct rig *rig, const char *column, size_t which)
{
	for (size_t i = 0; i < rig->count; i++)
		if (strcmp(rig->column[i], column) == 0 && which-- == 0)
			return i;
	return add_run(rig, column);
}

static inline void put_values(struct rig *rig, const char *column, const char *key, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t run = run_of(rig, column, i);

		if (!isnan(values[i]))
			assert_int_equal(stats_set(&rig->stats[run], key, values[i]), 0);
	}
}

#define put(rig, column, key, ...)                                    \
	put_values(rig, column, key, (const double[]){ __VA_ARGS__ }, \
		   sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))

static inline void run_compare(struct rig *rig)
{
	comparison_free(&rig->c);
	for (size_t i = 0; i < rig->count; i++)
		stats_sort(&rig->stats[i]);
	assert_int_equal(compare(rig->runs, rig->count, &rig->options, &rig->c, &rig->err), 0);
}

/* The row of a key in the first table, or NULL. */
static inline const struct compare_row *row_of(const struct rig *rig, const char *key)
{
	const struct compare_table *t = rig->c.tables;

	assert_true(rig->c.table_count > 0);
	for (size_t i = 0; i < t->row_count; i++)
		if (strcmp(t->rows[i].key, key) == 0)
			return &t->rows[i];
	for (size_t i = 0; i < t->function_count; i++)
		if (strcmp(t->functions[i].key, key) == 0)
			return &t->functions[i];
	return NULL;
}

static inline bool shows(struct rig *rig, const char *key)
{
	run_compare(rig);
	return row_of(rig, key) != NULL;
}

static inline const char *line_of(struct rig *rig, const char *key)
{
	const struct compare_row *row = row_of(rig, key);

	assert_non_null(row);
	buf_clear(&rig->out);
	assert_int_equal(report_row(row, rig->c.tables[0].column_count, rig->c.era, &rig->out), 0);
	return rig->out.data;
}

#endif
