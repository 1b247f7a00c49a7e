/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <sys/resource.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_cpuidle;

#define CPU "sys/devices/system/cpu/"

static void idle_state(struct rig *rig, const char *cpu, int state, const char *name, const char *time,
		       const char *usage)
{
	char path[256];

	(void)snprintf(path, sizeof(path), CPU "%s/cpuidle/state%d/name", cpu, state);
	rig_file(rig, path, name);
	(void)snprintf(path, sizeof(path), CPU "%s/cpuidle/state%d/time", cpu, state);
	rig_file(rig, path, time);
	(void)snprintf(path, sizeof(path), CPU "%s/cpuidle/state%d/usage", cpu, state);
	rig_file(rig, path, usage);
}

static void tells_states_by_name_and_cpus_by_theirs(void **state)
{
	struct rig *rig = *state;

	idle_state(rig, "cpu0", 0, "POLL\n", "5\n", "1\n");
	idle_state(rig, "cpu0", 1, "haltpoll idle\n", "10\n", "2\n");
	idle_state(rig, "cpu10", 0, "POLL\n", "7\n", "3\n");
	idle_state(rig, "cpu10", 1, "C6\n", "18446744073709551615\n", "4\n");
	rig_file(rig, CPU "cpuidle/current_driver", "x\n");
	rig_file(rig, CPU "cpu1/online", "0\n");
	rig_start(rig, &collector_cpuidle);
	assert_int_equal(rig_value_of(rig, "POLL.time", "cpu0"), 5);
	assert_int_equal(rig_value_of(rig, "POLL.usage", "cpu10"), 3);
	assert_int_equal(rig_value_of(rig, "haltpoll idle.usage", "cpu0"), 2);
	assert_false(rig_has_of(rig, "haltpoll idle.usage", "cpu10"));
	assert_true(rig_value_of(rig, "C6.time", "cpu10") == UINT64_MAX);
	assert_false(rig_has_of(rig, "C6.time", "cpu0"));
	assert_int_equal(rig->run.shape.instance_count, 2);
	assert_int_equal(rig_metric(rig, "C6.time")->unit, UNIT_MICROSECONDS);
	assert_int_equal(rig_metric(rig, "C6.usage")->fold, FOLD_SUM);
	assert_int_equal(rig_metric(rig, "C6.usage")->kind, COUNTER);
}

static void two_states_of_one_name_are_told_apart_by_number(void **state)
{
	struct rig *rig = *state;

	idle_state(rig, "cpu0", 2, "C1\n", "1\n", "30\n");
	idle_state(rig, "cpu0", 3, "C1\n", "2\n", "40\n");
	idle_state(rig, "cpu0", 4, "\n", "500\n", "50\n");
	idle_state(rig, "cpu0", 5, "<null>\n", "600\n", "60\n");
	rig_start(rig, &collector_cpuidle);
	assert_int_equal(rig_value_of(rig, "C1.usage", "cpu0"), 30);
	assert_int_equal(rig_value_of(rig, "C1-state3.usage", "cpu0"), 40);
	assert_int_equal(rig_value_of(rig, "state4.time", "cpu0"), 500);
	assert_int_equal(rig_value_of(rig, "state5.usage", "cpu0"), 60);
}

static void a_cpu_that_goes_offline_is_a_new_generation(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, CPU "online", "0-1\n");
	idle_state(rig, "cpu0", 0, "POLL\n", "5\n", "1\n");
	idle_state(rig, "cpu1", 0, "POLL\n", "6\n", "2\n");
	rig_start(rig, &collector_cpuidle);
	assert_int_equal(rig_count(rig), 4);
	rig_remove(rig, CPU "cpu1/cpuidle");
	rig_file(rig, CPU "online", "0\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig->run.shape.instance_count, 1);
	idle_state(rig, "cpu1", 0, "POLL\n", "1\n", "1\n");
	rig_file(rig, CPU "online", "0-1\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 3);
	assert_int_equal(rig_value_of(rig, "POLL.time", "cpu1"), 1);
}

static void a_number_that_is_none_is_named_and_the_others_stand(void **state)
{
	struct rig *rig = *state;

	idle_state(rig, "cpu0", 0, "POLL\n", "much\n", "1\n");
	assert_int_equal(rig_open(rig, &collector_cpuidle), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, CPU "cpu0/cpuidle/state0/time: no number");
	assert_int_equal(rig_value_of(rig, "POLL.usage", "cpu0"), 1);
	assert_false(rig_has_of(rig, "POLL.time", "cpu0"));
}

static void a_host_without_idle_states_says_so(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, CPU "online", "0\n");
	assert_int_equal(collector_probe(&collector_cpuidle, &rig->host, &rig->err), -ENOENT);
	assert_int_equal(rig_open(rig, &collector_cpuidle), -ENOENT);
	assert_string_equal(rig->err.text, CPU "cpu*/cpuidle/state*: no such file: no idle states here");
}

static void few_descriptors_are_enough(void **state)
{
	struct rig *rig = *state;
	struct rlimit was, few;
	size_t open_before;

	for (int i = 0; i < 40; i++) {
		char cpu[16];

		(void)snprintf(cpu, sizeof(cpu), "cpu%d", i);
		idle_state(rig, cpu, 0, "POLL\n", "5\n", "1\n");
	}
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
	few = was;
	few.rlim_cur = 40;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	rig_start(rig, &collector_cpuidle);
	open_before = rig_count(rig);
	rig_again(rig);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
	assert_int_equal(open_before, 80);
	assert_int_equal(rig_count(rig), 80);
}

static void a_sample_allocates_nothing(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, CPU "online", "0\n");
	idle_state(rig, "cpu0", 0, "POLL\n", "5\n", "1\n");
	rig_start(rig, &collector_cpuidle);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

#define CPUS "sys/devices/system/cpu/"

static void the_machines_deepest_states_are_of_no_cpu(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, CPUS "cpu0/cpuidle/state0/name", "POLL\n");
	rig_file(rig, CPUS "cpu0/cpuidle/state0/time", "7\n");
	rig_file(rig, CPUS "cpuidle/low_power_idle_cpu_residency_us", "4711\n");
	rig_file(rig, CPUS "cpuidle/low_power_idle_system_residency_us", "0\n");
	rig_start(rig, &collector_cpuidle);
	assert_int_equal(rig_value(rig, "low_power_idle_cpu_residency_us"), 4711);
	assert_int_equal(rig_value(rig, "low_power_idle_system_residency_us"), 0);
	assert_int_equal(rig_value_of(rig, "POLL.time", "cpu0"), 7);
	assert_false(rig_has_of(rig, "low_power_idle_cpu_residency_us", "cpu0"));
	assert_int_equal(rig_metric(rig, "low_power_idle_cpu_residency_us")->kind, COUNTER);
}

static void what_else_a_state_counts_is_told_when_asked_for(void **state)
{
	static const char *const options[] = { "detail", "yes", NULL };
	struct rig *rig = *state;

	rig_file(rig, CPUS "cpu0/cpuidle/state1/name", "C1\n");
	rig_file(rig, CPUS "cpu0/cpuidle/state1/time", "7\n");
	rig_file(rig, CPUS "cpu0/cpuidle/state1/usage", "1\n");
	rig_file(rig, CPUS "cpu0/cpuidle/state1/above", "2\n");
	rig_file(rig, CPUS "cpu0/cpuidle/state1/below", "3\n");
	rig_file(rig, CPUS "cpu0/cpuidle/state1/s2idle/time", "50\n");
	rig_file(rig, CPUS "cpu0/cpuidle/state1/s2idle/usage", "4\n");
	rig_start(rig, &collector_cpuidle);
	assert_int_equal(rig_count(rig), 2);
	assert_int_equal(rig_open_with(rig, &collector_cpuidle, options), 0);
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_count(rig), 6); /* older kernels do not count refusals */
	assert_int_equal(rig_value_of(rig, "C1.above", "cpu0"), 2);
	assert_int_equal(rig_value_of(rig, "C1.below", "cpu0"), 3);
	assert_int_equal(rig_value_of(rig, "C1.s2idle_time", "cpu0"), 50);
	assert_int_equal(rig_metric(rig, "C1.s2idle_time")->unit, UNIT_MICROSECONDS);
	assert_int_equal(rig_value_of(rig, "C1.s2idle_usage", "cpu0"), 4);
}

static void two_halves_of_a_real_run_go_forward(void **state)
{
	struct rig *rig = *state;
	uint64_t before;

	if (!rig_tree(rig, "sc-adl0-before"))
		skip();
	rig_start(rig, &collector_cpuidle);
	before = rig_value_of(rig, "POLL.usage", "cpu0");
	if (!rig_tree(rig, "sc-adl0-after"))
		skip();
	rig_start(rig, &collector_cpuidle);
	assert_true(rig_value_of(rig, "POLL.usage", "cpu0") >= before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(tells_states_by_name_and_cpus_by_theirs),
		RIG_TEST(two_states_of_one_name_are_told_apart_by_number),
		RIG_TEST(a_cpu_that_goes_offline_is_a_new_generation),
		RIG_TEST(a_number_that_is_none_is_named_and_the_others_stand),
		RIG_TEST(a_host_without_idle_states_says_so),
		RIG_TEST(few_descriptors_are_enough),
		RIG_TEST(a_sample_allocates_nothing),
		RIG_TEST(the_machines_deepest_states_are_of_no_cpu),
		RIG_TEST(what_else_a_state_counts_is_told_when_asked_for),
		RIG_TEST(two_halves_of_a_real_run_go_forward),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
