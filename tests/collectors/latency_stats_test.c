/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"
#include "tests/support/shared.h"

extern const struct collector collector_latency_stats;

#define STATS  "proc/latency_stats"
#define SWITCH "proc/sys/kernel/latencytop"
#define HEAD   "Latency Top version : v0.1\n"

static void expect_file(struct rig *rig, const char *file, const char *content)
{
	char path[600];
	struct buf text;

	(void)snprintf(path, sizeof(path), "%s/%s", rig->root, file);
	text = read_whole(path);
	assert_string_equal(text.data, content);
	buf_free(&text);
}

static void lines_of_one_chain_add_up(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, STATS, HEAD "21 128 87 ep_poll.constprop.0 do_epoll_wait __x64_sys_epoll_wait\n"
				  "1 99 99 ep_poll.isra.12.constprop.3 do_epoll_wait __x64_sys_epoll_wait\n"
				  "4 40 12 f2fs_sync_file [f2fs] do_fsync\n"
				  "2 3 2 .part.1 a.b.0 c.parts.0 d.part.x\n");
	rig_start(rig, &collector_latency_stats);
	assert_int_equal(rig_value_of(rig, "hits", "ep_poll.do_epoll_wait.__x64_sys_epoll_wait"), 22);
	assert_int_equal(rig_value_of(rig, "sum", "ep_poll.do_epoll_wait.__x64_sys_epoll_wait"), 227);
	assert_int_equal(rig_value_of(rig, "max", "ep_poll.do_epoll_wait.__x64_sys_epoll_wait"), 99);
	assert_int_equal(rig_value_of(rig, "hits", "f2fs_sync_file.[f2fs].do_fsync"), 4);
	assert_int_equal(rig_value_of(rig, "sum", ".part.1.a.b.0.c.parts.0.d.part.x"), 3);
	assert_int_equal(rig_metric(rig, "sum")->unit, UNIT_MICROSECONDS);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value_of(rig, "hits", "ep_poll.do_epoll_wait.__x64_sys_epoll_wait"), 22);
}

static void is_switched_on_and_cleared_for_a_command_and_put_back(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, STATS, HEAD "21 128 87 old\n");
	rig_file(rig, SWITCH, "0\n");
	rig->host.live = true;
	rig->host.command = 1;
	assert_int_equal(rig_open(rig, &collector_latency_stats), 0);
	expect_file(rig, SWITCH, "1");
	expect_file(rig, STATS, "0");
	rig_file(rig, STATS, HEAD);
	rig_again(rig);
	rig_file(rig, STATS, HEAD "3 12 7 new\n");
	rig_again(rig); /* opened anew: neither cleared nor switched off and on */
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "hits", "new"), 3);
	expect_file(rig, SWITCH, "1");
	collector_run_close(&rig->run);
	expect_file(rig, SWITCH, "0");
	rig->host.live = false;
}

static void what_was_on_stays_on(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, STATS, HEAD);
	rig_file(rig, SWITCH, "1\n");
	rig->host.live = true;
	rig->host.command = 1;
	assert_int_equal(rig_open(rig, &collector_latency_stats), 0);
	collector_run_close(&rig->run);
	expect_file(rig, SWITCH, "1\n");
	rig->host.live = false;
}

static void nothing_is_written_without_a_command_or_when_not_asked_for(void **state)
{
	static const char *const no[] = { "enable", "no", NULL };
	struct rig *rig = *state;

	rig_file(rig, STATS, HEAD);
	rig_file(rig, SWITCH, "0\n");
	rig->host.live = true;
	assert_int_equal(rig_open(rig, &collector_latency_stats), -ENODATA);
	rig->host.command = 1;
	assert_int_equal(rig_open_with(rig, &collector_latency_stats, no), -ENODATA);
	expect_file(rig, SWITCH, "0\n");
	expect_file(rig, STATS, HEAD);
	rig->host.live = false; /* a recording is read as it is */
	rig_start(rig, &collector_latency_stats);
	expect_file(rig, SWITCH, "0\n");
	rig->host.live = true;
	rig_remove(rig, SWITCH);
	assert_int_equal(rig_open(rig, &collector_latency_stats), -ENOENT);
	rig->host.live = false;
}

static void lines_of_another_form_are_passed_over(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, STATS, "\n1 2\n1 2 3\n1 2 3 \nx 2 3 f\n1 2 3f f\n99999999999999999999 2 3 f\n1 2 3 good");
	rig_start(rig, &collector_latency_stats);
	assert_int_equal(rig_value_of(rig, "max", "good"), 3);
	assert_int_equal(rig_count(rig), 3);
	rig_file(rig, STATS, "");
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_count(rig), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(lines_of_one_chain_add_up),
		RIG_TEST(is_switched_on_and_cleared_for_a_command_and_put_back),
		RIG_TEST(what_was_on_stays_on),
		RIG_TEST(nothing_is_written_without_a_command_or_when_not_asked_for),
		RIG_TEST(lines_of_another_form_are_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
