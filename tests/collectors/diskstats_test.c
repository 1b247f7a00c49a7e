/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_diskstats;

static void the_number_of_columns_says_what_there_is(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/diskstats",
		 " 259       0 nvme0n1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"
		 " 104       1 cciss/c0d0p1 10 0 80 5 20 1 160 9 0 12 14\n"
		 "   8       1 sda1 1977 55696 17 4176\n"
		 "   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	rig_start(rig, &collector_diskstats);
	assert_int_equal(rig_value_of(rig, "flush_ticks", "nvme0n1"), 17);
	assert_int_equal(rig_value_of(rig, "discard_ios", "nvme0n1"), 12);
	assert_int_equal(rig_value_of(rig, "time_in_queue", "cciss/c0d0p1"), 14);
	assert_false(rig_has_of(rig, "discard_ios", "cciss/c0d0p1"));
	assert_int_equal(rig_value_of(rig, "read_ios", "sda1"), 1977);
	assert_int_equal(rig_value_of(rig, "read_sectors", "sda1"), 55696);
	assert_int_equal(rig_value_of(rig, "write_ios", "sda1"), 17);
	assert_int_equal(rig_value_of(rig, "write_sectors", "sda1"), 4176);
	assert_false(rig_has_of(rig, "read_merges", "sda1"));
	assert_int_equal(rig_value_of(rig, "discard_ticks", "loop0"), 0);
	assert_false(rig_has_of(rig, "flush_ios", "loop0"));
	assert_int_equal(rig->run.shape.metric_count, 17);
}

static void times_are_32_bits_wide_and_counts_are_not(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/diskstats", " 8 0 sda 1 2 3 4294966296 5 6 7 8 9 10 18446744073709551615\n");
	rig_start(rig, &collector_diskstats);
	assert_int_equal(rig_metric(rig, "read_ticks")->kind, COUNTER32);
	assert_int_equal(rig_metric(rig, "io_ticks")->kind, COUNTER32);
	assert_int_equal(rig_metric(rig, "time_in_queue")->unit, UNIT_MILLISECONDS);
	assert_int_equal(rig_metric(rig, "read_ios")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "write_sectors")->unit, UNIT_SECTORS);
	assert_int_equal(rig_metric(rig, "in_flight")->kind, GAUGE);
	assert_int_equal(rig_value_of(rig, "read_ticks", "sda"), 4294966296);
	assert_true(rig_value_of(rig, "time_in_queue", "sda") == UINT64_MAX);
	rig_file(rig, "proc/diskstats", " 8 0 sda 1 2 3 704 5 6 7 8 9 10 11\n");
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "read_ticks", "sda"), 704);
}

static void a_disk_comes_and_goes(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/diskstats", " 8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n 8 16 sdb 2 0 0 0 0 0 0 0 0 0 0\n");
	rig_start(rig, &collector_diskstats);
	rig_file(rig, "proc/diskstats", " 8 16 sdb 3 0 0 0 0 0 0 0 0 0 0\n");
	rig_again(rig);
	assert_false(rig_has_of(rig, "read_ios", "sda"));
	assert_int_equal(rig_value_of(rig, "read_ios", "sdb"), 3);
	assert_int_equal(rig->run.shape.generation, 1);
	rig_file(rig, "proc/diskstats", " 8 16 sdb 3 0 0 0 0 0 0 0 0 0 0\n 7 1 loop1 9 0 0 0 0 0 0 0 0 0 0\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "read_ios", "loop1"), 9);
	assert_int_equal(rig->run.shape.instance_count, 2);
}

static void no_disk_is_no_error(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/diskstats", "");
	rig_start(rig, &collector_diskstats);
	assert_int_equal(rig_count(rig), 0);
	rig_file(rig, "proc/diskstats", " 8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n");
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "read_ios", "sda"), 1);
}

static void a_bad_line_is_named_and_the_others_stand(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/diskstats",
		 " 8 0 sda 1 0 0 0 x 0 0 0 0 0 0\n8\n 8 16\n 8 17 x\n 8 16 sdb 2 0 0 0 0 0 0 0 0 0 0\n 8 32 sdc 1 2 3\n"
		 " 8 48 sdd 18446744073709551616 0 0 0 0 0 0 0 0 0 0\n");
	assert_int_equal(rig_open(rig, &collector_diskstats), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/diskstats: the numbers of sdd are not what they must be");
	assert_int_equal(rig_value_of(rig, "read_ios", "sdb"), 2);
	assert_int_equal(rig_count(rig), 11);
	assert_int_equal(rig->run.shape.generation, 1);
}

static void a_sample_allocates_nothing(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/diskstats", " 8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n");
	rig_start(rig, &collector_diskstats);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

static void disks_with_slashes_of_a_recorded_machine(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "pcp-blkdev-003"))
		skip();
	rig_start(rig, &collector_diskstats);
	assert_int_equal(rig->run.shape.instance_count, 81);
	assert_true(rig_has_of(rig, "read_ios", "cciss/c0d0"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(the_number_of_columns_says_what_there_is),
		RIG_TEST(times_are_32_bits_wide_and_counts_are_not),
		RIG_TEST(a_disk_comes_and_goes),
		RIG_TEST(no_disk_is_no_error),
		RIG_TEST(a_bad_line_is_named_and_the_others_stand),
		RIG_TEST(a_sample_allocates_nothing),
		RIG_TEST(disks_with_slashes_of_a_recorded_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
