/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two files of the packer share: packer.c gathers a window of snapshots, window.c writes it as a Block. */
#ifndef ASSAY_PROTO_PACKER_H
#define ASSAY_PROTO_PACKER_H

#include "proto/row.h"
#include "proto/segment.h"

/* The rows of one shape. */
struct rows {
	struct shape shape;
	void *memory;  /* of the shape */
	uint32_t id;   /* 0: not in the segment yet */
	struct row before; /* as the last window left it */
	uint64_t has;  /* bit i: snapshot i of the window has a sample of it */
	size_t at[SEGMENT_BLOCK_SNAPSHOTS]; /* where it is, in words of window.memory: values, then presence */
	uint64_t begin_ns[SEGMENT_BLOCK_SNAPSHOTS], cost_ns[SEGMENT_BLOCK_SNAPSHOTS];
};

struct window {
	uint64_t tick[SEGMENT_BLOCK_SNAPSHOTS], monotonic[SEGMENT_BLOCK_SNAPSHOTS], lateness[SEGMENT_BLOCK_SNAPSHOTS];
	unsigned count;
	uint64_t *memory; /* the samples' rows */
	size_t used, room; /* words */
	struct rows **rows; /* of all shapes, in the order in which they came */
	size_t rows_count, rows_room;
	struct buf pause; /* Block.pause */
	unsigned paused;  /* snapshots before the last pause */
};

/* Append the window as a Block, with the Shapes it needs before it; the window is empty then. */
int window_put(struct window *w, uint32_t *next_id, struct buf *out, struct err *err);

#endif
