/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The named numbers of one run: "proc-vmstat.nr_dirty" -> 1234. Each key once, in byte order after stats_sort().
 *
 * The text form (a run's derived file `stats`) is a first line "assay-stats N", N = STATS_RULES, then a line
 * "KEY VALUE" for each stat, %.17g. Another N means that the rules have changed: reduce again.
 */
#ifndef ASSAY_ANALYSIS_STATS_H
#define ASSAY_ANALYSIS_STATS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define STATS_RULES 2

struct stat_value {
	const char *key;
	double value;
};

struct stats {
	struct stat_value *at;
	size_t count, room;
	struct stats_memory *memory; /* of the keys */
};

/* Append; copies the key, control characters and blanks of it as '-'. What is no finite number is not kept. 0 or
 * -ENOMEM. */
int stats_set(struct stats *s, const char *key, double value);
int stats_setf(struct stats *s, double value, const char *format, ...) __attribute__((format(printf, 3, 4)));
void stats_sort(struct stats *s); /* a key set twice keeps the last value */
bool stats_get(const struct stats *s, const char *key, double *ret); /* sorted only */
void stats_free(struct stats *s);

int stats_write(const struct stats *s, struct buf *ret);
/* Sorted. -ESTALE: other rules; -EBADMSG with the line. */
int stats_read(struct text text, struct stats *ret, struct err *err);

#endif
