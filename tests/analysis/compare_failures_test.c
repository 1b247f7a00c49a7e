/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that count failures, and runs that failed. */
#include "tests/analysis/compare_rig.h"

static void knows_what_counts_failures(void **state)
{
	assert_true(is_function_stat("dmesg.WARNING:at_ip__fsnotify_parent/0x"));
	assert_true(is_function_stat("last_state.is_incomplete_run"));
	assert_true(is_function_stat("xfstests.generic.081.fail"));
	assert_true(is_function_stat("xfstests.generic.081.pass"));
	assert_true(is_function_stat("x.error:12"));
	assert_true(is_function_stat("stress.killed_by_signal"));
	assert_true(is_function_stat("kmemleak.a_unreferenced_object.b"));
	assert_false(is_function_stat("dmesg.timestamp:last"));
	assert_false(is_function_stat("x.time.fail"));
	assert_false(is_function_stat("proc-vmstat.compact_fail"));
	assert_false(is_function_stat("perf-profile.self.cycles.error_entry"));
	assert_false(is_function_stat(".fail"));
	assert_false(is_function_stat("throughput"));
	assert_false(is_function_stat(""));
}

static void shows_failures_of_one_side_only(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "dmesg.a", 1, MISSING, MISSING, MISSING);
	put(rig, "head", "dmesg.b", 1, MISSING, MISSING, MISSING);
	put(rig, "base", "dmesg.c", 1, MISSING, MISSING, MISSING);
	put(rig, "head", "dmesg.c", 1, 1, 1, 1);
	run_compare(rig);
	assert_string_equal(line_of(rig, "dmesg.a"), "          1:4          -25%            :4     dmesg.a");
	assert_string_equal(line_of(rig, "dmesg.b"), "           :4           25%           1:4     dmesg.b");
	assert_null(row_of(rig, "dmesg.c"));
}

static void shows_a_failing_test_that_passed_in_the_base(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "x.t1.pass", 1, 1);
	put(rig, "head", "x.t1.fail", 1, 1);
	put(rig, "head", "x.t2.fail", 1, 1); /* not run in the base */
	put(rig, "base", "x.t3.fail", 1, 1);
	put(rig, "head", "x.t3.pass", 1, 1);
	run_compare(rig);
	assert_non_null(row_of(rig, "x.t1.fail"));
	assert_null(row_of(rig, "x.t1.pass"));
	assert_null(row_of(rig, "x.t2.fail"));
	assert_null(row_of(rig, "x.t3.fail"));
	assert_non_null(row_of(rig, "x.t3.pass"));
}

static void counts_failures_over_all_runs_and_numbers_over_complete_ones(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.x", 100, 100, 100, 7);
	put(rig, "head", "a.x", 200, 200, 200, 7);
	put(rig, "base", "last_state.is_incomplete_run", MISSING, MISSING, MISSING, MISSING);
	put(rig, "head", "last_state.is_incomplete_run", MISSING, MISSING, MISSING, 1);
	assert_false(shows(rig, "a.x"));
	rig->runs[run_of(rig, "base", 3)].incomplete = true;
	rig->runs[run_of(rig, "head", 3)].incomplete = true;
	run_compare(rig);

	assert_int_equal(rig->c.runs_incomplete, 2);
	assert_int_equal(row_of(rig, "a.x")->cells[1].runs, 3);
	assert_string_equal(line_of(rig, "last_state.is_incomplete_run"),
			    "           :4           25%           1:4     last_state.is_incomplete_run");
	assert_string_equal(line_of(rig, "a.x"), "    100.00          +100.0%     200.00        a.x");
}

static void says_nothing_of_a_side_without_complete_runs(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.x", 100, 100, 100);
	put(rig, "head", "a.x", 200, 200, 200);
	for (size_t i = 0; i < 3; i++)
		rig->runs[run_of(rig, "head", i)].incomplete = true;
	assert_false(shows(rig, "a.x"));
	assert_int_equal(rig->c.groups_short, 1);
}

static void takes_a_run_without_any_stats(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.x", 1, 1, 1);
	(void)add_run(rig, "head");
	run_compare(rig);
	assert_string_equal(line_of(rig, "a.x"), "      1.00          -100.0%       0.00        a.x");
}

#define T(name) cmocka_unit_test_setup_teardown(name, rig_open, rig_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(knows_what_counts_failures),
		T(shows_failures_of_one_side_only),
		T(shows_a_failing_test_that_passed_in_the_base),
		T(counts_failures_over_all_runs_and_numbers_over_complete_ones),
		T(says_nothing_of_a_side_without_complete_runs),
		T(takes_a_run_without_any_stats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
