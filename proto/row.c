/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proto/row.h"

#include <errno.h>
#include <stdlib.h>

int row_open(struct row *row, size_t slots, struct err *err)
{
	int64_t *values = calloc(slots, sizeof(*values));
	uint64_t *present = calloc((slots + 63) / 64, sizeof(*present));

	if (!values || !present) {
		free(values);
		free(present);
		return err_set(err, -ENOMEM, "no memory for %zu values", slots);
	}
	*row = (struct row){ values, present, slots };
	for (size_t word = 0; word * 64 < slots; word++)
		present[word] = row_mask(slots, word);
	return 0;
}

void row_begin(struct row *row)
{
	memset(row->values, 0, row->slots * sizeof(*row->values));
	for (size_t word = 0; word * 64 < row->slots; word++)
		row->present[word] = row_mask(row->slots, word);
}

void row_close(struct row *row)
{
	free(row->values);
	free(row->present);
	*row = (struct row){ 0 };
}

int lists_grow(struct lists *lists, size_t slots, struct err *err)
{
	uint8_t *bytes;

	if (slots <= lists->slots)
		return 0;
	bytes = malloc(slots * (2 + WIRE_VARINT_MAX) + 2 * WIRE_VARINT_MAX);
	if (!bytes)
		return err_set(err, -ENOMEM, "no memory for the lists of %zu values", slots);
	free(lists->skip);
	*lists = (struct lists){
		.skip = bytes,
		.absent = bytes + slots,
		.delta = bytes + 2 * slots + 2 * WIRE_VARINT_MAX,
		.slots = slots,
	};
	return 0;
}

void lists_close(struct lists *lists)
{
	free(lists->skip);
	*lists = (struct lists){ 0 };
}

void turns_flush(struct turns *t)
{
	if (t->to == t->from)
		return;
	t->at = wire_put_varint(t->at, t->from - t->done);
	t->at = wire_put_varint(t->at, t->to - t->from);
	t->done = t->to;
	t->from = t->to;
}

void turns_add(struct turns *t, uint64_t base, uint64_t turned)
{
	while (turned) {
		unsigned first = (unsigned)__builtin_ctzll(turned);
		uint64_t rest = ~(turned >> first);
		unsigned count = rest ? (unsigned)__builtin_ctzll(rest) : 64;

		if (base + first != t->to) {
			turns_flush(t);
			t->from = base + first;
		}
		t->to = base + first + count;
		turned = first + count < 64 ? turned & ~UINT64_C(0) << (first + count) : 0;
	}
}

/* Which of the `count` (at most 64) values differ. Eight at a time: most are as they were. */
static uint64_t differing(const int64_t *now, const int64_t *was, size_t count)
{
	uint64_t ret = 0;
	size_t i = 0;

	for (; i + 8 <= count; i += 8) {
		uint64_t any = 0;

		for (size_t j = i; j < i + 8; j++)
			any |= (uint64_t)(now[j] ^ was[j]);
		if (any)
			for (size_t j = i; j < i + 8; j++)
				ret |= (uint64_t)(now[j] != was[j]) << j;
	}
	for (; i < count; i++)
		ret |= (uint64_t)(now[i] != was[i]) << i;
	return ret;
}

void row_encode(struct row *row, const struct sample *sample, struct lists *ret)
{
	uint8_t *skip = ret->skip, *delta = ret->delta;
	struct turns turns = { .at = ret->absent };
	size_t slots = row->slots, next = 0;

	for (size_t word = 0, base = 0; base < slots; word++, base += 64) {
		const int64_t *now = sample->values + base;
		int64_t *was = row->values + base;
		uint64_t present = sample->present[word] & row_mask(slots, word);
		uint64_t moved = 0;

		if (present != row->present[word]) {
			turns_add(&turns, base, present ^ row->present[word]);
			row->present[word] = present;
		}
		if (present) /* what stands in an absent slot is nothing */
			moved = present & differing(now, was, slots - base < 64 ? slots - base : 64);
		for (; moved; moved &= moved - 1) {
			unsigned i = (unsigned)__builtin_ctzll(moved);

			skip = wire_put_varint(skip, base + i - next);
			delta = wire_put_varint(delta, wire_zigzag((uint64_t)now[i] - (uint64_t)was[i]));
			was[i] = now[i];
			next = base + i + 1;
		}
	}
	turns_flush(&turns);
	ret->skip_length = (size_t)(skip - ret->skip);
	ret->delta_length = (size_t)(delta - ret->delta);
	ret->absent_length = (size_t)(turns.at - ret->absent);
}

void row_turn(struct row *row, size_t from, size_t count)
{
	while (count) {
		size_t bit = from % 64, here = 64 - bit < count ? 64 - bit : count;
		uint64_t ones = here == 64 ? ~UINT64_C(0) : (UINT64_C(1) << here) - 1;

		row->present[from / 64] ^= ones << bit;
		from += here;
		count -= here;
	}
}

static bool apply_turns(struct row *row, struct wire absent)
{
	uint64_t stay, turn, slot = 0;

	while (absent.at < absent.end) {
		if (!wire_varint(&absent, &stay) || !wire_varint(&absent, &turn))
			return false;
		if (stay > row->slots - slot || turn > row->slots - slot - stay)
			return false;
		row_turn(row, slot + stay, turn);
		slot += stay + turn;
	}
	return true;
}

bool row_apply(struct row *row, struct wire skip, struct wire delta, struct wire absent)
{
	uint64_t slot = 0, step, difference;

	while (skip.at < skip.end) {
		if (!wire_varint(&skip, &step) || !wire_varint(&delta, &difference))
			return false;
		if (step >= row->slots - slot)
			return false;
		slot += step;
		row->values[slot] = (int64_t)((uint64_t)row->values[slot] + wire_unzigzag(difference));
		slot++;
	}
	return delta.at == delta.end && apply_turns(row, absent);
}
