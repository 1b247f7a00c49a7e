/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long a request may take to come in and its answer to go out. libmicrohttpd ends a connection on which nothing
 * moves; one on which a byte moves now and then it would keep for days. So each connection has a deadline, and a
 * thread that shuts those down which passed it.
 *
 * A connection whose request is being worked on has none: that time is ours.
 *
 * It knows all connections, so it also ends them when the server stops: libmicrohttpd (0.9.75) must have none by then.
 * It refuses the answer to a malformed request once it is told to stop, says that it took it, and then reads it (NULL).
 * Threads: any.
 */
#ifndef ASSAY_SERVER_DEADLINES_H
#define ASSAY_SERVER_DEADLINES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct deadline {
	struct deadline *next, **link;
	uint64_t at_ns; /* CLOCK_MONOTONIC; 0: none */
	int fd;         /* lent; deadline_end() is called before it is closed */
};

struct deadlines {
	pthread_mutex_t lock;
	pthread_cond_t ended, none;
	pthread_t thread;
	uint64_t span_ns;
	struct deadline *first;
	bool ending, closed;
};

int deadlines_open(struct deadlines *d, uint64_t span_ns, struct err *err);
void deadlines_close(struct deadlines *d); /* no connection may be left */

/* Shuts all connections down and waits until they are over, at most so long. False when some are not. Those that come
 * later end before a byte of them is read. */
bool deadlines_end_all(struct deadlines *d, uint64_t patience_ns);

/* A connection that is not to be: it is at its end already, and holds nothing to read. */
void deadline_refuse(int fd);

/* NULL: no memory, or all are to end; then it is refused. */
struct deadline *deadline_begin(struct deadlines *d, int fd);
void deadline_renew(struct deadlines *d, struct deadline *deadline);
void deadline_pause(struct deadlines *d, struct deadline *deadline);
void deadline_end(struct deadlines *d, struct deadline *deadline);

#endif
