/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers that other programs recorded, as runs of a store: the numbers become results of a run, which says so by its
 * fact "imported.from". The same file imported twice is the same runs.
 *
 *   {"KEY":[run 1, run 2, ...], ...}   LKP's matrix.json: a run for each column
 *   {"KEY":NUMBER, ...}                LKP's stats.json: one run
 *   {"status":"success","data":{...}}  an answer to a Prometheus range query: one run, a key "NAME{LABEL="VALUE",...}" for
 *                                      each series; its mean, or of names in _total, _count, _sum and _bucket by how
 *                                      much it grew, resets taken care of
 *   CSV                                a head, then a row for each run; columns called axis.NAME are axes, "time" is
 *                                      when it began in s since 1970, others are keys; an empty field is missing
 *
 * A folder is searched for matrix.json and, where a folder has none, stats.json; below it the path of a result tells the
 * axes: TESTCASE/PARAMETERS/TBOX_GROUP/ROOTFS/KCONFIG/COMPILER/COMMIT[/RUN]/.
 */
#ifndef ASSAY_LAB_IMPORT_H
#define ASSAY_LAB_IMPORT_H

#include "store/store.h"

#define IMPORTED_FACT "imported.from"

struct import_count {
	size_t files, runs, known; /* known: were there already */
	size_t values, missing;    /* missing: no numbers */
};

/* `axes` are set on all runs, over what the path or the file says. -EINVAL: names the file and the place; nothing of that
 * file is imported. */
int lab_import(struct store *store, const char *path, const struct pairs *axes, struct import_count *ret,
	       struct err *err);

#endif
