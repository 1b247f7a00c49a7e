/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of runs side by side: which keys are shown, in what order, with what numbers; and how that is printed.
 *
 * Runs that agree in all axes but the compared one make a table; each value of the compared axis is a column, the first
 * is the base, and every other is set against it by itself. A value that is no finite number is as good as none.
 *
 * RULES_ASSAY (spec/statistics): all keys of a table are judged together, with what earlier runs say of their noise, so
 *   that at most a share q of the shown lines is false. A key that a run lacks is missing, not 0, but for the families
 *   whose keys come and go. Keys that differ in a CPU's number only make one line.
 * RULES_LKP: what the kernel test robot would have shown. A key that a run lacks counts as 0 in that run; `have` tells
 *   how many runs really have it.
 *
 * Pure: runs in, rows out. Deterministic: the same runs in the same order give the same bytes. Linear in the number
 * of values. Any thread may call; what is handed in is only read.
 */
#ifndef ASSAY_ANALYSIS_COMPARE_H
#define ASSAY_ANALYSIS_COMPARE_H

#include "analysis/stats.h"
#include "base/pairs.h"

enum rules { RULES_ASSAY, RULES_LKP };

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
	/* Only RULES_ASSAY looks at these; what is 0 or NULL is not known. */
	double when;               /* it began, in s since any instant */
	const char *host, *boot;   /* the machine's name, and the id of its boot */
	const struct pairs *facts; /* of the machine; warned of where the sides differ in what matters */
	const char *set;           /* history: equal for runs that are identical in everything; NULL: their axes tell */
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
	const char *filter;     /* glob over keys, or NULL; what is judged together it does not change */
	const char *family;     /* only keys of it: "proc-vmstat"; or NULL; otherwise as `filter` */
	/* RULES_ASSAY only, as gap to relative are RULES_LKP's */
	double q;               /* the share of shown lines that may be false; 0: 0.05 */
	double effect;          /* changes up to this ratio are not looked for; 0: 0.005 */
	bool weak;              /* also lines with q up to WEAK_Q, in a block of their own */
	bool noise;             /* also keys whose noise changed */
	bool expand;            /* under a line of many keys, those of them that changed */
	size_t top;             /* only so many lines, the surest first; 0: all */
	bool intervals;         /* print the interval and q of each change */
	/* Earlier runs; those that fit a table tell of its noise. */
	const struct compare_run *history;
	size_t history_count;
	/* The results that the benchmark is about; none, or none that a run has: all of its results. */
	const char *const *kpis;
	size_t kpi_count;
	const char *caution; /* what the caller knows that a reader has to: one more warning of every table; or NULL */
};

#define WEAK_Q 0.20

enum verdict_word { VERDICT_NONE, VERDICT_CHANGED, VERDICT_UNCHANGED, VERDICT_UNDECIDED };
enum verdict_flag {
	VERDICT_HISTORY = 1,      /* earlier runs had a say in the noise */
	VERDICT_HISTORY_ONLY = 2, /* a side has one run: all of the noise is theirs */
	VERDICT_GATED = 4,        /* noisier than was expected: only its own variance counts */
	VERDICT_OUTLIER = 8,      /* one run is far from the others of its side */
};

/* What the statistics say of a head against the base. NAN is what was not tested. */
struct verdict {
	double d, se, df; /* difference on the scale of analysis/difference.h, about a log ratio */
	double p, q;      /* q: the least share of false lines at which this one is shown; a result's: Holm's p */
	double low, high; /* 95 % interval of the change; of a shown line of 1 - 0.05 x shown / tested */
	bool percent;     /* the interval is in percent; else in the unit of the key */
	enum verdict_word word; /* NONE: not tested; of lines that are no results never UNCHANGED */
	unsigned changed; /* of the members of a line of many keys */
	unsigned flags;
	double detectable;  /* of a result: the change in percent that runs like these would show */
	double runs_needed; /* of a result: a side, to see 1 % */
};

struct compare_cell {
	double mean;
	double stddev; /* population under RULES_LKP, else of the sample; of the values, not relative */
	double fails;  /* function rows: the sum of the values; RULES_ASSAY: how many runs failed; else 0 */
	unsigned runs; /* the group's: for fail:runs all of them, for numbers the complete ones */
	unsigned have; /* how many of these have the key */
	/* Against the base, 0 in the base itself: percent (of 1e-100 for a base of 0), or with `points` the difference;
	 * function rows: percentage points of the rate fails / runs. */
	double change;
	const struct verdict *verdict; /* RULES_ASSAY; NULL in the base */
	const double *values;          /* [runs] what mean and deviation are of; NAN is missing; NULL in function rows */
};

struct compare_row {
	const char *key;
	bool function;
	bool kpi;
	bool points;  /* the change is a difference, not a percentage */
	bool changed; /* RULES_LKP: false only with `all` */
	struct compare_cell *cells; /* [column] */
	/* A line of many keys ("softirqs.CPU*.RCU"): how many they are; numbers are those of an average one. */
	unsigned members;
	struct compare_row *listed; /* with `expand`, those that changed */
	size_t listed_count;
	double moves; /* with the first result, from run to run: 0 to 1 (analysis/related.h) */
};

/* How a head was set against the base, RULES_ASSAY. */
struct compare_head {
	const char *order; /* of the runs: "alternating", "mixed", "blocked", "unknown" */
	bool adjusted;     /* a drift of the machine along the session was taken out of all changes */
	double unrest;     /* variances now against those of earlier runs, where that is above 1; they are believed so much less */
	size_t metrics;    /* that were judged together */
	size_t tested, shown; /* lines */
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
	struct compare_row *rows; /* RULES_ASSAY: results always, changed or not */
	size_t row_count;
	/* RULES_ASSAY */
	struct compare_head *heads; /* [column]; that of the base is empty */
	double q;
	size_t history_runs;        /* that told of the noise */
	bool by_boot;               /* several runs of a boot were averaged; `units` of them a column */
	unsigned *units;            /* [column] what is counted as one: complete runs, or boots */
	bool few;                   /* too few runs to tell: the rows are the largest differences, no claim */
	const char **warnings;
	size_t warning_count;
	const struct compare_row **related; /* of `rows`: first those that move with the first result, if that changed */
	size_t related_count;
	struct compare_row *weak, *noise;
	size_t weak_count, noise_count;
	const char **only_base, **only_head; /* keys that one side lacks, the other has in three runs and more */
	size_t only_base_count, only_head_count;
};

struct comparison {
	const char *axis;
	enum rules rules;
	enum era era;
	bool intervals;
	/* One for each set of common axes that has at least two columns, in the order of their first runs; rows or not. */
	struct compare_table *tables;
	size_t table_count;
	size_t runs;            /* that were handed in */
	size_t runs_left_out;   /* of these: that have no such axis or found no partner */
	size_t runs_incomplete; /* of the others: that count for function rows only */
	size_t groups_short;    /* columns with fewer than COMPARE_RUNS_MIN complete runs */
	size_t keys;            /* looked at, in all tables */
	size_t rows;            /* in all tables, function rows and other blocks, too */
	struct compare_memory *memory;
};

/* `ret` owns all it holds, whatever becomes of the runs. -EINVAL: options that contradict each other; -ENOMEM. */
int compare(const struct compare_run *runs, size_t count, const struct compare_options *options,
	    struct comparison *ret, struct err *err);
void comparison_free(struct comparison *c); /* zeroed, failed or freed ones, too */

/* Does the key count failures rather than measure: errors, passes, messages of the log? */
bool is_function_stat(const char *key);

/* ---- printing; results are those of the buffer (base/buf.h) ---- */

/* The tables that have rows, under RULES_ASSAY all that have keys, an empty line after each. Control characters are
 * printed as '?'. */
int report_text(const struct comparison *c, struct buf *ret);

/*
 * {"rules":"assay"|"lkp","axis":..,"runs":N,"runs_left_out":N,"runs_incomplete":N,"groups_short":N,"keys":N,"tables":[
 *  {"axes":{},"groups":[{"value":..,"runs":N,"complete":N}],"keys":N,"rows":[
 *   {"key":..,"function":bool,"kpi":bool,"changed":bool,"points":bool,"direction":-1|0|1,
 *    "cells":[{"mean":X,"stddev":X,"runs":N,"have":N,"delta":X,"change":X,"fails":X,
 *     "values":[X]}]}]}]}
 * All tables, also those without rows; function rows first. "delta" and "change" only in heads; "change" is null where
 * the base is 0 and has no percentage. "fails" only in function rows, "values" (null: missing) only in others. "direction": 1 where more of a result is better,
 * -1 where less is, 0 unknown.
 *
 * Under RULES_ASSAY, where null is what was not tested, besides:
 *  in a table   "q","history_runs","unit":"run"|"boot","few":bool,"warnings":[],"related":[KEY],"only_base":[KEY],
 *               "only_head":[KEY],"weak":[ROW],"noise":[ROW],
 *               "heads":[{"value","order","adjusted","unrest","tested","shown","expected_false"}], the base not among them
 *  in a row     "members" of a line of many keys, "changed_members":[ROW] with `expand`, "moves": with the first result
 *  in a head    "verdict":"changed"|"unchanged"|"undecided"|"untested","p", and but for function rows "q","d","se","df",
 *               "ci_low","ci_high","ci_percent":bool,"members_changed","detectable","runs_needed","flags":[]
 */
int report_json(const struct comparison *c, struct buf *ret);

/* A table for pages and mails that know Markdown: the same rows, with interval and q where there are any. */
int report_markdown(const struct comparison *c, struct buf *ret);

/*
 * RFC 4180 with a head: axes,key,kind,base,base_mean,base_stddev,base_runs,head,mean,stddev,runs,change,unit,ci_low,ci_high,
 * ci_unit,p,q,verdict. A line for each row and head; "axes" are a=b/c=d; "unit" of the change is % or points, that of the
 * interval also "of the key": a difference, where a ratio makes no sense. What is not known is empty.
 */
int report_csv(const struct comparison *c, struct buf *ret);

/* One page that needs nothing else: sortable, to be filtered, each row with its runs as dots; legible on paper. */
int report_html(const struct comparison *c, struct buf *ret);

/* One line of a table, without newline. */
int report_row(const struct compare_row *row, size_t columns, enum era era, struct buf *ret);

#endif
