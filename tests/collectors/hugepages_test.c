/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_hugepages;

#define FOLDER "sys/kernel/mm/hugepages/"
#define NODE   "sys/devices/system/node/"

static void the_machine_and_each_node_have_their_pools(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, NODE "online", "0,33\n");
	rig_file(rig, FOLDER "hugepages-2048kB/nr_hugepages", "2000\n");
	rig_file(rig, FOLDER "hugepages-2048kB/resv_hugepages", "8\n");
	rig_file(rig, FOLDER "hugepages-1048576kB/nr_hugepages", "100\n");
	rig_file(rig, FOLDER "hugepages-1048576kB/demote_size", "2048kB\n");
	rig_file(rig, NODE "node0/hugepages/hugepages-2048kB/nr_hugepages", "1500\n");
	rig_file(rig, NODE "node33/hugepages/hugepages-2048kB/nr_hugepages", "500\n");
	rig_start(rig, &collector_hugepages);
	assert_int_equal(rig_value_of(rig, "nr_hugepages", "hugepages-2048kB"), 2000);
	assert_int_equal(rig_value_of(rig, "resv_hugepages", "hugepages-2048kB"), 8);
	assert_int_equal(rig_value_of(rig, "nr_hugepages", "hugepages-1048576kB"), 100);
	assert_int_equal(rig_value_of(rig, "nr_hugepages", "node0.hugepages-2048kB"), 1500);
	assert_int_equal(rig_value_of(rig, "nr_hugepages", "node33.hugepages-2048kB"), 500);
	assert_false(rig_has_of(rig, "resv_hugepages", "hugepages-1048576kB"));
	assert_int_equal(rig_count(rig), 5);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

static void a_node_comes_and_goes(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, NODE "online", "0\n");
	rig_file(rig, NODE "node0/hugepages/hugepages-2048kB/nr_hugepages", "1\n");
	rig_start(rig, &collector_hugepages);
	rig_file(rig, NODE "online", "0-1\n");
	rig_file(rig, NODE "node1/hugepages/hugepages-2048kB/nr_hugepages", "2\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "nr_hugepages", "node1.hugepages-2048kB"), 2);
	rig_file(rig, NODE "online", "1\n");
	rig_remove(rig, NODE "node0");
	rig_again(rig);
	assert_false(rig_has_of(rig, "nr_hugepages", "node0.hugepages-2048kB"));
	assert_int_equal(rig_value_of(rig, "nr_hugepages", "node1.hugepages-2048kB"), 2);
}

static void recorded_machine(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "pcp-hugepages-003"))
		skip();
	rig_start(rig, &collector_hugepages);
	assert_int_equal(rig_value_of(rig, "nr_hugepages", "hugepages-1048576kB"), 100);
	assert_int_equal(rig_value_of(rig, "surplus_hugepages", "hugepages-2048kB"), 4);
	assert_int_equal(rig_value_of(rig, "nr_hugepages", "hugepages-2048kB"), 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(the_machine_and_each_node_have_their_pools),
		RIG_TEST(a_node_comes_and_goes),
		RIG_TEST(recorded_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
