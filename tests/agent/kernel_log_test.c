/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's log in a run: of a recorded tree, and of this machine where it may be written and read. */
#include <fcntl.h>

#include "tests/agent/agent_rig.h"

static void run_on_tree(struct rig *rig, const char *path, const char *log)
{
	struct err err;

	write_file(rig->folder, path, log, strlen(log));
	assert_int_equal(host_open_root(&rig->host, rig->folder, &err), 0);
	assert_int_equal(rig_run(rig, "true"), 0);
	host_close(&rig->host);
}

static void records_that_were_overwritten_are_counted(void **state)
{
	struct rig *rig = *state;

	run_on_tree(rig, "dev/kmsg",
		    "6,100,5000000,-;usb 1-1: new device\n SUBSYSTEM=usb\n DEVICE=c189:1\n4,101,5000100,-;odd \\x09 text\n"
		    "3,180,9000000,-;EXT4-fs error (device sda1): bad block\n12,181,9000001,-;said by a program\n");
	assert_int_equal(rig_count(rig, " kmsg "), 4);
	assert_true(rig_was_told(rig, "6,100,5000000,-;usb 1-1: new device"));
	assert_true(rig_was_told(rig, "3,180,9000000,-;EXT4-fs error (device sda1): bad block"));
	assert_float_equal(rig_result(rig, "agent.kernel_log_lost"), 78, 0);
	assert_true(rig_was_told(rig, "kernel.log=read"));
}

static void lines_of_a_recorded_console_are_told(void **state)
{
	struct rig *rig = *state;

	run_on_tree(rig, "log/dmesg", "[    1.5] BUG: one\n[    1.6] two\n");
	assert_int_equal(rig_count(rig, " kmsg "), 2);
	assert_true(rig_was_told(rig, "[    1.5] BUG: one"));
}

static void a_log_that_is_not_there_is_unknown(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_run(rig, "true"), 0);
	assert_true(rig_was_told(rig, "kernel.log=unknown: the recording has no log"));
	assert_int_equal(rig_count(rig, " kmsg "), 0);
}

static void a_flood_is_bounded_and_counted(void **state)
{
	struct rig *rig = *state;
	struct buf log = { 0 };

	for (int i = 0; i < 30000; i++)
		assert_int_equal(buf_printf(&log, "6,%d,9000000,-;%0100d\n", i, i), 0);
	assert_int_equal(buf_printf(&log, "3,30000,9000000,-;the error behind it\n"), 0);
	run_on_tree(rig, "dev/kmsg", log.data);
	buf_free(&log);
	assert_true(rig_was_told(rig, "the error behind it"));
	assert_in_range((uintmax_t)rig_result(rig, "agent.kernel_log_lost"), 18000, 23000);
}

static void what_the_kernel_logs_while_a_command_runs_is_told(void **state)
{
	struct rig *rig = *state;
	int fd = open("/dev/kmsg", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		skip(); /* not ours to write */
	(void)close(fd);
	assert_int_equal(host_open_root(&rig->host, NULL, &rig->err), 0);
	assert_int_equal(rig_run(rig, "echo 'assay test: a line of the log' > /dev/kmsg"), 0);
	host_close(&rig->host);
	if (rig_was_told(rig, "kernel.log=unknown"))
		skip();
	assert_true(rig_was_told(rig, ";assay test: a line of the log"));
	assert_true(rig_was_told(rig, "kernel.log=read"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_that_were_overwritten_are_counted),
		TEST(lines_of_a_recorded_console_are_told),
		TEST(a_log_that_is_not_there_is_unknown),
		TEST(a_flood_is_bounded_and_counted),
		TEST(what_the_kernel_logs_while_a_command_runs_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
