/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes on their way from one descriptor to another. Nothing here blocks: a reader that is slow is waited for in
 * poll(), and meanwhile no more is read, so the one who writes feels it as he would through a pipe.
 */
#ifndef ASSAY_AGENT_RELAY_H
#define ASSAY_AGENT_RELAY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define RELAY_BYTES ((size_t)64 << 10)

struct relay {
	int from, to;  /* -1: ended; nobody to show it to */
	bool own_to;   /* `to` is ours to close */
	size_t chunk;  /* bytes that may be written at once without blocking, when poll() said so */
	char *buf;
	size_t at, len; /* of buf: what waits to be written */
	int failed;     /* 0, or why nothing is written any more */
};

/*
 * `from` becomes non-blocking: it must be nobody else's. `to` may be shared with others, whose blocking mode is not
 * ours to change; so it is opened anew where that can be done, else written in small portions.
 */
int relay_open(struct relay *r, int from, int to, struct err *err);

/* Which events to wait for: fills two places. */
void relay_poll(const struct relay *r, struct pollfd *from, struct pollfd *to);

/* Bytes that were read into r->buf, to be seen before relay_push(); 0: nothing now, -EPIPE: the end. */
int relay_pull(struct relay *r);

/* Write what waits. -EPIPE: the reader is gone, and `from` was closed so that the writer learns it, too. Another
 * -errno (a full disk): nothing is shown any more, reading goes on. */
int relay_push(struct relay *r);

static inline bool relay_waits(const struct relay *r)
{
	return r->at < r->len;
}

void relay_close(struct relay *r); /* closes `from` */

#endif
