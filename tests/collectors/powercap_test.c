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
		RIG_TEST(a_counter_that_begins_anew_is_told_as_it_is),
		RIG_TEST(no_zone_is_said_in_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
