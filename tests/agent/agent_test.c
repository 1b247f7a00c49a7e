/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/agent/agent_rig.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(passes_the_exit_code_back, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(tells_the_signal_that_ended_it, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(runs_nothing_when_the_program_is_missing, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(runs_nothing_that_is_no_program, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(tells_a_run_from_facts_to_end, rig_setup, rig_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
