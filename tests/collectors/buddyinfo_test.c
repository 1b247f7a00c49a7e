/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_buddyinfo;

#define DMA    "Node 0, zone      DMA      3      1      2 \n"
#define NORMAL "Node 8, zone   Normal    188 123456789012      0 \n"

static void there_are_as_many_orders_as_the_line_has(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/buddyinfo", DMA NORMAL "Node 0, zone  Movable  0  1  2  3  4  5  6  7  8  9 10 11 12 13\n");
	rig_start(rig, &collector_buddyinfo);
	assert_int_equal(rig_value_of(rig, "0", "Node.0.zone.DMA"), 3);
	assert_int_equal(rig_value_of(rig, "2", "Node.0.zone.DMA"), 2);
	assert_true(rig_value_of(rig, "1", "Node.8.zone.Normal") == UINT64_C(123456789012));
	assert_int_equal(rig_value_of(rig, "13", "Node.0.zone.Movable"), 13);
	assert_false(rig_has_of(rig, "3", "Node.0.zone.DMA"));
	assert_int_equal(rig_count(rig), 3 + 3 + 14);
	assert_int_equal(rig_metric(rig, "0")->kind, GAUGE);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

static void numbers_that_grow_out_of_their_columns_are_read(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/buddyinfo", DMA);
	rig_start(rig, &collector_buddyinfo);
	rig_file(rig, "proc/buddyinfo", "Node 0, zone      DMA 12345678 9999999      0\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_int_equal(rig_value_of(rig, "0", "Node.0.zone.DMA"), 12345678);
	assert_int_equal(rig_value_of(rig, "1", "Node.0.zone.DMA"), 9999999);
}

static void a_node_comes_and_goes(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/buddyinfo", DMA NORMAL);
	rig_start(rig, &collector_buddyinfo);
	rig_file(rig, "proc/buddyinfo", NORMAL);
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_false(rig_has_of(rig, "0", "Node.0.zone.DMA"));
	assert_int_equal(rig_value_of(rig, "0", "Node.8.zone.Normal"), 188);
	rig_file(rig, "proc/buddyinfo", DMA NORMAL);
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 3);
	assert_int_equal(rig_value_of(rig, "0", "Node.0.zone.DMA"), 3);
}

static void lines_of_another_shape_give_nothing(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/buddyinfo", "Node 0\nNode , zone x 1\n\nNode 1, zone\n" DMA "Node 1, zone q no 5");
	rig_open(rig, &collector_buddyinfo);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/buddyinfo: no number for 0");
	assert_int_equal(rig_value_of(rig, "0", "Node.0.zone.DMA"), 3);
	assert_int_equal(rig_value_of(rig, "1", "Node.1.zone.q"), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(there_are_as_many_orders_as_the_line_has),
		RIG_TEST(numbers_that_grow_out_of_their_columns_are_read),
		RIG_TEST(a_node_comes_and_goes),
		RIG_TEST(lines_of_another_shape_give_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
