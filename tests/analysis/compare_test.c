/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which keys are shown. */
#include "tests/analysis/compare_rig.h"

static void shows_ranges_that_lie_apart(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.apart", 100, 101, 102);
	put(rig, "head", "a.apart", 120, 121, 122);
	put(rig, "base", "a.mixed", 100, 121, 122);
	put(rig, "head", "a.mixed", 120, 101, 125);
	run_compare(rig);

	assert_non_null(row_of(rig, "a.apart"));
	assert_null(row_of(rig, "a.mixed"));
	assert_int_equal(rig->c.keys, 2);
	assert_int_equal(rig->c.rows, 1);
}

static void compares_ranges_with_the_other_sides_median(void **state)
{
	struct rig *rig = *state;

	/* 120 > 101 and 121 > 120.5, though the ranges overlap */
	put(rig, "base", "a.overlap", 100, 101, 120.5);
	put(rig, "head", "a.overlap", 120, 121, 122);
	/* the least of the head only equals the base's median */
	put(rig, "base", "a.touches", 100, 120, 120);
	put(rig, "head", "a.touches", 120, 130, 131);
	/* the head's median only equals the largest of the base */
	put(rig, "base", "a.reaches", 100, 101, 121);
	put(rig, "head", "a.reaches", 120, 121, 122);
	run_compare(rig);

	assert_non_null(row_of(rig, "a.overlap"));
	assert_null(row_of(rig, "a.touches"));
	assert_null(row_of(rig, "a.reaches"));
}

static void takes_the_upper_median_of_an_even_number(void **state)
{
	struct rig *rig = *state;

	/* the upper median of the base is 120, not below the head's least; the lower one would be */
	put(rig, "base", "a.x", 100, 101, 120, 121);
	put(rig, "head", "a.x", 119, 130, 131, 132);
	assert_false(shows(rig, "a.x"));
}

static void asks_five_percent_and_one_of_performance_metrics(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.four", 1000, 1000, 1000);
	put(rig, "head", "a.four", 1040, 1040, 1040);
	put(rig, "base", "a.five", 1000, 1000, 1000);
	put(rig, "head", "a.five", 1050, 1050, 1050);
	put(rig, "base", "a.six", 1000, 1000, 1000);
	put(rig, "head", "a.six", 940, 940, 940);
	put(rig, "base", "perf-stat.i.cycles", 1000, 1000, 1000);
	put(rig, "head", "perf-stat.i.cycles", 1020, 1020, 1020);
	put(rig, "base", "perf-stat.i.instructions", 1000, 1000, 1000);
	put(rig, "head", "perf-stat.i.instructions", 1010, 1010, 1010);
	run_compare(rig);
	assert_null(row_of(rig, "a.four"));
	assert_null(row_of(rig, "a.five"));
	assert_non_null(row_of(rig, "a.six"));
	assert_non_null(row_of(rig, "perf-stat.i.cycles"));
	assert_null(row_of(rig, "perf-stat.i.instructions"));

	rig->options.relative = 1.10;
	assert_false(shows(rig, "a.six"));
	rig->options.relative = 1.03;
	assert_true(shows(rig, "a.four"));
}

static void asks_one_percent_of_the_testcases_own_results(void **state)
{
	struct rig *rig = *state;

	rig->testcase = "fio-basic";
	put(rig, "base", "fio.write_iops", 1000, 1000, 1000);
	put(rig, "head", "fio.write_iops", 1020, 1020, 1020);
	put(rig, "base", "fio-basic.write_iops", 1000, 1000, 1000);
	put(rig, "head", "fio-basic.write_iops", 1020, 1020, 1020);
	assert_true(shows(rig, "fio.write_iops"));
	assert_true(row_of(rig, "fio.write_iops")->kpi);
	assert_null(row_of(rig, "fio-basic.write_iops"));
}

static void asks_an_absolute_size(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "vmstat.cpu.sy", 20, 20, 20);
	put(rig, "head", "vmstat.cpu.sy", 49, 49, 49);
	put(rig, "base", "vmstat.cpu.us", 20, 20, 20);
	put(rig, "head", "vmstat.cpu.us", 49, 49, 49);
	put(rig, "base", "proc-vmstat.pgfree", 500, 500, 500);
	put(rig, "head", "proc-vmstat.pgfree", 1000, 1000, 1000);
	put(rig, "base", "proc-vmstat.nr_dirty", 500, 500, 500);
	put(rig, "head", "proc-vmstat.nr_dirty", 1000, 1000, 1000);
	put(rig, "base", "slabinfo.dentry.num_objs", 100, 100, 100);
	put(rig, "head", "slabinfo.dentry.num_objs", 200, 200, 200);
	put(rig, "base", "slabinfo.inode.num_objs", 100, 100, 100);
	put(rig, "head", "slabinfo.inode.num_objs", 201, 201, 201);
	run_compare(rig);

	assert_null(row_of(rig, "vmstat.cpu.sy"));
	assert_non_null(row_of(rig, "vmstat.cpu.us"));
	assert_null(row_of(rig, "proc-vmstat.pgfree"));
	assert_non_null(row_of(rig, "proc-vmstat.nr_dirty"));
	assert_null(row_of(rig, "slabinfo.dentry.num_objs"));
	assert_non_null(row_of(rig, "slabinfo.inode.num_objs"));
}

static void asks_the_difference_unless_told_the_largest_is_enough(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "interrupts.CPU46.RES", 80, 80, 80, 82);
	put(rig, "head", "interrupts.CPU46.RES", 95, 95, 95, 101);
	assert_false(shows(rig, "interrupts.CPU46.RES"));
	rig->options.max_half_only = true;
	assert_true(shows(rig, "interrupts.CPU46.RES"));
}

static void shows_a_key_that_went_and_not_one_that_came(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.gone", 5, 5, 5);
	put(rig, "head", "a.come", 5, 5, 5);
	run_compare(rig);

	assert_non_null(row_of(rig, "a.gone"));
	assert_int_equal(row_of(rig, "a.gone")->cells[1].have, 0);
	assert_true(row_of(rig, "a.gone")->cells[1].change == -100);
	assert_null(row_of(rig, "a.come"));
}

static void shows_a_symbol_that_came_where_the_base_has_a_profile(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.x", 1, 1, 1);
	put(rig, "head", "a.x", 1, 1, 1);
	put(rig, "head", "perf-profile.self.cycles.make_kgid", 0.1, 0.1, 0.1);
	assert_false(shows(rig, "perf-profile.self.cycles.make_kgid"));
	put(rig, "base", "perf-profile.self.cycles.other", 7, 7, 7);
	assert_true(shows(rig, "perf-profile.self.cycles.make_kgid"));
	assert_string_equal(line_of(rig, "perf-profile.self.cycles.make_kgid"),
			    "      0.00            +0.1        0.10        perf-profile.self.cycles.make_kgid");
}

static void counts_a_missing_value_as_zero_and_knows_that_it_was_missing(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "perf-profile.self.cycles.f", 1, 1, 1, MISSING);
	put(rig, "head", "perf-profile.self.cycles.f", 2, 2, 2, 2);
	run_compare(rig);

	assert_int_equal(row_of(rig, "perf-profile.self.cycles.f")->cells[0].have, 3);
	assert_int_equal(row_of(rig, "perf-profile.self.cycles.f")->cells[0].runs, 4);
	/* sqrt(1/3) of the mean */
	assert_string_equal(line_of(rig, "perf-profile.self.cycles.f"),
			    "      0.75 ± 57%      +1.2        2.00        perf-profile.self.cycles.f");
}

static void hides_the_denied_families_and_keys(void **state)
{
	struct rig *rig = *state;
	static const char *const keys[] = { "diskstats.write_ios.sda", "softirqs.RCU", "aim7.jti", "meminfo.Dirty" };

	for (size_t i = 0; i < 4; i++) {
		put(rig, "base", keys[i], 10000, 10000, 10000);
		put(rig, "head", keys[i], 20000, 20000, 20000);
	}
	run_compare(rig);
	assert_null(row_of(rig, "diskstats.write_ios.sda"));
	assert_non_null(row_of(rig, "softirqs.RCU"));
	assert_null(row_of(rig, "aim7.jti"));
	assert_non_null(row_of(rig, "meminfo.Dirty"));

	rig->options.present_day = true;
	assert_false(shows(rig, "softirqs.RCU"));
	assert_true(shows(rig, "meminfo.Dirty"));
	rig->options.more = true;
	for (size_t i = 0; i < 4; i++)
		assert_true(shows(rig, keys[i]));
}

static void prints_every_key_when_asked_for_all(void **state)
{
	struct rig *rig = *state;

	rig->options.all = true;
	put(rig, "base", "a.same", 1, 1, 1);
	put(rig, "head", "a.same", 1, 1, 1);
	put(rig, "head", "a.come", 1, 1, 1);
	put(rig, "base", "diskstats.io_ticks.sda", 1, 1, 1);
	put(rig, "base", "dmesg.boot_failures", 1, 1, 1);
	put(rig, "base", "a.gone", 1, 1, 1);
	put(rig, "base", "sched_debug.cpu.nr_running.3", 1, 1, 1);
	run_compare(rig);

	assert_int_equal(rig->c.rows, 5);
	assert_false(row_of(rig, "a.same")->changed);
	assert_false(row_of(rig, "a.come")->changed);
	assert_false(row_of(rig, "diskstats.io_ticks.sda")->changed);
	assert_false(row_of(rig, "dmesg.boot_failures")->changed);
	assert_true(row_of(rig, "a.gone")->changed);
	assert_null(row_of(rig, "sched_debug.cpu.nr_running.3"));
}

static void hides_what_virtual_machines_do_not_tell(void **state)
{
	struct rig *rig = *state;

	rig->more = "vm-snb";
	put(rig, "base", "meminfo.Dirty", 10000, 10000, 10000);
	put(rig, "head", "meminfo.Dirty", 20000, 20000, 20000);
	put(rig, "base", "a.x", 10000, 10000, 10000);
	put(rig, "head", "a.x", 20000, 20000, 20000);
	run_compare(rig);
	assert_null(row_of(rig, "meminfo.Dirty"));
	assert_non_null(row_of(rig, "a.x"));

	for (size_t i = 0; i < rig->count; i++)
		assert_int_equal(pairs_set(&rig->axes[i], "tbox_group", "vh-snb"), 0);
	assert_false(shows(rig, "a.x"));
}

static void needs_three_runs_on_one_side(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.x", 100, 100);
	put(rig, "head", "a.x", 200, 200);
	assert_false(shows(rig, "a.x"));
	assert_int_equal(rig->c.groups_short, 2);
	put(rig, "head", "a.x", MISSING, MISSING, 200);
	assert_true(shows(rig, "a.x"));
	assert_int_equal(rig->c.groups_short, 1);
}

static void drops_the_ends_of_many_samples(void **state)
{
	struct rig *rig = *state;
	double base[32], head[32];

	for (size_t i = 0; i < 32; i++) {
		base[i] = i == 7 ? 1000 : 100; /* one that lies far out */
		head[i] = i == 7 ? 1 : 200;
	}
	put_values(rig, "base", "a.one", base, 32);
	put_values(rig, "head", "a.one", head, 32);
	base[8] = 1000;
	put_values(rig, "base", "a.two", base, 32);
	put_values(rig, "head", "a.two", head, 32);
	run_compare(rig);
	assert_non_null(row_of(rig, "a.one"));
	assert_null(row_of(rig, "a.two"));
}

static void drops_one_at_most_against_few_runs(void **state)
{
	struct rig *rig = *state;
	double head[64];

	for (size_t i = 0; i < 64; i++)
		head[i] = i < 2 ? 1 : 200;
	put(rig, "base", "a.x", 100, 100, 100);
	put_values(rig, "head", "a.x", head, 64);
	assert_false(shows(rig, "a.x"));
	put(rig, "base", "a.x", 100, 100, 100, 100);
	assert_true(shows(rig, "a.x"));
}

static void drops_minus_one_at_the_lower_end(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.x", -1, 100, 101, 102);
	put(rig, "head", "a.x", 120, 121, 122, -1);
	assert_true(shows(rig, "a.x"));
}

static void can_ask_for_a_gap(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.x", 100, 110, 120);
	put(rig, "head", "a.x", 125, 135, 145); /* 5 apart, medians 25 apart */
	rig->options.gap = 0.19;
	assert_true(shows(rig, "a.x"));
	rig->options.gap = 0.2;
	assert_false(shows(rig, "a.x"));
}

static void can_ask_for_a_distance(void **state)
{
	struct rig *rig = *state;

	rig->options.distance = 2;
	put(rig, "base", "a.far", 100, 110, 120);
	put(rig, "head", "a.far", 141, 142, 143);
	put(rig, "base", "a.near", 100, 110, 120);
	put(rig, "head", "a.near", 130, 142, 143);
	put(rig, "base", "a.next", 7, 7, 7);
	put(rig, "head", "a.next", 8, 8, 8);
	put(rig, "base", "a.next.to", 7, 7, 7);
	put(rig, "head", "a.next.to", 8.5, 8.5, 8.5);
	run_compare(rig);
	assert_non_null(row_of(rig, "a.far"));
	assert_null(row_of(rig, "a.near"));
	assert_null(row_of(rig, "a.next"));
	assert_non_null(row_of(rig, "a.next.to"));
}

static void measures_few_samples_by_the_longer_range(void **state)
{
	struct rig *rig = *state;

	rig->options.distance = 2;
	put(rig, "base", "a.far", 100, 105, 110);
	put(rig, "head", "a.far", 131, 135);
	put(rig, "base", "a.near", 100, 105, 110);
	put(rig, "head", "a.near", 130, 135);
	run_compare(rig);
	assert_non_null(row_of(rig, "a.far"));
	assert_null(row_of(rig, "a.near"));
}

static void can_ask_for_a_wider_spread(void **state)
{
	struct rig *rig = *state;

	rig->options.variance = 3;
	put(rig, "base", "a.x", 98, 99, 100, 100, 100, 100, 100, 100, 101, 102);
	put(rig, "head", "a.x", 50, 90, 100, 100, 100, 110, 110, 110, 120, 150);
	put(rig, "base", "a.y", 90, 99, 100, 100, 100, 100, 100, 100, 101, 130);
	put(rig, "head", "a.y", 50, 90, 100, 100, 100, 110, 110, 110, 120, 150);
	run_compare(rig);
	assert_non_null(row_of(rig, "a.x"));
	assert_null(row_of(rig, "a.y"));
}

static void is_fit_for_a_base_of_zero(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.x", 0, 0, 0);
	put(rig, "head", "a.x", 12, 12, 14);
	assert_true(shows(rig, "a.x"));
	assert_string_equal(line_of(rig, "a.x"), "      0.00       +1.3e+103%      12.67 ±  7%  a.x");
}

static void survives_numbers_that_are_too_large_to_add_up(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "a.x", 1e308, 1e308, 1e308);
	put(rig, "head", "a.x", -1e308, -1e308, -1e308);
	assert_true(shows(rig, "a.x"));
	assert_true(row_of(rig, "a.x")->cells[0].mean > 0.99e308);
	assert_string_equal(line_of(rig, "a.x"), "    1e+308            -Inf%    -1e+308        a.x");
}

#define T(name) cmocka_unit_test_setup_teardown(name, rig_open, rig_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(shows_ranges_that_lie_apart),
		T(compares_ranges_with_the_other_sides_median),
		T(takes_the_upper_median_of_an_even_number),
		T(asks_five_percent_and_one_of_performance_metrics),
		T(asks_one_percent_of_the_testcases_own_results),
		T(asks_an_absolute_size),
		T(asks_the_difference_unless_told_the_largest_is_enough),
		T(shows_a_key_that_went_and_not_one_that_came),
		T(shows_a_symbol_that_came_where_the_base_has_a_profile),
		T(counts_a_missing_value_as_zero_and_knows_that_it_was_missing),
		T(hides_the_denied_families_and_keys),
		T(prints_every_key_when_asked_for_all),
		T(hides_what_virtual_machines_do_not_tell),
		T(needs_three_runs_on_one_side),
		T(drops_the_ends_of_many_samples),
		T(drops_one_at_most_against_few_runs),
		T(drops_minus_one_at_the_lower_end),
		T(can_ask_for_a_gap),
		T(can_ask_for_a_distance),
		T(measures_few_samples_by_the_longer_range),
		T(can_ask_for_a_wider_spread),
		T(is_fit_for_a_base_of_zero),
		T(survives_numbers_that_are_too_large_to_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
