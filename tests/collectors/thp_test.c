/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_thp;

#define FOLDER "sys/kernel/mm/transparent_hugepage/"

static void sizes_are_instances(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, FOLDER "enabled", "always [madvise] never\n");
	rig_file(rig, FOLDER "hpage_pmd_size", "2097152\n");
	rig_file(rig, FOLDER "khugepaged/pages_collapsed", "17\n");
	rig_file(rig, FOLDER "khugepaged/scan_sleep_millisecs", "10000\n");
	rig_file(rig, FOLDER "hugepages-64kB/enabled", "always [inherit] madvise never\n");
	rig_file(rig, FOLDER "hugepages-64kB/stats/anon_fault_alloc", "5\n");
	rig_file(rig, FOLDER "hugepages-64kB/stats/nr_anon", "6\n");
	rig_file(rig, FOLDER "hugepages-2048kB/stats/anon_fault_alloc", "7\n");
	rig_file(rig, FOLDER "hugepages-2048kB/stats/split_failed", "8\n");
	rig_start(rig, &collector_thp);
	assert_int_equal(rig_value(rig, "hpage_pmd_size"), 2097152);
	assert_int_equal(rig_value(rig, "khugepaged.pages_collapsed"), 17);
	assert_int_equal(rig_value_of(rig, "anon_fault_alloc", "hugepages-64kB"), 5);
	assert_int_equal(rig_value_of(rig, "nr_anon", "hugepages-64kB"), 6);
	assert_int_equal(rig_value_of(rig, "anon_fault_alloc", "hugepages-2048kB"), 7);
	assert_int_equal(rig_value_of(rig, "split_failed", "hugepages-2048kB"), 8);
	assert_false(rig_has_of(rig, "split_failed", "hugepages-64kB"));
	assert_int_equal(rig_count(rig), 7);
	assert_int_equal(rig_metric(rig, "khugepaged.pages_collapsed")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "anon_fault_alloc")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "nr_anon")->kind, GAUGE);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

static void a_kernel_without_sizes_has_the_rest(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FOLDER "khugepaged/full_scans", "4\n");
	rig_start(rig, &collector_thp);
	assert_int_equal(rig_count(rig), 1);
	assert_int_equal(rig_value(rig, "khugepaged.full_scans"), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(sizes_are_instances),
		RIG_TEST(a_kernel_without_sizes_has_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
