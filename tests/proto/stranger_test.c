/* SPDX-License-Identifier: GPL-3.0-or-later */
/* docs/segment.md is followed to the letter by a shell with zstd, protoc and awk; what comes out is what went in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/segment.h"
#include "tests/support/segments.h"
#include "tests/support/shared.h"

struct rig {
	char folder[4096];
	struct buf open;
	struct segment_writer *writer;
	struct err err;
};

static const char *source(void)
{
	const char *ret = getenv("ASSAY_SOURCE");

	return ret ? ret : ASSAY_TESTS_SOURCE "/..";
}

static int setup(void **state)
{
	struct rig *rig = test_calloc(1, sizeof(*rig));
	struct run_header header = test_header(1);
	char from[4096], to[4200];

	*state = rig;
	fresh_folder(rig->folder, sizeof(rig->folder));
	assert_true(snprintf(from, sizeof(from), "%s/proto", source()) < (int)sizeof(from));
	assert_true(snprintf(to, sizeof(to), "%s/proto", rig->folder) < (int)sizeof(to));
	assert_int_equal(symlink(from, to), 0);
	return segment_writer_open(&rig->writer, &header, &rig->open, &rig->err);
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	segment_writer_close(rig->writer);
	buf_free(&rig->open);
	remove_tree(rig->folder);
	test_free(rig);
	return 0;
}

/* All blocks marked ```sh of the page, one behind the other. */
static struct buf script_of_the_page(void)
{
	struct buf page, script = { 0 };
	struct text rest, line;
	char path[4096];
	bool inside = false;

	assert_true(snprintf(path, sizeof(path), "%s/docs/segment.md", source()) < (int)sizeof(path));
	page = read_whole(path);
	rest = buf_text(&page);
	assert_int_equal(buf_puts(&script, "set -eu\n"), 0);
	while (text_line(&rest, &line)) {
		if (text_starts(line, "```")) {
			inside = text_is(line, "```sh");
		} else if (inside) {
			assert_int_equal(buf_add_text(&script, line), 0);
			assert_int_equal(buf_putc(&script, '\n'), 0);
		}
	}
	buf_free(&page);
	return script;
}

static bool in_path(const char *program)
{
	char path[4096];

	return snprintf(path, sizeof(path), "/usr/bin/%s", program) < (int)sizeof(path) && access(path, X_OK) == 0;
}

static void follow_the_page(struct rig *rig)
{
	struct buf script = script_of_the_page();
	int status = 0;
	pid_t child;

	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (chdir(rig->folder) == 0)
			(void)execl("/bin/sh", "sh", "-c", script.data, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	buf_free(&script);
	assert_int_equal(status, 0);
}

static void comes_out(struct rig *rig, const char *name, const char *expected)
{
	char path[4200];
	struct buf got;

	assert_true(snprintf(path, sizeof(path), "%s/%s", rig->folder, name) < (int)sizeof(path));
	got = read_whole(path);
	assert_int_equal(buf_putc(&got, '\n'), 0);
	got.data[--got.len] = '\0';
	assert_string_equal(got.data, expected);
	buf_free(&got);
}

static void put(struct rig *rig, uint64_t tick, const struct sample *samples, size_t count)
{
	struct snapshot s = { tick, (5 + tick) * UINT64_C(1000000000) + 70, 70, samples, count };

	assert_int_equal(segment_put_snapshot(rig->writer, &s, &rig->open, &rig->err), 0);
}

static void seal(struct rig *rig)
{
	cleanup_buf struct buf sealed = { 0 };

	assert_int_equal(segment_seal(buf_text(&rig->open), 3, &sealed, &rig->err), 0);
	write_file(rig->folder, "000001.seg", sealed.data, sealed.len);
}

static void a_stranger_reads_a_segment_with_the_page_alone(void **state)
{
	struct rig *rig = *state;
	struct sample samples[] = {
		test_sample(&test_meminfo, (const int64_t[]){ 16384, 200 }, 0),
		test_sample(&test_interrupts, (const int64_t[]){ 10, 0, 30, 40, 50, 60 }, 0x20),
	};

	if (!in_path("protoc") || !in_path("zstd"))
		skip();
	put(rig, 0, samples, 2);
	samples[0].values[1] = 150;
	samples[1].values[1] = INT64_C(4000000000000000);
	samples[1].present[0] = 0x3e;
	put(rig, 1, samples, 2);
	put(rig, 4, samples, 1);
	assert_int_equal(segment_put_mark(rig->writer, &(struct run_mark){ 9, "lap", "3" }, &rig->open, &rig->err), 0);
	seal(rig);
	follow_the_page(rig);
	comes_out(rig, "values.txt",
		  "0 meminfo MemTotal \"\" 16384\n0 meminfo MemFree \"\" 200\n"
		  "0 interrupts 24 \"CPU0\" 10\n0 interrupts 24 \"CPU1\" 0\n0 interrupts 24 \"CPU2\" 30\n"
		  "0 interrupts NMI \"CPU0\" 40\n0 interrupts NMI \"CPU1\" 50\n"
		  "1 meminfo MemTotal \"\" 16384\n1 meminfo MemFree \"\" 150\n"
		  "1 interrupts 24 \"CPU1\" 4000000000000000\n1 interrupts 24 \"CPU2\" 30\n"
		  "1 interrupts NMI \"CPU0\" 40\n1 interrupts NMI \"CPU1\" 50\n1 interrupts NMI \"CPU2\" 60\n"
		  "4 meminfo MemTotal \"\" 16384\n4 meminfo MemFree \"\" 150\n");
	sample_free(&samples[0]);
	sample_free(&samples[1]);
}

static void protoc_prints_what_was_written(void **state)
{
	struct rig *rig = *state;
	struct sample sample = test_sample(&test_meminfo, (const int64_t[]){ 16384, -1 }, 0x1);

	if (!in_path("protoc") || !in_path("zstd"))
		skip();
	sample.begin_ns = 5000000100;
	sample.cost_ns = 30;
	put(rig, 0, &sample, 1);
	assert_int_equal(segment_put_result(rig->writer, &(struct run_result){ "k", 0.5, "s", -1 }, &rig->open,
					    &rig->err), 0);
	assert_int_equal(segment_put_end(rig->writer, &(struct run_end){ .exited = true, .exit_code = 7 }, &rig->open,
					 &rig->err), 0);
	seal(rig);
	follow_the_page(rig);
	comes_out(rig, "segment.txt",
		  "header {\n  run: \"" TEST_RUN "\"\n  sequence: 1\n  host: \"lab1\"\n  boot_id: \"b007\"\n"
		  "  agent_version: \"0.1.0\"\n  realtime_ns: 1700000000000000000\n  monotonic_ns: 5000000000\n"
		  "  tick_ns: 1000000000\n}\n"
		  "shape {\n  id: 1\n  collector: \"meminfo\"\n  generation: 1\n"
		  "  metrics {\n    name: \"MemTotal\"\n    kind: KIND_GAUGE\n    unit: UNIT_KIB\n  }\n"
		  "  metrics {\n    name: \"MemFree\"\n    kind: KIND_GAUGE\n    unit: UNIT_KIB\n  }\n"
		  "  instances: \"\"\n}\n"
		  "snapshot {\n  monotonic_ns: 5000000070\n  lateness_ns: 70\n"
		  "  samples {\n    shape: 1\n    begin_ns: 30\n    cost_ns: 30\n    skip: 1\n    delta: -1\n"
		  "    absent: 0\n    absent: 1\n  }\n}\n"
		  "result {\n  key: \"k\"\n  value: 0.5\n  unit: \"s\"\n  direction: -1\n}\n"
		  "end {\n  exited: true\n  exit_code: 7\n}\n");
	sample_free(&sample);
}

static void protoc_prints_a_packed_run(void **state)
{
	struct rig *rig = *state;
	struct sample s = test_sample(&test_interrupts, (const int64_t[]){ 10, 0, 30, 40, 50, 60 }, 0x20);
	cleanup_buf struct buf packed = { 0 };
	struct segment_packer *packer;

	if (!in_path("protoc") || !in_path("zstd"))
		skip();
	for (uint64_t tick = 0; tick < 3; tick++) {
		s.begin_ns = (5 + tick) * UINT64_C(1000000000) + 100;
		s.cost_ns = 8 + tick;
		put(rig, tick, &s, 1);
		if (tick == 0)
			assert_int_equal(segment_put_mark(rig->writer, &(struct run_mark){ 9, "lap", "3" }, &rig->open,
							  &rig->err), 0);
		s.values[2] += 5 - (int64_t)tick;
		s.present[0] |= 0x20;
	}
	assert_int_equal(segment_packer_open(&packer, &rig->err), 0);
	assert_int_equal(segment_read(buf_text(&rig->open), NULL, false, &segment_packer_events, packer, NULL,
				      &rig->err), 0);
	assert_int_equal(segment_packer_finish(packer, SEGMENT_PACK_LEVEL, &packed, &rig->err), 0);
	segment_packer_close(packer);
	write_file(rig->folder, "000001.seg", packed.data, packed.len);
	follow_the_page(rig);
	comes_out(rig, "segment.txt",
		  "header {\n  run: \"" TEST_RUN "\"\n  sequence: 1\n  host: \"lab1\"\n  boot_id: \"b007\"\n"
		  "  agent_version: \"0.1.0\"\n  realtime_ns: 1700000000000000000\n  monotonic_ns: 5000000000\n"
		  "  tick_ns: 1000000000\n}\n"
		  "shape {\n  id: 1\n  collector: \"interrupts\"\n  generation: 1\n"
		  "  metrics {\n    name: \"24\"\n    kind: KIND_COUNTER\n    unit: UNIT_COUNT\n    fold: FOLD_SUM\n  }\n"
		  "  metrics {\n    name: \"NMI\"\n    kind: KIND_COUNTER\n    unit: UNIT_COUNT\n    fold: FOLD_SUM\n  }\n"
		  "  instances: \"CPU0\"\n  instances: \"CPU1\"\n  instances: \"CPU2\"\n}\n"
		  "block {\n  tick: 0\n  tick: 1\n  tick: 1\n"
		  "  due_ns: 5000000000\n  due_ns: 1000000000\n  due_ns: 1000000000\n"
		  "  lateness_ns: 70\n  lateness_ns: 70\n  lateness_ns: 70\n"
		  "  strips {\n    shape: 1\n    begin_ns: 30\n    begin_ns: 30\n    begin_ns: 30\n"
		  "    cost_ns: 8\n    cost_ns: 9\n    cost_ns: 10\n"
		  "    skip: 0\n    skip: 1\n    skip: 0\n    skip: 0\n    skip: 0\n"
		  "    delta: 10\n    delta: 0\n    delta: 0\n"
		  "    delta: 30\n    delta: 5\n    delta: 4\n"
		  "    delta: 40\n    delta: 0\n    delta: 0\n"
		  "    delta: 50\n    delta: 0\n    delta: 0\n"
		  "    delta: 0\n    delta: 60\n    delta: 0\n"
		  "    absent: 5\n    absent: 1\n    absent: 5\n    absent: 1\n  }\n"
		  "  pause: 1\n}\n"
		  "mark {\n  monotonic_ns: 9\n  name: \"lap\"\n  value: \"3\"\n}\n");
	sample_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_stranger_reads_a_segment_with_the_page_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(protoc_prints_what_was_written, setup, teardown),
		cmocka_unit_test_setup_teardown(protoc_prints_a_packed_run, setup, teardown),
	};

	return cmocka_run_group_tests_name("stranger", tests, NULL, NULL);
}
