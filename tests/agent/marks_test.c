/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks that the command of a run sets. */
#include "agent/mark.h"
#include "tests/agent/agent_rig.h"

static void a_line_becomes_a_mark(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_run(rig, "echo warm-up > \"$ASSAY_MARK\"; printf 'round 3 of 4\\n' > \"$ASSAY_MARK\""), 0);
	assert_int_equal(rig_count(rig, " warm-up \n"), 1);
	assert_int_equal(rig_count(rig, " round 3 of 4\n"), 1);
	assert_true(rig_spool_is_empty(rig));
	assert_null(getenv("ASSAY_MARK"));
}

static void what_is_no_mark_is_refused_and_counted(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_run(rig, "printf 'command.end\\nx\\001y\\n\\n  \\n' > \"$ASSAY_MARK\";"
				      "printf '%0300d\\n' 1 > \"$ASSAY_MARK\"; printf 'v %0300d\\n' 1 > \"$ASSAY_MARK\";"
				      "printf '%05000d\\n' 1 > \"$ASSAY_MARK\"; printf unfinished > \"$ASSAY_MARK\""),
			 0);
	assert_int_equal(rig_count(rig, " command.end \n"), 1);
	assert_true(rig_was_told(rig, "5 marks of the command were refused"));
	assert_int_equal(rig_count(rig, " unfinished \n"), 1);
}

static void a_process_that_outlives_the_run_does_not_hang(void **state)
{
	struct rig *rig = *state;
	char path[600];

	assert_int_equal(rig_run(rig, "echo \"$ASSAY_MARK\" > /dev/null"), 0);
	(void)snprintf(path, sizeof(path), "%s/%s/mark", rig->spool, RIG_RUN);
	assert_int_equal(setenv("ASSAY_MARK", path, 1), 0);
	assert_int_equal(assay_mark("late"), -1);
	assert_int_equal(unsetenv("ASSAY_MARK"), 0);
	assert_int_equal(assay_mark("nobody listens"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_line_becomes_a_mark),
		TEST(what_is_no_mark_is_refused_and_counted),
		TEST(a_process_that_outlives_the_run_does_not_hang),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
