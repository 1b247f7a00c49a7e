/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lab_stats() for who already knows how many segments of the run are here (store_run.segments). Private to the room. */
#ifndef ASSAY_LAB_STATS_H
#define ASSAY_LAB_STATS_H

#include "analysis/stats.h"
#include "store/store.h"

int stats_of(struct store *store, const struct ulid *run, uint64_t segments, struct stats *ret, struct err *err);

#endif
