/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_powercap;

#define POWERCAP "sys/class/powercap/"

static void zones(struct rig *rig)
{
	rig_file(rig, POWERCAP "intel-rapl/enabled", "1\n");
	rig_file(rig, POWERCAP "intel-rapl:0/name", "package-0\n");
	rig_file(rig, POWERCAP "intel-rapl:0/energy_uj", "16574328968\n");
	rig_file(rig, POWERCAP "intel-rapl:0/max_energy_range_uj", "262143328850\n");
	rig_file(rig, POWERCAP "intel-rapl-mmio:0/name", "package-0\n");
	rig_file(rig, POWERCAP "intel-rapl-mmio:0/energy_uj", "16574999000\n");
	rig_file(rig, POWERCAP "intel-rapl:0:0/energy_uj", "5\n");
}

static void zones_of_one_name_are_told_apart_by_their_way(void **state)
{
	struct rig *rig = *state;
	size_t before;

	zones(rig);
	rig_start(rig, &collector_powercap);
	assert_true(rig_value_of(rig, "energy_uj", "intel-rapl:0/package-0") == UINT64_C(16574328968));
	assert_true(rig_value_of(rig, "max_energy_range_uj", "intel-rapl:0/package-0") == UINT64_C(262143328850));
	assert_true(rig_value_of(rig, "energy_uj", "intel-rapl-mmio:0/package-0") == UINT64_C(16574999000));
	assert_false(rig_has_of(rig, "max_energy_range_uj", "intel-rapl-mmio:0/package-0"));
	assert_int_equal(rig_value_of(rig, "energy_uj", "intel-rapl:0:0"), 5);
	assert_int_equal(rig->run.shape.instance_count, 3);
	assert_int_equal(rig_metric(rig, "energy_uj")->fold, FOLD_NONE);
	assert_int_equal(rig_metric(rig, "energy_uj")->exponent, 6);
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
}

static void zones_below_each_other_are_found_without_links(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, POWERCAP "intel-rapl/intel-rapl:0/name", "package-0\n");
	rig_file(rig, POWERCAP "intel-rapl/intel-rapl:0/energy_uj", "7\n");
	rig_file(rig, POWERCAP "intel-rapl/intel-rapl:0/intel-rapl:0:0/name", "core\n");
	rig_file(rig, POWERCAP "intel-rapl/intel-rapl:0/intel-rapl:0:0/energy_uj", "3\n");
	assert_int_equal(collector_probe(&collector_powercap, &rig->host, &rig->err), 0);
	rig_start(rig, &collector_powercap);
	assert_int_equal(rig_value_of(rig, "energy_uj", "intel-rapl:0/package-0"), 7);
	assert_int_equal(rig_value_of(rig, "energy_uj", "intel-rapl:0:0/core"), 3);
	assert_int_equal(rig->run.shape.instance_count, 2);
}

static void links_of_the_class_are_taken_once(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, POWERCAP "intel-rapl/intel-rapl:0/energy_uj", "7\n");
	rig_file(rig, POWERCAP "intel-rapl:0/energy_uj", "7\n");
	rig_start(rig, &collector_powercap);
	assert_int_equal(rig->run.shape.instance_count, 1);
}

static void zones_of_a_recording_of_devices_are_found(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "sys/devices/virtual/powercap/intel-rapl/intel-rapl:1/energy_uj", "9\n");
	rig_start(rig, &collector_powercap);
	assert_int_equal(rig_value_of(rig, "energy_uj", "intel-rapl:1"), 9);
}

static void a_counter_that_begins_anew_is_told_as_it_is(void **state)
{
	struct rig *rig = *state;

	zones(rig);
	rig_start(rig, &collector_powercap);
	rig_file(rig, POWERCAP "intel-rapl:0/energy_uj", "12\n");
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "energy_uj", "intel-rapl:0/package-0"), 12);
	assert_int_equal(rig->run.shape.generation, 1);
}

static void no_zone_is_said_in_one_line(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, POWERCAP "intel-rapl/enabled", "1\n");
	assert_int_equal(collector_probe(&collector_powercap, &rig->host, &rig->err), -ENOENT);
	assert_int_equal(rig_open(rig, &collector_powercap), -ENOENT);
	assert_non_null(strstr(rig->err.text, "no such file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(zones_of_one_name_are_told_apart_by_their_way),
		RIG_TEST(zones_below_each_other_are_found_without_links),
		RIG_TEST(links_of_the_class_are_taken_once),
		RIG_TEST(zones_of_a_recording_of_devices_are_found),
		RIG_TEST(a_counter_that_begins_anew_is_told_as_it_is),
		RIG_TEST(no_zone_is_said_in_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
