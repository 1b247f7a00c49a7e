/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks read row by row. A block holds its values slot by slot, since that packs well; yet they are not spread out
 * again, which would take 64 rows of every shape. Each slot that moves has a cursor into its list of differences, and
 * one step of all cursors leads from a snapshot to the next.
 */
#include <errno.h>
#include <stdlib.h>

#include "proto/reader.h"

struct cursor {
	uint32_t slot;
	uint32_t at; /* of the strip's deltas; a frame is shorter than 2^32 */
};

struct strip {
	struct reader_shape *shape;
	uint64_t missing;
	unsigned samples, row; /* row: samples told already */
	struct wire begin, cost, delta, absent;
	uint64_t turn_from, turn_to; /* the run of `absent` that is next or under way, as places of all rows */
	size_t cursors, cursor_count; /* of block.cursors */
};

struct block {
	uint64_t number; /* counts the segment's blocks */
	uint64_t tick[SEGMENT_BLOCK_SNAPSHOTS], monotonic[SEGMENT_BLOCK_SNAPSHOTS], lateness[SEGMENT_BLOCK_SNAPSHOTS];
	unsigned count, told;
	struct wire pause;
	struct strip *strips;
	size_t strip_count, strip_room;
	struct cursor *cursors;
	size_t cursor_count, cursor_room;
};

void block_close(struct block *block)
{
	if (!block)
		return;
	free(block->strips);
	free(block->cursors);
	free(block);
}

static int no_block(struct err *err)
{
	return err_set(err, -EBADMSG, "a block that is not well formed");
}

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "no memory for a block");
}

/* ---- taking a block ---- */

/* The head's lists, each of `count` numbers. */
static bool take_times(struct block *b, struct wire tick, struct wire due, struct wire lateness)
{
	uint64_t value, tick_sum = 0, due_sum = 0;

	for (unsigned i = 0; i < b->count; i++) {
		if (!wire_varint(&tick, &value))
			return false;
		b->tick[i] = tick_sum += value;
		if (!wire_varint(&due, &value))
			return false;
		due_sum += wire_unzigzag(value);
		if (!wire_varint(&lateness, &value))
			return false;
		b->lateness[i] = value;
		b->monotonic[i] = due_sum + value;
	}
	return tick.at == tick.end && due.at == due.end && lateness.at == lateness.end;
}

static bool pass_varints(struct wire *w, size_t count)
{
	for (; count; w->at++) {
		if (w->at == w->end)
			return false;
		count -= *w->at < 0x80;
	}
	return true;
}

static int take_cursors(struct block *b, struct strip *s, struct wire skip, struct err *err)
{
	struct wire delta = s->delta;
	size_t count = wire_count(skip);
	uint64_t step, slot = 0;

	if (count > s->shape->row.slots)
		return no_block(err);
	if (count > b->cursor_room - b->cursor_count) {
		size_t room = 2 * b->cursor_room + count;
		struct cursor *more = realloc(b->cursors, room * sizeof(*more));

		if (!more)
			return no_memory(err);
		b->cursors = more;
		b->cursor_room = room;
	}
	s->cursors = b->cursor_count;
	s->cursor_count = count;
	for (size_t i = 0; i < count; i++, slot++) {
		if (!wire_varint(&skip, &step) || step >= s->shape->row.slots - slot)
			return no_block(err);
		slot += step;
		b->cursors[b->cursor_count++] =
			(struct cursor){ (uint32_t)slot, (uint32_t)(delta.at - s->delta.at) };
		if (!pass_varints(&delta, s->samples))
			return no_block(err);
	}
	return skip.at == skip.end && delta.at == delta.end ? 0 : no_block(err);
}

static bool next_turn(struct strip *s)
{
	uint64_t places = (uint64_t)s->shape->row.slots * s->samples, stay, turn;

	if (s->absent.at == s->absent.end) {
		s->turn_from = s->turn_to = places; /* no more */
		return true;
	}
	if (!wire_varint(&s->absent, &stay) || !wire_varint(&s->absent, &turn))
		return false;
	if (stay > places - s->turn_to || turn > places - s->turn_to - stay || turn == 0)
		return false;
	s->turn_from = s->turn_to + stay;
	s->turn_to = s->turn_from + turn;
	return true;
}

static int take_strip(struct reader *r, struct wire message, struct err *err)
{
	struct block *b = r->block;
	struct wire none = { message.end, message.end }, skip = none;
	struct strip s = { .begin = none, .cost = none, .delta = none, .absent = none };
	struct wire_field field;
	uint64_t id = 0, missing;
	bool well = true;
	int code;

	while (well && message.at < message.end) {
		well = wire_field(&message, &field);
		if (!well)
			break;
		if (field.number == 1)
			id = field.value;
		else if (field.number == 2)
			s.missing = field.value;
		else if (field.number == 3)
			well = reader_list(&s.begin, &field);
		else if (field.number == 4)
			well = reader_list(&s.cost, &field);
		else if (field.number == 5)
			well = reader_list(&skip, &field);
		else if (field.number == 6)
			well = reader_list(&s.delta, &field);
		else if (field.number == 7)
			well = reader_list(&s.absent, &field);
	}
	if (!well)
		return no_block(err);
	s.shape = reader_find(r, id);
	if (!s.shape || s.shape->in_block == b->number)
		return err_set(err, -EBADMSG, "a block with shape %llu, which is not there or there twice",
			       (unsigned long long)id);
	s.shape->in_block = b->number;
	missing = row_mask(b->count, 0) & s.missing;
	s.samples = b->count - (unsigned)__builtin_popcountll(missing);
	if (missing != s.missing || wire_count(s.begin) != s.samples || wire_count(s.cost) != s.samples)
		return no_block(err);
	code = take_cursors(b, &s, skip, err);
	if (code < 0)
		return code;
	if (!next_turn(&s))
		return no_block(err);
	if (b->strip_count == b->strip_room) {
		size_t room = b->strip_room ? 2 * b->strip_room : 32;
		struct strip *more = realloc(b->strips, room * sizeof(*more));

		if (!more)
			return no_memory(err);
		b->strips = more;
		b->strip_room = room;
	}
	b->strips[b->strip_count++] = s;
	return 0;
}

static int take_head(struct block *b, struct wire message, struct err *err)
{
	struct wire none = { message.end, message.end }, tick = none, due = none, lateness = none;
	struct wire_field field;
	bool well = true;
	size_t count;

	b->count = b->told = 0;
	b->strip_count = b->cursor_count = 0;
	b->pause = none;
	while (well && message.at < message.end) {
		well = wire_field(&message, &field);
		if (!well)
			break;
		if (field.number == 1)
			well = reader_list(&tick, &field);
		else if (field.number == 2)
			well = reader_list(&due, &field);
		else if (field.number == 3)
			well = reader_list(&lateness, &field);
		else if (field.number == 5)
			well = reader_list(&b->pause, &field);
	}
	count = wire_count(tick);
	if (!well || count == 0 || count > SEGMENT_BLOCK_SNAPSHOTS)
		return no_block(err);
	b->count = (unsigned)count;
	return take_times(b, tick, due, lateness) ? 0 : no_block(err);
}

int block_read(struct reader *r, struct wire message, struct err *err)
{
	struct wire_field field;
	int code = block_finish(r, err);

	if (code < 0)
		return code;
	if (!r->block)
		r->block = calloc(1, sizeof(*r->block));
	if (!r->block)
		return no_memory(err);
	r->block->number++;
	code = take_head(r->block, message, err);
	while (code == 0 && message.at < message.end && wire_field(&message, &field)) {
		if (field.number != 4)
			continue;
		code = field.type == WIRE_BYTES ? take_strip(r, field.bytes, err) : no_block(err);
	}
	return code;
}

/* ---- telling its snapshots ---- */

static bool turn_row(struct strip *s)
{
	struct row *row = &s->shape->row;
	uint64_t first = (uint64_t)s->row * row->slots, last = first + row->slots;

	while (s->turn_from < last) {
		uint64_t to = s->turn_to < last ? s->turn_to : last;

		row_turn(row, s->turn_from - first, to - s->turn_from);
		s->turn_from = to;
		if (to < s->turn_to)
			break; /* goes on in the next row */
		if (!next_turn(s))
			return false;
	}
	return true;
}

static bool step_cursors(struct block *b, const struct strip *s)
{
	int64_t *values = s->shape->row.values;

	for (size_t i = 0; i < s->cursor_count; i++) {
		struct cursor *cursor = &b->cursors[s->cursors + i];
		struct wire delta = { s->delta.at + cursor->at, s->delta.end };
		uint64_t difference;

		if (!wire_varint(&delta, &difference))
			return false;
		cursor->at = (uint32_t)(delta.at - s->delta.at);
		values[cursor->slot] = (int64_t)((uint64_t)values[cursor->slot] + wire_unzigzag(difference));
	}
	return true;
}

static int tell_one(struct reader *r, struct err *err)
{
	struct block *b = r->block;
	struct snapshot snapshot = {
		.tick = b->tick[b->told],
		.monotonic_ns = b->monotonic[b->told],
		.lateness_ns = b->lateness[b->told],
		.samples = r->samples,
	};
	uint64_t after = snapshot.monotonic_ns, begin, cost;

	r->snapshots++;
	for (size_t i = 0; i < b->strip_count; i++) {
		struct strip *s = &b->strips[i];
		int code;

		if (s->missing >> b->told & 1)
			continue;
		if (!wire_varint(&s->begin, &begin) || !wire_varint(&s->cost, &cost) || !step_cursors(b, s) ||
		    !turn_row(s))
			return no_block(err);
		s->row++;
		begin = wire_unzigzag(begin) + after;
		after = begin + cost;
		code = reader_put(r, &snapshot, s->shape, begin, cost, err);
		if (code < 0)
			return code;
	}
	b->told++;
	return reader_tell(r, &snapshot, err);
}

int block_finish(struct reader *r, struct err *err)
{
	int code = 0;

	while (code == 0 && r->block && r->block->told < r->block->count)
		code = tell_one(r, err);
	return code;
}

int block_pause(struct reader *r, struct err *err)
{
	struct block *b = r->block;
	uint64_t count;
	int code = 0;

	if (!b || b->pause.at == b->pause.end)
		return block_finish(r, err);
	if (!wire_varint(&b->pause, &count) || count > b->count - b->told)
		return err_set(err, -EBADMSG, "a block that pauses behind its last snapshot");
	for (; count && code == 0; count--)
		code = tell_one(r, err);
	return code;
}
