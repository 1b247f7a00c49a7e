/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of runs side by side: which keys are shown, in what order, with what numbers (spec D.1 to D.7).
 * Pure: runs in, rows out. Deterministic.
 */
#ifndef ASSAY_ANALYSIS_COMPARE_H
#define ASSAY_ANALYSIS_COMPARE_H

#include "analysis/stats.h"
#include "base/pairs.h"

enum rules { RULES_LKP };

struct compare_run {
	const struct stats *stats; /* sorted */
	const struct pairs *axes;
	bool incomplete;           /* its performance stats are left out, its function stats count */
};

struct compare_options {
	enum rules rules;
	const char *axis;       /* the compared one; NULL: "commit" */
	/* Columns: the values of the axis, base first; NULL: in the order in which they come. */
	const char *const *columns;
	size_t column_count;
	bool all;               /* every key, changed or not */
	bool more;              /* also what the deny list hides */
	bool kpi_only;
	bool present_day;       /* LKP's report list of today: hides interrupts, softirqs, slabinfo */
	bool max_half_only;     /* D.4 as it ran on old Ruby */
	double gap, variance, distance; /* D.1 step 7's alternatives; 0: off */
	double relative;        /* D.1 step 8's second bound; 0: 1.05 */
	const char *filter;     /* glob over keys, or NULL */
};

struct compare_cell {
	double mean;
	double stddev; /* population; of the values, not relative */
	double fails;  /* function rows: the sum of the values; runs with a non-zero value otherwise */
	unsigned runs; /* the group's: for fail:runs all of them, for numbers the complete ones */
	unsigned have; /* how many of these have the key */
	double change; /* against the base: percent, points or difference; function rows: points of the rate */
};

struct compare_row {
	const char *key;
	bool function;
	bool kpi;
	bool points;  /* the change is a difference, not a percentage */
	bool changed; /* false only with `all` */
	struct compare_cell *cells; /* [column] */
};

struct compare_table {
	struct pairs axes;      /* what all its runs share, less the compared axis */
	const char **columns;
	size_t column_count;
	struct compare_row *functions;
	size_t function_count;
	struct compare_row *rows;
	size_t row_count;
};

struct comparison {
	char *axis;
	struct compare_table *tables; /* one for each set of common axes that has at least two columns */
	size_t table_count;
	size_t runs, runs_left_out;   /* that found no partner */
	struct compare_memory *memory;
};

int compare(const struct compare_run *runs, size_t count, const struct compare_options *options,
	    struct comparison *ret, struct err *err);
void comparison_free(struct comparison *c);

/* spec C.4 */
bool is_function_stat(const char *key);

/* ---- printing: the exact form of spec D.6 to D.8, and JSON {"tables":[{"axes":{},"groups":[],"rows":[...]}]} ---- */

int report_text(const struct comparison *c, struct buf *ret);
int report_json(const struct comparison *c, struct buf *ret);

/* One line of a table, without newline; what the seeds' rows are checked with. */
int report_row(const struct compare_row *row, size_t columns, struct buf *ret);

#endif
