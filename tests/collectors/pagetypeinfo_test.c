/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_pagetypeinfo;

#define HEAD                                                                                            \
	"Page block order: 9\nPages per block:  512\n\n"                                                \
	"Free pages count per migrate type at order       0      1      2 \n"
#define BLOCKS "\nNumber of blocks type     Unmovable      Movable \n"

static void reads_both_tables(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/pagetypeinfo",
		 HEAD "Node    0, zone      DMA, type    Unmovable      1      2      3 \n"
		      "Node    0, zone      DMA, type      Movable      4 >100000      6 \n"
		      "Node   12, zone   Normal, type      Movable      7      8      9 \n"
		 BLOCKS "Node 0, zone      DMA            1            7 \n"
			"Node 12, zone   Normal          138          936 \n");
	rig_start(rig, &collector_pagetypeinfo);
	assert_int_equal(rig_value_of(rig, "0", "Node0.DMA.Unmovable"), 1);
	assert_int_equal(rig_value_of(rig, "2", "Node0.DMA.Unmovable"), 3);
	assert_int_equal(rig_value_of(rig, "1", "Node0.DMA.Movable"), 100000);
	assert_int_equal(rig_value_of(rig, "2", "Node12.Normal.Movable"), 9);
	assert_int_equal(rig_value_of(rig, "blocks", "Node0.DMA.Unmovable"), 1);
	assert_int_equal(rig_value_of(rig, "blocks", "Node0.DMA.Movable"), 7);
	assert_int_equal(rig_value_of(rig, "blocks", "Node12.Normal.Movable"), 936);
	assert_int_equal(rig_value_of(rig, "blocks", "Node12.Normal.Unmovable"), 138);
	assert_int_equal(rig_count(rig), 9 + 4);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_true(collector_pagetypeinfo.dear);
}

/* What the kernel did not count to the end, it marks with '>'; it may do so at any time. */
static void a_mark_comes_and_goes_within_a_generation(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/pagetypeinfo", HEAD "Node    0, zone      DMA, type      Movable  99999      5      6 \n");
	rig_start(rig, &collector_pagetypeinfo);
	rig_file(rig, "proc/pagetypeinfo", HEAD "Node    0, zone      DMA, type      Movable >100000      5      6 \n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_int_equal(rig_value_of(rig, "0", "Node0.DMA.Movable"), 100000);
}

static void tells_mixed_blocks_from_blocks(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/pagetypeinfo",
		 HEAD BLOCKS "Node 0, zone DMA 1 7 \n\nNumber of mixed blocks    Unmovable      Movable \n"
			     "Node 0, zone DMA 5 6 \n");
	rig_start(rig, &collector_pagetypeinfo);
	assert_int_equal(rig_value_of(rig, "blocks", "Node0.DMA.Movable"), 7);
	assert_int_equal(rig_value_of(rig, "mixed", "Node0.DMA.Movable"), 6);
}

static void odd_lines_give_nothing_they_should_not(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/pagetypeinfo",
		 "Node 0, zone DMA 1 7 \n" HEAD "Node 0, zone DMA, type\nNode 0, zone DMA, kind x 1\n"
		 BLOCKS "Node 0, zone DMA 1 7 99 \nNode 1, zone DMA 8 \n");
	rig_start(rig, &collector_pagetypeinfo);
	assert_int_equal(rig_count(rig), 3);
	assert_int_equal(rig_value_of(rig, "blocks", "Node0.DMA.Movable"), 7);
	assert_int_equal(rig_value_of(rig, "blocks", "Node1.DMA.Unmovable"), 8);
	rig_file(rig, "proc/pagetypeinfo", HEAD);
	rig_again(rig);
	assert_int_equal(rig_count(rig), 0);
	assert_int_equal(rig->run.shape.generation, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(reads_both_tables),
		RIG_TEST(a_mark_comes_and_goes_within_a_generation),
		RIG_TEST(tells_mixed_blocks_from_blocks),
		RIG_TEST(odd_lines_give_nothing_they_should_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
