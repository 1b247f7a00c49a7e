/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/agent/agent_rig.h"

#include <fcntl.h>

static void passes_the_exit_code_back(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_run(rig, "exit 7"), 0);
	assert_true(rig->outcome.end.exited);
	assert_int_equal(rig->outcome.end.exit_code, 7);
	assert_int_equal(rig->outcome.end.signal, 0);
	assert_true(rig_was_told(rig, "\nend 1 7 0 0 0 0 0\n"));
	assert_int_equal(rig_result(rig, "bench.time.exit_status"), 7);
	assert_true(rig_spool_is_empty(rig));
}

static void tells_the_signal_that_ended_it(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_run(rig, "kill -SEGV $$"), 0);
	assert_int_equal(rig->outcome.end.signal, 11);
	assert_int_equal(rig_result(rig, "bench.time.exit_status"), 139);
}

static void runs_nothing_when_the_program_is_missing(void **state)
{
	struct rig *rig = *state;
	char *argv[] = { (char[]){ "/no/such/program" }, NULL };

	rig->plan.command = argv;
	assert_int_equal(agent_run(&rig->plan, &rig->outcome, &rig->err), -ENOENT);
	assert_true(rig->outcome.not_run);
	assert_string_equal(rig->err.text, "/no/such/program: cannot be run: No such file or directory");
	assert_int_equal(rig->last, 0);
	assert_true(rig_spool_is_empty(rig));
}

static void runs_nothing_that_is_no_program(void **state)
{
	struct rig *rig = *state;
	char *argv[] = { (char[]){ "/etc/passwd" }, NULL };

	rig->plan.command = argv;
	assert_int_equal(agent_run(&rig->plan, &rig->outcome, &rig->err), -EACCES);
	assert_true(rig->outcome.not_run);
}

static void tells_a_run_from_facts_to_end(void **state)
{
	struct rig *rig = *state;
	struct text rest, line;

	assert_int_equal(rig_run(rig, "echo out; echo err >&2"), 0);
	rest = buf_text(&rig->told);
	assert_true(text_line(&rest, &line));
	assert_true(text_starts(line, "header " RIG_RUN " 1 lab1 "));
	assert_true(text_line(&rest, &line));
	assert_true(text_is(line, "facts axes testcase=bench others host.name=lab1"));
	assert_true(text_line(&rest, &line));
	assert_true(text_is(line, "facts axes others kernel.log=unknown: the recording has no log"));
	assert_true(text_line(&rest, &line));
	assert_true(text_starts(line, "snapshot 0 "));
	assert_true(text_line(&rest, &line));
	assert_true(text_starts(line, "mark ") && text_ends(line, " command.start "));
	assert_true(text_line(&rest, &line));
	assert_true(text_starts(line, "mark ") && text_ends(line, " command.end "));
	assert_true(text_line(&rest, &line));
	assert_true(text_starts(line, "snapshot 1 "));
	assert_true(rig_was_told(rig, "output 1 0 4 out\n"));
	assert_true(rig_was_told(rig, "output 2 0 4 err\n"));
	assert_true(text_ends(rest, "\nend 1 0 0 0 0 0 0\n"));
	assert_int_equal(rig->outcome.segments, 1);
	assert_int_equal(rig->outcome.undelivered, 0);
}

static void *idle(void *context)
{
	int fd = *(int *)context;
	char byte;

	return read(fd, &byte, 1) < 0 ? context : NULL;
}

/* A thread that blocks no signals may take SIGCHLD. */
static void sees_the_end_of_a_command_beside_a_foreign_thread(void **state)
{
	struct rig *rig = *state;
	uint64_t begin = clock_monotonic();
	pthread_t thread;
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(pthread_create(&thread, NULL, idle, &ends[0]), 0);
	rig->plan.timeout_ns = UINT64_C(20000000000);
	for (int i = 0; i < 50; i++) {
		assert_int_equal(rig_run(rig, "exec >&- 2>&-; sleep 0.002"), 0); /* no end of output tells it either */
		assert_false(rig->outcome.timed_out);
		rig->last = 0;
	}
	assert_true(clock_monotonic() - begin < UINT64_C(20000000000));
	(void)close(ends[1]);
	assert_int_equal(pthread_join(thread, NULL), 0);
	(void)close(ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(passes_the_exit_code_back, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(tells_the_signal_that_ended_it, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(runs_nothing_when_the_program_is_missing, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(runs_nothing_that_is_no_program, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(tells_a_run_from_facts_to_end, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(sees_the_end_of_a_command_beside_a_foreign_thread, rig_setup,
						rig_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
