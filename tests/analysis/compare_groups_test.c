/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which runs stand side by side, and how rows are ordered. */
#include "tests/analysis/compare_rig.h"

#include <errno.h>

#include "tests/support/alloc_count.h"

static void makes_a_table_for_each_set_of_common_axes(void **state)
{
	struct rig *rig = *state;

	rig->testcase = "one";
	for (size_t i = 0; i < 3; i++) {
		(void)add_run(rig, "base");
		(void)add_run(rig, "head");
	}
	rig->testcase = "two";
	(void)add_run(rig, "base");
	(void)add_run(rig, "head");
	rig->testcase = "three"; /* no partner */
	(void)add_run(rig, "head");
	run_compare(rig);

	assert_int_equal(rig->c.table_count, 2);
	assert_int_equal(rig->c.tables[0].runs[0], 3);
	assert_string_equal(pairs_get(&rig->c.tables[0].axes, "testcase"), "one");
	assert_string_equal(pairs_get(&rig->c.tables[1].axes, "testcase"), "two");
	assert_int_equal(rig->c.runs, 9);
	assert_int_equal(rig->c.runs_left_out, 1);
	buf_clear(&rig->out);
	assert_int_equal(report_text(&rig->c, &rig->out), 0); /* without rows nothing is printed */
	assert_int_equal(rig->out.len, 0);
}

static void leaves_out_what_is_no_column(void **state)
{
	static const char *const columns[] = { "v2", "v1" };
	struct rig *rig = *state;

	rig->options.columns = columns;
	rig->options.column_count = 2;
	put(rig, "v1", "a.x", 100, 100, 100);
	put(rig, "v2", "a.x", 200, 200, 200);
	put(rig, "v3", "a.x", 300, 300, 300);
	assert_int_equal(pairs_set(&rig->axes[add_run(rig, "v1")], "compiler", "gcc"), 0); /* its base is not there */
	assert_int_equal(pairs_set(&rig->axes[add_run(rig, "v3")], "compiler", "gcc"), 0);
	run_compare(rig);
	assert_int_equal(rig->c.table_count, 1);
	assert_int_equal(rig->c.tables[0].column_count, 2);
	assert_string_equal(rig->c.tables[0].columns[0], "v2");
	assert_int_equal(rig->c.runs_left_out, 5);
	assert_string_equal(line_of(rig, "a.x"), "    200.00           -50.0%     100.00        a.x");
}

static void compares_by_any_axis_and_does_not_tell_repetitions_apart(void **state)
{
	struct rig *rig = *state;

	rig->options.axis = "compiler";
	put(rig, "v1", "a.x", 1, 1, 1, 2, 2, 2);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(pairs_set(&rig->axes[i], "compiler", i < 3 ? "gcc" : "clang"), 0);
		assert_int_equal(pairs_setf(&rig->axes[i], "run", "%zu", i % 3), 0);
	}
	assert_true(shows(rig, "a.x"));
	assert_string_equal(rig->c.axis, "compiler");
	assert_string_equal(rig->c.tables[0].columns[1], "clang");
	assert_int_equal(rig->c.tables[0].axes.count, 1);
}

static void shows_what_changed_in_any_head(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.x", 100, 100, 100);
	put(rig, "h1", "a.x", 100, 100, 100);
	put(rig, "h2", "a.x", 150, 150, 150);
	run_compare(rig);
	assert_string_equal(line_of(rig, "a.x"),
			    "    100.00            +0.0%     100.00           +50.0%     150.00        a.x");
}

static void flags_the_benchmarks_own_results(void **state)
{
	struct rig *rig = *state;
	static const char *const keys[] = { "aim7.jobs-per-min", "aim7.time.user_time", "aim7.jti", "other.jobs" };

	rig->testcase = "aim7";
	rig->options.all = true;
	for (size_t i = 0; i < 4; i++) {
		put(rig, "base", keys[i], 1, 1, 1);
		put(rig, "head", keys[i], 2, 2, 2);
	}
	run_compare(rig);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(row_of(rig, keys[i])->kpi, i == 0);
	rig->options.kpi_only = true;
	run_compare(rig);
	assert_int_equal(rig->c.rows, 1);
	rig->options.kpi_only = false;
	rig->options.filter = "aim7.j*";
	run_compare(rig);
	assert_int_equal(rig->c.rows, 2);
}

static void orders_small_families_first_and_the_testcase_before_all(void **state)
{
	struct rig *rig = *state;
	static const struct {
		const char *key;
		double head;
	} rows[] = {
		/* as they shall stand */
		{ "x.a", 200 },
		{ "x.b", 200 },
		{ "x.c", 200 },
		{ "x.time.user_time", 200 },
		{ "b.a", 200 },
		{ "c.a", 200 },
		{ "a.CPU10", 200 },
		{ "a.CPU2", 200 },
		{ "perf-profile.children.cycles.z", 10 },
		{ "perf-profile.children.cycles.b", 150 },
		{ "perf-profile.children.cycles.a", 200 },
		{ "perf-profile.self.cycles.z", 20 },
	};
	const size_t count = sizeof(rows) / sizeof(rows[0]);

	rig->testcase = "x";
	for (size_t i = 0; i < count; i++) {
		put(rig, "base", rows[i].key, 100, 100, 100);
		put(rig, "head", rows[i].key, rows[i].head, rows[i].head, rows[i].head);
	}
	run_compare(rig);
	assert_int_equal(rig->c.rows, count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(rig->c.tables[0].rows[i].key, rows[i].key);
}

static void keeps_all_it_shows_when_the_runs_are_gone(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.x", 1, 1, 1);
	put(rig, "head", "a.x", 2, 2, 2);
	run_compare(rig);
	for (size_t i = 0; i < rig->count; i++) {
		stats_free(&rig->stats[i]);
		pairs_free(&rig->axes[i]);
	}
	rig->count = 0;
	assert_int_equal(report_text(&rig->c, &rig->out), 0);
	assert_non_null(strstr(rig->out.data, "  a.x\n"));
}

static void says_so_when_there_is_no_memory(void **state)
{
	struct rig *rig = *state;
	bool failed = false;

	put(rig, "base", "a.x", 1, 1, 1);
	put(rig, "head", "a.x", 2, 2, 2);
	put(rig, "head", "dmesg.x", 2, 2, 2);
	run_compare(rig);
	for (size_t n = 1;; n++) {
		int r;

		comparison_free(&rig->c);
		alloc_fail_at(n);
		r = compare(rig->runs, rig->count, &rig->options, &rig->c, &rig->err);
		alloc_fail_at(0);
		if (r == 0)
			break;
		failed = true;
		assert_int_equal(r, -ENOMEM);
		assert_null(rig->c.memory);
		assert_true(n < 1000);
	}
	assert_true(failed);
	assert_int_equal(rig->c.rows, 2);
}

static void refuses_two_alternatives_at_once(void **state)
{
	struct rig *rig = *state;

	rig->options.gap = 1;
	rig->options.distance = 1;
	assert_int_equal(compare(rig->runs, 0, &rig->options, &rig->c, &rig->err), -EINVAL);
	assert_string_equal(rig->err.text, "gap, variance and distance: give one of them");
}

#define T(name) cmocka_unit_test_setup_teardown(name, rig_open, rig_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(makes_a_table_for_each_set_of_common_axes),
		T(leaves_out_what_is_no_column),
		T(compares_by_any_axis_and_does_not_tell_repetitions_apart),
		T(shows_what_changed_in_any_head),
		T(flags_the_benchmarks_own_results),
		T(orders_small_families_first_and_the_testcase_before_all),
		T(keeps_all_it_shows_when_the_runs_are_gone),
		T(says_so_when_there_is_no_memory),
		T(refuses_two_alternatives_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
