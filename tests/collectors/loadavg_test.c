/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_loadavg;

static void tells_averages_in_hundredths_and_tasks(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/loadavg", "0.20 1.05 123.99 3/807 11206\n");
	rig_start(rig, &collector_loadavg);
	assert_int_equal(rig_value(rig, "1min"), 20);
	assert_int_equal(rig_value(rig, "5min"), 105);
	assert_int_equal(rig_value(rig, "15min"), 12399);
	assert_int_equal(rig_value(rig, "running"), 3);
	assert_int_equal(rig_value(rig, "tasks"), 807);
	assert_int_equal(rig_metric(rig, "1min")->exponent, 2);
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
}

static void what_is_cut_off_is_absent_and_named(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/loadavg", "0.20 1.05 2.00 3");
	assert_int_equal(rig_open(rig, &collector_loadavg), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/loadavg: no running/all tasks behind the averages");
	assert_int_equal(rig_value(rig, "15min"), 200);
	assert_false(rig_has(rig, "running"));
	rig_file(rig, "proc/loadavg", "0.20 x");
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/loadavg: no number for 5min");
	assert_int_equal(rig_count(rig), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(tells_averages_in_hundredths_and_tasks),
		RIG_TEST(what_is_cut_off_is_absent_and_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
