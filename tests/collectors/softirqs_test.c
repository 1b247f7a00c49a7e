/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_softirqs;

static void a_kind_nobody_knows_keeps_its_name(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/softirqs",
		 "                    CPU0       CPU1       \n"
		 "          HI:          1          2\n"
		 "    NEWKIND9:          7 4294967295\n");
	rig_start(rig, &collector_softirqs);
	assert_int_equal(rig_value_of(rig, "HI", "CPU1"), 2);
	assert_int_equal(rig_value_of(rig, "NEWKIND9", "CPU1"), 4294967295);
	assert_int_equal(rig_metric(rig, "HI")->kind, COUNTER32);
	assert_int_equal(rig_metric(rig, "HI")->fold, FOLD_SUM);
	assert_int_equal(rig->run.shape.instance_count, 2);
}

static void one_cpu_is_a_cpu_and_not_the_machine(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/softirqs", "  CPU0\nHI: 1\nTIMER: 5\n");
	rig_start(rig, &collector_softirqs);
	assert_int_equal(rig_value_of(rig, "TIMER", "CPU0"), 5);
	assert_false(rig_has(rig, "TIMER"));
}

static void two_instants_and_no_allocation(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/softirqs", "  CPU0 CPU1\nHI: 1 2\nRCU: 5 6\n");
	rig_start(rig, &collector_softirqs);
	rig_file(rig, "proc/softirqs", "  CPU0 CPU1\nHI: 3 2\nRCU: 500 60\n");
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value_of(rig, "HI", "CPU0"), 3);
	assert_int_equal(rig_value_of(rig, "HI", "CPU1"), 2);
	assert_int_equal(rig_value_of(rig, "RCU", "CPU1"), 60);
}

static void possible_cpus_have_columns_too(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "jc-linux-proc"))
		skip();
	rig_start(rig, &collector_softirqs);
	assert_int_equal(rig->run.shape.instance_count, 128);
	assert_int_equal(rig_value_of(rig, "HI", "CPU127"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(a_kind_nobody_knows_keeps_its_name),
		RIG_TEST(one_cpu_is_a_cpu_and_not_the_machine),
		RIG_TEST(two_instants_and_no_allocation),
		RIG_TEST(possible_cpus_have_columns_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
