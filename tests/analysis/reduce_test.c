/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>

#include "tests/analysis/play.h"

static const char *const whole[] = { "" };
static const char *const cpus[] = { "CPU0", "CPU1" };

static const struct metric vmstat_metrics[] = {
	{ "pgfault", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
	{ "nr_dirty", GAUGE, UNIT_PAGES, 0, FOLD_NONE },
};
static const struct shape vmstat = { "proc-vmstat", 1, vmstat_metrics, 2, whole, 1 };

static const struct metric softirq_metrics[] = { { "SCHED", COUNTER32, UNIT_COUNT, 0, FOLD_SUM } };
static const struct shape softirqs = { "softirqs", 1, softirq_metrics, 1, cpus, 2 };

static void a_counter_is_the_sum_of_its_steps(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &vmstat, 1, 1000, 5);
	PLAY(&p, &vmstat, 2, 1010, 5);
	PLAY(&p, &vmstat, 3, 1250, 5);
	play_finish(&p);
	expect(&p, "proc-vmstat.pgfault", 250);
	play_close(&p);
}

static void one_reading_of_a_counter_is_no_difference(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &vmstat, 1, 1000, 5);
	play_finish(&p);
	expect_none(&p, "proc-vmstat.pgfault");
	expect(&p, "proc-vmstat.nr_dirty", 5);
	play_close(&p);
}

static void a_counter_that_did_not_move_is_zero_and_one_that_was_always_zero_is_dropped(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &softirqs, 1, 7, 0);
	PLAY(&p, &softirqs, 2, 7, 0);
	play_finish(&p);
	expect(&p, "softirqs.CPU0.SCHED", 0);
	expect_none(&p, "softirqs.CPU1.SCHED");
	expect(&p, "softirqs.SCHED", 0);
	play_close(&p);
}

static void a_reset_adds_the_new_value(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &vmstat, 1, 1000, 5);
	PLAY(&p, &vmstat, 2, 1500, 5);
	PLAY(&p, &vmstat, 3, 30, 5);
	PLAY(&p, &vmstat, 4, 50, 5);
	play_finish(&p);
	expect(&p, "proc-vmstat.pgfault", 500 + 30 + 20);
	play_close(&p);
}

static void a_small_step_back_is_no_progress_and_no_reset(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &vmstat, 1, 1000000, 5);
	PLAY(&p, &vmstat, 2, 999997, 5);
	PLAY(&p, &vmstat, 3, 1000017, 5);
	play_finish(&p);
	expect(&p, "proc-vmstat.pgfault", 20);
	play_close(&p);
}

static void a_step_back_of_more_than_an_eighth_is_a_reset(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &vmstat, 1, 1000, 5);
	PLAY(&p, &vmstat, 2, 870, 5);
	PLAY(&p, &vmstat, 3, 871, 5);
	play_finish(&p);
	expect(&p, "proc-vmstat.pgfault", 871);
	play_close(&p);
}

static void thirty_two_bits_wrap(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &softirqs, 1, 4294967290, 5000);
	PLAY(&p, &softirqs, 2, 4, 10); /* the second began anew: no machine counts 2^31 in a second */
	play_finish(&p);
	expect(&p, "softirqs.CPU0.SCHED", 10);
	expect(&p, "softirqs.CPU1.SCHED", 10);
	expect(&p, "softirqs.SCHED", 20);
	play_close(&p);
}

static void sixty_four_bits_are_kept_exactly(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &vmstat, 1, (int64_t)UINT64_C(11430588482391718111), 5);
	PLAY(&p, &vmstat, 2, (int64_t)UINT64_C(11430588482391718114), 5);
	play_finish(&p);
	expect(&p, "proc-vmstat.pgfault", 3);
	play_close(&p);
}

static void a_level_is_the_mean_from_the_opening_to_the_commands_end(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &vmstat, 1, 0, 30);
	play_mark(&p, MARK_COMMAND_START, 1.5);
	PLAY(&p, &vmstat, 2, 0, 10);
	PLAY(&p, &vmstat, 3, 0, 20);
	PLAY(&p, &vmstat, 4, 0, 60);
	play_mark(&p, MARK_COMMAND_END, 4.5);
	PLAY(&p, &vmstat, 5, 0, 5000);
	play_finish(&p);
	expect(&p, "proc-vmstat.nr_dirty", 30);
	play_close(&p);
}

static void of_a_short_command_the_opening_level_counts(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &vmstat, 1, 0, 1000);
	play_mark(&p, MARK_COMMAND_START, 1.1);
	play_mark(&p, MARK_COMMAND_END, 1.2);
	PLAY(&p, &vmstat, 1.3, 0, 77);
	play_finish(&p);
	expect(&p, "proc-vmstat.nr_dirty", 1000);
	play_close(&p);
}

static void of_two_closing_levels_the_later_counts(void **state)
{
	struct play p;

	play_open(&p);
	play_mark(&p, MARK_COMMAND_START, 1.1);
	play_mark(&p, MARK_COMMAND_END, 1.2);
	PLAY(&p, &vmstat, 1.3, 0, 77);
	PLAY(&p, &vmstat, 1.4, 0, 33);
	play_finish(&p);
	expect(&p, "proc-vmstat.nr_dirty", 33);
	play_close(&p);
}

static void without_marks_all_levels_count(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &vmstat, 1, 0, 10);
	PLAY(&p, &vmstat, 2, 0, 30);
	play_finish(&p);
	expect(&p, "proc-vmstat.nr_dirty", 20);
	play_close(&p);
}

static void an_absent_sample_is_not_a_zero(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &vmstat, 1, 100, 10);
	PLAY(&p, &vmstat, 2, ABSENT, ABSENT); /* could not be read */
	PLAY(&p, &vmstat, 3, 130, ABSENT);
	PLAY(&p, &vmstat, 4, 150, 30);
	play_finish(&p);
	expect(&p, "proc-vmstat.nr_dirty", 20);
	expect(&p, "proc-vmstat.pgfault", 50);
	play_close(&p);
}

static void levels_may_be_negative_and_have_an_exponent(void **state)
{
	static const struct metric metrics[] = { { "some.avg10", GAUGE, UNIT_PERCENT, 2, FOLD_NONE } };
	static const char *const resources[] = { "cpu", "io" };
	static const struct shape pressure = { "pressure", 1, metrics, 1, resources, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &pressure, 1, 123, -50);
	PLAY(&p, &pressure, 2, 321, -100);
	play_finish(&p);
	expect(&p, "pressure.cpu.some.avg10", 2.22);
	expect(&p, "pressure.io.some.avg10", -0.75);
	play_close(&p);
}

static void a_counter_goes_on_in_the_next_generation(void **state)
{
	static const struct metric more[] = {
		{ "nr_dirty", GAUGE, UNIT_PAGES, 0, FOLD_NONE },
		{ "new_in_linux_9", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
		{ "pgfault", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
	};
	static const struct shape second = { "proc-vmstat", 2, more, 3, whole, 1 };
	struct play p;

	play_open(&p);
	PLAY(&p, &vmstat, 1, 1000, 5);
	PLAY(&p, &vmstat, 2, 1100, 5);
	PLAY(&p, &second, 3, 15, 70, 1150);
	PLAY(&p, &second, 4, 15, 75, 1160);
	play_finish(&p);
	expect(&p, "proc-vmstat.pgfault", 160);
	expect(&p, "proc-vmstat.new_in_linux_9", 5);
	expect(&p, "proc-vmstat.nr_dirty", 10);
	play_close(&p);
}

static void an_instance_that_comes_back_smaller_began_anew(void **state)
{
	static const char *const one[] = { "CPU0" };
	static const struct shape alone = { "softirqs", 2, softirq_metrics, 1, one, 1 };
	static const struct shape both_again = { "softirqs", 3, softirq_metrics, 1, cpus, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &softirqs, 1, 100, 5000);
	PLAY(&p, &softirqs, 2, 110, 5001);
	PLAY(&p, &alone, 3, 130);
	PLAY(&p, &both_again, 4, 160, 3);
	PLAY(&p, &both_again, 5, 200, 10);
	play_finish(&p);
	expect(&p, "softirqs.CPU0.SCHED", 100);
	expect(&p, "softirqs.CPU1.SCHED", 1 + 7);
	expect(&p, "softirqs.SCHED", 108);
	play_close(&p);
}

static void a_new_segment_may_tell_another_shape_at_the_same_place(void **state)
{
	static const char *const other[] = { "CPU1", "CPU0" };
	struct run_header header = { 0 };
	struct shape shape = softirqs;
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 100, 5000);
	shape.instances = other;
	assert_int_equal(reduce_events.header(p.reduce, &header, &p.err), 0);
	PLAY(&p, &shape, 2, 5001, 103);
	play_finish(&p);
	expect(&p, "softirqs.CPU0.SCHED", 3);
	expect(&p, "softirqs.CPU1.SCHED", 1);
	play_close(&p);
}

static void folds_levels_by_mean_and_extremes(void **state)
{
	static const struct metric metrics[] = {
		{ "a", GAUGE, UNIT_NONE, 0, FOLD_SUM },	 { "b", GAUGE, UNIT_NONE, 0, FOLD_MEAN },
		{ "c", GAUGE, UNIT_NONE, 1, FOLD_MAX },	 { "d", GAUGE, UNIT_NONE, 0, FOLD_MIN },
		{ "e", GAUGE, UNIT_NONE, 0, FOLD_NONE },
	};
	static const struct shape shape = { "x", 1, metrics, 5, cpus, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 10, 20, 10, 20, 10, 20, 10, 20, 10, 20);
	play_finish(&p);
	expect(&p, "x.a", 30);
	expect(&p, "x.b", 15);
	expect(&p, "x.c", 2);
	expect(&p, "x.d", 10);
	expect_none(&p, "x.e");
	expect(&p, "x.CPU1.e", 20);
	play_close(&p);
}

static void shows_of_cpuidle_only_sums(void **state)
{
	static const struct metric metrics[] = {
		{ "C1.time", COUNTER, UNIT_MICROSECONDS, 0, FOLD_SUM },
		{ "C1.usage", COUNTER, UNIT_COUNT, 0, FOLD_SUM },
		{ "C6.time", COUNTER, UNIT_MICROSECONDS, 0, FOLD_SUM },
		{ "C6.usage", COUNTER, UNIT_COUNT, 0, FOLD_SUM },
	};
	static const char *const small[] = { "cpu0", "cpu1" };
	static const struct shape shape = { "cpuidle", 1, metrics, 4, small, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 1000, 2000, 10, 20, 100, 200, 1, 2);
	PLAY(&p, &shape, 11, 1500, 2700, 15, 26, 900, 200, 4, 2);
	play_finish(&p);
	expect(&p, "cpuidle.C1.time", 1200);
	expect(&p, "cpuidle.C1.usage", 11);
	expect(&p, "cpuidle.C6.time", 800);
	expect(&p, "cpuidle.C6.usage", 3);
	expect(&p, "cpuidle..time", 2000);
	expect(&p, "cpuidle..usage", 14);
	expect(&p, "turbostat.C1", 11);
	expect(&p, "turbostat.C1%", 100 * 1200 / (2 * 10 * 1e6));
	expect(&p, "turbostat.C6", 3);
	expect(&p, "turbostat.C6%", 100 * 800 / (2 * 10 * 1e6));
	expect(&p, "last_state.is_incomplete_run", 1); /* nobody told its end */
	assert_int_equal(p.stats.count, 11);
	play_close(&p);
}

static void shows_the_largest_anonymous_memory_of_a_node(void **state)
{
	static const struct metric metrics[] = { { "AnonPages", GAUGE, UNIT_KIB, 0, FOLD_NONE },
						 { "MemFree", GAUGE, UNIT_KIB, 0, FOLD_NONE } };
	static const char *const nodes[] = { "node0" };
	static const struct shape shape = { "numa-meminfo", 1, metrics, 2, nodes, 1 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 100, 7);
	PLAY(&p, &shape, 2, 400, 7);
	PLAY(&p, &shape, 3, 100, 7);
	play_finish(&p);
	expect(&p, "numa-meminfo.node0.AnonPages", 200);
	expect(&p, "numa-meminfo.node0.AnonPages.max", 400);
	expect_none(&p, "numa-meminfo.node0.MemFree.max");
	play_close(&p);
}

static void the_agents_own_price_is_told(void **state)
{
	struct sample samples[2] = { 0 };
	struct snapshot first = { .lateness_ns = 2500000, .samples = samples, .count = 2 };
	struct snapshot second = { .lateness_ns = 1000000, .samples = samples, .count = 1 };
	struct run_end end = { .exited = true, .ticks_missed = 3, .collector_errors = 2 };
	struct play p;

	play_open(&p);
	assert_int_equal(sample_init(&samples[0], &vmstat, &p.err), 0);
	assert_int_equal(sample_init(&samples[1], &softirqs, &p.err), 0);
	samples[0].cost_ns = 200000;
	samples[1].cost_ns = 300000;
	assert_int_equal(reduce_events.snapshot(p.reduce, &first, &p.err), 0);
	assert_int_equal(reduce_events.snapshot(p.reduce, &second, &p.err), 0);
	assert_int_equal(reduce_events.end(p.reduce, &end, &p.err), 0);
	play_finish(&p);
	expect(&p, "agent.cost_ms", 0.7);
	expect(&p, "agent.lateness_ms.max", 2.5);
	expect(&p, "agent.ticks_missed", 3);
	expect(&p, "agent.collector_failures", 2);
	expect_none(&p, "agent.bytes_dropped");
	sample_free(&samples[0]);
	sample_free(&samples[1]);
	play_close(&p);
}

static void memory_does_not_grow_with_the_length_of_a_run(void **state)
{
	size_t after_two = 0;
	struct play p;

	play_open(&p);
	for (int i = 1; i <= 20000; i++) {
		PLAY(&p, &vmstat, i, 10 * i, i % 7);
		PLAY(&p, &softirqs, i, i, 2 * i);
		if (i == 2)
			after_two = mallinfo2().uordblks;
	}
	assert_true(mallinfo2().uordblks < after_two + 1024); /* what malloc keeps for itself */
	play_finish(&p);
	expect(&p, "proc-vmstat.pgfault", 199990);
	expect(&p, "softirqs.SCHED", 3 * 19999);
	play_close(&p);
}

static void refuses_a_product_without_end(void **state)
{
	static struct metric metrics[5000];
	static const char *instances[5000];
	static char names[5000][8];
	struct shape shape = { "wild", 1, metrics, 5000, instances, 5000 };
	struct sample sample = { .shape = &shape };
	struct snapshot snapshot = { .samples = &sample, .count = 1 };
	struct play p;

	for (int i = 0; i < 5000; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "%d", i);
		metrics[i] = (struct metric){ names[i], COUNTER, UNIT_NONE, 0, FOLD_NONE };
		instances[i] = names[i];
	}
	play_open(&p);
	assert_int_equal(reduce_events.snapshot(p.reduce, &snapshot, &p.err), -EMSGSIZE);
	assert_string_equal(p.err.text, "wild: 5000 metrics of 5000 instances are too many");
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_is_the_sum_of_its_steps),
		cmocka_unit_test(one_reading_of_a_counter_is_no_difference),
		cmocka_unit_test(a_counter_that_did_not_move_is_zero_and_one_that_was_always_zero_is_dropped),
		cmocka_unit_test(a_reset_adds_the_new_value),
		cmocka_unit_test(a_small_step_back_is_no_progress_and_no_reset),
		cmocka_unit_test(a_step_back_of_more_than_an_eighth_is_a_reset),
		cmocka_unit_test(thirty_two_bits_wrap),
		cmocka_unit_test(sixty_four_bits_are_kept_exactly),
		cmocka_unit_test(a_level_is_the_mean_from_the_opening_to_the_commands_end),
		cmocka_unit_test(of_a_short_command_the_opening_level_counts),
		cmocka_unit_test(of_two_closing_levels_the_later_counts),
		cmocka_unit_test(without_marks_all_levels_count),
		cmocka_unit_test(an_absent_sample_is_not_a_zero),
		cmocka_unit_test(levels_may_be_negative_and_have_an_exponent),
		cmocka_unit_test(a_counter_goes_on_in_the_next_generation),
		cmocka_unit_test(an_instance_that_comes_back_smaller_began_anew),
		cmocka_unit_test(a_new_segment_may_tell_another_shape_at_the_same_place),
		cmocka_unit_test(folds_levels_by_mean_and_extremes),
		cmocka_unit_test(shows_of_cpuidle_only_sums),
		cmocka_unit_test(shows_the_largest_anonymous_memory_of_a_node),
		cmocka_unit_test(the_agents_own_price_is_told),
		cmocka_unit_test(memory_does_not_grow_with_the_length_of_a_run),
		cmocka_unit_test(refuses_a_product_without_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
