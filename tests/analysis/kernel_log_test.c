/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of the kernel's log, and of a command's stderr, to ids and stats. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/kernel_line.h"
#include "analysis/log_id.h"
#include "tests/analysis/play.h"
#include "tests/support/shared.h"

static void expect_crash(const char *line, const char *id)
{
	struct kernel_line read = kernel_line_read(text_of(line));
	cleanup_buf struct buf got = { 0 };

	assert_int_equal(log_id_of_crash(read.text, &got), *id ? 1 : 0);
	assert_string_equal(got.len ? got.data : "", id);
}

static void expect_id(const char *line, const char *id)
{
	struct kernel_line read = kernel_line_read(text_of(line));
	cleanup_buf struct buf got = { 0 };

	assert_int_equal(log_id(read.text, &got), 0);
	assert_string_equal(got.len ? got.data : "", id);
}

static void known_heads_are_reduced(void **state)
{
	expect_crash("4,183,9000003,-;WARNING: CPU: 3 PID: 77 at mm/page_alloc.c:4400 get_page+0x1/0x2",
		     "WARNING:at_mm/page_alloc.c:#get_page");
	expect_crash("[    1.0] WARNING: CPU: 0 PID: -967707560 at kernel/kthread.c:83 kthread_probe_data+0x5e/0x80",
		     "WARNING:at_kernel/kthread.c:#kthread_probe_data");
	expect_crash("[   59.833983] [ INFO: suspicious RCU usage. ]", "INFO:suspicious_RCU_usage");
	expect_crash("[  251.950215] INFO: task swapper:1 blocked for more than 120 seconds.",
		     "INFO:task_blocked_for_more_than#seconds");
	expect_crash("<1>[  2.5][   T77] BUG: unable to handle kernel NULL pointer dereference at 000000000000043f",
		     "BUG:unable_to_handle_kernel");
	expect_crash("[  510.369402] RIP: 0010:[<ffffffff8132969a>]  [<ffffffff8132969a>] insert_augmented+0x34/0x8e",
		     "RIP:insert_augmented");
	expect_crash("[   16.399668] RIP: 0010:main_func+0x299/0x369", "RIP:main_func");
	expect_crash("[   16.399668] RIP: 0033:0x7fbd3c4d1a4d", "");
	expect_crash("BUG: sleeping function called from invalid context at kernel/irq/manage.c:110",
		     "BUG:sleeping_function_called_from_invalid_context_at_kernel/irq/manage.c");
	expect_crash("[    5.1] ---[ end Kernel panic - not syncing: Fatal exception ]---", "");
	expect_crash("[ 1.2] DEBUG: a word is no part of a word", "");
	expect_crash("", "");
}

static void what_differs_from_run_to_run_is_cut(void **state)
{
	expect_id("3,180,9000000,-;EXT4-fs error (device sda1): bad block 17", "EXT4-fs_error(device_sd#):bad_block");
	expect_id("<3>[    2.2] Slab corruption (Tainted: G        W      ): kmalloc-1024 start=c96b2000, len=1024",
		  "Slab_corruption:kmalloc-#start=#,len=");
	expect_id("kern  :err   : [   13.708945] [<0000000013155f90>] usb_hcd_irq", "usb_hcd_irq");
	expect_id("kern  :err   : [   43.1] e1000 0000:00:03.0 eth0: Unable to allocate interrupt Error: -16",
		  "e1000#:#:#eth#:Unable_to_allocate_interrupt_Error");
	expect_id("Linux 6.1.0-13-amd64 built Tue Dec 1 04:04:18 2026 of 4b825dc642cb6eb9a060e54bf8d69288fbee4904 by me",
		  "Linux#built####:#:##of#by_me");
	expect_id("say 'x' \"y\" \\ $HOME \xc3\xa4 done", "say~x~~y~~~HOME~~done");
	expect_id("12345", "");
}

static void every_form_of_a_line_is_read(void **state)
{
	struct kernel_line line = kernel_line_read(text_of("12,181,9000001,-,caller=T1;odd \\x09 text\n SUBSYSTEM=usb\n"));
	cleanup_buf struct buf plain = { 0 };
	struct text value;

	assert_int_equal(line.level, 4);
	assert_int_equal(line.facility, 1);
	assert_int_equal(line.number, 181);
	assert_int_equal(line.usec, 9000001);
	assert_true(kernel_line_key(&line, "SUBSYSTEM", &value) && text_is(value, "usb"));
	assert_false(kernel_line_key(&line, "SUB", &value));
	assert_int_equal(kernel_line_unescape(line.text, &plain), 0);
	assert_string_equal(plain.data, "odd \t text");
	line = kernel_line_read(text_of("[    9.5] a line"));
	assert_int_equal(line.level, -1);
	assert_int_equal(line.usec, 9500000);
	assert_true(text_is(line.text, "a line"));
	line = kernel_line_read(text_of("6,1,x,-;broken"));
	assert_int_equal(line.level, -1);
	assert_false(line.stamped);
	assert_true(text_is(line.text, "6,1,x,-;broken"));
}

static void tell(struct play *p, const char *source, const char *text)
{
	struct run_log log = { SECOND, source, text };

	assert_int_equal(reduce_events.log(p->reduce, &log, &p->err), 0);
}

static void a_run_counts_what_its_log_tells(void **state)
{
	struct play p;

	play_open(&p);
	play_fact(&p, KERNEL_LOG_FACT, KERNEL_LOG_READ);
	tell(&p, "kmsg", "3,180,9000000,-;EXT4-fs error (device sda1): bad block");
	tell(&p, "kmsg", "12,181,9000001,-;WARNING: printed by user space");
	tell(&p, "kmsg", "4,182,9000002,c;------------[ cut here ]------------");
	tell(&p, "kmsg", "4,183,9000003,-;WARNING: CPU: 3 PID: 77 at mm/page_alloc.c:4400 get_page+0x1/0x2");
	tell(&p, "kmsg", "3,184,9000004,-; get_page+0x1/0x2");
	tell(&p, "kmsg", "6,185,9500000,-;all is well");
	tell(&p, "slabinfo", "3,186,9600000,-;BUG: said by a collector");
	tell(&p, "agent", LOG_TIME_LIMIT);
	play_finish(&p);
	expect(&p, "dmesg.WARNING:at_mm/page_alloc.c:#get_page", 1);
	expect(&p, "dmesg.timestamp:WARNING:at_mm/page_alloc.c:#get_page", 9.000003);
	expect(&p, "dmesg.timestamp:last", 9.5);
	expect(&p, "dmesg.boot_failures", 1);
	expect(&p, "kmsg.EXT4-fs_error(device_sd#):bad_block", 1);
	expect(&p, "last_state.soft_timeout", 1);
	expect_none(&p, "kmsg.get_page");
	expect_none(&p, "dmesg.BUG:said_by_a_collector");
	expect_none(&p, "dmesg.WARNING:printed_by_user_space");
	play_close(&p);
}

static void a_log_nobody_could_read_is_unknown_and_not_clean(void **state)
{
	struct play p;

	play_open(&p);
	play_fact(&p, KERNEL_LOG_FACT, "unknown: Operation not permitted");
	play_finish(&p);
	expect_none(&p, "dmesg.boot_failures");
	play_close(&p);
	play_open(&p);
	play_fact(&p, KERNEL_LOG_FACT, KERNEL_LOG_READ);
	play_finish(&p);
	expect(&p, "dmesg.boot_failures", 0);
	play_close(&p);
}

static void stderr_is_told_by_its_lines(void **state)
{
	struct play p;

	play_open(&p);
	play_output(&p, OUTPUT_STDERR, 0, "12+0 records in\nsh: 7: no such file\nsh: 9: no such file\n\n");
	play_finish(&p);
	expect(&p, "stderr.sh:#:no_such_file", 1);
	expect(&p, "stderr.has_stderr", 1);
	expect_none(&p, "stderr.more_ids");
	play_close(&p);
}

static void a_flood_of_ids_is_bounded_and_told(void **state)
{
	struct play p;
	char line[64];
	size_t count = 0;

	play_open(&p);
	for (int i = 0; i < 600; i++) {
		(void)snprintf(line, sizeof(line), "3,%d,9000000,-;%c%c%c failed", i, 'g' + i % 20, 'g' + i / 20 % 20,
			       'g' + i / 400);
		tell(&p, "kmsg", line);
	}
	play_finish(&p);
	for (size_t i = 0; i < p.stats.count; i++)
		count += text_ends(text_of(p.stats.at[i].key), "_failed");
	assert_int_equal(count, 256);
	expect(&p, "kmsg.more_ids", 1);
	play_close(&p);
}

/* ---- recorded logs ---- */

/* Left out on purpose: what is found in a backtrace is told by the backtrace, which is kept with the run. */
static bool is_ours(struct text key)
{
	static const char *const not_ours[] = { "calltrace:", "message:", "pattern:", "timestamp:", "boot_failures",
						"warn_alloc_failed+0x",
						/* a line of a backtrace; messages that are no errors */
						"usb_hcd_irq", "LKP:", "Kernel_tests:" };

	for (size_t i = 0; i < sizeof(not_ours) / sizeof(*not_ours); i++)
		if (text_starts(key, not_ours[i]))
			return false;
	return key.at < key.end && *key.at != '#';
}

static void tell_file(struct play *p, const char *path)
{
	struct buf log = read_whole(path);
	struct text rest = buf_text(&log), line;

	while (text_line(&rest, &line)) {
		char *copy = text_copy(line);

		tell(p, "kmsg", copy);
		free(copy);
	}
	buf_free(&log);
}

/* Each report of the corpus is a crash: one of its lines has to be a head. */
static void recorded_reports_are_seen_as_crashes(void **state)
{
	char folder[512], pattern[600];
	size_t unseen = 0;
	glob_t found;

	if (!shared_path(folder, sizeof(folder), "outputs/kernel-report"))
		skip();
	(void)snprintf(pattern, sizeof(pattern), "%s/*.txt", folder);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct play p;

		play_open(&p);
		tell_file(&p, found.gl_pathv[i]);
		play_finish(&p);
		if (!stats_get(&p.stats, "dmesg.boot_failures", &(double){ 0 })) {
			print_message("# %s: nothing seen\n", found.gl_pathv[i]);
			unseen++;
		}
		play_close(&p);
	}
	globfree(&found);
	assert_int_equal(unseen, 1); /* syz-129: an "INFO:" whose words were lost */
}

static size_t missing_of(const char *path, const char *family, const struct stats *stats)
{
	struct buf expected = read_whole(path);
	struct text rest = buf_text(&expected), line;
	size_t wrong = 0;

	while (text_line(&rest, &line)) {
		char key[400];
		double value;

		if (!is_ours(line) || !text_ends(line, ": 1"))
			continue;
		(void)snprintf(key, sizeof(key), "%s.%.*s", family, (int)text_len(line) - 3, line.at);
		if (!stats_get(stats, key, &value)) {
			print_message("# %s: no %s\n", path, key);
			wrong++;
		}
	}
	buf_free(&expected);
	return wrong;
}

static void expect_ids(const char *outputs, const char *family)
{
	char folder[512], pattern[600];
	size_t wrong = 0;
	glob_t found;

	if (!shared_path(folder, sizeof(folder), outputs))
		skip();
	(void)snprintf(pattern, sizeof(pattern), "%s/*.txt", folder);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char expected[600];
		struct play p;

		play_open(&p);
		tell_file(&p, found.gl_pathv[i]);
		play_finish(&p);
		(void)snprintf(expected, sizeof(expected), "%.*s.expected.yaml", (int)strlen(found.gl_pathv[i]) - 4,
			       found.gl_pathv[i]);
		wrong += missing_of(expected, family, &p.stats);
		play_close(&p);
	}
	globfree(&found);
	assert_int_equal(wrong, 0);
}

static void recorded_logs_give_the_ids_their_origin_expects(void **state)
{
	expect_ids("outputs/dmesg", "dmesg");
}

static void recorded_errors_give_the_ids_their_origin_expects(void **state)
{
	expect_ids("outputs/kmsg", "kmsg");
}

/* Backtraces without a head, and "events logged" of a healthy machine check, are no crash of their own. */
static void a_backtrace_alone_is_no_crash(void **state)
{
	struct play p;

	play_open(&p);
	tell(&p, "kmsg", "[   71.427921] Call Trace:");
	tell(&p, "kmsg", "[   71.427930]  [<ffffffff81662d11>] dump_stack+0x45/0x56");
	tell(&p, "kmsg", "3,10,71427937,-; dump_stack+0x45/0x56 [ext4]");
	play_finish(&p);
	expect_none(&p, "dmesg.boot_failures");
	assert_int_equal(p.stats.count, 1); /* last_state.is_incomplete_run: this one has no end */
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_heads_are_reduced),
		cmocka_unit_test(what_differs_from_run_to_run_is_cut),
		cmocka_unit_test(every_form_of_a_line_is_read),
		cmocka_unit_test(a_run_counts_what_its_log_tells),
		cmocka_unit_test(a_log_nobody_could_read_is_unknown_and_not_clean),
		cmocka_unit_test(stderr_is_told_by_its_lines),
		cmocka_unit_test(a_flood_of_ids_is_bounded_and_told),
		cmocka_unit_test(recorded_reports_are_seen_as_crashes),
		cmocka_unit_test(recorded_logs_give_the_ids_their_origin_expects),
		cmocka_unit_test(recorded_errors_give_the_ids_their_origin_expects),
		cmocka_unit_test(a_backtrace_alone_is_no_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
