/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the reader share: the state of decoding one segment. */
#ifndef ASSAY_PROTO_READER_H
#define ASSAY_PROTO_READER_H

#include "base/run.h"
#include "proto/arena.h"
#include "proto/row.h"
#include "proto/segment.h"

/* What protobuf-c may take for a message: this, and so many times the message. */
#define ARENA_LEAST ((size_t)1 << 20)
#define ARENA_TIMES 8

struct reader_shape {
	uint32_t id;
	struct shape shape;
	void *memory;  /* of the shape */
	struct row row;
	uint64_t seen; /* the last snapshot with a sample of it */
};

struct reader {
	struct segment_limits limits;
	const struct run_events *events;
	void *context;
	struct reader_shape **shapes; /* by ascending id */
	struct sample *samples;       /* of the snapshot that is read; room for one a shape */
	size_t count, room;
	size_t slots;                 /* of all shapes */
	uint64_t snapshots;           /* begun; the number of the one that is read */
	struct arena arena;
	struct segment_report report;
};

struct reader_shape *reader_find(struct reader *r, uint64_t id); /* or NULL */

/* Another sample of the snapshot that is read: its shape is there and was not used in it. */
int reader_add(struct reader *r, uint64_t id, struct reader_shape **ret, struct err *err);
void reader_put(struct reader *r, struct snapshot *snapshot, const struct reader_shape *s, uint64_t begin_ns,
		uint64_t cost_ns);
int reader_tell(struct reader *r, const struct snapshot *snapshot, struct err *err);

#endif
