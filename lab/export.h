/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stats of runs in the forms that other programs read.
 *
 *   json         {"runs":[{"id","axes":{},"time_ns","stats":{KEY:NUMBER}}]}
 *   csv          what lab_import() reads: axis.* columns, time, a column for each key
 *   matrix       LKP's {"KEY":[run 1, run 2, ...]}, null where a run lacks the key, and "assay.when"
 *   openmetrics  assay_stat{key="..",run="..",host="..",AXIS=".."} VALUE TIME, for promtool and whoever scrapes files
 *   benchstat    Go's benchmark lines, for results with a unit of their own name: configuration lines, then
 *                "BenchmarkTESTCASE/NAME=VALUE 1 NUMBER KEY"
 */
#ifndef ASSAY_LAB_EXPORT_H
#define ASSAY_LAB_EXPORT_H

#include "lab/lab.h"

struct lab_export {
	const char *name;
	int (*write)(const struct store_runs *runs, const struct stats *stats, struct buf *ret);
};
extern const struct lab_export lab_exports[]; /* ends at the row without a name */

/*
 * Runs as lab_side_open() names them. `filter`: a glob over keys, or NULL. -EINVAL: no such form; -E2BIG: more than
 * LAB_RUNS_MAX runs. Appended to `ret`.
 */
int lab_export(struct store *store, const char *name, const char *form, const char *filter, struct buf *ret,
	       struct err *err);

#endif
