/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A query's parts that are no axes. Private to the room.
 */
#ifndef ASSAY_STORE_QUERY_H
#define ASSAY_STORE_QUERY_H

#include "store/store.h"

enum query_part { QUERY_AXIS, QUERY_ID, QUERY_COMPLETE, QUERY_HOST, QUERY_SINCE, QUERY_UNTIL };

enum query_part query_part(const char *name);

/* The id that is not before (or, with `until`, not after) all ids of that time. -EINVAL. */
int query_time(const char *name, const char *value, bool until, struct ulid *ret, struct err *err);

#endif
