/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The segment: magic, frames; written open, packed with zstd when sealed. Drawn in docs/segment.md.
 *
 * Only this room sees protobuf and zstd; the others see base/run.h.
 */
#ifndef ASSAY_PROTO_SEGMENT_H
#define ASSAY_PROTO_SEGMENT_H

#include <stddef.h>

#include "base/buf.h"
#include "base/run.h"

#define SEGMENT_MAGIC       "ASSAY1\r\n"
#define SEGMENT_MAGIC_BYTES 8
#define SEGMENT_FRAME_MAX   ((size_t)16 << 20) /* one frame's length; longer ones are refused on both sides */
#define SEGMENT_BLOCK_SNAPSHOTS 64 /* of a packed run stand together */

/* ---- writing ---- */

struct segment_writer;

/*
 * Frames are appended to `out` (the caller's; its ceiling bounds the segment), which the caller writes where it
 * likes and may empty between calls: the writer keeps no position in it. Opening appends magic and Header.
 * A shape's frame is written by itself before the first sample that uses it; shapes are told apart by collector,
 * generation and address, and must outlive the writer or be dropped with segment_forget().
 */
int segment_writer_open(struct segment_writer **ret, const struct run_header *header, struct buf *out, struct err *err);
void segment_writer_close(struct segment_writer *w); /* NULL, too */

/* Begin another segment in the same memory: header->sequence must be new. Shapes are written again when used. */
int segment_writer_next(struct segment_writer *w, const struct run_header *header, struct buf *out, struct err *err);

/* A collector was opened anew: its former shape's memory goes away. */
void segment_forget(struct segment_writer *w, const struct shape *shape);

/*
 * No allocation once a shape was seen, but for `out`. When it fails (-EMSGSIZE: `out` or a frame is full; -ENOMEM;
 * -EINVAL: a shape without names) nothing of the snapshot is in `out`, and the segment takes no more snapshots: seal
 * what is there, empty `out`, call segment_writer_next() and put the snapshot again.
 */
int segment_put_snapshot(struct segment_writer *w, const struct snapshot *snapshot, struct buf *out, struct err *err);
int segment_put_mark(struct segment_writer *w, const struct run_mark *mark, struct buf *out, struct err *err);
int segment_put_result(struct segment_writer *w, const struct run_result *result, struct buf *out, struct err *err);
int segment_put_output(struct segment_writer *w, const struct run_output *output, struct buf *out, struct err *err);
int segment_put_log(struct segment_writer *w, const struct run_log *log, struct buf *out, struct err *err);
int segment_put_facts(struct segment_writer *w, const struct pairs *axes, const struct pairs *facts, struct buf *out,
		      struct err *err);
int segment_put_end(struct segment_writer *w, const struct run_end *end, struct buf *out, struct err *err);

/* zstd-pack a whole open segment, as one frame with its content size and checksum. Appends to `out`. */
int segment_seal(struct text open, int level, struct buf *out, struct err *err);

/* ---- reading ---- */

struct segment_limits {
	size_t unpacked;  /* bytes after zstd; 0: 256 MiB */
	size_t slots;     /* of all shapes; 0: 16 Mi. A slot takes up to some 50 bytes, its names included */
	size_t shapes;    /* 0: 4096 */
	uint64_t values;  /* slots of all samples, which few bytes can tell of; 0: 2^34 */
};

struct segment_report {
	struct run_header header; /* its text points into nothing: empty strings. Use the event for those. */
	size_t frames;            /* whole ones */
	size_t unpacked;          /* bytes */
	size_t torn;              /* bytes behind the last whole frame */
	bool has_end;
};

/*
 * Read sealed or open bytes (told apart by their first four) and call `events` in order. A state of decoding lives in
 * the call only, so segments can be read in any order, by any thread.
 *
 * 0: all whole frames were read; a torn tail is in ret->torn and is no error when `torn_allowed`, else -EBADMSG.
 * -EBADMSG: not a segment, or a frame that cannot be what it says; words tell the byte.
 * -EMSGSIZE: larger than the limits, before memory was taken for it.
 * `events` or `ret` may be NULL: only check.
 */
int segment_read(struct text bytes, const struct segment_limits *limits, bool torn_allowed,
		 const struct run_events *events, void *context, struct segment_report *ret, struct err *err);

/* ---- packing a run that has ended ---- */

/*
 * A listener that turns a whole run into one sealed segment, in which up to 64 snapshots at a time stand as one Block.
 * segment_read() of it tells the same events in the same order: all headers, snapshots, marks ... that came; only the
 * samples inside a snapshot may be in another order. What no event tells (frames this version does not know) is lost.
 *
 *   segment_packer_open(&packer, &err);
 *   store_read(..., &segment_packer_events, packer, &err);   or segment_read(), segment by segment
 *   segment_packer_finish(packer, SEGMENT_PACK_LEVEL, &out, &err);
 *   segment_packer_close(packer);
 *
 * The first event must be a header. After a failure nothing but close is to be called. It holds the packed run, not yet
 * sealed, and 8 MiB of values at a time; -EMSGSIZE: the run does not fit in a segment that readers accept by default.
 */
struct segment_packer;

#define SEGMENT_PACK_LEVEL 9

extern const struct run_events segment_packer_events; /* context: a struct segment_packer */

int segment_packer_open(struct segment_packer **ret, struct err *err);
int segment_packer_finish(struct segment_packer *p, int level, struct buf *out, struct err *err); /* appends to `out` */
void segment_packer_close(struct segment_packer *p); /* NULL, too */

/* How many bytes of an open segment are whole frames (at least the magic and a header), or -EBADMSG. */
int segment_whole(struct text open, size_t *ret, struct err *err);

#endif
