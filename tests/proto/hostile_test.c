/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Torn, flipped, hand-made and malicious segments. Messages are written out byte by byte as docs/segment.md tells. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <zstd.h>

#include "proto/crc32c.h"
#include "proto/segment.h"
#include "tests/support/segments.h"
#include "tests/support/told.h"

struct rig {
	struct buf open, told;
	struct segment_limits limits;
	struct segment_report report;
	struct err err;
};

#define BYTES(literal) literal, sizeof(literal) - 1

static void frame(struct rig *rig, const char *bytes, size_t length)
{
	uint32_t crc = crc32c(bytes, length);
	unsigned char head[8];

	for (int i = 0; i < 4; i++) {
		head[i] = (unsigned char)(length >> 8 * i);
		head[4 + i] = (unsigned char)(crc >> 8 * i);
	}
	assert_int_equal(buf_add(&rig->open, head, 8), 0);
	assert_int_equal(buf_add(&rig->open, bytes, length), 0);
}

/* A frame of one message: the tag of its kind, then the message, whose length is put in. */
static void message(struct rig *rig, const char *bytes, size_t length)
{
	cleanup_buf struct buf whole = { 0 };
	size_t rest = length - 1;

	assert_int_equal(buf_putc(&whole, bytes[0]), 0);
	for (; rest >= 0x80; rest >>= 7)
		assert_int_equal(buf_putc(&whole, (char)(rest | 0x80)), 0);
	assert_int_equal(buf_putc(&whole, (char)rest), 0);
	assert_int_equal(buf_add(&whole, bytes + 1, length - 1), 0);
	frame(rig, whole.data, whole.len);
}

/* Header { run, sequence: 1 } */
#define HEADER      "\x0a\x1e\x0a\x1a" TEST_RUN "\x10\x01"
#define HEADER_LINE "header " TEST_RUN " 1    0 0 0\n"

/* Shape { id: 1, collector: "c", generation: 1, metrics: [{ name: "a" }, { name: "b" }], instances: [""] } */
#define SHAPE "\x12\x08\x01\x12\x01" "c\x18\x01\x22\x03\x0a\x01" "a\x22\x03\x0a\x01" "b\x2a\x00"

static int setup(void **state)
{
	struct rig *rig = test_calloc(1, sizeof(*rig));

	assert_int_equal(buf_add(&rig->open, "ASSAY1\r\n", 8), 0);
	frame(rig, BYTES(HEADER));
	*state = rig;
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	buf_free(&rig->open);
	buf_free(&rig->told);
	test_free(rig);
	return 0;
}

static int read_it(struct rig *rig, bool torn_allowed)
{
	buf_clear(&rig->told);
	rig->err.text[0] = '\0';
	return segment_read(buf_text(&rig->open), &rig->limits, torn_allowed, &told_events, &rig->told, &rig->report,
			    &rig->err);
}

static void tells(struct rig *rig, const char *expected)
{
	if (read_it(rig, false) != 0)
		fail_msg("%s", rig->err.text);
	assert_string_equal(rig->told.data, expected);
}

static void refused(struct rig *rig, int code, const char *words)
{
	assert_int_equal(read_it(rig, false), code);
	if (!strstr(rig->err.text, words))
		fail_msg("\"%s\" does not say \"%s\"", rig->err.text, words);
	assert_int_equal(read_it(rig, true), code); /* no torn tail either */
}

static void crc32c_is_castagnolis(void **state)
{
	static const char zeros[32];
	char text[300];

	assert_int_equal(crc32c("123456789", 9), 0xe3069283);
	assert_int_equal(crc32c(zeros, 32), 0x8a9136aa); /* RFC 3720 B.4 */
	assert_int_equal(crc32c("", 0), 0);
	for (size_t n = 0; n < sizeof(text); n++) {
		text[n] = (char)(n * 7);
		assert_int_equal(crc32c(text, n), crc32c_by_table(text, n));
	}
}

static void a_segment_written_by_hand_is_read(void **state)
{
	struct rig *rig = *state;

	message(rig, BYTES(SHAPE));
	/* Snapshot { tick: 1, monotonic_ns: 256, samples: [{ shape: 1, begin_ns: 3, cost_ns: 2, skip: [1], delta: [-1] }] } */
	message(rig, BYTES("\x1a\x08\x01\x11\x00\x01\x00\x00\x00\x00\x00\x00\x22\x0c\x08\x01\x10\x06\x18\x02"
			 "\x22\x01\x01\x2a\x01\x01"));
	/* absent: [0, 1]: slot 0 goes */
	message(rig, BYTES("\x1a\x08\x02\x22\x06\x08\x01\x32\x02\x00\x01"));
	tells(rig, HEADER_LINE
	      "snapshot 1 256 0\n  c/1 259+2: a[]=0 b[]=-1\n"
	      "snapshot 2 0 0\n  c/1 0+0: a[]=- b[]=-1\n");
}

static void what_later_versions_add_is_passed_over(void **state)
{
	struct rig *rig = *state;

	frame(rig, BYTES("\xa2\x06\x03\x08\x01\x09")); /* Frame of kind 100 */
	frame(rig, BYTES("\xa0\x06\x05")); /* a frame with just a number in it */
	message(rig, BYTES("\x4a\x12\x00")); /* Stacks */
	/* Shape with field 100 in it and in its metric; kind 77, unit 99 and fold 5 are of the future */
	message(rig, BYTES("\x12\x08\x01\x12\x01" "c\x18\x01\x22\x0d\x0a\x01" "a\x10\x4d\x18\x63\x28\x05\xa2\x06\x01"
			 "x\x2a\x00\xa0\x06\x01"));
	/* Mark { monotonic_ns: 0, name: "m", 100: "x" } and a Frame field 101 behind it */
	message(rig, BYTES("\x2a\x12\x01" "m\xa2\x06\x01" "x\xaa\x06\x00"));
	/* Snapshot with fields 100 in it and in its sample */
	message(rig, BYTES("\x1a\x08\x01\x22\x08\x08\x01\xa5\x06\x01\x02\x03\x04\xa0\x06\x01"));
	/* Output of an unknown stream */
	message(rig, BYTES("\x3a\x08\x09\x1a\x01" "x"));
	tells(rig, HEADER_LINE "mark 0 m \nsnapshot 1 0 0\n  c/1 0+0: a[]=0\noutput 0 0 1 x\n");
	assert_int_equal(rig->report.frames, 8);
}

static int kind_of_the_future(void *context, const struct snapshot *snapshot, struct err *err)
{
	const struct metric *m = snapshot->samples[0].shape->metrics;

	assert_int_equal(m->kind, KIND_UNKNOWN);
	assert_int_equal(m->unit, UNIT_NONE);
	assert_int_equal(m->fold, FOLD_NONE);
	return 0;
}

static void enum_values_of_later_versions_are_unknown(void **state)
{
	struct rig *rig = *state;

	message(rig, BYTES("\x12\x08\x01\x12\x01" "c\x18\x01\x22\x09\x0a\x01" "a\x10\x4d\x18\x63\x28\x05\x2a\x00"));
	message(rig, BYTES("\x1a\x22\x02\x08\x01"));
	assert_int_equal(segment_read(buf_text(&rig->open), NULL, false,
				      &(struct run_events){ .snapshot = kind_of_the_future }, NULL, NULL, &rig->err),
			 0);
}

/* A whole segment with every kind of frame, as the writer makes it. */
static void write_all(struct buf *open)
{
	struct run_header header = test_header(1);
	struct segment_writer *w;
	struct sample s = test_sample(&test_interrupts, (const int64_t[]){ 1, 2, 3, 4, 5, INT64_MAX }, 0x4);
	struct snapshot snapshot = { 1, 5000000000, 7, &s, 1 };
	struct pairs pairs = { 0 };
	struct err err = { 0 };

	assert_int_equal(pairs_set(&pairs, "commit", "v6.12"), 0);
	assert_int_equal(segment_writer_open(&w, &header, open, &err), 0);
	assert_int_equal(segment_put_facts(w, &pairs, &pairs, open, &err), 0);
	assert_int_equal(segment_put_mark(w, &(struct run_mark){ 1, "m", "v" }, open, &err), 0);
	for (int i = 0; i < 4; i++) {
		s.values[i] += 1000;
		assert_int_equal(segment_put_snapshot(w, &snapshot, open, &err), 0);
	}
	assert_int_equal(segment_put_result(w, &(struct run_result){ "k", 1.5, "s", -1 }, open, &err), 0);
	assert_int_equal(segment_put_output(w, &(struct run_output){ OUTPUT_STDOUT, 1, "xyz", 3 }, open, &err), 0);
	assert_int_equal(segment_put_log(w, &(struct run_log){ 1, "agent", "words" }, open, &err), 0);
	assert_int_equal(segment_put_end(w, &(struct run_end){ true, 1, 0, 0, 0, 0, 0 }, open, &err), 0);
	segment_writer_close(w);
	sample_free(&s);
	pairs_free(&pairs);
}

static void a_tail_torn_at_any_byte_costs_only_the_torn_frame(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf whole = { 0 }, all = { 0 };
	size_t frame_ends = 0, frames = 0;

	write_all(&whole);
	assert_int_equal(segment_read(buf_text(&whole), NULL, false, &told_events, &all, NULL, &rig->err), 0);
	for (size_t length = 0; length <= whole.len; length++) {
		char *copy = malloc(length ? length : 1); /* exact: a step too far is seen by the sanitizer */
		struct text text = { copy, copy + length };
		size_t good = 0;
		int r, w;

		assert_non_null(copy);
		memcpy(copy, whole.data, length);
		buf_clear(&rig->told);
		r = segment_read(text, NULL, true, &told_events, &rig->told, &rig->report, &rig->err);
		w = segment_whole(text, &good, &rig->err);
		assert_int_equal(r, w);
		if (r == 0) {
			if (rig->report.frames != frames) {
				assert_int_equal(rig->report.frames, frames + 1);
				assert_int_equal(rig->report.torn, 0);
				frames = rig->report.frames;
				frame_ends = length;
			}
			assert_int_equal(good, frame_ends);
			assert_int_equal(rig->report.torn, length - frame_ends);
			assert_memory_equal(rig->told.data, all.data, rig->told.len);
			assert_int_equal(segment_read(text, NULL, false, NULL, NULL, NULL, &rig->err),
					 length == frame_ends ? 0 : -EBADMSG);
		} else {
			assert_int_equal(r, -EBADMSG);
			assert_int_equal(frames, 0);
		}
		free(copy);
	}
	assert_int_equal(frames, 12); /* header, facts, mark, shape, 4 snapshots, result, output, log, end */
	assert_int_equal(frame_ends, whole.len);
	assert_string_equal(rig->told.data, all.data);
}

static void a_flipped_bit_is_never_accepted(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf whole = { 0 }, sealed = { 0 }, all = { 0 };

	write_all(&whole);
	assert_int_equal(segment_seal(buf_text(&whole), 3, &sealed, &rig->err), 0);
	assert_int_equal(segment_read(buf_text(&whole), NULL, false, &told_events, &all, NULL, &rig->err), 0);
	for (size_t bit = 0; bit < 8 * whole.len; bit++) {
		whole.data[bit / 8] ^= (char)(1 << bit % 8);
		buf_clear(&rig->told);
		assert_int_equal(segment_read(buf_text(&whole), NULL, false, &told_events, &rig->told, NULL, &rig->err),
				 -EBADMSG);
		if (rig->told.len) /* what was told before is as it was */
			assert_memory_equal(rig->told.data, all.data, rig->told.len);
		whole.data[bit / 8] ^= (char)(1 << bit % 8);
	}
	for (size_t bit = 0; bit < 8 * sealed.len; bit++) {
		int r;

		sealed.data[bit / 8] ^= (char)(1 << bit % 8);
		buf_clear(&rig->told);
		r = segment_read(buf_text(&sealed), NULL, false, &told_events, &rig->told, NULL, &rig->err);
		if (r == 0) /* a bit that zstd does not look at */
			assert_string_equal(rig->told.data, all.data);
		sealed.data[bit / 8] ^= (char)(1 << bit % 8);
	}
}

static void a_tail_of_zeros_is_torn(void **state)
{
	struct rig *rig = *state;
	static const char zeros[4096];

	assert_int_equal(buf_add(&rig->open, zeros, sizeof(zeros)), 0);
	assert_int_equal(read_it(rig, true), 0);
	assert_int_equal(rig->report.torn, 4096);
	assert_int_equal(read_it(rig, false), -EBADMSG);
}

static void a_frame_longer_than_the_bound_is_torn(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(buf_add(&rig->open, "\x01\x00\x00\x01" "crc.", 8), 0);
	assert_int_equal(read_it(rig, true), 0);
	assert_int_equal(rig->report.torn, 8);
}

static void not_a_segment(void **state)
{
	struct rig *rig = *state;
	static const struct {
		const char *bytes;
		size_t length;
	} cases[] = {
		{ BYTES("") },
		{ BYTES("A") },
		{ BYTES("ASSAY2\r\n") },
		{ BYTES("ASSAY1\n\n") },
		{ BYTES("ASSAY1\r\n") },
		{ BYTES("\x28\xb5\x2f\xfd") },
		{ BYTES("\x28\xb5\x2f\xfd\x00\x00\x00\x00\x00\x00\x00") },
		{ BYTES("\x1f\x8b\x08\x00\x00\x00\x00\x00") },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf_clear(&rig->open);
		assert_int_equal(buf_add(&rig->open, cases[i].bytes, cases[i].length), 0);
		assert_int_equal(read_it(rig, false), -EBADMSG);
		assert_int_equal(read_it(rig, true), -EBADMSG);
	}
}

static void a_header_comes_first_and_of_one_run(void **state)
{
	struct rig *rig = *state;

	frame(rig, BYTES("\x0a\x1e\x0a\x1a" "01J8ZQ4B3N5R7T9VWXYZ012346" "\x10\x02"));
	refused(rig, -EBADMSG, "byte 48: a header of another run, 01J8ZQ4B3N5R7T9VWXYZ012346");
	buf_clear(&rig->open);
	assert_int_equal(buf_add(&rig->open, "ASSAY1\r\n", 8), 0);
	message(rig, BYTES(SHAPE));
	refused(rig, -EBADMSG, "byte 8: a segment that does not begin with a header");
}

static void a_run_that_is_no_ulid(void **state)
{
	struct rig *rig = *state;

	buf_clear(&rig->open);
	assert_int_equal(buf_add(&rig->open, "ASSAY1\r\n", 8), 0);
	frame(rig, BYTES("\x0a\x1c\x0a\x1a" "../../../../../etc/passwd1"));
	refused(rig, -EBADMSG, "a header whose run is no ULID");
}

static void frames_that_are_not_well_formed(void **state)
{
	static const struct {
		const char *bytes;
		size_t length;
	} cases[] = {
		{ BYTES("\x1a") },                     /* no length */
		{ BYTES("\x1a\x05\x08\x01") },         /* longer than it is */
		{ BYTES("\x02\x00") },                 /* field 0 */
		{ BYTES("\x1b\x1c") },                 /* a group */
		{ BYTES("\x9a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f") },
	};
	struct rig *rig = *state;
	size_t length = rig->open.len;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		frame(rig, cases[i].bytes, cases[i].length);
		refused(rig, -EBADMSG, "byte 48: a frame that is not well formed");
		rig->open.len = length;
	}
}

/* One frame behind header and shape that cannot be what it says. */
static void frames_that_cannot_be_what_they_say(void **state)
{
	static const struct {
		const char *bytes;
		size_t length;
		const char *words;
	} cases[] = {
		/* shapes */
		{ BYTES("\x12\x08\x01\x12\x01" "c\x22\x03\x0a\x01" "a\x2a\x00"), "shape 1 comes after shape 1" },
		{ BYTES("\x12\x12\x01" "c\x22\x03\x0a\x01" "a\x2a\x00"), "without a proper id" },
		{ BYTES("\x12\x08\x02\x22\x03\x0a\x01" "a\x2a\x00"), "without a proper collector" },
		{ BYTES("\x12\x08\x02\x12\x01" "c\x2a\x00"), "has 0 metrics and 1 instances" },
		{ BYTES("\x12\x08\x02\x12\x01" "c\x22\x03\x0a\x01" "a"), "has 1 metrics and 0 instances" },
		{ BYTES("\x12\x08\x02\x12\x01" "c\x22\x00\x2a\x00"), "metric 0 has no proper name" },
		{ BYTES("\x12\x08\x02\x12\x01" "c\x22\x03\x0a\x01\x00\x2a\x00"), "metric 0 has no proper name" },
		{ BYTES("\x12\x08\x02\x12\x01" "c\x22\x03\x0a\x01" "a\x2a\x01\x00"), "instance 0 holds a NUL" },
		{ BYTES("\x12\x08\x02\x12\x01\x00\x22\x03\x0a\x01" "a\x2a\x00"), "without a proper collector" },
		{ BYTES("\x12\x08\x02\x12\x01" "c\x22\x05\x0a\x01" "a\x20\x13\x2a\x00"), "exponent above 18" },
		{ BYTES("\x12\x22\x05"), "not well formed" },
		/* samples */
		{ BYTES("\x1a\x22\x02\x08\x02"), "shape 2, which is not there" },
		{ BYTES("\x1a\x22\x00"), "shape 0, which is not there" },
		{ BYTES("\x1a\x22\x02\x08\x01\x22\x02\x08\x01"), "two samples of shape 1" },
		{ BYTES("\x1a\x22\x08\x08\x01\x22\x01\x02\x2a\x01\x02"), "out of the 2 slots" },       /* skip 2 */
		{ BYTES("\x1a\x22\x0a\x08\x01\x22\x02\x01\x00\x2a\x02\x02\x02"), "out of the 2 slots" }, /* 1 + 0 */
		{ BYTES("\x1a\x22\x11\x08\x01\x22\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x2a\x01\x02"),
		  "out of the 2 slots" },
		{ BYTES("\x1a\x22\x05\x08\x01\x22\x01\x00"), "out of the 2 slots" },                   /* no delta */
		{ BYTES("\x1a\x22\x05\x08\x01\x2a\x01\x00"), "out of the 2 slots" },                   /* no skip */
		{ BYTES("\x1a\x22\x08\x08\x01\x22\x01\x00\x2a\x01\x80"), "out of the 2 slots" },       /* half a delta */
		{ BYTES("\x1a\x22\x06\x08\x01\x32\x02\x01\x02"), "out of the 2 slots" },               /* absent */
		{ BYTES("\x1a\x22\x06\x08\x01\x32\x02\x03\x00"), "out of the 2 slots" },
		{ BYTES("\x1a\x22\x05\x08\x01\x32\x01\x01"), "out of the 2 slots" },                   /* half a run */
		{ BYTES("\x1a\x22\x0f\x08\x01\x32\x0b\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
		  "out of the 2 slots" },
		{ BYTES("\x1a\x22\x0b\x08\x01\x22\x01\x00\x22\x01\x00\x2a\x01\x00"), "not well formed" }, /* twice */
		{ BYTES("\x1a\x22\x04\x08\x01\x20\x00"), "not well formed" },                          /* not packed */
		{ BYTES("\x1a\x20\x00"), "a sample that is none" },
		/* names */
		{ BYTES("\x2a\x12\x02" "a\x00"), "a mark with a NUL in it" },
		{ BYTES("\x32\x0a\x02" "a\x00"), "a result with a NUL" },
		{ BYTES("\x42\x12\x02" "a\x00"), "a log line with a NUL" },
		{ BYTES("\x52\x0a\x04\x0a\x02" "a\x00"), "a fact with a NUL" },
		{ BYTES("\x52\x0a\x00"), "without a name" },
		{ BYTES("\x5a\x08"), "not well formed" },
	};
	struct rig *rig = *state;
	size_t length;

	message(rig, BYTES(SHAPE));
	length = rig->open.len;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		message(rig, cases[i].bytes, cases[i].length);
		refused(rig, -EBADMSG, cases[i].words);
		assert_true(strncmp(rig->err.text, "byte 77: ", 9) == 0);
		assert_string_equal(rig->told.data, HEADER_LINE);
		rig->open.len = length;
	}
}

/* Block { tick: [5, 1], due_ns: [10, 10], lateness_ns: [0, 3], strips: [...] } */
#define BLOCK_HEAD "\x0a\x02\x05\x01\x12\x02\x14\x14\x1a\x02\x00\x03"

static void a_block_written_by_hand_is_read(void **state)
{
	struct rig *rig = *state;

	message(rig, BYTES(SHAPE));
	/* Strip { shape: 1, begin_ns: [1, 1], cost_ns: [4, 5], skip: [1], delta: [-1, 2], absent: [2, 1] }, pause: [1] */
	message(rig, BYTES("\x22" BLOCK_HEAD "\x22\x15\x08\x01\x1a\x02\x02\x02\x22\x02\x04\x05\x2a\x01\x01\x32\x02\x01\x04"
			 "\x3a\x02\x02\x01\x2a\x01\x01"));
	message(rig, BYTES("\x2a\x12\x01" "m"));
	/* missing: bit 0; no list moves */
	message(rig, BYTES("\x22" BLOCK_HEAD "\x22\x11\x08\x01\x11\x01\x00\x00\x00\x00\x00\x00\x00\x1a\x01\x00\x22\x01\x00"));
	tells(rig, HEADER_LINE
	      "snapshot 5 10 0\n  c/1 11+4: a[]=0 b[]=-1\n"
	      "mark 0 m \n"
	      "snapshot 6 23 3\n  c/1 24+5: a[]=- b[]=1\n"
	      "snapshot 5 10 0\n"
	      "snapshot 6 23 3\n  c/1 23+0: a[]=- b[]=1\n");
}

static void blocks_that_cannot_be_what_they_say(void **state)
{
#define TWO_TIMES "\x1a\x02\x02\x02\x22\x02\x04\x05"
	static const struct {
		const char *bytes;
		size_t length;
	} cases[] = {
		{ BYTES("\x22") }, /* of nothing */
		{ BYTES("\x22\x0a\x02\x05\x01\x12\x01\x14\x1a\x02\x00\x03") }, /* a time is missing */
		{ BYTES("\x22\x0a\x02\x05\x01\x12\x03\x14\x14\x14\x1a\x01\x00") },
		{ BYTES("\x22" BLOCK_HEAD "\x22\x02\x08\x02") }, /* no such shape */
		{ BYTES("\x22" BLOCK_HEAD "\x22\x02\x08\x01") }, /* no times of samples */
		{ BYTES("\x22" BLOCK_HEAD "\x22\x0a\x08\x01" TWO_TIMES "\x22\x0a\x08\x01" TWO_TIMES) }, /* twice */
		{ BYTES("\x22" BLOCK_HEAD "\x22\x13\x08\x01\x11\x01\x00\x00\x00\x00\x00\x00\x00" TWO_TIMES) },
		{ BYTES("\x22" BLOCK_HEAD "\x22\x13\x08\x01\x11\x04\x00\x00\x00\x00\x00\x00\x00" TWO_TIMES) },
		{ BYTES("\x22" BLOCK_HEAD "\x22\x11\x08\x01" TWO_TIMES "\x2a\x01\x02\x32\x02\x01\x01") }, /* skip 2 */
		{ BYTES("\x22" BLOCK_HEAD "\x22\x10\x08\x01" TWO_TIMES "\x2a\x01\x00\x32\x01\x01") }, /* a delta short */
		{ BYTES("\x22" BLOCK_HEAD "\x22\x12\x08\x01" TWO_TIMES "\x2a\x01\x00\x32\x03\x01\x01\x01") },
		{ BYTES("\x22" BLOCK_HEAD "\x22\x0e\x08\x01" TWO_TIMES "\x3a\x02\x03\x02") }, /* 5 of 4 places */
		{ BYTES("\x22" BLOCK_HEAD "\x22\x0e\x08\x01" TWO_TIMES "\x3a\x02\x05\x00") },
		{ BYTES("\x22" BLOCK_HEAD "\x22\x0d\x08\x01" TWO_TIMES "\x3a\x01\x00") },
		{ BYTES("\x22" BLOCK_HEAD "\x22\x0c\x08\x01" TWO_TIMES "\x18\x00") }, /* begin_ns once more */
		{ BYTES("\x22" BLOCK_HEAD "\x20\x00") }, /* a strip that is a number */
	};
	struct rig *rig = *state;
	size_t length;

	message(rig, BYTES(SHAPE));
	length = rig->open.len;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		message(rig, cases[i].bytes, cases[i].length);
		refused(rig, -EBADMSG, "block");
		assert_string_equal(rig->told.data, HEADER_LINE);
		rig->open.len = length;
	}
	message(rig, BYTES("\x22" BLOCK_HEAD "\x2a\x01\x03")); /* pauses behind the last snapshot */
	message(rig, BYTES("\x2a\x12\x01" "m"));
	refused(rig, -EBADMSG, "pauses");
}

static void limits_hold_before_memory_is_taken(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf sealed = { 0 }, many = { 0 };

	message(rig, BYTES(SHAPE));
	message(rig, BYTES("\x1a\x22\x02\x08\x01"));
	rig->limits = (struct segment_limits){ .slots = 2, .shapes = 1, .values = 2, .unpacked = rig->open.len };
	assert_int_equal(read_it(rig, false), 0);
	rig->limits.slots = 1;
	refused(rig, -EMSGSIZE, "shape 1: 2 metrics x 1 instances; room for 1 slots is left");
	rig->limits.slots = 0;
	rig->limits.values = 1;
	refused(rig, -EMSGSIZE, "more than 1 values");
	rig->limits.values = 0;
	rig->limits.unpacked--;
	refused(rig, -EMSGSIZE, "the limit is");
	assert_int_equal(segment_seal(buf_text(&rig->open), 3, &sealed, &rig->err), 0);
	assert_int_equal(segment_read(buf_text(&sealed), &rig->limits, false, NULL, NULL, NULL, &rig->err), -EMSGSIZE);
	rig->limits.unpacked++;
	assert_int_equal(segment_read(buf_text(&sealed), &rig->limits, false, NULL, NULL, NULL, &rig->err), 0);

	rig->limits = (struct segment_limits){ .shapes = 1 };
	message(rig, BYTES("\x12\x08\x02\x12\x01" "c\x22\x03\x0a\x01" "a\x2a\x00"));
	refused(rig, -EMSGSIZE, "more than 1 shapes");

	/* 1 MiB of facts of two bytes each, without names */
	assert_int_equal(buf_putc(&many, 0x52), 0);
	for (size_t i = 0; i < 1 << 19; i++)
		assert_int_equal(buf_add(&many, BYTES("\x0a\x00")), 0);
	message(rig, many.data, many.len);
	rig->limits.shapes = 0;
	refused(rig, -EMSGSIZE, "a message of 1048576 bytes that takes more than");
}

/* Metrics x instances beyond 2^64 cannot be written in 16 MiB; 2^40 can, from 4 MiB that zstd makes 1 KiB of. */
static void a_product_of_metrics_and_instances_is_bounded(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf shape = { 0 };
	size_t count = 1 << 20;

	assert_int_equal(buf_add(&shape, BYTES("\x12" "\x08\x01\x12\x01" "c")), 0);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(buf_add(&shape, BYTES("\x22\x03\x0a\x01" "a\x2a\x00")), 0);
	message(rig, shape.data, shape.len);
	refused(rig, -EMSGSIZE, "1048576 metrics x 1048576 instances");
}

static void sealed_bytes_need_not_tell_their_size(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf told = { 0 };
	char sealed[4096];
	ZSTD_CCtx *c = ZSTD_createCCtx();
	ZSTD_outBuffer out = { sealed, sizeof(sealed), 0 };
	ZSTD_inBuffer in;
	struct text text;

	for (int i = 0; i < 20000; i++)
		message(rig, BYTES("\x2a\x12\x01" "m"));
	in = (ZSTD_inBuffer){ rig->open.data, rig->open.len, 0 };
	assert_non_null(c);
	while (in.pos < in.size) /* bit by bit: the compressor cannot know the size */
		assert_false(ZSTD_isError(ZSTD_compressStream2(c, &out, &in, ZSTD_e_continue)));
	assert_int_equal(ZSTD_compressStream2(c, &out, &in, ZSTD_e_end), 0);
	ZSTD_freeCCtx(c);
	assert_true(ZSTD_getFrameContentSize(sealed, out.pos) == ZSTD_CONTENTSIZE_UNKNOWN);
	text = text_n(sealed, out.pos);
	assert_int_equal(segment_read(text, NULL, false, &told_events, &told, &rig->report, &rig->err), 0);
	assert_int_equal(rig->report.frames, 20001);
	rig->limits.unpacked = rig->open.len - 1;
	assert_int_equal(segment_read(text, &rig->limits, false, NULL, NULL, NULL, &rig->err), -EMSGSIZE);
	for (size_t n = 4; n < out.pos; n += 7)
		assert_int_equal(segment_read(text_n(sealed, n), NULL, true, NULL, NULL, NULL, &rig->err), -EBADMSG);
}

static void bytes_behind_a_sealed_segment_are_refused(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf sealed = { 0 };

	assert_int_equal(segment_seal(buf_text(&rig->open), 3, &sealed, &rig->err), 0);
	assert_int_equal(segment_seal(buf_text(&rig->open), 3, &sealed, &rig->err), 0);
	assert_int_equal(segment_read(buf_text(&sealed), NULL, true, NULL, NULL, NULL, &rig->err), -EBADMSG);
	assert_non_null(strstr(rig->err.text, "bytes behind the sealed segment"));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(crc32c_is_castagnolis),
		TEST(a_segment_written_by_hand_is_read),
		TEST(what_later_versions_add_is_passed_over),
		TEST(enum_values_of_later_versions_are_unknown),
		TEST(a_tail_torn_at_any_byte_costs_only_the_torn_frame),
		TEST(a_flipped_bit_is_never_accepted),
		TEST(a_tail_of_zeros_is_torn),
		TEST(a_frame_longer_than_the_bound_is_torn),
		TEST(not_a_segment),
		TEST(a_header_comes_first_and_of_one_run),
		TEST(a_run_that_is_no_ulid),
		TEST(frames_that_are_not_well_formed),
		TEST(frames_that_cannot_be_what_they_say),
		TEST(a_block_written_by_hand_is_read),
		TEST(blocks_that_cannot_be_what_they_say),
		TEST(limits_hold_before_memory_is_taken),
		TEST(a_product_of_metrics_and_instances_is_bounded),
		TEST(sealed_bytes_need_not_tell_their_size),
		TEST(bytes_behind_a_sealed_segment_are_refused),
	};

	return cmocka_run_group_tests_name("hostile", tests, NULL, NULL);
}
