/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Group commit: puts that were written and wait for one sync. Private to the room.
 */
#ifndef ASSAY_STORE_BATCH_H
#define ASSAY_STORE_BATCH_H

#include "store/inside.h"

struct pending {
	struct ulid run;
	uint32_t sequence;
	int fd;     /* of the file in incoming/; -1: nothing to write, only the folder to make sure of */
	int folder; /* of the run, while a sync goes on; the first of a run holds it for the others */
	bool linked;
	char name[INCOMING_NAME_SIZE];
	uint64_t bytes, hash;
	struct gathered gathered;
	enum put_result *ret;
};

struct store_batch {
	struct store *store; /* of the first put */
	struct pending *at;
	size_t count;
};

struct pending *batch_find(struct store_batch *b, const struct ulid *run, uint32_t sequence);
/* An empty one at the end; NULL with -ENOBUFS when the batch is full. */
struct pending *batch_add(struct store_batch *b, struct store *s, const struct ulid *run, uint32_t sequence,
			  struct err *err);
void batch_drop_last(struct store_batch *b);

#endif
