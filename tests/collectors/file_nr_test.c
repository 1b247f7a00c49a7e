/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_file_nr;

static void tells_the_columns_of_three_files(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/sys/fs/file-nr", "801\t0\t2466165\n");
	rig_file(rig, "proc/sys/fs/inode-state", "109494\t12\t0\t0\t0\t0\t0\n");
	rig_file(rig, "proc/sys/fs/dentry-state", "236221\t234494\t45\t0\t120178\t0\n");
	rig_start(rig, &collector_file_nr);
	assert_int_equal(rig_value(rig, "allocated"), 801);
	assert_int_equal(rig_value(rig, "unused"), 0);
	assert_int_equal(rig_value(rig, "max"), 2466165);
	assert_int_equal(rig_value(rig, "nr_inodes"), 109494);
	assert_int_equal(rig_value(rig, "nr_free_inodes"), 12);
	assert_int_equal(rig_value(rig, "nr_dentry"), 236221);
	assert_int_equal(rig_value(rig, "nr_unused"), 234494);
	assert_int_equal(rig_value(rig, "nr_negative"), 120178);
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
}

static void a_missing_file_or_column_is_absent(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/sys/fs/file-nr", "9223372036854775807 1\n");
	rig_file(rig, "proc/sys/fs/dentry-state", "5 4 45 0\n");
	rig_start(rig, &collector_file_nr);
	assert_true(rig_value(rig, "allocated") == INT64_MAX);
	assert_false(rig_has(rig, "max"));
	assert_false(rig_has(rig, "nr_inodes"));
	assert_int_equal(rig_value(rig, "nr_unused"), 4);
	assert_false(rig_has(rig, "nr_negative"));
}

static void a_line_without_numbers_is_named_and_the_others_stand(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/sys/fs/file-nr", "many\n");
	rig_file(rig, "proc/sys/fs/inode-state", "7 6 0\n");
	assert_int_equal(rig_open(rig, &collector_file_nr), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/sys/fs/file-nr: no number");
	assert_false(rig_has(rig, "allocated"));
	assert_int_equal(rig_value(rig, "nr_inodes"), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(tells_the_columns_of_three_files),
		RIG_TEST(a_missing_file_or_column_is_absent),
		RIG_TEST(a_line_without_numbers_is_named_and_the_others_stand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
