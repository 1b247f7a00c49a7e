/* SPDX-License-Identifier: GPL-3.0-or-later */
/* numa-meminfo, numa-vmstat, numa-numastat: many files of one shape. */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_numa_meminfo, collector_numa_vmstat, collector_numa_numastat;

#define NODE "sys/devices/system/node/"

static void nodes_have_the_numbers_the_kernel_gave_them(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, NODE "online", "0,8,10\n");
	rig_file(rig, NODE "node0/meminfo", "\nNode 0 MemTotal: 5 kB\nNode 0 Active(anon): 6 kB\n");
	rig_file(rig, NODE "node8/meminfo", "Node 8 MemTotal: 33550000 kB\nNode 8 HugePages_Total:     2\n");
	rig_file(rig, NODE "node10/meminfo", "Node 10 MemTotal: 7 kB\nNode 10 Active(anon): 9 kB\n");
	rig_start(rig, &collector_numa_meminfo);
	assert_int_equal(rig_value_of(rig, "MemTotal", "node0"), 5);
	assert_int_equal(rig_value_of(rig, "MemTotal", "node8"), 33550000);
	assert_int_equal(rig_value_of(rig, "HugePages_Total", "node8"), 2);
	assert_false(rig_has_of(rig, "HugePages_Total", "node0"));
	assert_int_equal(rig_value_of(rig, "Active(anon)", "node10"), 9);
	assert_string_equal(rig->run.shape.instances[1], "node8");
	assert_int_equal(rig_metric(rig, "HugePages_Total")->unit, UNIT_PAGES);
	assert_int_equal(rig_metric(rig, "MemTotal")->unit, UNIT_KIB);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

static void a_node_without_that_file_is_not_there(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, NODE "node0/meminfo", "Node 0 MemTotal: 5 kB\n");
	rig_file(rig, NODE "node8/numastat", "numa_hit 11\nnuma_miss 22\n");
	rig_start(rig, &collector_numa_numastat);
	assert_int_equal(rig->run.shape.instance_count, 1);
	assert_int_equal(rig_value_of(rig, "numa_miss", "node8"), 22);
	assert_int_equal(rig_metric(rig, "numa_miss")->kind, COUNTER);
}

static void a_node_comes_and_goes(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, NODE "online", "0\n");
	rig_file(rig, NODE "node0/vmstat", "nr_dirtied 1\nnr_free_pages 2\n");
	rig_start(rig, &collector_numa_vmstat);
	assert_int_equal(rig_metric(rig, "nr_dirtied")->kind, COUNTER);
	rig_file(rig, NODE "online", "0-1\n");
	rig_file(rig, NODE "node1/vmstat", "nr_dirtied 3\nnr_free_pages 4\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "nr_free_pages", "node1"), 4);
	rig_remove(rig, NODE "node1");
	rig_file(rig, NODE "online", "0\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 3);
	assert_int_equal(rig->run.shape.instance_count, 1);
}

static void a_bad_node_does_not_cost_the_others(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, NODE "node0/vmstat", "nr_dirtied x\nnr_free_pages 2\n");
	rig_file(rig, NODE "node1/vmstat", "nr_dirtied 3\nnr_free_pages 4\n");
	assert_int_equal(rig_open(rig, &collector_numa_vmstat), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, NODE "node0/vmstat: no number after nr_dirtied");
	assert_false(rig_has_of(rig, "nr_dirtied", "node0"));
	assert_int_equal(rig_value_of(rig, "nr_free_pages", "node0"), 2);
	assert_int_equal(rig_value_of(rig, "nr_dirtied", "node1"), 3);
}

static void sparse_nodes_of_a_recorded_machine(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "hwloc-48amd64-4pa2n6c-sparse"))
		skip();
	rig_start(rig, &collector_numa_meminfo);
	assert_int_equal(rig->run.shape.instance_count, 8);
	assert_string_equal(rig->run.shape.instances[7], "node73");
	assert_true(rig_has_of(rig, "MemTotal", "node45"));
}

static void without_memory_it_says_so(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, NODE "online", "0-1\n");
	rig_file(rig, NODE "node0/vmstat", "nr_dirtied 1\nnr_free_pages 2\n");
	rig_file(rig, NODE "node1/vmstat", "nr_dirtied 3\nnr_free_pages 4\n");
	for (size_t n = 1;; n++) {
		int r;

		alloc_fail_at(n);
		r = rig_open(rig, &collector_numa_vmstat);
		alloc_fail_at(0);
		if (r == 0)
			break;
		assert_int_equal(r, -ENOMEM);
		assert_true(n < 1000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(nodes_have_the_numbers_the_kernel_gave_them),
		RIG_TEST(a_node_without_that_file_is_not_there),
		RIG_TEST(a_node_comes_and_goes),
		RIG_TEST(a_bad_node_does_not_cost_the_others),
		RIG_TEST(sparse_nodes_of_a_recorded_machine),
		RIG_TEST(without_memory_it_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
