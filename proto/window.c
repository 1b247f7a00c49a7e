/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proto/packer.h"

#include <errno.h>

#include "proto/frame.h"
#include "proto/shape.h"

/* The lists of one strip, as they grow. */
struct strip_lists {
	struct buf begin, cost, skip, delta, absent;
};

static int add_varint(struct buf *b, uint64_t value)
{
	uint8_t bytes[WIRE_VARINT_MAX];

	return buf_add(b, bytes, (size_t)(wire_put_varint(bytes, value) - bytes));
}

/* A list as a field of a message, left out when it is empty. */
static int add_list(struct buf *out, uint32_t number, const struct buf *list)
{
	if (list->len == 0)
		return 0;
	(void)add_varint(out, (uint64_t)number << 3 | WIRE_BYTES);
	(void)add_varint(out, list->len);
	return buf_add(out, list->data, list->len);
}

/* The samples of one shape in the window. */
struct view {
	unsigned count;
	const int64_t *values[SEGMENT_BLOCK_SNAPSHOTS];
	const uint64_t *present[SEGMENT_BLOCK_SNAPSHOTS];
};

static struct view view_of(const struct window *w, const struct rows *rows)
{
	struct view v = { 0 };

	for (unsigned i = 0; i < w->count; i++) {
		if (!(rows->has >> i & 1))
			continue;
		v.values[v.count] = (const int64_t *)(w->memory + rows->at[i]);
		v.present[v.count++] = w->memory + rows->at[i] + rows->before.slots;
	}
	return v;
}

/* Differences of one slot in all samples; false when it never moves. `*was` becomes its last value. */
static bool differences(const struct view *v, size_t slot, int64_t *was, uint8_t **to)
{
	uint64_t value = (uint64_t)*was, any = 0;
	uint8_t *at = *to;

	for (unsigned i = 0; i < v->count; i++) {
		uint64_t now = v->present[i][slot / 64] >> slot % 64 & 1 ? (uint64_t)v->values[i][slot] : value;

		any |= now ^ value;
		at = wire_put_varint(at, wire_zigzag(now - value));
		value = now;
	}
	if (!any)
		return false;
	*was = (int64_t)value;
	*to = at;
	return true;
}

static int put_moves(const struct view *v, struct row *before, struct strip_lists *lists)
{
	size_t next = 0;

	for (size_t slot = 0; slot < before->slots; slot++) {
		uint8_t *at;

		if (buf_reserve(&lists->delta, SEGMENT_BLOCK_SNAPSHOTS * WIRE_VARINT_MAX) < 0)
			return lists->delta.failed;
		at = (uint8_t *)lists->delta.data + lists->delta.len;
		if (!differences(v, slot, &before->values[slot], &at))
			continue;
		lists->delta.len = (size_t)(at - (uint8_t *)lists->delta.data);
		if (add_varint(&lists->skip, slot - next) < 0)
			return lists->skip.failed;
		next = slot + 1;
	}
	return 0;
}

static int put_turns(const struct view *v, struct row *before, struct buf *absent)
{
	struct turns turns = { 0 };

	for (unsigned i = 0; i < v->count; i++) {
		for (size_t word = 0; word * 64 < before->slots; word++) {
			uint64_t present = v->present[i][word] & row_mask(before->slots, word);

			if (present == before->present[word])
				continue;
			if (buf_reserve(absent, TURNS_WORD_MAX) < 0)
				return absent->failed;
			turns.at = (uint8_t *)absent->data + absent->len;
			turns_add(&turns, (uint64_t)i * before->slots + word * 64, present ^ before->present[word]);
			absent->len = (size_t)(turns.at - (uint8_t *)absent->data);
			before->present[word] = present;
		}
	}
	if (buf_reserve(absent, TURNS_WORD_MAX) < 0)
		return absent->failed;
	turns.at = (uint8_t *)absent->data + absent->len;
	turns_flush(&turns);
	absent->len = (size_t)(turns.at - (uint8_t *)absent->data);
	return 0;
}

static int put_strip(struct window *w, struct rows *rows, uint64_t *after, struct strip_lists *lists, struct buf *out)
{
	struct view v = view_of(w, rows);
	uint64_t missing = row_mask(w->count, 0) & ~rows->has;
	struct buf *all[] = { &lists->begin, &lists->cost, &lists->skip, &lists->delta, &lists->absent };
	uint8_t head[3 * WIRE_VARINT_MAX], *at = head;
	size_t size;
	int r;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		buf_clear(all[i]);
	for (unsigned i = 0; i < w->count; i++) {
		if (!(rows->has >> i & 1))
			continue;
		(void)add_varint(&lists->begin, wire_zigzag(rows->begin_ns[i] - after[i]));
		(void)add_varint(&lists->cost, rows->cost_ns[i]);
		after[i] = rows->begin_ns[i] + rows->cost_ns[i];
	}
	r = lists->begin.failed ? lists->begin.failed : lists->cost.failed;
	if (r == 0)
		r = put_moves(&v, &rows->before, lists);
	if (r == 0)
		r = put_turns(&v, &rows->before, &lists->absent);
	if (r < 0)
		return r;

	at = wire_put_tag(at, 1, WIRE_VARINT);
	at = wire_put_varint(at, rows->id);
	if (missing) {
		at = wire_put_tag(at, 2, WIRE_FIXED64);
		at = wire_put_u64(at, missing);
	}
	size = (size_t)(at - head);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		size += all[i]->len ? 1 + wire_varint_size(all[i]->len) + all[i]->len : 0;
	(void)add_varint(out, 4 << 3 | WIRE_BYTES); /* Block.strips */
	(void)add_varint(out, size);
	(void)buf_add(out, head, (size_t)(at - head));
	for (uint32_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		(void)add_list(out, 3 + i, all[i]);
	return out->failed;
}

static int put_head(const struct window *w, struct strip_lists *lists, struct buf *out)
{
	struct buf *tick = &lists->begin, *due = &lists->cost, *lateness = &lists->skip;
	uint64_t last_tick = 0, last_due = 0;

	buf_clear(tick);
	buf_clear(due);
	buf_clear(lateness);
	for (unsigned i = 0; i < w->count; i++) {
		uint64_t now = w->monotonic[i] - w->lateness[i];

		(void)add_varint(tick, w->tick[i] - last_tick);
		(void)add_varint(due, wire_zigzag(now - last_due));
		(void)add_varint(lateness, w->lateness[i]);
		last_tick = w->tick[i];
		last_due = now;
	}
	(void)add_list(out, 1, tick);
	(void)add_list(out, 2, due);
	(void)add_list(out, 3, lateness);
	if (tick->failed || due->failed || lateness->failed)
		return -ENOMEM;
	return out->failed;
}

static int put_block(struct window *w, struct strip_lists *lists, struct buf *out, struct err *err)
{
	uint64_t after[SEGMENT_BLOCK_SNAPSHOTS];
	size_t start;
	int r = frame_begin(out, &start, err);

	if (r < 0)
		return r;
	memcpy(after, w->monotonic, sizeof(after));
	r = put_head(w, lists, out);
	for (size_t i = 0; i < w->rows_count && r == 0; i++)
		if (w->rows[i]->has)
			r = put_strip(w, w->rows[i], after, lists, out);
	if (r == 0)
		r = add_list(out, 5, &w->pause);
	if (r < 0)
		return frame_drop(out, start, r, err);
	return frame_end(out, start, FRAME_BLOCK, err);
}

int window_put(struct window *w, uint32_t *next_id, struct buf *out, struct err *err)
{
	struct strip_lists lists = { 0 };
	int r = 0;

	for (size_t i = 0; i < w->rows_count && r == 0; i++) {
		struct rows *rows = w->rows[i];

		if (!rows->has || rows->id)
			continue;
		rows->id = (*next_id)++;
		r = shape_put(&rows->shape, rows->id, out, err);
	}
	if (r == 0)
		r = put_block(w, &lists, out, err);
	buf_free(&lists.begin);
	buf_free(&lists.cost);
	buf_free(&lists.skip);
	buf_free(&lists.delta);
	buf_free(&lists.absent);
	for (size_t i = 0; i < w->rows_count; i++)
		w->rows[i]->has = 0;
	buf_clear(&w->pause);
	w->count = w->paused = 0;
	w->used = 0;
	return r;
}
