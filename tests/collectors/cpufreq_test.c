/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_cpufreq, collector_cpufreq_stats;

#define CPU "sys/devices/system/cpu/"

static void tells_the_clock_of_each_cpu(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, CPU "online", "0,2,10\n");
	rig_file(rig, CPU "cpu0/cpufreq/scaling_cur_freq", "1200000\n");
	rig_file(rig, CPU "cpu0/cpufreq/cpuinfo_cur_freq", "1199000\n");
	rig_file(rig, CPU "cpu2/cpufreq/scaling_cur_freq", "<unknown>\n");
	rig_file(rig, CPU "cpu10/cpufreq/scaling_cur_freq", "2400000\n");
	rig_start(rig, &collector_cpufreq);
	assert_int_equal(rig_count(rig), 3);
	assert_int_equal(rig_value_of(rig, "scaling_cur_freq", "cpu0"), 1200000);
	assert_int_equal(rig_value_of(rig, "cpuinfo_cur_freq", "cpu0"), 1199000);
	assert_int_equal(rig_value_of(rig, "scaling_cur_freq", "cpu10"), 2400000);
	assert_false(rig_has_of(rig, "scaling_cur_freq", "cpu2"));
	assert_int_equal(rig_metric(rig, "scaling_cur_freq")->unit, UNIT_KILOHERTZ);
	rig_file(rig, CPU "cpu2/cpufreq/scaling_cur_freq", "800000\n");
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value_of(rig, "scaling_cur_freq", "cpu2"), 800000);
}

static void policies_stand_in_where_cpus_have_none(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, CPU "cpufreq/policy0/scaling_cur_freq", "1\n");
	rig_file(rig, CPU "cpufreq/policy4/scaling_cur_freq", "2\n");
	assert_int_equal(collector_probe(&collector_cpufreq, &rig->host, &rig->err), 0);
	rig_start(rig, &collector_cpufreq);
	assert_int_equal(rig_value_of(rig, "scaling_cur_freq", "policy0"), 1);
	assert_int_equal(rig_value_of(rig, "scaling_cur_freq", "policy4"), 2);
}

static void a_cpu_that_goes_off_is_a_new_generation(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, CPU "online", "0-1\n");
	rig_file(rig, CPU "cpu0/cpufreq/scaling_cur_freq", "1\n");
	rig_file(rig, CPU "cpu1/cpufreq/scaling_cur_freq", "2\n");
	rig_start(rig, &collector_cpufreq);
	rig_file(rig, CPU "online", "0\n");
	rig_remove(rig, CPU "cpu1/cpufreq");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig->run.shape.instance_count, 1);
}

static void time_at_each_clock_and_changes_are_counted(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, CPU "cpu0/cpufreq/stats/time_in_state", "2000000 10\n1500000 0\n1000000 7\n");
	rig_file(rig, CPU "cpu0/cpufreq/stats/total_trans", "4\n");
	rig_file(rig, CPU "cpu4/cpufreq/stats/time_in_state", "3000000 20\n1000000 8\n");
	rig_file(rig, CPU "cpu4/cpufreq/stats/total_trans", "5\n");
	rig_start(rig, &collector_cpufreq_stats);
	assert_int_equal(rig_count(rig), 7);
	assert_int_equal(rig_value_of(rig, "time_in_state.1500000", "cpu0"), 0);
	assert_int_equal(rig_value_of(rig, "time_in_state.1000000", "cpu4"), 8);
	assert_int_equal(rig_value_of(rig, "time_in_state.3000000", "cpu4"), 20);
	assert_false(rig_has_of(rig, "time_in_state.3000000", "cpu0"));
	assert_int_equal(rig_value_of(rig, "total_trans", "cpu4"), 5);
	assert_int_equal(rig_metric(rig, "time_in_state.1000000")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "time_in_state.1000000")->unit, UNIT_TICKS);
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
	rig_file(rig, CPU "cpu4/cpufreq/stats/time_in_state", "3000000 30\n1000000 9\n500000 1\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "time_in_state.500000", "cpu4"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(tells_the_clock_of_each_cpu),
		RIG_TEST(policies_stand_in_where_cpus_have_none),
		RIG_TEST(a_cpu_that_goes_off_is_a_new_generation),
		RIG_TEST(time_at_each_clock_and_changes_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
