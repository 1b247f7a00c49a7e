/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run's id: a ULID, 48 bits of milliseconds since 1970 and 80 random bits, as 26 characters of Crockford's
 * base 32 in capitals. Ids sort by time. Only text that ulid_is() accepts may become part of a path.
 */
#ifndef ASSAY_BASE_ULID_H
#define ASSAY_BASE_ULID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"

#define ULID_LENGTH 26

struct ulid {
	char text[ULID_LENGTH + 1];
};

/* A new one for a moment (CLOCK_REALTIME, ms). Two of one process are never equal. */
int ulid_make(uint64_t realtime_ms, struct ulid *ret, struct err *err);

/* The same bytes, the same id: for runs that may come twice. */
void ulid_of(uint64_t realtime_ms, const unsigned char bytes[16], struct ulid *ret);

/* Exactly 26 characters of the alphabet in capitals, the first at most '7'. */
bool ulid_is(struct text text);

/* Could it be the beginning of one: 1 to 26 characters of the alphabet, of either case? */
bool ulid_is_prefix(struct text text);

uint64_t ulid_time_ms(const struct ulid *ulid);

#endif
