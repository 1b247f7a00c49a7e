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
	uint64_t in_block; /* the last block with a strip of it */
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
	uint64_t values;              /* slots of all samples so far */
	struct block *block;          /* the one whose snapshots are told, if there was any */
	struct arena arena;
	struct segment_report report;
};

struct reader_shape *reader_find(const struct reader *r, uint64_t id); /* or NULL */

/* Another sample of `snapshot`, of what stands in the shape's row; its shape was not used in it. */
int reader_put(struct reader *r, struct snapshot *snapshot, struct reader_shape *s, uint64_t begin_ns,
	       uint64_t cost_ns, struct err *err);
int reader_tell(struct reader *r, const struct snapshot *snapshot, struct err *err);

/* ---- block.c ---- */

/* Take a Block. Its snapshots are told by block_pause() before the frames behind it, and by block_finish(). */
int block_read(struct reader *r, struct wire message, struct err *err);
int block_pause(struct reader *r, struct err *err);
int block_finish(struct reader *r, struct err *err);
void block_close(struct block *block); /* NULL, too */

/* A packed list that stands once; false when it does not. Other readers would join two of them; nobody writes that. */
static inline bool reader_list(struct wire *list, const struct wire_field *field)
{
	if (field->type != WIRE_BYTES || list->at < list->end)
		return false;
	*list = field->bytes;
	return true;
}

#endif
