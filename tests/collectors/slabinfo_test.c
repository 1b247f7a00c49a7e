/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_slabinfo;

#define HEAD "slabinfo - version: 2.1\n# name <active_objs> <num_objs> : tunables <limit> : slabdata <active_slabs>\n"

static void reads_a_line_from_its_fixed_part(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/slabinfo",
		 HEAD "kmalloc-rcl-2k       112    128   2048   16    8 : tunables    0    0    0 : slabdata      8      7      0\n"
		      ":A-0000192          4200   4242    192   21    1 : tunables    0    0    0 : slabdata    202    202      0\n"
		      "odd cache 12           5     42     96   42    1 : tunables  120   60    8 : slabdata      1      1      0\n"
		      "odd cache              6     43     97   42    1 : tunables    0    0    0 : slabdata      1      1      0\n");
	rig_start(rig, &collector_slabinfo);
	assert_int_equal(rig_value_of(rig, "active_objs", "kmalloc-rcl-2k"), 112);
	assert_int_equal(rig_value_of(rig, "num_slabs", "kmalloc-rcl-2k"), 7);
	assert_int_equal(rig_value_of(rig, "active_slabs", "kmalloc-rcl-2k"), 8);
	assert_int_equal(rig_value_of(rig, "num_objs", ":A-0000192"), 4242);
	assert_int_equal(rig_value_of(rig, "active_objs", "odd cache 12"), 5);
	assert_int_equal(rig_value_of(rig, "objsize", "odd cache 12"), 96);
	assert_int_equal(rig_value_of(rig, "active_objs", "odd cache"), 6);
	assert_int_equal(rig_metric(rig, "active_objs")->kind, GAUGE);
	assert_int_equal(rig->run.shape.instance_count, 4);
	assert_true(collector_slabinfo.dear);
}

static void a_cache_is_told_from_one_whose_name_it_begins(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/slabinfo", HEAD "odd 1 2 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\n"
					    "odd 12 1 2 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\n");
	rig_start(rig, &collector_slabinfo);
	rig_file(rig, "proc/slabinfo", HEAD "odd 12 60 2 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\n"
					    "odd 70 2 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\n");
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "active_objs", "odd 12"), 60);
	assert_int_equal(rig_value_of(rig, "active_objs", "odd"), 70);
}

static void a_cache_comes_and_goes(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/slabinfo", HEAD "a 1 2 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\nb 2 2 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\n");
	rig_start(rig, &collector_slabinfo);
	rig_file(rig, "proc/slabinfo", HEAD "b 3 2 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\n");
	rig_again(rig);
	assert_false(rig_has_of(rig, "active_objs", "a"));
	assert_int_equal(rig_value_of(rig, "active_objs", "b"), 3);
	rig_file(rig, "proc/slabinfo", HEAD "c 9 2 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\nb 3 2 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "active_objs", "c"), 9);
}

static void a_bad_line_is_named_and_the_others_stand(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/slabinfo", HEAD "a 1 x 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\n"
					    "b 1 2 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\n"
					    "torn 1 2 3\n : tunables \n1 2 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\n");
	assert_int_equal(rig_open(rig, &collector_slabinfo), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/slabinfo: the numbers of a are not what they must be");
	assert_int_equal(rig_value_of(rig, "num_objs", "b"), 2);
	assert_int_equal(rig_count(rig), 7);
}

static void another_version_is_refused(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/slabinfo", "slabinfo - version: 1.1\nkmem_cache 80 80 248 5 5 1 : 252 126\n");
	assert_int_equal(rig_open(rig, &collector_slabinfo), -ENOTSUP);
	assert_string_equal(rig->err.text, "proc/slabinfo: not of version 2.x");
}

static void a_sample_allocates_nothing(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/slabinfo", HEAD "a 1 2 3 4 5 : tunables 0 0 0 : slabdata 8 7 0\n");
	rig_start(rig, &collector_slabinfo);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

static void the_caches_of_a_recorded_machine(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "pcp-meminfo-007"))
		skip();
	rig_start(rig, &collector_slabinfo);
	assert_int_equal(rig->run.shape.instance_count, 292);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(reads_a_line_from_its_fixed_part),
		RIG_TEST(a_cache_is_told_from_one_whose_name_it_begins),
		RIG_TEST(a_cache_comes_and_goes),
		RIG_TEST(a_bad_line_is_named_and_the_others_stand),
		RIG_TEST(another_version_is_refused),
		RIG_TEST(a_sample_allocates_nothing),
		RIG_TEST(the_caches_of_a_recorded_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
