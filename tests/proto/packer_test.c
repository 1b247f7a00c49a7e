/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A packed run tells what its segments told. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "proto/segment.h"
#include "tests/support/alloc_count.h"
#include "tests/support/segments.h"
#include "tests/support/told.h"

struct rig {
	struct segment_writer *writer;
	struct segment_packer *packer;
	struct buf open, packed, told, expected;
	struct err err;
	uint64_t dice;
};

static int setup(void **state)
{
	struct rig *rig = test_calloc(1, sizeof(*rig));

	*state = rig;
	rig->dice = 1;
	return segment_packer_open(&rig->packer, &rig->err);
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	segment_writer_close(rig->writer);
	segment_packer_close(rig->packer);
	buf_free(&rig->open);
	buf_free(&rig->packed);
	buf_free(&rig->told);
	buf_free(&rig->expected);
	test_free(rig);
	return 0;
}

/* Numbers that look like chance and are the same each time (Knuth's MMIX generator). */
static uint64_t roll(struct rig *rig, uint64_t sides)
{
	rig->dice = rig->dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (rig->dice >> 33) % sides;
}

static void segment(struct rig *rig, uint32_t sequence)
{
	struct run_header header = test_header(sequence);

	buf_clear(&rig->open);
	if (!rig->writer)
		assert_int_equal(segment_writer_open(&rig->writer, &header, &rig->open, &rig->err), 0);
	else
		assert_int_equal(segment_writer_next(rig->writer, &header, &rig->open, &rig->err), 0);
}

/* The open segment is over: the packer is told it, and so is the expectation. */
static void segment_over(struct rig *rig)
{
	assert_int_equal(segment_read(buf_text(&rig->open), NULL, false, &segment_packer_events, rig->packer, NULL,
				      &rig->err), 0);
	assert_int_equal(segment_read(buf_text(&rig->open), NULL, false, &told_events, &rig->expected, NULL,
				      &rig->err), 0);
}

static void put(struct rig *rig, uint64_t tick, struct sample *samples, size_t count)
{
	struct snapshot s = { tick, (5 + tick) * UINT64_C(1000000000) + tick % 7, tick % 7, samples, count };

	if (segment_put_snapshot(rig->writer, &s, &rig->open, &rig->err) != 0)
		fail_msg("%s", rig->err.text);
}

static void mark(struct rig *rig, uint64_t at, const char *name)
{
	assert_int_equal(segment_put_mark(rig->writer, &(struct run_mark){ at, name, "" }, &rig->open, &rig->err), 0);
}

static void packs_to_the_same(struct rig *rig)
{
	struct segment_report report;

	assert_int_equal(segment_packer_finish(rig->packer, SEGMENT_PACK_LEVEL, &rig->packed, &rig->err), 0);
	if (segment_read(buf_text(&rig->packed), NULL, false, &told_events, &rig->told, &report, &rig->err) != 0)
		fail_msg("%s", rig->err.text);
	assert_string_equal(rig->told.data, rig->expected.data);
	assert_int_equal(report.header.sequence, 1);
}

static void a_run_of_one_snapshot(void **state)
{
	struct rig *rig = *state;
	struct sample s = test_sample(&test_meminfo, (const int64_t[]){ 16384, -1 }, 0);

	segment(rig, 1);
	put(rig, 0, &s, 1);
	segment_over(rig);
	packs_to_the_same(rig);
	assert_non_null(strstr(rig->told.data, "snapshot 0 5000000000 0\n  meminfo/1 0+0: MemTotal[]=16384 MemFree[]=-1\n"));
	sample_free(&s);
}

static void a_run_without_snapshots(void **state)
{
	struct rig *rig = *state;

	segment(rig, 1);
	mark(rig, 1, "a");
	segment_over(rig);
	segment(rig, 2);
	mark(rig, 2, "b");
	segment_over(rig);
	packs_to_the_same(rig);
}

/* 1, 63, 64, 65, 127, 128, 129 snapshots: around the ends of blocks; with marks before, between and after. */
static void marks_and_headers_keep_their_places(void **state)
{
	static const unsigned counts[] = { 1, 63, 64, 65, 127, 128, 129 };
	struct rig *rig = *state;
	struct sample s = test_sample(&test_meminfo, (const int64_t[]){ 0, 0 }, 0);

	for (size_t c = 0; c < sizeof(counts) / sizeof(*counts); c++) {
		(void)teardown(state);
		(void)setup(state);
		rig = *state;
		segment(rig, 1);
		mark(rig, 1, "before");
		for (unsigned i = 0; i < counts[c]; i++) {
			s.values[1] = (int64_t)i * i;
			put(rig, i, &s, 1);
			if (i % 5 == 4) {
				segment_over(rig);
				segment(rig, i);
			}
			if (i % 31 == 30) {
				mark(rig, i, "between");
				mark(rig, i, "and again");
			}
		}
		mark(rig, 2, "after");
		segment_over(rig);
		packs_to_the_same(rig);
	}
	sample_free(&s);
}

/* Modulo 2^64, and whether the slot is there or not. */
static void sample_put_step(struct sample *s, size_t slot, int64_t step)
{
	s->values[slot] = (int64_t)((uint64_t)s->values[slot] + (uint64_t)step);
}

/* Shapes of several sizes with intervals of their own, generations, slots that come and go, far and near steps. */
static void a_restless_run(void **state)
{
	struct rig *rig = *state;
	static const size_t sizes[] = { 1, 64, 65, 300 };
	struct shape shapes[4];
	struct sample samples[4], chosen[4];

	for (size_t i = 0; i < 4; i++) {
		shapes[i] = test_shape("restless", (uint32_t)i, sizes[i]);
		assert_int_equal(sample_init(&samples[i], &shapes[i], &rig->err), 0);
	}
	segment(rig, 1);
	for (uint64_t tick = 0; tick < 300; tick++) {
		size_t count = 0;

		for (size_t i = 0; i < 4; i++) {
			if (tick % (i + 1) && roll(rig, 3))
				continue;
			for (size_t slot = 0; slot < sizes[i]; slot++) {
				int64_t step = (int64_t)roll(rig, 100) - 50;

				if (roll(rig, 10) == 0)
					sample_put_step(&samples[i], slot, step);
				if (roll(rig, 500) == 0)
					samples[i].values[slot] ^= INT64_MIN | step;
				if (tick == 0 || roll(rig, 50) == 0)
					samples[i].present[slot / 64] ^= UINT64_C(1) << slot % 64;
			}
			samples[i].begin_ns = tick * 1000 + roll(rig, 999);
			samples[i].cost_ns = roll(rig, 1000);
			chosen[count++] = samples[i];
		}
		put(rig, tick, chosen, count);
		if (tick % 50 == 49) {
			segment_over(rig);
			segment(rig, (uint32_t)tick);
		}
	}
	segment_over(rig);
	packs_to_the_same(rig);
	for (size_t i = 0; i < 4; i++) {
		sample_free(&samples[i]);
		test_shape_free(&shapes[i]);
	}
}

static void a_packed_run_packs_again_to_the_same_bytes(void **state)
{
	struct rig *rig = *state;
	struct sample s = test_sample(&test_interrupts, (const int64_t[]){ 1, 2, 3, 4, 5, 6 }, 0x8);
	struct segment_packer *again;
	cleanup_buf struct buf packed = { 0 };

	segment(rig, 1);
	for (uint64_t i = 0; i < 100; i++) {
		sample_put(&s, 0, 1, i);
		put(rig, i, &s, 1);
	}
	mark(rig, 1, "end");
	segment_over(rig);
	packs_to_the_same(rig);
	assert_int_equal(segment_packer_open(&again, &rig->err), 0);
	assert_int_equal(segment_read(buf_text(&rig->packed), NULL, false, &segment_packer_events, again, NULL,
				      &rig->err), 0);
	assert_int_equal(segment_packer_finish(again, SEGMENT_PACK_LEVEL, &packed, &rig->err), 0);
	assert_int_equal(packed.len, rig->packed.len);
	assert_memory_equal(packed.data, rig->packed.data, packed.len);
	segment_packer_close(again);
	sample_free(&s);
}

/* So wide that a block holds fewer than 64 snapshots. */
static void a_wide_run_is_cut_into_smaller_blocks(void **state)
{
	struct rig *rig = *state;
	static const char *instances[400];
	static char names[400][8];
	struct shape narrow = test_shape("wide", 1, 500), wide = narrow;
	struct sample s;

	for (size_t i = 0; i < 400; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "CPU%zu", i);
		instances[i] = names[i];
	}
	wide.instances = instances;
	wide.instance_count = 400;
	assert_int_equal(sample_init(&s, &wide, &rig->err), 0);
	rig->told.ceiling = rig->expected.ceiling = (size_t)512 << 20;
	segment(rig, 1);
	for (uint64_t tick = 0; tick < 12; tick++) {
		for (size_t i = tick * 1000; i < tick * 15000; i++)
			sample_put(&s, i / 400, i % 400, tick * i);
		put(rig, tick, &s, 1);
	}
	segment_over(rig);
	packs_to_the_same(rig);
	sample_free(&s);
	test_shape_free(&narrow);
}

static int pack(struct text open, struct buf *packed, struct err *err)
{
	struct segment_packer *packer;
	int r = segment_packer_open(&packer, err);

	if (r < 0)
		return r;
	r = segment_read(open, NULL, false, &segment_packer_events, packer, NULL, err);
	if (r == 0)
		r = segment_packer_finish(packer, SEGMENT_PACK_LEVEL, packed, err);
	if (r == 0)
		r = segment_read(buf_text(packed), NULL, false, NULL, NULL, NULL, err);
	segment_packer_close(packer);
	return r;
}

/* Every allocation of packer and reader fails once: each says so, and nothing leaks. */
static void without_memory_it_says_so(void **state)
{
	struct rig *rig = *state;
	struct sample s = test_sample(&test_interrupts, (const int64_t[]){ 1, 2, 3, 4, 5, 6 }, 0x8);
	size_t failures = 0;
	int r = -ENOMEM;

	segment(rig, 1);
	for (uint64_t i = 0; i < 100; i++) {
		sample_put(&s, 0, 1, i);
		s.present[0] ^= i & 0x30;
		put(rig, i, &s, 1);
		if (i % 10 == 0)
			mark(rig, i, "m");
	}
	for (size_t n = 1; r == -ENOMEM; n++) {
		cleanup_buf struct buf packed = { 0 };

		alloc_fail_at(n);
		r = pack(buf_text(&rig->open), &packed, &rig->err);
		alloc_fail_at(0);
		failures += r == -ENOMEM;
	}
	if (r != 0)
		fail_msg("%s", rig->err.text);
	assert_in_range(failures, 20, 200);
	sample_free(&s);
}

static void refuses_a_run_without_a_header(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(segment_packer_events.mark(rig->packer, &(struct run_mark){ 1, "x", "" }, &rig->err),
			 -EINVAL);
	assert_int_equal(segment_packer_finish(rig->packer, 9, &rig->packed, &rig->err), -EINVAL);
	assert_string_equal(rig->err.text, "a run to pack that does not begin with a header");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_run_of_one_snapshot, setup, teardown),
		cmocka_unit_test_setup_teardown(a_run_without_snapshots, setup, teardown),
		cmocka_unit_test_setup_teardown(marks_and_headers_keep_their_places, setup, teardown),
		cmocka_unit_test_setup_teardown(a_restless_run, setup, teardown),
		cmocka_unit_test_setup_teardown(a_packed_run_packs_again_to_the_same_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(a_wide_run_is_cut_into_smaller_blocks, setup, teardown),
		cmocka_unit_test_setup_teardown(without_memory_it_says_so, setup, teardown),
		cmocka_unit_test_setup_teardown(refuses_a_run_without_a_header, setup, teardown),
	};

	return cmocka_run_group_tests_name("packer", tests, NULL, NULL);
}
