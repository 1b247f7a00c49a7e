/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is kept of a stream of the command's output: the first half of the limit as it comes, the last half in a ring
 * that is told at the end. What fell between them is counted, and shows as a gap of the offsets.
 *
 * Memory: KEEP_PENDING bytes and, once more than the first half was seen, the ring; never more.
 */
#ifndef ASSAY_AGENT_KEEP_H
#define ASSAY_AGENT_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/run.h"

#define KEEP_PENDING ((size_t)64 << 10)

struct keep {
	enum output_stream stream;
	size_t head_limit, tail_limit; /* bytes */
	/* Told whenever there is enough of the head, and by keep_flush() and keep_finish(). */
	void (*put)(void *context, const struct run_output *output);
	void *context;
	uint64_t total;       /* bytes that were seen */
	uint64_t head_put;    /* of the head, told */
	char *pending;        /* of the head, not told yet */
	size_t pending_length;
	char *ring;           /* of tail_limit bytes; byte n of the tail lies at n % tail_limit */
	uint64_t tail_total;  /* bytes that came after the head */
	bool return_waits;    /* keep_add_terminal() saw "\r" last */
};

/* `limit`: of head and tail together. -ENOMEM. */
int keep_open(struct keep *keep, enum output_stream stream, size_t limit,
	      void (*put)(void *context, const struct run_output *output), void *context, struct err *err);
void keep_add(struct keep *keep, const char *data, size_t length);
/* What came through a terminal that prints "\n" as "\r\n": kept as it was written. */
void keep_add_terminal(struct keep *keep, const char *data, size_t length);
void keep_flush(struct keep *keep); /* tell what is pending of the head */
void keep_finish(struct keep *keep); /* flush, then tell the tail; nothing is added after it */
uint64_t keep_dropped(const struct keep *keep);
void keep_close(struct keep *keep); /* a zeroed one, too */

#endif
