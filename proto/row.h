/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last row of a shape, as writer, reader and packer each keep it: what the next sample is sparse against. In the
 * beginning every slot is present and 0; an absent slot keeps its value.
 */
#ifndef ASSAY_PROTO_ROW_H
#define ASSAY_PROTO_ROW_H

#include "base/err.h"
#include "base/sample.h"
#include "proto/wire.h"

struct row {
	int64_t *values;   /* [slots] */
	uint64_t *present; /* one bit a slot; none behind the last one */
	size_t slots;
};

int row_open(struct row *row, size_t slots, struct err *err);
void row_begin(struct row *row); /* as in the beginning */
void row_close(struct row *row); /* a zeroed one, too */

/* Which of the 64 slots from `word` * 64 on there are. */
static inline uint64_t row_mask(size_t slots, size_t word)
{
	size_t left = slots - word * 64;

	return left >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
}

/* The slots from `from` on turn from present to absent, or back. */
void row_turn(struct row *row, size_t from, size_t count);

/* A list of runs of slots that turn. [from, to) is the run that may still grow, `done` the end of the last written. */
struct turns {
	uint8_t *at; /* where the next number goes */
	uint64_t from, to, done;
};

#define TURNS_WORD_MAX (2 * 33 * WIRE_VARINT_MAX) /* the most that one word, or the end, adds */

void turns_add(struct turns *t, uint64_t base, uint64_t turned); /* bits are places from `base` on, which ascends */
void turns_flush(struct turns *t);

/* The three packed lists of a Sample, for shapes of up to `slots` slots. A list never needs more than that, since an
 * entry of n bytes takes at least n slots along. */
struct lists {
	uint8_t *skip, *delta, *absent;
	size_t skip_length, delta_length, absent_length; /* bytes */
	size_t slots;
};

int lists_grow(struct lists *lists, size_t slots, struct err *err);
void lists_close(struct lists *lists);

/* What leads from `row` to the sample; `row` becomes the sample. */
void row_encode(struct row *row, const struct sample *sample, struct lists *ret);

/* The way back. False: the lists lead out of the shape or are not of one length. */
bool row_apply(struct row *row, struct wire skip, struct wire delta, struct wire absent);

#endif
