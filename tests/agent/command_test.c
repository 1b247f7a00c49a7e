/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/agent/spawn.h"

#include <sys/resource.h>

static void passes_stdin_and_shows_both_streams(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_pipes(rig, "cat; echo err >&2");
	char error[16] = "";

	spawn_type(&s, "typed\n");
	(void)close(s.in);
	s.in = -1;
	assert_true(spawn_expect(&s, "typed\n"));
	assert_false(spawn_expect(&s, "more"));
	assert_int_equal(read(s.error, error, sizeof(error) - 1), 4);
	assert_string_equal(error, "err\n");
	assert_int_equal(spawn_wait(rig, &s), 0);
	assert_true(rig_was_told(rig, "output 1 0 6 typed\n"));
	assert_true(rig_was_told(rig, "output 2 0 4 err\n"));
}

static void passes_a_signal_on_once(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_pipes(rig, "trap 'echo INT' INT; echo ready; i=0; "
					    "while [ $i -lt 10 ]; do sleep 0.1; i=$((i+1)); done; exit 7");

	assert_true(spawn_expect(&s, "ready\n"));
	assert_int_equal(kill(-s.pid, SIGINT), 0); /* as a terminal does: its whole group */
	assert_false(spawn_expect(&s, "no such text"));
	assert_string_equal(s.seen.data, "ready\nINT\n");
	assert_int_equal(spawn_wait(rig, &s), 7);
	assert_true(rig_was_told(rig, " command.end \nsnapshot "));
}

static void ends_with_the_command_that_a_signal_ends(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_pipes(rig, "echo $$; exec sleep 100");
	long pid;

	assert_true(spawn_expect(&s, "\n"));
	pid = strtol(s.seen.data, NULL, 10);
	assert_true(pid > 1);
	assert_int_equal(kill(s.pid, SIGTERM), 0);
	assert_int_equal(spawn_wait(rig, &s), 128 + SIGTERM);
	assert_int_equal(kill((pid_t)pid, 0), -1);
	assert_true(rig_was_told(rig, "end 1 0 15 "));
}

static void asks_the_command_to_end_when_it_is_killed_itself(void **state)
{
	struct rig *rig = *state;
	char script[1024], path[300];
	struct spawned s;

	(void)snprintf(path, sizeof(path), "%s/asked", rig->folder);
	(void)snprintf(script, sizeof(script), "trap 'echo yes >%s; exit' TERM; echo ready; while :; do sleep 0.05; done",
		       path);
	s = spawn_pipes(rig, script);
	assert_true(spawn_expect(&s, "ready\n"));
	assert_int_equal(kill(s.pid, SIGKILL), 0);
	assert_int_equal(spawn_wait(rig, &s), -SIGKILL);
	for (int i = 0; i < 1000 && access(path, F_OK) < 0; i++)
		(void)usleep(10000);
	assert_int_equal(access(path, F_OK), 0);
}

static void gives_the_command_a_group_of_its_own(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_pipes(rig, "ps -o pgid= -p $$ | tr -d ' '; echo $$");
	char *rest;
	long group;

	assert_true(!spawn_expect(&s, "no such text"));
	group = strtol(s.seen.data, &rest, 10);
	assert_int_equal(group, strtol(rest, NULL, 10));
	assert_int_not_equal(group, s.pid);
	assert_int_equal(spawn_wait(rig, &s), 0);
}

static void leaks_no_descriptor(void **state)
{
	struct rig *rig = *state;
	/* 3 is the folder that ls reads; a shell's pipeline would have descriptors of its own for a moment. */
	struct spawned s = spawn_pipes(rig, "exec ls /proc/self/fd");

	(void)spawn_expect(&s, "no such text");
	assert_string_equal(s.seen.data, "0\n1\n2\n3\n");
	assert_int_equal(spawn_wait(rig, &s), 0);
}

static void gives_the_command_the_callers_signal_mask(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_pipes(rig, "grep -E '^Sig(Blk|Ign)' /proc/$$/status | tr '\\n' ' '");

	(void)spawn_expect(&s, "no such text");
	assert_string_equal(s.seen.data, "SigBlk:\t0000000000000000 SigIgn:\t0000000000000000 ");
	assert_int_equal(spawn_wait(rig, &s), 0);
}

static void keeps_head_and_tail_of_100_megabytes_in_bounded_memory(void **state)
{
	struct rig *rig = *state;
	struct spawned s;
	char block[65536];
	uint64_t total = 0;
	struct rusage before, after;
	ssize_t n;

	rig->plan.output_kept = 1 << 20;
	(void)getrusage(RUSAGE_CHILDREN, &before);
	s = spawn_pipes(rig, "head -c 100000000 /dev/zero | tr '\\0' x; echo the end");
	while ((n = read(s.out, block, sizeof(block))) > 0)
		total += (uint64_t)n;
	assert_int_equal(total, 100000008);
	assert_int_equal(spawn_wait(rig, &s), 0);
	(void)getrusage(RUSAGE_CHILDREN, &after);
	assert_true(after.ru_maxrss < 200 * 1024); /* a sanitizer's shadow is part of it; 100 MB more would show */
	assert_true(rig_was_told(rig, "output 1 0 65536 xxx"));
	assert_true(rig_was_told(rig, "the end\n"));
	assert_true(rig_was_told(rig, "output 1 99475720 ")); /* 100000008 - 524288: the tail */
	assert_true(rig_was_told(rig, "end 1 0 0 0 0 98951432 0"));
}

static void tells_the_command_that_nobody_reads(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_pipes(rig, "yes");
	char block[16];

	assert_int_equal(read(s.out, block, sizeof(block)), sizeof(block));
	(void)close(s.out);
	s.out = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_int_equal(spawn_wait(rig, &s), 128 + SIGPIPE);
}

static void goes_on_when_a_daemon_holds_the_output_open(void **state)
{
	struct rig *rig = *state;
	uint64_t begin = clock_monotonic();
	struct spawned s = spawn_pipes(rig, "(setsid sh -c 'trap \"\" HUP; sleep 20' &); echo done");

	assert_true(spawn_expect(&s, "done\n"));
	assert_int_equal(spawn_wait(rig, &s), 0);
	assert_true(clock_monotonic() - begin < UINT64_C(15000000000));
	assert_true(rig_was_told(rig, "holds its output open"));
	assert_true(rig_was_noticed(rig, "processes of the command are still there"));
}

static void ends_a_command_whose_time_is_over(void **state)
{
	struct rig *rig = *state;

	rig->plan.timeout_ns = 100000000;
	assert_int_equal(rig_run(rig, "exec sleep 50"), 0);
	assert_true(rig->outcome.timed_out);
	assert_int_equal(rig->outcome.end.signal, SIGTERM);
	assert_true(rig->outcome.elapsed_ns >= 100000000);
	assert_true(rig_was_noticed(rig, "its time limit was over"));
}

static void tells_what_time_tells(void **state)
{
	struct rig *rig = *state;
	double user, system, elapsed;

	assert_int_equal(rig_run(rig, "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; sleep 0.02"), 0);
	user = rig_result(rig, "bench.time.user_time");
	system = rig_result(rig, "bench.time.system_time");
	elapsed = rig_result(rig, "bench.time.elapsed_time");
	assert_true(user >= 0.01);
	assert_true(elapsed >= 0.02 && elapsed < 60);
	assert_true(elapsed + 0.02 >= (user + system) / 2); /* the sleep's own process may run beside it */
	assert_true(rig_result(rig, "bench.time.percent_of_cpu_this_job_got") > 0);
	assert_true(rig_result(rig, "bench.time.maximum_resident_set_size") > 100);
	assert_true(rig_result(rig, "bench.time.minor_page_faults") > 0);
	assert_true(rig_result(rig, "bench.time.voluntary_context_switches") > 0);
	assert_int_equal(rig_result(rig, "bench.time.page_size"), 4096);
	assert_int_equal(rig_result(rig, "bench.time.exit_status"), 0);
	assert_int_equal(rig_result(rig, "bench.time.swaps"), 0);
	assert_true(rig_result(rig, "agent.cpu_seconds") > 0);
	assert_true(rig_result(rig, "agent.max_rss_kib") > 100);
	assert_int_equal(rig_result(rig, "agent.ticks_missed"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(passes_stdin_and_shows_both_streams),
		TEST(passes_a_signal_on_once),
		TEST(ends_with_the_command_that_a_signal_ends),
		TEST(asks_the_command_to_end_when_it_is_killed_itself),
		TEST(gives_the_command_a_group_of_its_own),
		TEST(leaks_no_descriptor),
		TEST(gives_the_command_the_callers_signal_mask),
		TEST(keeps_head_and_tail_of_100_megabytes_in_bounded_memory),
		TEST(tells_the_command_that_nobody_reads),
		TEST(goes_on_when_a_daemon_holds_the_output_open),
		TEST(ends_a_command_whose_time_is_over),
		TEST(tells_what_time_tells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
