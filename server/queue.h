/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests waiting for a thread, first come first served. Their number is bounded by that of the connections.
 * Threads: any.
 */
#ifndef ASSAY_SERVER_QUEUE_H
#define ASSAY_SERVER_QUEUE_H

#include <pthread.h>

#include "server/request.h"

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t filled;
	struct request *first, **last;
	bool closed;
};

void queue_open(struct queue *q);
void queue_close(struct queue *q); /* nothing more comes in; what is in can still be taken */
void queue_free(struct queue *q);

/* False once it is closed. */
bool queue_put(struct queue *q, struct request *request);

/* Wait for requests and take up to `most` of them, linked by `next`. NULL: closed and empty. */
struct request *queue_take(struct queue *q, unsigned most);

#endif
