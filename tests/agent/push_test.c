/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/agent/spawn.h"
#include "tests/agent/stub.h"

#include "agent/recorder.h"
#include "tests/support/segments.h"

static void put_file(const struct rig *rig, const char *name, const char *data, size_t length)
{
	char path[400];

	(void)snprintf(path, sizeof(path), "spool/" RIG_RUN "/%s", name);
	write_file(rig->folder, path, data, length);
}

static bool is_there(const struct rig *rig, const char *name)
{
	char path[400];

	(void)snprintf(path, sizeof(path), "%s/" RIG_RUN "/%s", rig->spool, name);
	return access(path, F_OK) == 0;
}

static struct push_report push(struct rig *rig)
{
	const struct push_plan plan = {
		.spool = rig->spool,
		.deliver = rig_take,
		.deliver_context = rig,
		.patience_ns = 1,
	};
	struct push_report report;

	assert_int_equal(agent_push(&plan, &report, &rig->err), 0);
	return report;
}

/* An open segment with a mark, as a writer left it. */
static struct buf open_segment(uint32_t sequence)
{
	const struct run_header header = test_header(sequence);
	const struct run_mark mark = { 5, "here", "" };
	struct segment_writer *writer;
	struct buf out = { 0 };
	struct err err;

	assert_int_equal(segment_writer_open(&writer, &header, &out, &err), 0);
	assert_int_equal(segment_put_mark(writer, &mark, &out, &err), 0);
	segment_writer_close(writer);
	return out;
}

static void put_segment(const struct rig *rig, const char *name, uint32_t sequence, bool sealed, size_t cut)
{
	struct buf open = open_segment(sequence), seal = { 0 };
	struct err err;

	if (sealed)
		assert_int_equal(segment_seal(buf_text(&open), 3, &seal, &err), 0);
	put_file(rig, name, sealed ? seal.data : open.data, (sealed ? seal.len : open.len) - cut);
	buf_free(&open);
	buf_free(&seal);
}

static void delivers_what_waits_and_ends_what_has_no_end(void **state)
{
	struct rig *rig = *state;
	struct push_report report;

	put_file(rig, "to", "local", 5);
	put_segment(rig, "000003.seg", 3, true, 0);
	put_segment(rig, "000004.seg", 4, true, 0);
	put_segment(rig, "000005.open", 5, false, 0);
	report = push(rig);
	assert_int_equal(report.segments, 3);
	assert_int_equal(report.recovered, 1);
	assert_int_equal(report.left, 0);
	assert_int_equal(report.lost_bytes, 0);
	assert_int_equal(rig->last, 5);
	assert_int_equal(rig_count(rig, "end "), 1);
	assert_true(rig_was_told(rig, "here \nend 0 0 0 0 0 0 0\n"));
	assert_true(rig_spool_is_empty(rig));
}

static void cuts_a_torn_segment_at_its_last_whole_frame(void **state)
{
	struct rig *rig = *state;
	struct push_report report;

	put_file(rig, "to", "local", 5);
	put_segment(rig, "000001.open", 1, false, 1); /* the mark's last byte is missing */
	report = push(rig);
	assert_int_equal(report.segments, 1);
	assert_true(report.lost_bytes > 5);
	assert_int_equal(rig_count(rig, "here"), 0);
	assert_int_equal(rig_count(rig, "header " TEST_RUN " 1 lab1 "), 1);
	assert_int_equal(rig_count(rig, "end 0 "), 1);
}

static void ends_a_run_whose_last_segment_was_not_begun(void **state)
{
	struct rig *rig = *state;
	struct push_report report;

	put_file(rig, "to", "local", 5);
	put_segment(rig, "000001.open", 1, false, 0);
	put_file(rig, "000002.open", "ASS", 3);
	report = push(rig);
	assert_int_equal(report.segments, 2);
	assert_int_equal(report.lost_bytes, 3);
	assert_int_equal(rig_count(rig, "header " TEST_RUN " 2 lab1 b007 "), 1); /* of the one before it */
	assert_int_equal(rig_count(rig, "end 0 "), 1);
}

static void ends_a_run_that_was_killed_between_two_segments(void **state)
{
	struct rig *rig = *state;
	struct push_report report;

	put_file(rig, "to", "local", 5);
	put_segment(rig, "000007.seg", 7, true, 0);
	put_segment(rig, "000007.open", 7, false, 0); /* sealed already, and not removed yet */
	put_file(rig, "000008.new", "half", 4);
	report = push(rig);
	assert_int_equal(report.segments, 2);
	assert_int_equal(report.recovered, 0);
	assert_int_equal(rig->last, 8);
	assert_int_equal(rig_count(rig, "here"), 1);
	assert_int_equal(rig_count(rig, "end 0 "), 1);
	assert_true(rig_spool_is_empty(rig));
}

static void leaves_a_run_alone_whose_agent_lives(void **state)
{
	struct rig *rig = *state;
	struct spool spool;
	struct push_report report;

	assert_int_equal(spool_open(&spool, rig->spool, &rig->plan.run, "local", 0, &rig->err), 0);
	put_segment(rig, "000001.seg", 1, true, 0);
	report = push(rig);
	assert_int_equal(report.busy, 1);
	assert_int_equal(report.segments, 0);
	assert_true(is_there(rig, "000001.seg"));
	spool_drop(&spool, 1);
	spool_close(&spool);
}

static void keeps_what_nobody_takes(void **state)
{
	struct rig *rig = *state;
	struct push_report report;

	put_file(rig, "to", "local", 5);
	put_segment(rig, "000001.seg", 1, true, 0);
	rig->refuse = -EIO;
	report = push(rig);
	assert_int_equal(report.segments, 0);
	assert_int_equal(report.left, 1);
	assert_int_equal(report.last.code, -EIO);
	assert_true(is_there(rig, "000001.seg"));
	rig->refuse = -EEXIST;
	report = push(rig);
	assert_int_equal(report.left, 2); /* with the End's */
	assert_true(is_there(rig, "000001.refused"));
	rig->refuse = 0;
	report = push(rig); /* refused once is not refused for ever, when a person asks */
	assert_int_equal(report.left, 0);
	assert_true(rig_spool_is_empty(rig));
}

static void delivers_to_the_server_that_the_run_names(void **state)
{
	const struct stub_answer ok = { .status = 201 };
	struct rig *rig = *state;
	struct stub stub;
	struct push_report report;

	stub_start(&stub, &ok, 1);
	put_file(rig, "to", stub.url, strlen(stub.url));
	put_segment(rig, "000001.seg", 1, true, 0);
	report = push(rig);
	stub_stop(&stub);
	assert_int_equal(report.segments, 2);
	assert_int_equal(stub.requests, 2);
	assert_false(stub.request[1].fresh);
	assert_string_equal(stub.request[1].line, "PUT /v1/runs/" RIG_RUN "/segments/2 HTTP/1.1");
	assert_true(rig_spool_is_empty(rig));
}

static void finds_nothing_where_nothing_was_spooled(void **state)
{
	struct rig *rig = *state;
	struct push_report report = push(rig);

	assert_int_equal(report.segments + report.left + report.busy, 0);
}

/* Sequences 1, 2, 3 ... each once, the last with the only End. */
static void check_whole(struct rig *rig)
{
	char header[64];

	for (uint32_t sequence = 1; sequence <= rig->last; sequence++) {
		(void)snprintf(header, sizeof(header), "header " RIG_RUN " %u ", (unsigned)sequence);
		assert_int_equal(rig_count(rig, header), 1);
	}
	assert_true(rig_count(rig, "\nend ") <= 1);
}

static void survives_being_killed_at_any_instant(void **state)
{
	struct rig *rig = *state;

	rig->plan.seal_ns = 3000000;
	rig->refuse = -EIO; /* the agent delivers nothing: all is left to the push */
	for (unsigned i = 0; i < 60; i++) {
		struct spawned s = spawn_pipes(rig, "while :; do echo line; sleep 0.001; done");
		struct push_report report;

		(void)usleep(500 + i * 1103 % 60000);
		assert_int_equal(kill(s.pid, SIGKILL), 0);
		assert_int_equal(spawn_wait(rig, &s), -SIGKILL);
		rig->refuse = 0;
		rig->last = 0;
		report = push(rig);
		assert_int_equal(report.left, 0);
		check_whole(rig);
		if (report.segments)
			assert_int_equal(rig_count(rig, "\nend 0 "), 1);
		(void)rmdir(rig->spool);
		rig->refuse = -EIO;
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(delivers_what_waits_and_ends_what_has_no_end),
		TEST(cuts_a_torn_segment_at_its_last_whole_frame),
		TEST(ends_a_run_whose_last_segment_was_not_begun),
		TEST(ends_a_run_that_was_killed_between_two_segments),
		TEST(leaves_a_run_alone_whose_agent_lives),
		TEST(keeps_what_nobody_takes),
		TEST(delivers_to_the_server_that_the_run_names),
		TEST(finds_nothing_where_nothing_was_spooled),
		TEST(survives_being_killed_at_any_instant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
