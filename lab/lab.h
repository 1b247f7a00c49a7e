/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the program and the server both do with a store: the stats of a run, kept beside it once they were made, and the
 * comparison of runs as the user names them. So that `assay compare` over a local store and GET /v1/compare over the
 * same store print the same bytes.
 *
 * Results: 0, or -errno with `err` filled. Threads: as the stores that are handed in.
 */
#ifndef ASSAY_LAB_LAB_H
#define ASSAY_LAB_LAB_H

#include "analysis/compare.h"
#include "analysis/mail.h"
#include "store/store.h"

/* How many runs one comparison may hold in memory at once; more is -E2BIG. */
#define LAB_RUNS_MAX 1000

/*
 * The stats of one run, sorted. Taken from the run's derived file `stats` (the text form of analysis/stats.h) where
 * that was made by the present rules; else reduced from the segments and kept there for the next time. That a store
 * cannot be written to is no error: the stats are just not kept. -ENOENT: no such run.
 */
int lab_stats(struct store *store, const struct ulid *run, struct stats *ret, struct err *err);

/*
 * One side of a comparison. `name` is what the user calls it:
 *
 *   "commit=v6.12,testcase=hackbench"  a query (store_query_parse)
 *   "@1", a run's id                   that run
 *   "v6.12", "v6.*"                    a value of the compared axis, or a glob over its values; else the beginning of a run's id
 *
 * -ENOENT: nothing is called so; -EINVAL: not a query; -ENOTUNIQ: several ids begin so.
 */
struct lab_side {
	struct store *store;    /* of the runs; lent, must outlive the side */
	char *name;
	bool by_id;             /* a run was named, not its axes */
	struct pairs where;     /* what a query, or a value of the axis, asks for; empty with by_id */
	struct store_runs runs; /* at least one */
};

/* `axis` is that of the bare values; NULL: "commit". Closed by lab_side_close(), after a failure, too. */
int lab_side_open(struct lab_side *ret, struct store *store, const char *name, const char *axis, struct err *err);
void lab_side_close(struct lab_side *side);

struct lab_options {
	struct compare_options compare; /* its history is not looked at: it is found in the store of the base */
	bool no_history;                /* earlier runs have no say in the noise; with RULES_LKP they never have */
};

/*
 * Set one by its name: rules axis filter all more kpi present_day; q effect weak noise expand intervals top no_history;
 * relative gap variance distance. The text is lent. -ENOENT, without words: no such option; -EINVAL.
 */
int lab_option_set(struct lab_options *options, const char *name, const char *value, struct err *err);

/*
 * Compare sides, the base first; they may be of several stores. Of `options` the columns are not looked at: the sides
 * are the columns.
 *
 * The compared axis is options->axis; else the one in which the sides' queries differ ("g=4" and "g=8"), else "commit".
 * Axes in which the queries differ besides, and, where a run was named by its id, all axes in which the runs differ,
 * do not keep runs apart: whoever names them wants them side by side.
 * A column is headed by its value of the axis where each side has one and no two the same; runs named by id that
 * share it, by the one axis in which they do differ; else by the side's name, and the axis is called "run" or "query"
 * when nobody asked for it.
 *
 * A run that never ended, has a gap or was ended by a signal is incomplete (compare_run.incomplete). An exit status
 * other than 0 alone does not make it so: test suites end that way.
 *
 * -EINVAL: fewer than two sides, or one run on two of them; -E2BIG: more than LAB_RUNS_MAX runs; -ENOENT: runs of both
 * sides are there, but none are alike in all other axes (the words name those in which they differ).
 * `ret` owns all it holds: the sides may be closed before it is freed.
 */
int lab_compare(const struct lab_side *sides, size_t count, const struct lab_options *options,
		struct comparison *ret, struct err *err);

/* Open the sides by their names in one store, compare, close. */
int lab_compare_names(struct store *store, const char *const *names, size_t count,
		      const struct lab_options *options, struct comparison *ret, struct err *err);

/* The forms a comparison is printed in: "text", "json", "markdown", "csv", "html"; ends at the row without a name. */
struct lab_form {
	const char *name;
	const char *type; /* for HTTP */
	int (*write)(const struct comparison *c, struct buf *ret);
};
extern const struct lab_form lab_forms[];
const struct lab_form *lab_form_find(const char *name); /* or NULL */

/*
 * A comparison as a mail (analysis/mail.h). Of `mail` the caller fills in what is known of commits, tree and headers; the
 * comparison, the names and the machine's facts, those of the last run of the first head, are put in here. -ENOENT, too,
 * when there is nothing to tell. Appended to `ret`.
 */
int lab_mail(struct store *store, const char *const *names, size_t count, const struct lab_options *options,
	     struct mail *mail, struct buf *ret, struct err *err);

#endif
