/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_hwmon;

#define HWMON "sys/class/hwmon/"

static void chips_have_names_and_sensors_their_labels(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, HWMON "hwmon0/name", "coretemp\n");
	rig_file(rig, HWMON "hwmon0/temp1_input", "55000\n");
	rig_file(rig, HWMON "hwmon0/temp1_label", "Package id 0\n");
	rig_file(rig, HWMON "hwmon0/temp1_crit", "100000\n");
	rig_file(rig, HWMON "hwmon1/name", "nvme\n");
	rig_file(rig, HWMON "hwmon1/temp1_input", "-3000\n");
	rig_file(rig, HWMON "hwmon10/name", "nvme\n");
	rig_file(rig, HWMON "hwmon10/temp1_input", "41000\n");
	rig_file(rig, HWMON "hwmon2/fan2_input", "1098\n");
	rig_file(rig, HWMON "hwmon2/power1_average", "65000000\n");
	rig_file(rig, HWMON "hwmon2/in0_input", "792\n");
	rig_start(rig, &collector_hwmon);
	assert_int_equal(rig_count(rig), 6);
	assert_int_equal(rig_value_of(rig, "temp1_input:Package id 0", "coretemp"), 55000);
	assert_int_equal((int64_t)rig_value_of(rig, "temp1_input", "nvme"), -3000);
	assert_int_equal(rig_value_of(rig, "temp1_input", "nvme-hwmon10"), 41000);
	assert_int_equal(rig_value_of(rig, "fan2_input", "hwmon2"), 1098);
	assert_int_equal(rig_value_of(rig, "power1_average", "hwmon2"), 65000000);
	assert_int_equal(rig_metric(rig, "temp1_input:Package id 0")->unit, UNIT_CELSIUS);
	assert_int_equal(rig_metric(rig, "power1_average")->exponent, 6);
	assert_int_equal(rig_metric(rig, "in0_input")->exponent, 3);
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
}

static void a_sensor_that_tells_text_is_named_and_the_others_stand(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, HWMON "hwmon0/temp1_input", "faulty\n");
	rig_file(rig, HWMON "hwmon0/temp2_input", "7\n");
	rig_file(rig, HWMON "hwmon0/_input", "8\n");
	assert_int_equal(rig_open(rig, &collector_hwmon), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, HWMON "hwmon0/temp1_input: no number");
	assert_int_equal(rig_value_of(rig, "temp2_input", "hwmon0"), 7);
}

static void a_chip_with_limits_only_is_no_source(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, HWMON "hwmon0/pwm1_enable", "2\n");
	assert_int_equal(collector_probe(&collector_hwmon, &rig->host, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, HWMON "hwmon*/*_input: no such file");
	assert_int_equal(rig_open(rig, &collector_hwmon), -ENOENT);
}

/* The exporter's own numbers of that tree. */
static void a_recorded_machine_with_odd_chips_is_read(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "node-exporter"))
		skip();
	rig_start(rig, &collector_hwmon);
	assert_int_equal(rig_value_of(rig, "temp1_input:Physical id 0", "coretemp"), 55000);
	assert_true(rig_count(rig) > 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(chips_have_names_and_sensors_their_labels),
		RIG_TEST(a_sensor_that_tells_text_is_named_and_the_others_stand),
		RIG_TEST(a_chip_with_limits_only_is_no_source),
		RIG_TEST(a_recorded_machine_with_odd_chips_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
