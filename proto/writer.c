/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes and snapshots, encoded directly; the other frames stand in message.c. */
#include <errno.h>
#include <stdlib.h>

#include "proto/frame.h"
#include "proto/message.h"
#include "proto/row.h"
#include "proto/segment.h"
#include "proto/shape.h"

struct known {
	const struct shape *shape;
	const char *collector;
	uint32_t generation;
	uint32_t id; /* in this segment; 0: not written in it yet */
	struct row row;
};

struct segment_writer {
	struct known *known;
	size_t count, room;
	uint32_t next_id;
	struct lists lists;
	int failed; /* what of the shapes' rows is in the segment is not certain: it takes no more snapshots */
};

int segment_writer_open(struct segment_writer **ret, const struct run_header *header, struct buf *out, struct err *err)
{
	struct segment_writer *w = calloc(1, sizeof(*w));
	int r;

	if (!w)
		return err_set(err, -ENOMEM, "no memory for a segment's writer");
	r = segment_writer_next(w, header, out, err);
	if (r < 0) {
		free(w);
		return r;
	}
	*ret = w;
	return 0;
}

int segment_writer_next(struct segment_writer *w, const struct run_header *header, struct buf *out, struct err *err)
{
	for (size_t i = 0; i < w->count; i++)
		w->known[i].id = 0;
	w->next_id = 1;
	w->failed = 0;
	if (buf_add(out, SEGMENT_MAGIC, SEGMENT_MAGIC_BYTES) < 0)
		return err_set(err, out->failed, "no room for a segment's magic");
	return message_put_header(header, out, err);
}

static void forget(struct segment_writer *w, struct known *known)
{
	row_close(&known->row);
	w->count--;
	memmove(known, known + 1, (size_t)(w->known + w->count - known) * sizeof(*known));
}

void segment_forget(struct segment_writer *w, const struct shape *shape)
{
	for (size_t i = w->count; i-- > 0;)
		if (w->known[i].shape == shape)
			forget(w, &w->known[i]);
}

void segment_writer_close(struct segment_writer *w)
{
	if (!w)
		return;
	while (w->count)
		forget(w, &w->known[w->count - 1]);
	free(w->known);
	lists_close(&w->lists);
	free(w);
}

static bool is_of(const struct known *k, const struct shape *shape)
{
	return k->shape == shape && k->generation == shape->generation && k->collector == shape->collector &&
	       k->row.slots == shape_slots(shape);
}

static struct known *find(struct segment_writer *w, const struct shape *shape, size_t guess)
{
	if (guess < w->count && is_of(&w->known[guess], shape))
		return &w->known[guess];
	for (size_t i = 0; i < w->count; i++)
		if (is_of(&w->known[i], shape))
			return &w->known[i];
	return NULL;
}

static int learn(struct segment_writer *w, const struct shape *shape, struct known **ret, struct err *err)
{
	struct row row;
	int r = shape_check(shape, err);

	if (r < 0)
		return r;
	segment_forget(w, shape); /* the collector has put another one in the same place */
	if (w->count == w->room) {
		size_t room = w->room ? 2 * w->room : 32;
		struct known *more = realloc(w->known, room * sizeof(*more));

		if (!more)
			return err_set(err, -ENOMEM, "no memory for %zu shapes", room);
		w->known = more;
		w->room = room;
	}
	r = lists_grow(&w->lists, shape_slots(shape), err);
	if (r == 0)
		r = row_open(&row, shape_slots(shape), err);
	if (r < 0)
		return err_prefix(err, "%s: ", shape->collector);
	*ret = &w->known[w->count++];
	**ret = (struct known){
		.shape = shape,
		.collector = shape->collector,
		.generation = shape->generation,
		.row = row,
	};
	return 0;
}

/* The shape as this segment knows it; its frame is written when it does not. */
static int introduce(struct segment_writer *w, const struct shape *shape, size_t guess, struct buf *out, struct err *err)
{
	struct known *known = find(w, shape, guess);
	int r = 0;

	if (!known)
		r = learn(w, shape, &known, err);
	if (r < 0 || known->id)
		return r;
	r = shape_put(shape, w->next_id, out, err);
	if (r < 0)
		return r;
	row_begin(&known->row);
	known->id = w->next_id++;
	return 0;
}

static uint8_t *put_list(uint8_t *at, uint32_t number, const uint8_t *list, size_t length)
{
	if (length == 0)
		return at;
	at = wire_put_tag(at, number, WIRE_BYTES);
	at = wire_put_varint(at, length);
	memcpy(at, list, length);
	return at + length;
}

static size_t list_size(size_t length)
{
	return length ? 1 + wire_varint_size(length) + length : 0;
}

static int put_sample(struct segment_writer *w, struct known *known, const struct sample *sample, uint64_t after,
		      struct buf *out)
{
	const struct lists *l = &w->lists;
	uint64_t begin = wire_zigzag(sample->begin_ns - after);
	size_t size;
	uint8_t *at;

	row_encode(&known->row, sample, &w->lists);
	size = 1 + wire_varint_size(known->id) + 1 + wire_varint_size(begin) + 1 + wire_varint_size(sample->cost_ns) +
	       list_size(l->skip_length) + list_size(l->delta_length) + list_size(l->absent_length);
	if (buf_reserve(out, size + 1 + WIRE_VARINT_MAX) < 0)
		return out->failed;
	at = (uint8_t *)out->data + out->len;
	at = wire_put_tag(at, 4, WIRE_BYTES); /* Snapshot.samples */
	at = wire_put_varint(at, size);
	at = wire_put_tag(at, 1, WIRE_VARINT);
	at = wire_put_varint(at, known->id);
	at = wire_put_tag(at, 2, WIRE_VARINT);
	at = wire_put_varint(at, begin);
	at = wire_put_tag(at, 3, WIRE_VARINT);
	at = wire_put_varint(at, sample->cost_ns);
	at = put_list(at, 4, l->skip, l->skip_length);
	at = put_list(at, 5, l->delta, l->delta_length);
	at = put_list(at, 6, l->absent, l->absent_length);
	out->len = (size_t)(at - (uint8_t *)out->data);
	return 0;
}

static int put_head(const struct snapshot *snapshot, struct buf *out)
{
	uint8_t *at;

	if (buf_reserve(out, 3 + 2 * WIRE_VARINT_MAX + 8) < 0)
		return out->failed;
	at = (uint8_t *)out->data + out->len;
	at = wire_put_tag(at, 1, WIRE_VARINT);
	at = wire_put_varint(at, snapshot->tick);
	at = wire_put_tag(at, 2, WIRE_FIXED64);
	at = wire_put_u64(at, snapshot->monotonic_ns);
	at = wire_put_tag(at, 3, WIRE_VARINT);
	at = wire_put_varint(at, snapshot->lateness_ns);
	out->len = (size_t)(at - (uint8_t *)out->data);
	return 0;
}

int segment_put_snapshot(struct segment_writer *w, const struct snapshot *snapshot, struct buf *out, struct err *err)
{
	uint64_t after = snapshot->monotonic_ns;
	size_t start;
	int r = 0;

	if (w->failed)
		return err_set(err, w->failed, "the segment has failed before: begin another");
	for (size_t i = 0; i < snapshot->count && r == 0; i++)
		r = introduce(w, snapshot->samples[i].shape, i, out, err);
	if (r == 0)
		r = frame_begin(out, &start, err);
	if (r < 0)
		return w->failed = r;

	r = put_head(snapshot, out);
	for (size_t i = 0; i < snapshot->count && r == 0; i++) {
		const struct sample *sample = &snapshot->samples[i];

		r = put_sample(w, find(w, sample->shape, i), sample, after, out);
		after = sample->begin_ns + sample->cost_ns;
	}
	if (r < 0)
		r = frame_drop(out, start, r, err);
	else
		r = frame_end(out, start, FRAME_SNAPSHOT, err);
	return w->failed = r;
}
