/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of one line an instance, with a number for each metric in its place:
 *
 *      8       0 sda 1977 120 55696 17 ...                          proc/diskstats
 *   dentry   204 210 192 21 1 : tunables 0 0 0 : slabdata 10 10 0   proc/slabinfo
 *
 * The shape has the columns that at least one line gives; what a line does not give is absent. An instance or a column
 * that was not there at open is -ESTALE; an instance that went away is absent. Of two lines with one name the first
 * counts. A line whose numbers are none is -EBADMSG, naming it; the other lines are put.
 */
#ifndef ASSAY_COLLECTORS_COLUMNS_H
#define ASSAY_COLLECTORS_COLUMNS_H

#include "collectors/collector.h"
#include "host/procfile.h"

#define COLUMNS_MAX 32

/* What tells one such file from another. */
struct columns_format {
	const char *const *names; /* of the metrics, in the order of `numbers`; ends at NULL */
	/* The name in the line [at, line_end), and where its numbers begin. False: not a line of that shape. */
	bool (*head)(const char *at, const char *line_end, struct text *name, const char **numbers);
	/* Fill values[i] and bit i of `present` for each column that is there. Returns the place behind them, or NULL
	 * when they are not what they must be. `end` is that of the file; the line ends at its '\n'. */
	const char *(*numbers)(const char *at, const char *end, uint64_t *values, uint32_t *present);
};

struct columns_row {
	char *head; /* the line up to its numbers, as it was at open */
	size_t head_length;
	uint64_t taken_in; /* the sample that took it last */
};

struct columns {
	const struct collector *collector;
	const struct columns_format *format;
	struct procfile file;
	struct names instances;
	struct columns_row *rows;
	size_t row_room;
	uint32_t present;            /* the columns that the shape has */
	size_t metric_of[COLUMNS_MAX];
	struct metric metrics[COLUMNS_MAX];
	uint64_t samples;
	struct shape shape;
};

int columns_open(struct columns *c, const struct collector *self, const struct columns_format *format,
		 const struct host *host, struct err *err);
const struct shape *columns_shape(const void *state);
int columns_sample(void *state, struct sample *out, struct err *err);
void columns_close(void *state);

#endif
