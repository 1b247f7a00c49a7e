/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frames of a segment:
 *
 *   len:u32le  crc32c:u32le  Frame (len bytes, at least one)
 *
 * A Frame is a message with one field, whose number tells the kind and whose bytes are the message of that kind.
 */
#ifndef ASSAY_PROTO_FRAME_H
#define ASSAY_PROTO_FRAME_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "proto/wire.h"

/* Fields of Frame. */
enum frame_kind {
	FRAME_NONE = 0, /* of a kind that this version does not know */
	FRAME_HEADER = 1,
	FRAME_SHAPE = 2,
	FRAME_SNAPSHOT = 3,
	FRAME_BLOCK = 4,
	FRAME_MARK = 5,
	FRAME_RESULT = 6,
	FRAME_OUTPUT = 7,
	FRAME_LOG = 8,
	FRAME_FACTS = 10,
	FRAME_END = 11,
};

/* ---- writing: begin, add the message's bytes to `out`, end ---- */

int frame_begin(struct buf *out, size_t *start, struct err *err);
/* On failure `out` is as long as before frame_begin(). */
int frame_end(struct buf *out, size_t start, enum frame_kind kind, struct err *err);
/* Give up what was begun; returns `code`, with words when `err` is to be filled. */
int frame_drop(struct buf *out, size_t start, int code, struct err *err);

/* ---- reading ---- */

/* The next whole frame: its Frame bytes in `ret`, `rest` behind it. False, nothing taken: none, or torn. */
bool frame_next(struct text *rest, struct wire *ret);

/* What kind a Frame is and its message. False when it is not well formed. */
bool frame_open(struct wire frame, enum frame_kind *kind, struct wire *message);

#endif
