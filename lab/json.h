/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The JSON of runs and stats, one form for `--json` and for the server. Comparisons have report_json().
 *
 * Texts and numbers as in base/json.h. Times are nanoseconds since 1970 and
 * integers, which JSON permits and doubles round: programs that care read them as integers.
 * Results: that of the buffer (base/buf.h).
 */
#ifndef ASSAY_LAB_JSON_H
#define ASSAY_LAB_JSON_H

#include "analysis/stats.h"
#include "base/json.h"
#include "store/store.h"

/* {"id":..,"axes":{},"facts":{},"host":..,"time_ns":..,"duration_ns":..,"segments":N,"bytes":N,"complete":bool,
 *  "exit_code":N,"signal":N}; facts only when asked for; duration_ns is null when unknown, exit_code and signal when
 * the run is not complete. */
int json_run(struct buf *b, const struct store_run *run, bool facts);

/* {"runs":[...]} */
int json_runs(struct buf *b, const struct store_runs *runs, bool facts);

/* {"run":"<id>","stats":{KEY:NUMBER,...}} */
int json_stats(struct buf *b, const struct ulid *run, const struct stats *stats);

#endif
