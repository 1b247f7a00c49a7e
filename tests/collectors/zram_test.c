/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_zram;

#define FOLDER "sys/block/zram0/"

static void columns_have_names(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, FOLDER "mm_stat", "5373952 5451 73728 0 73729 1267 3 4 5 99\n");
	rig_file(rig, FOLDER "io_stat", "       1        2        0   131072\n");
	rig_file(rig, FOLDER "bd_stat", "7 8 9\n");
	rig_file(rig, "sys/block/zram10/mm_stat", "1 2 3 4 5 6 7\n");
	rig_file(rig, "sys/block/sda/mm_stat", "1 2 3\n");
	rig_start(rig, &collector_zram);
	assert_int_equal(rig_value_of(rig, "orig_data_size", "zram0"), 5373952);
	assert_int_equal(rig_value_of(rig, "mem_used_max", "zram0"), 73729);
	assert_int_equal(rig_value_of(rig, "huge_pages_since", "zram0"), 5);
	assert_int_equal(rig_value_of(rig, "failed_writes", "zram0"), 2);
	assert_int_equal(rig_value_of(rig, "notify_free", "zram0"), 131072);
	assert_int_equal(rig_value_of(rig, "bd_writes", "zram0"), 9);
	assert_int_equal(rig_value_of(rig, "pages_compacted", "zram10"), 7);
	assert_false(rig_has_of(rig, "huge_pages", "zram10"));
	assert_int_equal(rig_count(rig), 9 + 4 + 3 + 7);
	assert_int_equal(rig_metric(rig, "huge_pages")->kind, GAUGE);
	assert_int_equal(rig_metric(rig, "huge_pages_since")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "bd_count")->kind, GAUGE);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

/* 3.14 to 4.0: a file a number. */
static void reads_the_old_files(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FOLDER "orig_data_size", "4096\n");
	rig_file(rig, FOLDER "compr_data_size", "1000\n");
	rig_file(rig, FOLDER "zero_pages", "3\n");
	rig_file(rig, FOLDER "num_reads", "12\n");
	rig_start(rig, &collector_zram);
	assert_int_equal(rig_value_of(rig, "compr_data_size", "zram0"), 1000);
	assert_int_equal(rig_value_of(rig, "zero_pages", "zram0"), 3);
	assert_int_equal(rig_value_of(rig, "num_reads", "zram0"), 12);
	assert_int_equal(rig_metric(rig, "num_reads")->kind, COUNTER);
}

static void a_device_comes_and_goes(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/partitions", "major minor  #blocks  name\n\n 254 0 100 zram0\n");
	rig_file(rig, FOLDER "mm_stat", "1 2 3\n");
	rig_start(rig, &collector_zram);
	rig_file(rig, "proc/partitions", "major minor  #blocks  name\n\n 254 0 100 zram0\n 254 1 100 zram1\n");
	rig_file(rig, "sys/block/zram1/mm_stat", "4 5 6\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "orig_data_size", "zram1"), 4);
	rig_file(rig, "proc/partitions", "major minor  #blocks  name\n\n 254 1 100 zram1\n");
	rig_remove(rig, "sys/block/zram0");
	rig_again(rig);
	assert_false(rig_has_of(rig, "orig_data_size", "zram0"));
	assert_int_equal(rig_value_of(rig, "orig_data_size", "zram1"), 4);
}

static void a_bad_number_costs_that_number(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FOLDER "mm_stat", "1 2 3\n");
	rig_file(rig, FOLDER "io_stat", "\n");
	rig_start(rig, &collector_zram);
	rig_file(rig, FOLDER "mm_stat", "7 x 9\n");
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "sys/block/zram0/mm_stat: no number");
	assert_int_equal(rig_value_of(rig, "orig_data_size", "zram0"), 7);
	assert_false(rig_has_of(rig, "compr_data_size", "zram0"));
	assert_int_equal(rig_value_of(rig, "mem_used_total", "zram0"), 9);
	rig_file(rig, FOLDER "mm_stat", "7\n");
	rig_again(rig);
	assert_int_equal(rig_count(rig), 1);
}

static void recorded_machine(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "pcp-zram"))
		skip();
	rig_start(rig, &collector_zram);
	assert_int_equal(rig_value_of(rig, "same_pages", "zram0"), 1267);
	assert_int_equal(rig_value_of(rig, "notify_free", "zram0"), 131072);
	assert_int_equal(rig_value_of(rig, "notify_free", "zram1"), 0);
	assert_false(rig_has_of(rig, "huge_pages_since", "zram0"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(columns_have_names),
		RIG_TEST(reads_the_old_files),
		RIG_TEST(a_device_comes_and_goes),
		RIG_TEST(a_bad_number_costs_that_number),
		RIG_TEST(recorded_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
