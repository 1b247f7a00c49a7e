/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Segments on their way to the disk. One thread owns the store for writing: it takes all puts that wait, hands them to
 * the store, syncs once for all of them, and only then gives each its answer. While it syncs, the next ones gather.
 */
#ifndef ASSAY_SERVER_INGEST_H
#define ASSAY_SERVER_INGEST_H

#include <stdatomic.h>

#include "server/queue.h"
#include "store/store.h"

struct ingest {
	struct queue queue;
	pthread_t thread;
	struct store *store;
	struct store_batch *batch;
	size_t ceiling;      /* bytes of all bodies at once */
	atomic_size_t held;
	pthread_mutex_t lock; /* of `broken` */
	struct err broken;   /* why the last commit failed; code 0: it did not */
};

int ingest_open(struct ingest *ingest, const struct store_options *options, size_t ceiling, struct err *err);
void ingest_stop(struct ingest *ingest);  /* takes no more; stores and answers what waits; ends the thread */
void ingest_close(struct ingest *ingest); /* after ingest_stop() */

/* Count bytes of a body; false: they would pass the ceiling, and are not counted. */
bool ingest_hold(struct ingest *ingest, struct request *request, size_t bytes);
/* Free the body and give its bytes back. */
void ingest_release(struct ingest *ingest, struct request *request);

/* 0, or why the last commit failed. */
int ingest_health(struct ingest *ingest, struct err *err);

#endif
