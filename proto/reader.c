/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proto/reader.h"

#include <errno.h>
#include <stdlib.h>

#include "proto/arena.h"
#include "proto/frame.h"
#include "proto/message.h"
#include "proto/seal.h"
#include "proto/segment.h"
#include "proto/shape.h"

#define UNPACKED_DEFAULT ((size_t)256 << 20)
#define SLOTS_DEFAULT    ((size_t)16 << 20)
#define SHAPES_DEFAULT   4096
#define VALUES_DEFAULT   (UINT64_C(1) << 34)

static void reader_close(struct reader *r)
{
	for (size_t i = 0; i < r->count; i++) {
		row_close(&r->shapes[i]->row);
		free(r->shapes[i]->memory);
		free(r->shapes[i]);
	}
	free(r->shapes);
	free(r->samples);
	block_close(r->block);
	arena_close(&r->arena);
}

/* ---- shapes ---- */

struct reader_shape *reader_find(const struct reader *r, uint64_t id)
{
	size_t low = 0, high = r->count;

	if (id - 1 < r->count && r->shapes[id - 1]->id == id) /* as the writer numbers them */
		return r->shapes[id - 1];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->shapes[middle]->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->count && r->shapes[low]->id == id ? r->shapes[low] : NULL;
}

static int shapes_room(struct reader *r, struct err *err)
{
	size_t room = r->room ? 2 * r->room : 32;
	struct reader_shape **shapes;
	struct sample *samples;

	if (r->count >= r->limits.shapes)
		return err_set(err, -EMSGSIZE, "more than %zu shapes", r->limits.shapes);
	if (r->count < r->room)
		return 0;
	shapes = realloc(r->shapes, room * sizeof(*shapes));
	if (shapes)
		r->shapes = shapes;
	samples = realloc(r->samples, room * sizeof(*samples));
	if (samples)
		r->samples = samples;
	if (!shapes || !samples)
		return err_set(err, -ENOMEM, "no memory for %zu shapes", room);
	r->room = room;
	return 0;
}

static int read_shape(struct reader *r, struct wire message, struct err *err)
{
	struct reader_shape *s;
	int code = shapes_room(r, err);

	if (code < 0)
		return code;
	s = calloc(1, sizeof(*s));
	if (!s)
		return err_set(err, -ENOMEM, "no memory for a shape");
	code = shape_get(message, r->limits.slots - r->slots, &s->id, &s->shape, &s->memory, err);
	if (code == 0 && r->count && s->id <= r->shapes[r->count - 1]->id)
		code = err_set(err, -EBADMSG, "shape %u comes after shape %u", s->id, r->shapes[r->count - 1]->id);
	if (code == 0)
		code = row_open(&s->row, shape_slots(&s->shape), err);
	if (code < 0) {
		free(s->memory);
		free(s);
		return code;
	}
	r->slots += s->row.slots;
	r->shapes[r->count++] = s;
	return 0;
}

/* ---- snapshots ---- */

int reader_put(struct reader *r, struct snapshot *snapshot, struct reader_shape *s, uint64_t begin_ns,
	       uint64_t cost_ns, struct err *err)
{
	if (s->seen == r->snapshots)
		return err_set(err, -EBADMSG, "two samples of shape %u in a snapshot", s->id);
	if (s->row.slots > r->limits.values - r->values)
		return err_set(err, -EMSGSIZE, "more than %llu values", (unsigned long long)r->limits.values);
	s->seen = r->snapshots;
	r->values += s->row.slots;
	r->samples[snapshot->count++] = (struct sample){
		.shape = &s->shape,
		.values = s->row.values,
		.present = s->row.present,
		.begin_ns = begin_ns,
		.cost_ns = cost_ns,
	};
	return 0;
}

static int read_sample(struct reader *r, struct wire message, struct snapshot *snapshot, uint64_t *after,
		       struct err *err)
{
	struct wire none = { message.end, message.end }, skip = none, delta = none, absent = none;
	struct wire_field field;
	struct reader_shape *s;
	uint64_t id = 0, begin = 0, cost = 0;
	bool well = true;

	while (well && message.at < message.end) {
		well = wire_field(&message, &field);
		if (!well)
			break;
		if (field.number == 1)
			id = field.value;
		else if (field.number == 2)
			begin = wire_unzigzag(field.value);
		else if (field.number == 3)
			cost = field.value;
		else if (field.number == 4)
			well = reader_list(&skip, &field);
		else if (field.number == 5)
			well = reader_list(&delta, &field);
		else if (field.number == 6)
			well = reader_list(&absent, &field);
	}
	if (!well)
		return err_set(err, -EBADMSG, "a sample that is not well formed");
	s = reader_find(r, id);
	if (!s)
		return err_set(err, -EBADMSG, "a sample of shape %llu, which is not there", (unsigned long long)id);
	if (!row_apply(&s->row, skip, delta, absent))
		return err_set(err, -EBADMSG, "a sample that leads out of the %zu slots of shape %u", s->row.slots,
			       s->id);
	begin += *after;
	*after = begin + cost;
	return reader_put(r, snapshot, s, begin, cost, err);
}

static int read_snapshot(struct reader *r, struct wire message, struct err *err)
{
	struct snapshot snapshot = { .samples = r->samples };
	struct wire samples = message;
	struct wire_field field;
	uint64_t after;
	int code = 0;

	while (message.at < message.end) {
		if (!wire_field(&message, &field))
			return err_set(err, -EBADMSG, "a snapshot that is not well formed");
		if (field.number == 1)
			snapshot.tick = field.value;
		else if (field.number == 2)
			snapshot.monotonic_ns = field.value;
		else if (field.number == 3)
			snapshot.lateness_ns = field.value;
	}
	after = snapshot.monotonic_ns;
	r->snapshots++;
	while (samples.at < samples.end && wire_field(&samples, &field)) {
		if (field.number != 4)
			continue;
		if (field.type != WIRE_BYTES)
			return err_set(err, -EBADMSG, "a sample that is none");
		code = read_sample(r, field.bytes, &snapshot, &after, err);
		if (code < 0)
			return code;
	}
	return reader_tell(r, &snapshot, err);
}

int reader_tell(struct reader *r, const struct snapshot *snapshot, struct err *err)
{
	if (!r->events || !r->events->snapshot)
		return 0;
	return r->events->snapshot(r->context, snapshot, err);
}

/* ---- frames ---- */

static int read_message(struct reader *r, enum frame_kind kind, struct wire message, struct err *err)
{
	struct message_told told = { 0 };
	int code;

	arena_clear(&r->arena, ARENA_LEAST + ARENA_TIMES * wire_left(message));
	code = message_tell(kind, message, &r->arena, r->events, r->context, &told, err);
	if (code < 0)
		return code;
	if (kind == FRAME_HEADER && r->report.frames == 0) {
		r->report.header = told.header;
		r->report.header.host = r->report.header.boot_id = r->report.header.agent_version = "";
	} else if (kind == FRAME_HEADER && strcmp(told.header.run.text, r->report.header.run.text) != 0) {
		return err_set(err, -EBADMSG, "a header of another run, %s", told.header.run.text);
	}
	r->report.has_end |= told.end;
	return 0;
}

static int read_frame(struct reader *r, struct wire frame, struct err *err)
{
	enum frame_kind kind;
	struct wire message;
	int code;

	if (!frame_open(frame, &kind, &message))
		return err_set(err, -EBADMSG, "a frame that is not well formed");
	if (r->report.frames == 0 && kind != FRAME_HEADER)
		return err_set(err, -EBADMSG, "a segment that does not begin with a header");
	if (kind == FRAME_SHAPE)
		return read_shape(r, message, err);
	if (kind == FRAME_BLOCK)
		return block_read(r, message, err);
	code = block_pause(r, err);
	if (code < 0)
		return code;
	return kind == FRAME_SNAPSHOT ? read_snapshot(r, message, err) : read_message(r, kind, message, err);
}

static int read_open(struct reader *r, struct text open, bool torn_allowed, struct err *err)
{
	struct text rest = open;
	struct wire frame;
	size_t at = SEGMENT_MAGIC_BYTES;
	int code = 0;

	if (!text_skip(&rest, SEGMENT_MAGIC))
		return err_set(err, -EBADMSG, "not a segment: no magic at its beginning");
	r->report.unpacked = text_len(open);
	while (code == 0 && frame_next(&rest, &frame)) {
		code = read_frame(r, frame, err);
		r->report.frames += code == 0;
		if (code == 0)
			at = (size_t)(rest.at - open.at);
	}
	if (code == 0)
		code = block_finish(r, err);
	if (code < 0) {
		(void)err_prefix(err, "byte %zu: ", at);
		return code;
	}
	r->report.torn = text_len(rest);
	if (r->report.frames == 0)
		return err_set(err, -EBADMSG, "not a segment: no whole header behind the magic");
	if (r->report.torn && !torn_allowed)
		return err_set(err, -EBADMSG, "byte %zu: no whole frame; %zu bytes are torn", at, r->report.torn);
	return 0;
}

int segment_read(struct text bytes, const struct segment_limits *limits, bool torn_allowed,
		 const struct run_events *events, void *context, struct segment_report *ret, struct err *err)
{
	struct reader r = { .events = events, .context = context };
	cleanup_buf struct buf unpacked = { 0 };
	int code;

	if (limits)
		r.limits = *limits;
	if (r.limits.unpacked == 0)
		r.limits.unpacked = UNPACKED_DEFAULT;
	if (r.limits.slots == 0)
		r.limits.slots = SLOTS_DEFAULT;
	if (r.limits.shapes == 0)
		r.limits.shapes = SHAPES_DEFAULT;
	if (r.limits.values == 0)
		r.limits.values = VALUES_DEFAULT;
	if (seal_is(bytes)) {
		code = seal_unpack(bytes, r.limits.unpacked, &unpacked, err);
		if (code < 0)
			return code;
		bytes = buf_text(&unpacked);
	}
	if (text_len(bytes) > r.limits.unpacked)
		return err_set(err, -EMSGSIZE, "a segment of %zu bytes; the limit is %zu", text_len(bytes),
			       r.limits.unpacked);
	code = read_open(&r, bytes, torn_allowed, err);
	reader_close(&r);
	if (code == 0 && ret)
		*ret = r.report;
	return code;
}

int segment_whole(struct text open, size_t *ret, struct err *err)
{
	struct text rest = open;
	struct wire frame, message;
	enum frame_kind kind;

	if (!text_skip(&rest, SEGMENT_MAGIC))
		return err_set(err, -EBADMSG, "not a segment: no magic at its beginning");
	if (!frame_next(&rest, &frame) || !frame_open(frame, &kind, &message) || kind != FRAME_HEADER)
		return err_set(err, -EBADMSG, "not a segment: no whole header behind the magic");
	while (frame_next(&rest, &frame))
		;
	*ret = (size_t)(rest.at - open.at);
	return 0;
}
