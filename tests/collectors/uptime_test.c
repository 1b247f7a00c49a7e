/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_uptime;

static void seconds_travel_as_hundredths(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/uptime", "57437.22 228971.97\n");
	rig_start(rig, &collector_uptime);
	assert_int_equal(rig_value(rig, "boot"), 5743722);
	assert_int_equal(rig_value(rig, "idle"), 22897197);
	assert_int_equal(rig_metric(rig, "boot")->exponent, 2);
	assert_int_equal(rig_metric(rig, "boot")->unit, UNIT_SECONDS);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

static void what_is_no_number_is_named(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/uptime", "57437.22 long\n");
	assert_int_equal(rig_open(rig, &collector_uptime), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/uptime: no number for idle");
	assert_int_equal(rig_value(rig, "boot"), 5743722);
	assert_false(rig_has(rig, "idle"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(seconds_travel_as_hundredths),
		RIG_TEST(what_is_no_number_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
