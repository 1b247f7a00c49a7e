/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes into a segment comes out of it. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "proto/segment.h"
#include "tests/support/alloc_count.h"
#include "tests/support/segments.h"
#include "tests/support/told.h"

#define HEADER_LINE "header " TEST_RUN " 1 lab1 b007 0.1.0 1700000000000000000 5000000000 1000000000\n"

struct rig {
	struct segment_writer *writer;
	struct buf out, told;
	struct segment_report report;
	struct err err;
};

static int setup(void **state)
{
	struct rig *rig = test_calloc(1, sizeof(*rig));
	struct run_header header = test_header(1);

	*state = rig;
	return segment_writer_open(&rig->writer, &header, &rig->out, &rig->err);
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	segment_writer_close(rig->writer);
	buf_free(&rig->out);
	buf_free(&rig->told);
	test_free(rig);
	return 0;
}

static int put(struct rig *rig, uint64_t tick, const struct sample *samples, size_t count)
{
	struct snapshot s = { tick, (5 + tick) * UINT64_C(1000000000) + 70, 70, samples, count };

	return segment_put_snapshot(rig->writer, &s, &rig->out, &rig->err);
}

static void read_back(struct rig *rig, const char *expected)
{
	buf_clear(&rig->told);
	if (segment_read(buf_text(&rig->out), NULL, false, &told_events, &rig->told, &rig->report, &rig->err) != 0)
		fail_msg("%s", rig->err.text);
	assert_string_equal(rig->told.data, expected);
}

static void begins_with_magic_and_header(void **state)
{
	struct rig *rig = *state;

	assert_memory_equal(rig->out.data, "ASSAY1\r\n", 8);
	read_back(rig, HEADER_LINE);
	assert_int_equal(rig->report.frames, 1);
	assert_int_equal(rig->report.torn, 0);
	assert_int_equal(rig->report.unpacked, rig->out.len);
	assert_false(rig->report.has_end);
	assert_string_equal(rig->report.header.run.text, TEST_RUN);
	assert_int_equal(rig->report.header.sequence, 1);
	assert_int_equal(rig->report.header.monotonic_ns, 5000000000);
	assert_string_equal(rig->report.header.host, "");
}

static void snapshots_come_back_with_their_shapes(void **state)
{
	struct rig *rig = *state;
	struct sample samples[] = {
		test_sample(&test_meminfo, (const int64_t[]){ 16384, 200 }, 0),
		test_sample(&test_interrupts, (const int64_t[]){ 1, 2, 3, 0, -1, INT64_MIN }, 0),
	};

	samples[0].begin_ns = UINT64_C(5000000100), samples[0].cost_ns = 30;
	samples[1].begin_ns = UINT64_C(5000000020), samples[1].cost_ns = 0; /* before the other one: no order is asked for */
	assert_int_equal(put(rig, 0, samples, 2), 0);
	samples[0].values[1] = 199;
	samples[1].values[5] = INT64_MAX;
	assert_int_equal(put(rig, 1, samples, 2), 0);
	assert_int_equal(put(rig, 3, samples + 1, 1), 0);
	assert_int_equal(put(rig, 4, NULL, 0), 0);
	read_back(rig, HEADER_LINE
		  "snapshot 0 5000000070 70\n"
		  "  meminfo/1 5000000100+30: MemTotal[]=16384 MemFree[]=200\n"
		  "  interrupts/1 5000000020+0: 24[CPU0]=1 24[CPU1]=2 24[CPU2]=3 NMI[CPU0]=0 NMI[CPU1]=-1"
		  " NMI[CPU2]=-9223372036854775808\n"
		  "snapshot 1 6000000070 70\n"
		  "  meminfo/1 5000000100+30: MemTotal[]=16384 MemFree[]=199\n"
		  "  interrupts/1 5000000020+0: 24[CPU0]=1 24[CPU1]=2 24[CPU2]=3 NMI[CPU0]=0 NMI[CPU1]=-1"
		  " NMI[CPU2]=9223372036854775807\n"
		  "snapshot 3 8000000070 70\n"
		  "  interrupts/1 5000000020+0: 24[CPU0]=1 24[CPU1]=2 24[CPU2]=3 NMI[CPU0]=0 NMI[CPU1]=-1"
		  " NMI[CPU2]=9223372036854775807\n"
		  "snapshot 4 9000000070 70\n");
	sample_free(&samples[0]);
	sample_free(&samples[1]);
}

static int check_meaning(void *context, const struct snapshot *snapshot, struct err *err)
{
	const struct shape *shape = snapshot->samples[0].shape;

	assert_int_equal(shape->metric_count, 2);
	assert_int_equal(shape->metrics[0].kind, COUNTER32);
	assert_int_equal(shape->metrics[0].unit, UNIT_JOULES);
	assert_int_equal(shape->metrics[0].exponent, 6);
	assert_int_equal(shape->metrics[0].fold, FOLD_MIN);
	assert_int_equal(shape->metrics[1].kind, GAUGE);
	assert_int_equal(shape->metrics[1].unit, UNIT_NONE);
	assert_int_equal(shape->metrics[1].exponent, 0);
	assert_int_equal(shape->metrics[1].fold, FOLD_NONE);
	assert_string_equal(shape->metrics[1].name, "not \xff utf-8");
	++*(int *)context;
	return 0;
}

static void a_shape_keeps_kind_unit_exponent_fold_and_bytes_of_names(void **state)
{
	static const struct metric metrics[] = {
		{ "energy", COUNTER32, UNIT_JOULES, 6, FOLD_MIN },
		{ "not \xff utf-8", GAUGE, UNIT_NONE, 0, FOLD_NONE },
	};
	static const char *const instances[] = { "package-0" };
	static const struct shape shape = { "energy", 7, metrics, 2, instances, 1 };
	struct rig *rig = *state;
	struct sample sample = test_sample(&shape, (const int64_t[]){ 1, 2 }, 0);
	int seen = 0;

	assert_int_equal(put(rig, 0, &sample, 1), 0);
	assert_int_equal(segment_read(buf_text(&rig->out), NULL, false,
				      &(struct run_events){ .snapshot = check_meaning }, &seen, NULL, &rig->err),
			 0);
	assert_int_equal(seen, 1);
	sample_free(&sample);
}

static void absent_is_not_zero_and_may_come_and_go(void **state)
{
	struct rig *rig = *state;
	struct sample s = test_sample(&test_interrupts, (const int64_t[]){ 10, 99, 30, 40, 50, 60 }, 0x2a);

	s.begin_ns = 0;
	assert_int_equal(put(rig, 0, &s, 1), 0);
	s.values[1] = 21;
	s.values[0] = 77; /* stale: nobody put it */
	s.present[0] = 0x3e;
	assert_int_equal(put(rig, 1, &s, 1), 0);
	s.present[0] = 0;
	assert_int_equal(put(rig, 2, &s, 1), 0);
	s.values[0] = 10; /* as it was when it was last there */
	s.present[0] = 0x3f;
	assert_int_equal(put(rig, 3, &s, 1), 0);
	read_back(rig, HEADER_LINE
		  "snapshot 0 5000000070 70\n"
		  "  interrupts/1 0+0: 24[CPU0]=10 24[CPU1]=- 24[CPU2]=30 NMI[CPU0]=- NMI[CPU1]=50 NMI[CPU2]=-\n"
		  "snapshot 1 6000000070 70\n"
		  "  interrupts/1 0+0: 24[CPU0]=- 24[CPU1]=21 24[CPU2]=30 NMI[CPU0]=40 NMI[CPU1]=50 NMI[CPU2]=60\n"
		  "snapshot 2 7000000070 70\n"
		  "  interrupts/1 0+0: 24[CPU0]=- 24[CPU1]=- 24[CPU2]=- NMI[CPU0]=- NMI[CPU1]=- NMI[CPU2]=-\n"
		  "snapshot 3 8000000070 70\n"
		  "  interrupts/1 0+0: 24[CPU0]=10 24[CPU1]=21 24[CPU2]=30 NMI[CPU0]=40 NMI[CPU1]=50 NMI[CPU2]=60\n");
	sample_free(&s);
}

/* Every slot count around a presence word's, with a pattern of absences and changes of its own. */
static void slots_around_the_word_boundaries(void **state)
{
	static const size_t counts[] = { 1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 200 };
	struct rig *rig = *state;
	cleanup_buf struct buf expected = { 0 };

	assert_int_equal(buf_puts(&expected, HEADER_LINE), 0);
	for (size_t c = 0; c < sizeof(counts) / sizeof(*counts); c++) {
		struct shape shape = test_shape("wide", (uint32_t)c + 1, counts[c]);
		struct sample s;

		assert_int_equal(sample_init(&s, &shape, &rig->err), 0);
		for (uint64_t tick = 0; tick < 8; tick++) {
			struct snapshot snapshot = { tick, tick, 0, &s, 1 };

			sample_clear(&s);
			for (size_t slot = 0; slot < counts[c]; slot++)
				if ((slot / (tick + 1) + tick) % 3)
					sample_put(&s, slot, 0, slot % (tick + 2) ? slot : slot << 56 ^ tick << 40);
			assert_int_equal(segment_put_snapshot(rig->writer, &snapshot, &rig->out, &rig->err), 0);
			told_snapshot(&expected, &snapshot);
		}
		segment_forget(rig->writer, &shape);
		sample_free(&s);
		test_shape_free(&shape);
	}
	read_back(rig, expected.data);
}

static void counters_near_two_to_the_64_wrap_and_come_back(void **state)
{
	static const uint64_t steps[] = { UINT64_MAX, 0, UINT64_MAX - 1, 1, UINT64_C(1) << 63, 5 };
	struct rig *rig = *state;
	struct sample s = test_sample(&test_meminfo, (const int64_t[]){ 0, 0 }, 0);
	cleanup_buf struct buf expected = { 0 };

	assert_int_equal(buf_puts(&expected, HEADER_LINE), 0);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct snapshot snapshot = { i, UINT64_MAX - i, UINT64_MAX, &s, 1 };

		s.begin_ns = steps[i];
		s.cost_ns = ~steps[i];
		sample_put(&s, 1, 0, steps[i]);
		assert_int_equal(segment_put_snapshot(rig->writer, &snapshot, &rig->out, &rig->err), 0);
		told_snapshot(&expected, &snapshot);
	}
	assert_non_null(strstr(expected.data, "MemFree[]=-9223372036854775808\n"));
	read_back(rig, expected.data);
	sample_free(&s);
}

static void everything_that_is_not_a_snapshot_comes_back(void **state)
{
	struct rig *rig = *state;
	struct pairs axes = { 0 }, facts = { 0 };

	assert_int_equal(segment_put_mark(rig->writer, &(struct run_mark){ 123, MARK_COMMAND_START, "" }, &rig->out,
					  &rig->err), 0);
	assert_int_equal(segment_put_result(rig->writer, &(struct run_result){ "hackbench.throughput", 0.1, "/s", 1 },
					    &rig->out, &rig->err), 0);
	assert_int_equal(segment_put_result(rig->writer, &(struct run_result){ "x.latency", -1e300, "", -1 },
					    &rig->out, &rig->err), 0);
	assert_int_equal(segment_put_output(rig->writer, &(struct run_output){ OUTPUT_STDERR, 7, "a\0b", 3 },
					    &rig->out, &rig->err), 0);
	assert_int_equal(segment_put_output(rig->writer, &(struct run_output){ OUTPUT_STDOUT, 0, NULL, 0 },
					    &rig->out, &rig->err), 0);
	assert_int_equal(segment_put_log(rig->writer, &(struct run_log){ 9, "slabinfo", "Permission denied" },
					 &rig->out, &rig->err), 0);
	assert_int_equal(pairs_set(&axes, "commit", "v6.12"), 0);
	assert_int_equal(pairs_set(&facts, "cpu.model", "a \"model\""), 0);
	assert_int_equal(pairs_set(&facts, "empty", ""), 0);
	assert_int_equal(segment_put_facts(rig->writer, &axes, &facts, &rig->out, &rig->err), 0);
	assert_int_equal(segment_put_facts(rig->writer, &(struct pairs){ 0 }, &(struct pairs){ 0 }, &rig->out,
					   &rig->err), 0);
	assert_int_equal(segment_put_end(rig->writer, &(struct run_end){ true, 7, 0, 1, 2, 3, UINT64_MAX }, &rig->out,
					 &rig->err), 0);
	pairs_free(&axes);
	pairs_free(&facts);

	buf_clear(&rig->told);
	assert_int_equal(segment_read(buf_text(&rig->out), NULL, false, &told_events, &rig->told, &rig->report,
				      &rig->err), 0);
	static const char expected[] = HEADER_LINE
		"mark 123 command.start \n"
		"result hackbench.throughput 0.10000000000000001 /s 1\n"
		"result x.latency -1.0000000000000001e+300  -1\n"
		"output 2 7 3 a\0b\n"
		"output 1 0 0 \n"
		"log 9 slabinfo Permission denied\n"
		"facts axes commit=v6.12 others cpu.model=a \"model\" empty=\n"
		"facts axes others\n"
		"end 1 7 0 1 2 3 18446744073709551615\n";
	assert_int_equal(rig->told.len, sizeof(expected) - 1);
	assert_memory_equal(rig->told.data, expected, sizeof(expected) - 1);
	assert_true(rig->report.has_end);
	assert_int_equal(rig->report.frames, 10);
}

static void several_segments_of_one_writer_each_stand_alone(void **state)
{
	struct rig *rig = *state;
	struct sample s = test_sample(&test_meminfo, (const int64_t[]){ 16384, 200 }, 0);
	struct run_header header = test_header(2);
	cleanup_buf struct buf first = { 0 };

	assert_int_equal(put(rig, 0, &s, 1), 0);
	assert_int_equal(buf_add_text(&first, buf_text(&rig->out)), 0);
	buf_clear(&rig->out);
	assert_int_equal(segment_writer_next(rig->writer, &header, &rig->out, &rig->err), 0);
	assert_int_equal(put(rig, 1, &s, 1), 0); /* the same values, yet against zero */
	read_back(rig,
		  "header " TEST_RUN " 2 lab1 b007 0.1.0 1700000000000000000 5000000000 1000000000\n"
		  "snapshot 1 6000000070 70\n"
		  "  meminfo/1 0+0: MemTotal[]=16384 MemFree[]=200\n");
	buf_clear(&rig->out); /* out of order: the first is read after the second */
	assert_int_equal(buf_add_text(&rig->out, buf_text(&first)), 0);
	read_back(rig, HEADER_LINE
		  "snapshot 0 5000000070 70\n"
		  "  meminfo/1 0+0: MemTotal[]=16384 MemFree[]=200\n");
	sample_free(&s);
}

static void a_new_generation_in_the_same_memory_is_another_shape(void **state)
{
	struct rig *rig = *state;
	struct shape shape = test_shape("slabinfo", 1, 2);
	struct sample s = test_sample(&shape, (const int64_t[]){ 5, 6 }, 0);

	assert_int_equal(put(rig, 0, &s, 1), 0);
	segment_forget(rig->writer, &shape);
	shape.generation = 2;
	assert_int_equal(put(rig, 1, &s, 1), 0);
	shape.generation = 3; /* without a word */
	shape.metric_count = 1;
	assert_int_equal(put(rig, 2, &s, 1), 0);
	read_back(rig, HEADER_LINE
		  "snapshot 0 5000000070 70\n  slabinfo/1 0+0: m0[]=5 m1[]=6\n"
		  "snapshot 1 6000000070 70\n  slabinfo/2 0+0: m0[]=5 m1[]=6\n"
		  "snapshot 2 7000000070 70\n  slabinfo/3 0+0: m0[]=5\n");
	shape.metric_count = 2;
	test_shape_free(&shape);
	sample_free(&s);
}

static void a_sealed_segment_reads_as_the_open_one(void **state)
{
	struct rig *rig = *state;
	struct sample s = test_sample(&test_meminfo, (const int64_t[]){ 16384, 200 }, 0);
	struct segment_report report;
	cleanup_buf struct buf sealed = { 0 }, told = { 0 };

	assert_int_equal(put(rig, 0, &s, 1), 0);
	assert_int_equal(segment_seal(buf_text(&rig->out), 3, &sealed, &rig->err), 0);
	assert_memory_equal(sealed.data, "\x28\xb5\x2f\xfd", 4);
	assert_int_equal(segment_read(buf_text(&sealed), NULL, false, &told_events, &told, &report, &rig->err), 0);
	assert_int_equal(report.unpacked, rig->out.len);
	read_back(rig, told.data);
	sample_free(&s);
}

static void a_full_segment_says_so_and_the_next_one_takes_the_snapshot(void **state)
{
	struct rig *rig = *state;
	struct shape shape = test_shape("wide", 1, 400);
	struct run_header header = test_header(2);
	struct sample s;
	size_t before;

	assert_int_equal(sample_init(&s, &shape, &rig->err), 0);
	for (size_t i = 0; i < 400; i++)
		sample_put(&s, i, 0, UINT64_MAX - 1000 * i);
	assert_int_equal(put(rig, 0, &s, 1), 0);
	rig->out.ceiling = rig->out.len + 100;
	for (size_t i = 0; i < 400; i++)
		sample_put(&s, i, 0, 7 * i);
	before = rig->out.len;
	assert_int_equal(put(rig, 1, &s, 1), -EMSGSIZE);
	assert_int_equal(rig->out.len, before); /* what was there stays whole */
	assert_int_equal(put(rig, 1, &s, 1), -EMSGSIZE);

	rig->out.failed = 0;
	assert_int_equal(segment_read(buf_text(&rig->out), NULL, false, NULL, NULL, &rig->report, &rig->err), 0);
	assert_int_equal(rig->report.frames, 3);
	buf_clear(&rig->out);
	rig->out.ceiling = 0;
	assert_int_equal(segment_writer_next(rig->writer, &header, &rig->out, &rig->err), 0);
	assert_int_equal(put(rig, 1, &s, 1), 0);
	assert_int_equal(segment_read(buf_text(&rig->out), NULL, false, &told_events, &rig->told, NULL, &rig->err), 0);
	assert_non_null(strstr(rig->told.data, " m399[]=2793\n"));
	sample_free(&s);
	test_shape_free(&shape);
}

static void a_put_allocates_nothing_once_a_shape_was_seen(void **state)
{
	struct rig *rig = *state;
	struct run_header header = test_header(2);
	struct sample s = test_sample(&test_interrupts, (const int64_t[]){ 1, 2, 3, 4, 5, 6 }, 0);
	size_t before;

	assert_int_equal(buf_reserve(&rig->out, 1 << 20), 0);
	assert_int_equal(put(rig, 0, &s, 1), 0);
	before = alloc_count();
	for (uint64_t tick = 1; tick < 100; tick++) {
		for (size_t slot = 0; slot < 6; slot++)
			sample_put(&s, slot / 3, slot % 3, tick << slot * 10);
		s.present[0] ^= tick & 0x3f;
		assert_int_equal(put(rig, tick, &s, 1), 0);
	}
	assert_int_equal(alloc_count(), before);
	buf_clear(&rig->out);
	assert_int_equal(segment_writer_next(rig->writer, &header, &rig->out, &rig->err), 0);
	assert_int_equal(put(rig, 100, &s, 1), 0); /* its shape is written once more */
	assert_int_equal(alloc_count(), before);
	sample_free(&s);
}

/* Every allocation of a writer and a reader fails once: each says so, and nothing leaks. */
static void without_memory_each_says_so(void **state)
{
	struct rig *rig = *state;
	struct sample s = test_sample(&test_meminfo, (const int64_t[]){ 1, 2 }, 0);
	struct snapshot snapshot = { 1, 2, 3, &s, 1 };
	struct run_header header = test_header(1);
	size_t failures = 0;
	int r = -ENOMEM;

	for (size_t n = 1; r == -ENOMEM; n++) {
		struct segment_writer *w = NULL;
		cleanup_buf struct buf out = { 0 };

		alloc_fail_at(n);
		r = segment_writer_open(&w, &header, &out, &rig->err);
		if (r == 0)
			r = segment_put_snapshot(w, &snapshot, &out, &rig->err);
		if (r == 0)
			r = segment_read(buf_text(&out), NULL, false, NULL, NULL, NULL, &rig->err);
		alloc_fail_at(0);
		segment_writer_close(w);
		failures += r == -ENOMEM;
	}
	assert_int_equal(r, 0);
	assert_in_range(failures, 10, 40);
	sample_free(&s);
}

static void refuses_a_shape_that_could_not_be_read_back(void **state)
{
	static const struct metric nameless[] = { { "", GAUGE, UNIT_NONE, 0, FOLD_NONE } };
	static const struct metric huge[] = { { "x", GAUGE, UNIT_NONE, 19, FOLD_NONE } };
	static const char *const whole[] = { "" };
	struct shape shape = { "bad", 1, nameless, 1, whole, 1 };
	struct rig *rig = *state;
	struct sample s = test_sample(&shape, (const int64_t[]){ 1 }, 0);

	assert_int_equal(put(rig, 0, &s, 1), -EINVAL);
	assert_string_equal(rig->err.text, "bad: metric 0 is named \"\" and has exponent 0");
	shape.metrics = huge;
	buf_clear(&rig->out);
	assert_int_equal(segment_writer_next(rig->writer, &(struct run_header){ .host = "", .boot_id = "",
			 .agent_version = "" }, &rig->out, &rig->err), 0);
	assert_int_equal(put(rig, 0, &s, 1), -EINVAL);
	sample_free(&s);
}

static int tired(void *context, const struct run_mark *mark, struct err *err)
{
	return err_set(err, -ECANCELED, "no more of %s", mark->name);
}

static void a_listener_that_fails_ends_the_reading(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(segment_put_mark(rig->writer, &(struct run_mark){ 1, "lap", "" }, &rig->out, &rig->err), 0);
	assert_int_equal(segment_read(buf_text(&rig->out), NULL, false, &(struct run_events){ .mark = tired }, NULL,
				      NULL, &rig->err), -ECANCELED);
	assert_non_null(strstr(rig->err.text, "no more of lap"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(begins_with_magic_and_header, setup, teardown),
		cmocka_unit_test_setup_teardown(snapshots_come_back_with_their_shapes, setup, teardown),
		cmocka_unit_test_setup_teardown(a_shape_keeps_kind_unit_exponent_fold_and_bytes_of_names, setup, teardown),
		cmocka_unit_test_setup_teardown(absent_is_not_zero_and_may_come_and_go, setup, teardown),
		cmocka_unit_test_setup_teardown(slots_around_the_word_boundaries, setup, teardown),
		cmocka_unit_test_setup_teardown(counters_near_two_to_the_64_wrap_and_come_back, setup, teardown),
		cmocka_unit_test_setup_teardown(everything_that_is_not_a_snapshot_comes_back, setup, teardown),
		cmocka_unit_test_setup_teardown(several_segments_of_one_writer_each_stand_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(a_new_generation_in_the_same_memory_is_another_shape, setup, teardown),
		cmocka_unit_test_setup_teardown(a_sealed_segment_reads_as_the_open_one, setup, teardown),
		cmocka_unit_test_setup_teardown(a_full_segment_says_so_and_the_next_one_takes_the_snapshot, setup, teardown),
		cmocka_unit_test_setup_teardown(a_put_allocates_nothing_once_a_shape_was_seen, setup, teardown),
		cmocka_unit_test_setup_teardown(without_memory_each_says_so, setup, teardown),
		cmocka_unit_test_setup_teardown(refuses_a_shape_that_could_not_be_read_back, setup, teardown),
		cmocka_unit_test_setup_teardown(a_listener_that_fails_ends_the_reading, setup, teardown),
	};

	return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
