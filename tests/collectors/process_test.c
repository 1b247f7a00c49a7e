/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine made of files: proc/<pid>/... of the folder is the kernel's, this program is number 50, its command 100. */
#include <stdio.h>

#include "collectors/process_stat.h"
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"
#include "tests/support/shared.h"

extern const struct collector collector_process;

struct one {
	unsigned pid, ppid;
	char state;
	unsigned utime, cutime, minflt, threads, rss, starttime, rchar, voluntary;
};

static void write_stat(struct rig *rig, const char *folder, const struct one *p)
{
	char path[64], text[512];

	(void)snprintf(path, sizeof(path), "proc/%s/stat", folder);
	(void)snprintf(text, sizeof(text), "%u (a) R (%u) %c %u 1 1 0 -1 4194560 %u 0 0 0 %u 0 %u 0 20 0 %u 0 %u 4096 %u 18\n",
		       p->pid, p->pid, p->state ? p->state : 'S', p->ppid, p->minflt, p->utime, p->cutime,
		       p->threads ? p->threads : 1, p->starttime ? p->starttime : 1000, p->rss);
	rig_file(rig, path, text);
}

static void put(struct rig *rig, struct one p)
{
	char folder[32], path[64], text[512];

	(void)snprintf(folder, sizeof(folder), "%u", p.pid);
	write_stat(rig, folder, &p);
	(void)snprintf(path, sizeof(path), "proc/%u/io", p.pid);
	(void)snprintf(text, sizeof(text),
		       "rchar: %u\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 4096\nwrite_bytes: 0\ncancelled_write_bytes: 0\n",
		       p.rchar);
	rig_file(rig, path, text);
	(void)snprintf(path, sizeof(path), "proc/%u/status", p.pid);
	(void)snprintf(text, sizeof(text), "Name:\ta\nvoluntary_ctxt_switches:\t%u\nnonvoluntary_ctxt_switches:\t1\n",
		       p.voluntary);
	rig_file(rig, path, text);
}

static void gone(struct rig *rig, unsigned pid)
{
	static const char *const files[] = { "stat", "io", "status" };
	char path[64];

	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(path, sizeof(path), "proc/%u/%s", pid, files[i]);
		rig_remove(rig, path);
	}
	(void)snprintf(path, sizeof(path), "proc/%u", pid);
	rig_remove(rig, path);
}

static void ours(struct rig *rig, unsigned cutime)
{
	write_stat(rig, "self", &(struct one){ .pid = 50, .ppid = 1, .cutime = cutime, .utime = 7777, .starttime = 10 });
	put(rig, (struct one){ .pid = 50, .ppid = 1, .cutime = cutime, .utime = 7777, .starttime = 10 });
}

static int machine(void **state)
{
	struct rig *rig;
	int r = rig_setup(state);

	rig = *state;
	rig->host.live = true;
	rig->host.command = 100;
	rig_file(rig, "proc/sys/kernel/pid_max", "32768\n");
	put(rig, (struct one){ .pid = 1, .utime = 5000, .starttime = 1 });
	ours(rig, 900);
	put(rig, (struct one){ .pid = 60, .ppid = 50, .utime = 800, .starttime = 20 }); /* left behind by another run */
	put(rig, (struct one){ .pid = 100, .ppid = 50, .utime = 10, .minflt = 5, .rss = 3, .rchar = 100, .voluntary = 4 });
	return r;
}

static int teardown(void **state)
{
	((struct rig *)*state)->host.live = false;
	return rig_teardown(state);
}

#define MACHINE_TEST(test) cmocka_unit_test_setup_teardown(test, machine, teardown)

static void a_name_may_hold_anything(void **state)
{
	static const struct {
		const char *text, *name;
	} good[] = {
		{ "77 (inner-job-\xe6\x90\x8c\xe6\xad) S 1 77 77 0 -1 4 2 0 0 0 5 6 0 0 20 0 1 0 100 1000 10 1",
		  "inner-job-\xe6\x90\x8c\xe6\xad" },
		{ "77 (a) b\n(c) S 1 77 77 0 -1 4 2 0 0 0 5 6 0 0 20 0 1 0 100 1000 10", "a) b\n(c" },
		{ "77 (() S 1 77 77 0 -1 4 2 0 0 0 5 6 0 0 20 0 1 0 100 1000 10\n", "(" },
		{ "77 () S 1 77 77 0 -1 4 2 0 0 0 5 6 0 0 20 0 1 0 100 1000 10\n", "" },
	};
	static const char *const bad[] = { "", "77", "77 (a", "77 a) S 1", "77 )a( S 1 77", "(a) S 1",
					   "77 (a) S 1 77 77 0 -1 4 2 0 0 0 5 6 0 0 20 0 1 0 100 1000", "77 (a) SS 1",
					   "77 (a) S 1 77 77 0 -1 4 2 0 0 0 x 6 0 0 20 0 1 0 100 1000 10" };
	struct process_stat stat;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_true(process_stat_read(text_of(good[i].text), &stat));
		assert_true(text_is(stat.name, good[i].name));
		assert_int_equal(stat.pid, 77);
		assert_int_equal(stat.state, 'S');
		assert_int_equal(stat.ppid, 1);
		assert_int_equal(stat.minflt, 2);
		assert_int_equal(stat.utime, 5);
		assert_int_equal(stat.stime, 6);
		assert_int_equal(stat.threads, 1);
		assert_int_equal(stat.starttime, 100);
		assert_int_equal(stat.vsize, 1000);
		assert_int_equal(stat.rss, 10);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(process_stat_read(text_of(bad[i]), &stat));
}

static void the_command_and_all_that_come_from_it_are_summed_up(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_start(rig, &collector_process);
	assert_int_equal(rig_value(rig, "utime"), 10);
	assert_int_equal(rig_value(rig, "rchar"), 100);
	assert_false(rig_has(rig, "rss")); /* it is not a program yet */
	/* A grandchild whose number is smaller than its parent's, and a stranger's child. */
	put(rig, (struct one){ .pid = 70, .ppid = 300, .utime = 1, .rss = 2, .rchar = 7, .state = 'R', .threads = 5 });
	put(rig, (struct one){ .pid = 300, .ppid = 100, .utime = 20, .minflt = 1, .rss = 10, .rchar = 50, .state = 'D' });
	put(rig, (struct one){ .pid = 61, .ppid = 60, .utime = 9999 });
	put(rig, (struct one){ .pid = 400, .ppid = 1, .utime = 9999 });
	rig_again(rig);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value(rig, "processes"), 3);
	assert_int_equal(rig_value(rig, "running"), 1);
	assert_int_equal(rig_value(rig, "blocked"), 1);
	assert_int_equal(rig_value(rig, "threads"), 7);
	assert_int_equal(rig_value(rig, "utime"), 31);
	assert_int_equal(rig_value(rig, "minflt"), 6);
	assert_int_equal(rig_value(rig, "rss"), 15 * 4096);
	assert_int_equal(rig_value(rig, "rchar"), 157);
	assert_int_equal(rig_value(rig, "seen"), 3);
	assert_int_equal(rig_value(rig, "unread"), 0);
	assert_int_equal(rig_metric(rig, "rss")->unit, UNIT_BYTES);
	assert_int_equal(rig_metric(rig, "utime")->unit, UNIT_TICKS);
	assert_false(rig_has(rig, "fds")); /* not ours to read */
}

static void a_child_that_was_waited_for_counts_once(void **state)
{
	struct rig *rig = *state;

	put(rig, (struct one){ .pid = 101, .ppid = 100, .utime = 40, .rchar = 1000, .voluntary = 30 });
	rig_start(rig, &collector_process);
	rig_again(rig);
	assert_int_equal(rig_value(rig, "utime"), 50);
	assert_int_equal(rig_value(rig, "rchar"), 1100);
	assert_int_equal(rig_value(rig, "voluntary_ctxt_switches"), 34);
	gone(rig, 101); /* the parent has it now, with what it did at last */
	put(rig, (struct one){ .pid = 100, .ppid = 50, .utime = 11, .cutime = 42, .rchar = 1180, .voluntary = 5 });
	rig_again(rig);
	assert_int_equal(rig_value(rig, "utime"), 53);
	assert_int_equal(rig_value(rig, "rchar"), 1180);
	assert_int_equal(rig_value(rig, "voluntary_ctxt_switches"), 35);
	assert_int_equal(rig_value(rig, "processes"), 1);
}

/* The parent was read before it waited, the child after it had gone: missing, and there the next time. */
static void a_child_that_goes_between_two_reads_costs_no_step_back(void **state)
{
	struct rig *rig = *state;

	put(rig, (struct one){ .pid = 101, .ppid = 100, .utime = 40, .rchar = 1000 });
	rig_start(rig, &collector_process);
	rig_again(rig);
	gone(rig, 101);
	rig_again(rig);
	assert_int_equal(rig_value(rig, "utime"), 50);
	assert_int_equal(rig_value(rig, "rchar"), 1100);
	put(rig, (struct one){ .pid = 100, .ppid = 50, .utime = 10, .cutime = 41, .rchar = 1101 });
	rig_again(rig);
	assert_int_equal(rig_value(rig, "utime"), 51);
	assert_int_equal(rig_value(rig, "rchar"), 1101);
}

static void what_a_child_did_that_nobody_waits_for_stays(void **state)
{
	struct rig *rig = *state;

	put(rig, (struct one){ .pid = 101, .ppid = 100, .utime = 40, .rchar = 1000 });
	rig_start(rig, &collector_process);
	rig_again(rig);
	gone(rig, 101);
	rig_again(rig);
	rig_again(rig);
	put(rig, (struct one){ .pid = 100, .ppid = 50, .utime = 13, .rchar = 104 });
	rig_again(rig);
	assert_int_equal(rig_value(rig, "utime"), 53);
	assert_int_equal(rig_value(rig, "rchar"), 1104);
}

static void an_orphan_that_became_ours_is_followed_to_its_end(void **state)
{
	struct rig *rig = *state;

	put(rig, (struct one){ .pid = 101, .ppid = 100, .utime = 40, .rchar = 1000 });
	rig_start(rig, &collector_process);
	rig_again(rig);
	gone(rig, 100);
	ours(rig, 910); /* we waited for the command */
	put(rig, (struct one){ .pid = 101, .ppid = 50, .utime = 45, .rchar = 1005 });
	rig_again(rig);
	assert_int_equal(rig_value(rig, "utime"), 55);
	gone(rig, 101);
	ours(rig, 956);
	rig_again(rig);
	assert_int_equal(rig_value(rig, "utime"), 56);
	assert_int_equal(rig_value(rig, "rchar"), 1105);
	assert_int_equal(rig_value(rig, "processes"), 0);
	assert_int_equal(rig_value(rig, "rss"), 0);
}

static void an_orphan_that_is_first_seen_as_ours_belongs_to_the_command(void **state)
{
	struct rig *rig = *state;

	put(rig, (struct one){ .pid = 112, .ppid = 50, .utime = 700, .starttime = 1500 }); /* agent/kin.h */
	rig_start(rig, &collector_process);
	put(rig, (struct one){ .pid = 777, .ppid = 50, .utime = 3, .starttime = 2000 });
	for (int i = 0; i < 32; i++)
		rig_again(rig); /* what was there before is asked again, and stays out */
	assert_int_equal(rig_value(rig, "utime"), 13);
	assert_int_equal(rig_value(rig, "processes"), 2);
}

static void a_number_that_is_given_anew_is_another_process(void **state)
{
	struct rig *rig = *state;

	put(rig, (struct one){ .pid = 101, .ppid = 100, .utime = 40 });
	put(rig, (struct one){ .pid = 400, .ppid = 1, .utime = 9999 });
	rig_start(rig, &collector_process);
	rig_again(rig);
	put(rig, (struct one){ .pid = 101, .ppid = 1, .utime = 100000, .starttime = 3000 });
	put(rig, (struct one){ .pid = 400, .ppid = 100, .utime = 2, .starttime = 3000 });
	put(rig, (struct one){ .pid = 100, .ppid = 50, .utime = 10, .cutime = 40 });
	for (int i = 0; i < 17; i++)
		rig_again(rig);
	assert_int_equal(rig_value(rig, "processes"), 2);
	assert_int_equal(rig_value(rig, "utime"), 52);
}

static void threads_that_end_take_nothing_back(void **state)
{
	static const char status[] = "Name:\ta\nvoluntary_ctxt_switches:\t%d\nnonvoluntary_ctxt_switches:\t%d\n";
	struct rig *rig = *state;
	char text[100];

	for (int i = 0; i < 2; i++) {
		(void)snprintf(text, sizeof(text), status, 10 + i, 2);
		rig_file(rig, i ? "proc/100/task/105/status" : "proc/100/task/100/status", text);
	}
	put(rig, (struct one){ .pid = 100, .ppid = 50, .threads = 2, .voluntary = 10 });
	rig_start(rig, &collector_process);
	assert_int_equal(rig_value(rig, "voluntary_ctxt_switches"), 21);
	assert_int_equal(rig_value(rig, "nonvoluntary_ctxt_switches"), 4);
	put(rig, (struct one){ .pid = 100, .ppid = 50, .threads = 1, .voluntary = 11 });
	rig_again(rig);
	assert_int_equal(rig_value(rig, "voluntary_ctxt_switches"), 21);
	put(rig, (struct one){ .pid = 100, .ppid = 50, .threads = 1, .voluntary = 14 });
	rig_again(rig);
	assert_int_equal(rig_value(rig, "voluntary_ctxt_switches"), 24);
}

static void files_that_are_open_are_counted(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/100/fd/0", "");
	rig_file(rig, "proc/100/fd/1", "");
	rig_file(rig, "proc/100/fd/12", "");
	rig->host.live = false; /* a live folder tells by its size */
	rig_start(rig, &collector_process);
	assert_int_equal(rig_value(rig, "fds"), 3);
}

static void a_look_without_time_reads_the_oldest_and_the_others_in_turn(void **state)
{
	static const char *const options[] = { "budget", "0", NULL };
	struct rig *rig = *state;

	for (unsigned pid = 101; pid < 120; pid++)
		put(rig, (struct one){ .pid = pid, .ppid = 100, .utime = 1 });
	assert_int_equal(rig_open_with(rig, &collector_process, options), 0);
	for (unsigned pid = 100; pid < 120; pid++)
		put(rig, (struct one){ .pid = pid, .ppid = pid == 100 ? 50 : 100, .utime = 10 });
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_value(rig, "utime"), 17 * 10 + 3);
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_value(rig, "unread"), 3);
	assert_int_equal(rig_value(rig, "utime"), 18 * 10 + 2);
	for (int i = 0; i < 2; i++)
		assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_value(rig, "utime"), 20 * 10);
	assert_int_equal(rig_value(rig, "processes"), 20);
}

static void more_than_are_to_be_measured_are_counted(void **state)
{
	static const char *const options[] = { "most", "2", NULL };
	struct rig *rig = *state;

	assert_int_equal(rig_open_with(rig, &collector_process, options), 0);
	for (unsigned pid = 101; pid < 105; pid++)
		put(rig, (struct one){ .pid = pid, .ppid = pid - 1, .utime = 1 });
	for (int i = 0; i < 2; i++)
		assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_value(rig, "processes"), 5);
	assert_int_equal(rig_value(rig, "unread"), 3);
	assert_int_equal(rig_value(rig, "utime"), 11);
}

static void without_a_command_it_has_to_be_told_what_to_measure(void **state)
{
	static const char *const options[] = { "pids", "60 400 ", NULL };
	static const char *const wrong[] = { "pids", "60 x", NULL };
	static const char *const absent[] = { "pids", "12345", NULL };
	struct rig *rig = *state;

	rig->host.command = 0;
	assert_int_equal(rig_open(rig, &collector_process), -ENODATA);
	assert_int_equal(rig_open_with(rig, &collector_process, wrong), -EINVAL);
	assert_int_equal(rig_open_with(rig, &collector_process, absent), -ESRCH);
	put(rig, (struct one){ .pid = 61, .ppid = 60, .utime = 4 });
	assert_int_equal(rig_open_with(rig, &collector_process, options), 0);
	rig_again(rig);
	rig_again(rig);
	assert_int_equal(rig_value(rig, "utime"), 804);
	assert_int_equal(rig_value(rig, "processes"), 2);
}

static void of_a_recording_all_processes_count(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "pcp-procpid-5.5.7"))
		skip();
	rig->host.live = false;
	rig_start(rig, &collector_process);
	assert_int_equal(rig_value(rig, "processes"), 4);
	assert_true(rig_value(rig, "rchar") > 4450378844);
	assert_true(rig_tree(rig, "pcp-big-pid"));
	rig->host.live = false;
	rig_start(rig, &collector_process);
	rig_again(rig);
	assert_int_equal(rig_value(rig, "processes"), 2);
	assert_int_equal(rig_value(rig, "rss"), 2 * 202 * 4096);
	assert_false(rig_has(rig, "rchar"));
}

static void broken_files_cost_that_process(void **state)
{
	struct rig *rig = *state;

	rig_start(rig, &collector_process);
	put(rig, (struct one){ .pid = 101, .ppid = 100, .utime = 1 });
	rig_file(rig, "proc/102/stat", "");
	rig_file(rig, "proc/103/stat", "103 (a) S 100 1");
	rig_file(rig, "proc/104/nothing", "");
	rig_file(rig, "proc/99999999999999999999/stat", "1 (a) S 100 1");
	rig_file(rig, "proc/101/io", "rchar: many\n\n:\nwchar 5");
	rig_file(rig, "proc/101/status", "voluntary_ctxt_switches:\n\nvoluntary_ctxt_switches: x");
	rig_again(rig);
	rig_again(rig);
	assert_int_equal(rig_value(rig, "processes"), 2);
	assert_int_equal(rig_value(rig, "utime"), 11);
	assert_int_equal(rig_value(rig, "rchar"), 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_may_hold_anything),
		MACHINE_TEST(the_command_and_all_that_come_from_it_are_summed_up),
		MACHINE_TEST(a_child_that_was_waited_for_counts_once),
		MACHINE_TEST(a_child_that_goes_between_two_reads_costs_no_step_back),
		MACHINE_TEST(what_a_child_did_that_nobody_waits_for_stays),
		MACHINE_TEST(an_orphan_that_became_ours_is_followed_to_its_end),
		MACHINE_TEST(an_orphan_that_is_first_seen_as_ours_belongs_to_the_command),
		MACHINE_TEST(a_number_that_is_given_anew_is_another_process),
		MACHINE_TEST(threads_that_end_take_nothing_back),
		MACHINE_TEST(files_that_are_open_are_counted),
		MACHINE_TEST(a_look_without_time_reads_the_oldest_and_the_others_in_turn),
		MACHINE_TEST(more_than_are_to_be_measured_are_counted),
		MACHINE_TEST(without_a_command_it_has_to_be_told_what_to_measure),
		MACHINE_TEST(of_a_recording_all_processes_count),
		MACHINE_TEST(broken_files_cost_that_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
