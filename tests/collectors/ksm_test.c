/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_ksm;

#define FOLDER "sys/kernel/mm/ksm/"

static void every_file_with_a_number_is_read(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, FOLDER "pages_sharing", "255\n");
	rig_file(rig, FOLDER "general_profit", "-1044480\n");
	rig_file(rig, FOLDER "full_scans", "18446744073709551615\n");
	rig_file(rig, FOLDER "new_in_linux_9", "3\n");
	rig_file(rig, FOLDER "advisor_mode", "[none] scan-time\n");
	rig_start(rig, &collector_ksm);
	assert_int_equal(rig_value(rig, "pages_sharing"), 255);
	assert_true((int64_t)rig_value(rig, "general_profit") == -1044480);
	assert_true(rig_value(rig, "full_scans") == UINT64_MAX);
	assert_int_equal(rig_value(rig, "new_in_linux_9"), 3);
	assert_int_equal(rig_count(rig), 4);
	assert_int_equal(rig_metric(rig, "full_scans")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "pages_sharing")->unit, UNIT_PAGES);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

static void what_went_away_or_is_no_number_is_absent(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FOLDER "pages_shared", "1\n");
	rig_file(rig, FOLDER "pages_sharing", "2\n");
	rig_start(rig, &collector_ksm);
	rig_file(rig, FOLDER "pages_shared", "many\n");
	rig_file(rig, FOLDER "pages_sharing", "3\n");
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "sys/kernel/mm/ksm/pages_shared: no number");
	assert_int_equal(rig_value(rig, "pages_sharing"), 3);
	assert_false(rig_has(rig, "pages_shared"));
}

static void a_kernel_without_it_is_told(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(collector_probe(&collector_ksm, &rig->host, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, "sys/kernel/mm/ksm/*: no such file");
}

static void recorded_machine(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "node-exporter"))
		skip();
	rig_start(rig, &collector_ksm);
	assert_int_equal(rig_value(rig, "full_scans"), 323);
	assert_int_equal(rig_value(rig, "general_profit"), 1044480);
	assert_int_equal(rig_value(rig, "pages_sharing"), 255);
	assert_int_equal(rig_value(rig, "sleep_millisecs"), 20);
	assert_int_equal(rig_count(rig), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(every_file_with_a_number_is_read),
		RIG_TEST(what_went_away_or_is_no_number_is_absent),
		RIG_TEST(a_kernel_without_it_is_told),
		RIG_TEST(recorded_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
