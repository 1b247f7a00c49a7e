/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a number means. The values of these enums are written into segments: they are never changed, only added to,
 * and stand likewise in proto/assay/v1/segment.proto.
 */
#ifndef ASSAY_BASE_METRIC_H
#define ASSAY_BASE_METRIC_H

#include "base/text.h"

enum kind {
	KIND_UNKNOWN = 0,
	GAUGE = 1,     /* a level: may go up and down */
	COUNTER = 2,   /* only ever counts up; a step back is a reset */
	COUNTER32 = 3, /* the same, 32 bits wide in the kernel; a step back is a wrap */
};

enum unit {
	UNIT_NONE = 0,
	UNIT_COUNT = 1, /* events, objects, interrupts, processes ... */
	UNIT_BYTES = 2,
	UNIT_KIB = 3,
	UNIT_PAGES = 4,
	UNIT_SECTORS = 5, /* of 512 bytes */
	UNIT_NANOSECONDS = 6,
	UNIT_MICROSECONDS = 7,
	UNIT_MILLISECONDS = 8,
	UNIT_SECONDS = 9,
	UNIT_TICKS = 10, /* of host.ticks_per_second */
	UNIT_PERCENT = 11,
	UNIT_HERTZ = 12,
	UNIT_KILOHERTZ = 13,
	UNIT_CELSIUS = 14,
	UNIT_WATTS = 15,
	UNIT_JOULES = 16,
};

/* How the instances of a metric (the CPUs of an interrupt line) make one number, where that has a sense. */
enum fold {
	FOLD_NONE = 0,
	FOLD_SUM = 1,
	FOLD_MEAN = 2,
	FOLD_MAX = 3,
	FOLD_MIN = 4,
};

struct metric {
	const char *name; /* the kernel's spelling */
	enum kind kind;
	enum unit unit;
	int exponent; /* the number is value x 10^-exponent: avg10 "1.23" travels as 123, exponent 2 */
	enum fold fold;
};

/* What the kernel's text does not say about a key. A table of these ends at a row without key; the first row whose
 * pattern (text_glob) matches the metric's name decides; without a match: GAUGE, UNIT_NONE. */
struct hint {
	const char *key;
	enum kind kind;
	enum unit unit;
	const char *help; /* one sentence, for docs/metrics.md */
	int exponent;
	enum fold fold;
};

/* `metric->name` is set already; fill the rest from `hints` (may be NULL). */
void hint_apply(const struct hint *hints, struct metric *metric);
const struct hint *hint_find(const struct hint *hints, struct text name); /* or NULL */

const char *kind_name(enum kind kind); /* "counter"; "unknown" for what this version does not know */
const char *unit_name(enum unit unit); /* "KiB", "us", "" */
const char *fold_name(enum fold fold); /* "sum", "" */

#endif
