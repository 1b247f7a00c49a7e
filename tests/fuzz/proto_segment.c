/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reader of segments. An input is read as it is (open or sealed). One that begins with 'F' holds frames without
 * their checksums, which a fuzzer would never find: length (u16le), Frame bytes ... behind a proper magic and header;
 * these are read open and sealed, and packed, which must tell the same.
 */
#include <stdint.h>
#include <stdlib.h>

#include "proto/crc32c.h"
#include "proto/segment.h"

static const char header[] = "\x0a\x1e\x0a\x1a" "01J8ZQ4B3N5R7T9VWXYZ012345\x10\x01";
static const struct segment_limits limits = { .unpacked = 4 << 20, .slots = 1 << 16, .shapes = 64, .values = 1 << 20 };

/* Looks at every byte that it is lent, so that the sanitizers do. */
static int on_snapshot(void *context, const struct snapshot *snapshot, struct err *err)
{
	uint64_t *sum = context;

	*sum = *sum * 31 + snapshot->tick + snapshot->monotonic_ns + snapshot->lateness_ns;
	for (size_t i = 0; i < snapshot->count; i++) {
		const struct sample *s = &snapshot->samples[i];
		uint64_t of_sample = s->begin_ns * 3 + s->cost_ns + strlen(s->shape->collector) + s->shape->generation;

		for (size_t slot = 0; slot < shape_slots(s->shape); slot++)
			of_sample = of_sample * 31 + (sample_has(s, slot) ? (uint64_t)s->values[slot] : 7);
		*sum += of_sample; /* packing may change their order */
	}
	return 0;
}

static int on_mark(void *context, const struct run_mark *mark, struct err *err)
{
	uint64_t *sum = context;

	*sum = *sum * 31 + mark->monotonic_ns + strlen(mark->name) + 5 * strlen(mark->value);
	return 0;
}

static int on_output(void *context, const struct run_output *output, struct err *err)
{
	uint64_t *sum = context;

	for (size_t i = 0; i < output->length; i++)
		*sum = *sum * 31 + (unsigned char)output->data[i];
	return 0;
}

static int on_facts(void *context, const struct pairs *axes, const struct pairs *facts, struct err *err)
{
	uint64_t *sum = context;

	for (size_t i = 0; i < axes->count; i++)
		*sum = *sum * 31 + strlen(axes->at[i].name) + strlen(axes->at[i].value);
	for (size_t i = 0; i < facts->count; i++)
		*sum = *sum * 37 + strlen(facts->at[i].name) + strlen(facts->at[i].value);
	return 0;
}

static const struct run_events events = {
	.snapshot = on_snapshot,
	.mark = on_mark,
	.output = on_output,
	.facts = on_facts,
};

static void add_frame(struct buf *open, const void *bytes, size_t length)
{
	uint32_t crc = crc32c(bytes, length);
	uint8_t head[8];

	for (int i = 0; i < 4; i++) {
		head[i] = (uint8_t)(length >> 8 * i);
		head[4 + i] = (uint8_t)(crc >> 8 * i);
	}
	(void)buf_add(open, head, sizeof(head));
	(void)buf_add(open, bytes, length);
}

static void read_frames(const uint8_t *data, size_t size)
{
	cleanup_buf struct buf open = { 0 }, sealed = { 0 }, packed = { 0 };
	struct segment_packer *packer;
	struct err err = { 0 };
	uint64_t one = 0, other = 0;
	int r;

	(void)buf_add(&open, SEGMENT_MAGIC, SEGMENT_MAGIC_BYTES);
	add_frame(&open, header, sizeof(header) - 1);
	while (size > 2) {
		size_t length = (size_t)(data[0] | data[1] << 8);

		if (length > size - 2)
			length = size - 2;
		add_frame(&open, data + 2, length);
		data += 2 + length;
		size -= 2 + length;
	}
	r = segment_read(buf_text(&open), &limits, true, &events, &one, NULL, &err);
	if (segment_seal(buf_text(&open), 1, &sealed, &err) != 0)
		return;
	if (segment_read(buf_text(&sealed), &limits, true, &events, &other, NULL, &err) != r || one != other)
		abort();
	if (segment_packer_open(&packer, &err) != 0)
		return;
	if (r == 0 && segment_read(buf_text(&open), &limits, true, &segment_packer_events, packer, NULL, &err) == 0 &&
	    segment_packer_finish(packer, 1, &packed, &err) == 0) {
		other = 0;
		if (segment_read(buf_text(&packed), NULL, false, &events, &other, NULL, &err) != 0 || one != other)
			abort();
	}
	segment_packer_close(packer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text bytes = { (const char *)data, (const char *)data + size };
	struct segment_report report;
	struct err err = { 0 };
	uint64_t sum = 0;
	size_t whole;

	if (size && data[0] == 'F') {
		read_frames(data + 1, size - 1);
		return 0;
	}
	(void)segment_read(bytes, &limits, true, &events, &sum, &report, &err);
	(void)segment_read(bytes, &limits, false, NULL, NULL, NULL, &err);
	if (segment_whole(bytes, &whole, &err) == 0 && whole > size)
		abort();
	return 0;
}
