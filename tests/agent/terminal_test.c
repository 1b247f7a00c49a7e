/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/agent/spawn.h"

#define ALL 7u

static void gives_the_command_a_terminal_of_the_same_size(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_terminal(rig, "test -t 0 && test -t 1 && test -t 2 && stty size", ALL, false);

	assert_true(spawn_expect(&s, "33 77\r\n"));
	assert_int_equal(spawn_wait(rig, &s), 0);
	assert_true(rig_was_told(rig, "output 1 0 6 33 77\n")); /* kept as it was written, without "\r" */
}

static void passes_typed_keys(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_terminal(rig, "echo name?; read name; echo hello $name", ALL, false);

	assert_true(spawn_expect(&s, "name?\r\n"));
	spawn_type(&s, "World\r");
	assert_true(spawn_expect(&s, "World\r\nhello World\r\n")); /* echoed once */
	assert_int_equal(spawn_wait(rig, &s), 0);
}

static void turns_control_c_into_a_signal_of_the_command(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_terminal(rig, "trap 'echo INT; exit 5' INT; echo ready; while :; do sleep 0.05; done",
					  ALL, false);

	assert_true(spawn_expect(&s, "ready\r\n"));
	spawn_type(&s, "\003");
	assert_true(spawn_expect(&s, "INT\r\n"));
	assert_int_equal(spawn_wait(rig, &s), 5);
}

static void tells_the_command_of_a_new_size(void **state)
{
	struct rig *rig = *state;
	const struct winsize size = { .ws_row = 10, .ws_col = 20 };
	struct spawned s = spawn_terminal(rig, "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done",
					  ALL, false);

	assert_true(spawn_expect(&s, "ready\r\n"));
	assert_int_equal(ioctl(s.out, TIOCSWINSZ, &size), 0);
	assert_true(spawn_expect(&s, "10 20\r\n"));
	assert_int_equal(spawn_wait(rig, &s), 0);
}

static void restores_the_terminals_modes(void **state)
{
	struct rig *rig = *state;
	struct termios during, after;
	struct spawned s = spawn_terminal(rig, "echo ready; read x", ALL, false);

	assert_true(spawn_expect(&s, "ready\r\n"));
	assert_int_equal(tcgetattr(s.out, &during), 0);
	assert_false(during.c_lflag & ICANON);
	assert_false(during.c_lflag & ISIG);
	spawn_type(&s, "\r");
	assert_true(!spawn_expect(&s, "no such text"));
	assert_int_equal(tcgetattr(s.out, &after), 0);
	assert_true(after.c_lflag & ICANON);
	assert_true(after.c_lflag & ISIG);
	assert_true(after.c_lflag & ECHO);
	assert_true(after.c_oflag & OPOST);
	assert_int_equal(spawn_wait(rig, &s), 0);
}

static void stops_with_its_job_and_goes_on_with_it(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_terminal(rig, "echo ready; read x; echo got $x", ALL, true);

	assert_true(spawn_expect(&s, "ready\r\n"));
	spawn_type(&s, "\032");
	assert_true(spawn_expect(&s, "[stopped]"));
	spawn_type(&s, "on\r");
	assert_true(spawn_expect(&s, "got on\r\n"));
	assert_int_equal(spawn_wait(rig, &s), 0);
}

static void stops_when_the_command_does_and_goes_on_with_it(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_terminal(rig, "echo ready; kill -TSTP $$; echo between; kill -STOP $$; read x; echo got $x",
					  ALL, true);

	assert_true(spawn_expect(&s, "ready\r\n"));
	assert_true(spawn_expect(&s, "[stopped]"));
	assert_true(spawn_expect(&s, "between\r\n"));
	assert_true(spawn_expect(&s, "[stopped]"));
	spawn_type(&s, "on\r");
	assert_true(spawn_expect(&s, "got on\r\n"));
	assert_int_equal(spawn_wait(rig, &s), 0);
	assert_true(rig_was_told(rig, " command.stop "));
	assert_true(rig_was_told(rig, " command.continue "));
}

static void a_command_that_ignores_the_key_does_not_stop(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_terminal(rig, "trap '' TSTP; echo ready; read x; echo got $x", ALL, true);

	assert_true(spawn_expect(&s, "ready\r\n"));
	spawn_type(&s, "\032");
	for (int i = 0; i < 100 && spawn_sees(&s, "got on\r\n", 200) < 0; i++)
		spawn_type(&s, "on\r");
	assert_true(spawn_expect(&s, "got on\r\n"));
	assert_int_equal(spawn_wait(rig, &s), 0);
	assert_false(rig_was_told(rig, " command.stop "));
}

/* The two that let it be stopped are its kin to nobody. */
static void what_lets_it_be_stopped_is_not_left_behind(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_terminal(rig, "sleep 0.01 & wait; echo children $?", ALL, false);

	assert_true(spawn_expect(&s, "children 0\r\n"));
	assert_int_equal(spawn_wait(rig, &s), 0);
	assert_false(rig_was_told(rig, "still there"));
}

static void goes_on_where_no_shell_could_continue_it(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_terminal(rig, "echo ready; read x; echo got $x; read y", ALL, false);

	assert_true(spawn_expect(&s, "ready\r\n"));
	spawn_type(&s, "\032");
	/* What is typed right behind a ^Z is flushed with it. */
	for (int i = 0; i < 100 && spawn_sees(&s, "got on\r\n", 200) < 0; i++)
		spawn_type(&s, "on\r");
	assert_true(spawn_expect(&s, "got on\r\n"));
	spawn_type(&s, "\r");
	assert_int_equal(spawn_wait(rig, &s), 0);
}

static void keeps_streams_apart_that_are_no_terminal(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_terminal(rig, "test -t 0 || echo in; test -t 1 && echo out; "
					       "test -t 2 || echo error >&2", 2u, false);

	assert_true(spawn_expect(&s, "in\r\nout\r\n"));
	assert_int_equal(spawn_wait(rig, &s), 0);
	assert_true(rig_was_told(rig, "output 1 0 7 in\nout\n"));
	assert_true(rig_was_told(rig, "output 2 0 6 error\n"));
}

static void passes_keys_of_a_cooked_terminal(void **state)
{
	struct rig *rig = *state;
	struct spawned s = spawn_terminal(rig, "echo ready >&2; read x; echo got $x >&2; cat; echo end >&2", 5u, false);

	assert_true(spawn_expect(&s, "ready\r\n"));
	spawn_type(&s, "abc\r");
	assert_true(spawn_expect(&s, "abc\r\ngot abc\r\n"));
	spawn_type(&s, "\004"); /* ^D ends what cat reads */
	assert_true(spawn_expect(&s, "end\r\n"));
	assert_int_equal(spawn_wait(rig, &s), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(gives_the_command_a_terminal_of_the_same_size),
		TEST(passes_typed_keys),
		TEST(turns_control_c_into_a_signal_of_the_command),
		TEST(tells_the_command_of_a_new_size),
		TEST(restores_the_terminals_modes),
		TEST(stops_with_its_job_and_goes_on_with_it),
		TEST(stops_when_the_command_does_and_goes_on_with_it),
		TEST(a_command_that_ignores_the_key_does_not_stop),
		TEST(what_lets_it_be_stopped_is_not_left_behind),
		TEST(goes_on_where_no_shell_could_continue_it),
		TEST(keeps_streams_apart_that_are_no_terminal),
		TEST(passes_keys_of_a_cooked_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
