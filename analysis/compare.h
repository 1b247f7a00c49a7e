/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of runs side by side: which keys are shown, in what order, with what numbers; and how that is printed.
 *
 * The rules are those of the kernel test robot's reports. Runs that agree in all axes but the compared one make a
 * table; each value of the compared axis is a column, the first is the base, and every other is set against it by
 * itself. A key that a run lacks counts as 0 in that run; `have` tells how many runs really have it. A value that is
 * no finite number is as good as none.
 *
 * Pure: runs in, rows out. Deterministic: the same runs in the same order give the same bytes. Linear in the number
 * of values. Any thread may call; what is handed in is only read.
 */
#ifndef ASSAY_ANALYSIS_COMPARE_H
#define ASSAY_ANALYSIS_COMPARE_H

#include "analysis/stats.h"
#include "base/pairs.h"

enum rules { RULES_LKP };

/*
 * How reports looked over time, to read and to check old ones.
 *
 * ERA_2018: to February 2019; columns of heads are 26 wide instead of 27.
 * ERA_2016: to August 2017, besides: every change is relative, a deviation is always printed ("±  0%", and
 *           "± -1%" where there is none), a base of 0 divides ("+Inf%"), perf-profile is sorted by its whole key and
 *           has to pass the bounds of size, too.
 */
enum era { ERA_PRESENT, ERA_2018, ERA_2016 };

/* A group of fewer complete runs says nothing by itself: some group of a pair needs at least these. */
#define COMPARE_RUNS_MIN 3

struct compare_run {
	const struct stats *stats; /* sorted */
	const struct pairs *axes;
	bool incomplete;           /* its performance stats are left out, its function stats count */
};

struct compare_options {
	enum rules rules;
	enum era era;
	const char *axis;       /* the compared one; NULL: "commit" */
	/* Columns: the values of the axis, base first; NULL: in the order in which they come. */
	const char *const *columns;
	size_t column_count;
	bool all;               /* every key, changed or not, on a list or not */
	bool more;              /* also what the deny list hides */
	bool kpi_only;          /* of these, only the benchmark's own results */
	bool present_day;       /* LKP's report list of today: hides interrupts, softirqs, slabinfo */
	bool max_half_only;     /* D.4 as it ran on old Ruby */
	/* Instead of separated ranges (one of them; 0: off). gap: the ranges lie apart by more than this share of the
	 * medians' difference. variance: the relative range of one side is this many times the other's, with 10 runs a
	 * side. distance: as gap 1/2; with fewer than 3 samples, apart by this many times the longer range. */
	double gap, variance, distance;
	double relative;        /* the ratio of medians that a key needs that is no performance metric; 0: 1.05 */
	const char *filter;     /* glob over keys, or NULL */
};

struct compare_cell {
	double mean;
	double stddev; /* population; of the values, not relative */
	double fails;  /* function rows: the sum of the values; else 0 */
	unsigned runs; /* the group's: for fail:runs all of them, for numbers the complete ones */
	unsigned have; /* how many of these have the key */
	/* Against the base, 0 in the base itself: percent (of 1e-100 for a base of 0), or with `points` the difference;
	 * function rows: percentage points of the rate fails / runs. */
	double change;
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
	const char **columns;   /* values of the compared axis */
	unsigned *runs;         /* [column] */
	unsigned *complete;     /* [column] how many of them are */
	size_t column_count;
	size_t keys;            /* that were looked at */
	struct compare_row *functions;
	size_t function_count;
	struct compare_row *rows;
	size_t row_count;
};

struct comparison {
	const char *axis;
	enum era era;
	/* One for each set of common axes that has at least two columns, in the order of their first runs; rows or not. */
	struct compare_table *tables;
	size_t table_count;
	size_t runs;            /* that were handed in */
	size_t runs_left_out;   /* of these: that have no such axis or found no partner */
	size_t runs_incomplete; /* of the others: that count for function rows only */
	size_t groups_short;    /* columns with fewer than COMPARE_RUNS_MIN complete runs */
	size_t keys;            /* looked at, in all tables */
	size_t rows;            /* in all tables, function rows too */
	struct compare_memory *memory;
};

/* `ret` owns all it holds, whatever becomes of the runs. -EINVAL: options that contradict each other; -ENOMEM. */
int compare(const struct compare_run *runs, size_t count, const struct compare_options *options,
	    struct comparison *ret, struct err *err);
void comparison_free(struct comparison *c); /* zeroed, failed or freed ones, too */

/* Does the key count failures rather than measure: errors, passes, messages of the log? */
bool is_function_stat(const char *key);

/* ---- printing; results are those of the buffer (base/buf.h) ---- */

/* The tables that have rows, an empty line after each. Control characters are printed as '?'. */
int report_text(const struct comparison *c, struct buf *ret);

/*
 * {"axis":..,"runs":N,"runs_left_out":N,"runs_incomplete":N,"groups_short":N,"keys":N,"tables":[
 *  {"axes":{},"groups":[{"value":..,"runs":N,"complete":N}],"keys":N,"rows":[
 *   {"key":..,"function":bool,"kpi":bool,"changed":bool,"points":bool,"direction":-1|0|1,
 *    "cells":[{"mean":X,"stddev":X,"runs":N,"have":N,"delta":X,"change":X,"fails":X}]}]}]}
 * All tables, also those without rows; function rows first. "delta" and "change" only in heads; "change" is null where
 * the base is 0 and has no percentage. "fails" only in function rows. "direction": 1 where more of a result is better, -1 where less is, 0 unknown.
 */
int report_json(const struct comparison *c, struct buf *ret);

/* One line of a table, without newline. */
int report_row(const struct compare_row *row, size_t columns, enum era era, struct buf *ret);

#endif
