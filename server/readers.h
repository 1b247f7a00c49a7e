/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that answer what only looks: each has a store of its own and may wait for disks and think for long. */
#ifndef ASSAY_SERVER_READERS_H
#define ASSAY_SERVER_READERS_H

#include "server/queue.h"
#include "store/store.h"

struct reader {
	pthread_t thread;
	struct queue *queue;
	struct store *store;
};

struct readers {
	struct queue queue;
	struct reader *at;
	unsigned count;
};

int readers_open(struct readers *readers, const struct store_options *options, unsigned count, struct err *err);
void readers_stop(struct readers *readers);  /* takes no more; answers what waits; ends the threads */
void readers_close(struct readers *readers); /* after readers_stop() */

#endif
