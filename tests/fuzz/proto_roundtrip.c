/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes steer what is sampled: what is written, read, packed and read again must be what was sampled.
 *
 *   shape sizes (3 bytes), then steps: op, slot, value ...
 *   op % 8: 0-3 put a value (8 bytes follow for 3), 4 take a slot away, 5 a snapshot, 6 a new segment, 7 a new generation
 */
#include <stdint.h>
#include <stdlib.h>

#include "proto/segment.h"

#define SHAPES 3
#define SLOTS  200

struct script {
	const uint8_t *at, *end;
};

struct rig {
	struct segment_writer *writer;
	struct segment_packer *packer;
	struct buf open;
	struct shape shapes[SHAPES];
	struct sample samples[SHAPES];
	uint64_t wanted, got;
	uint32_t sequence;
	struct err err;
};

static const char *const whole[] = { "" };
static struct metric metrics[SLOTS];
static char metric_names[SLOTS][2];

static uint8_t next(struct script *s)
{
	return s->at < s->end ? *s->at++ : 0;
}

static uint64_t sum_of(uint64_t sum, const struct snapshot *snapshot)
{
	sum = sum * 31 + snapshot->tick * 3 + snapshot->monotonic_ns * 5 + snapshot->lateness_ns;
	for (size_t i = 0; i < snapshot->count; i++) {
		const struct sample *s = &snapshot->samples[i];
		uint64_t one = s->begin_ns * 3 + s->cost_ns;

		one = one * 31 + (uint64_t)s->shape->collector[0] * 1000 + s->shape->generation;
		for (size_t slot = 0; slot < shape_slots(s->shape); slot++)
			one = one * 31 + (sample_has(s, slot) ? (uint64_t)s->values[slot] * 2 : 1);
		sum += one;
	}
	return sum;
}

static int on_snapshot(void *context, const struct snapshot *snapshot, struct err *err)
{
	uint64_t *sum = context;

	*sum = sum_of(*sum, snapshot);
	return 0;
}

static const struct run_events summing = { .snapshot = on_snapshot };

static void must(int r)
{
	if (r != 0)
		abort();
}

static void segment_over(struct rig *rig)
{
	struct text open = buf_text(&rig->open);

	must(segment_read(open, NULL, false, &summing, &rig->got, NULL, &rig->err));
	if (rig->got != rig->wanted)
		abort();
	must(segment_read(open, NULL, false, &segment_packer_events, rig->packer, NULL, &rig->err));
}

static void segment_begin(struct rig *rig)
{
	struct run_header header = {
		.run = { "01J8ZQ4B3N5R7T9VWXYZ012345" },
		.sequence = ++rig->sequence,
		.host = "h",
		.boot_id = "b",
		.agent_version = "v",
	};

	buf_clear(&rig->open);
	if (rig->writer)
		must(segment_writer_next(rig->writer, &header, &rig->open, &rig->err));
	else
		must(segment_writer_open(&rig->writer, &header, &rig->open, &rig->err));
}

static void snapshot(struct rig *rig, uint8_t which, uint8_t times)
{
	struct sample chosen[SHAPES];
	struct snapshot s = { .tick = rig->wanted, .monotonic_ns = times * UINT64_C(0x123456789ab), .samples = chosen };

	s.lateness_ns = times & 1 ? UINT64_MAX - times : times;
	for (size_t i = 0; i < SHAPES; i++) {
		rig->samples[i].begin_ns = s.monotonic_ns + (uint64_t)times * i - which;
		rig->samples[i].cost_ns = which * UINT64_C(77);
		if (which >> i & 1)
			chosen[s.count++] = rig->samples[i];
	}
	must(segment_put_snapshot(rig->writer, &s, &rig->open, &rig->err));
	rig->wanted = sum_of(rig->wanted, &s);
}

static void step(struct rig *rig, struct script *script)
{
	uint8_t op = next(script), slot = next(script), small = next(script);
	struct sample *s = &rig->samples[op / 8 % SHAPES];
	size_t at = slot % shape_slots(s->shape);
	uint64_t value = (uint64_t)(int64_t)(int8_t)small;

	switch (op % 8) {
	case 3:
		for (int i = 0; i < 8; i++)
			value = value << 8 | next(script);
		sample_put(s, at, 0, value);
		break;
	case 4:
		s->present[at / 64] &= ~(UINT64_C(1) << at % 64);
		break;
	case 5:
		snapshot(rig, slot, small);
		break;
	case 6:
		segment_over(rig);
		segment_begin(rig);
		break;
	case 7:
		segment_forget(rig->writer, s->shape);
		((struct shape *)(uintptr_t)s->shape)->generation++;
		break;
	default:
		sample_put(s, at, 0, (uint64_t)s->values[at] + value);
	}
}

static void check_packed(struct rig *rig)
{
	cleanup_buf struct buf packed = { 0 };
	uint64_t sum = 0;

	must(segment_packer_finish(rig->packer, 1, &packed, &rig->err));
	must(segment_read(buf_text(&packed), NULL, false, &summing, &sum, NULL, &rig->err));
	if (sum != rig->wanted)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const collectors[SHAPES] = { "a", "b", "c" };
	struct script script = { data, data + size };
	struct rig rig = { 0 };

	for (size_t i = 0; i < SLOTS; i++) {
		metric_names[i][0] = (char)(i + 1);
		metrics[i] = (struct metric){ .name = metric_names[i] };
	}
	must(segment_packer_open(&rig.packer, &rig.err));
	for (size_t i = 0; i < SHAPES; i++) {
		rig.shapes[i] = (struct shape){ collectors[i], 1, metrics, next(&script) % SLOTS + 1, whole, 1 };
		must(sample_init(&rig.samples[i], &rig.shapes[i], &rig.err));
	}
	segment_begin(&rig);
	while (script.at < script.end)
		step(&rig, &script);
	segment_over(&rig);
	check_packed(&rig);
	for (size_t i = 0; i < SHAPES; i++)
		sample_free(&rig.samples[i]);
	segment_writer_close(rig.writer);
	segment_packer_close(rig.packer);
	buf_free(&rig.open);
	return 0;
}
