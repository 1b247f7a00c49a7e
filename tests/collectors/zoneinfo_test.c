/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/buf.h"
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_zoneinfo;

#define FIRST                                                                      \
	"Node 0, zone      DMA\n"                                                  \
	"  per-node stats\n"                                                       \
	"      nr_active_anon 2000\n"                                              \
	"      nr_dirtied   7\n"                                                   \
	"  pages free     3840\n"                                                  \
	"        boost    5\n"                                                     \
	"        high     14\n"                                                    \
	"        protection: (0, 2900, 32000)\n"                                   \
	"      nr_free_pages 3841\n"                                               \
	"      numa_hit     12\n"                                                  \
	"  pagesets\n"                                                             \
	"    cpu: 0\n"                                                             \
	"              count: 1\n"                                                 \
	"              high:  4\n"                                                 \
	"  vm stats threshold: 6\n"
#define SECOND_CPU                                                                 \
	"    cpu: 11\n"                                                            \
	"              count: 2\n"                                                 \
	"              high:  5\n"                                                 \
	"  vm stats threshold: 8\n"
#define LAST                                                                       \
	"  node_unreclaimable:  0\n"                                               \
	"  start_pfn:           1\n"                                               \
	"Node 1, zone   Normal\n"                                                  \
	"  pages free     100\n"                                                   \
	"        high     101\n"

static void a_section_ends_where_the_next_one_begins(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/zoneinfo", FIRST SECOND_CPU LAST);
	rig_start(rig, &collector_zoneinfo);
	assert_int_equal(rig_value_of(rig, "nr_active_anon", "node0"), 2000);
	assert_int_equal(rig_value_of(rig, "pages.free", "node0.DMA"), 3840);
	assert_int_equal(rig_value_of(rig, "pages.boost", "node0.DMA"), 5);
	assert_int_equal(rig_value_of(rig, "pages.high", "node0.DMA"), 14);
	assert_int_equal(rig_value_of(rig, "protection.1", "node0.DMA"), 2900);
	assert_int_equal(rig_value_of(rig, "protection.2", "node0.DMA"), 32000);
	assert_int_equal(rig_value_of(rig, "pages.nr_free_pages", "node0.DMA"), 3841);
	assert_int_equal(rig_value_of(rig, "pagesets.cpu0.count", "node0.DMA"), 1);
	assert_int_equal(rig_value_of(rig, "pagesets.cpu0.vm_stats_threshold", "node0.DMA"), 6);
	assert_int_equal(rig_value_of(rig, "pagesets.cpu11.high", "node0.DMA"), 5);
	assert_int_equal(rig_value_of(rig, "pagesets.cpu11.vm_stats_threshold", "node0.DMA"), 8);
	assert_int_equal(rig_value_of(rig, "node_unreclaimable", "node0.DMA"), 0);
	assert_int_equal(rig_value_of(rig, "start_pfn", "node0.DMA"), 1);
	assert_int_equal(rig_value_of(rig, "pages.high", "node1.Normal"), 101);
	assert_false(rig_has_of(rig, "pages.boost", "node1.Normal"));
	assert_false(rig_has_of(rig, "pages.free", "node0"));
	assert_int_equal(rig_count(rig), 20);
}

static void tells_levels_from_counts(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/zoneinfo", FIRST LAST);
	rig_start(rig, &collector_zoneinfo);
	assert_int_equal(rig_metric(rig, "nr_dirtied")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "pages.numa_hit")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "nr_active_anon")->kind, GAUGE);
	assert_int_equal(rig_metric(rig, "pages.free")->unit, UNIT_PAGES);
	assert_int_equal(rig_metric(rig, "pagesets.cpu0.count")->unit, UNIT_PAGES);
	assert_int_equal(collector_zoneinfo.interval_ms, 10000);
	assert_true(collector_zoneinfo.dear);
}

/* 3.10: all items are the zone's, indented by four, and the protection stands behind them. */
static void reads_a_kernel_without_per_node_stats(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/zoneinfo",
		 "Node 0, zone    DMA32\n  pages free     10\n        scanned  0\n    nr_free_pages 10\n"
		 "    nr_alloc_batch 8\n        protection: (0, 1)\n  pagesets\n    cpu: 0\n              count: 3\n"
		 "  vm stats threshold: 48\n  all_unreclaimable: 0\n  start_pfn:         4096\n  inactive_ratio:    5\n");
	rig_start(rig, &collector_zoneinfo);
	assert_int_equal(rig_value_of(rig, "pages.nr_alloc_batch", "node0.DMA32"), 8);
	assert_int_equal(rig_value_of(rig, "protection.1", "node0.DMA32"), 1);
	assert_int_equal(rig_value_of(rig, "all_unreclaimable", "node0.DMA32"), 0);
	assert_int_equal(rig_value_of(rig, "inactive_ratio", "node0.DMA32"), 5);
	assert_int_equal(rig_value_of(rig, "pagesets.cpu0.vm_stats_threshold", "node0.DMA32"), 48);
	assert_int_equal(rig_count(rig), 11);
}

/* 2.6.18: two sets a CPU, numbers behind words, and what the set counted. */
static void reads_two_sets_a_cpu(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/zoneinfo",
		 "Node 0, zone      DMA\n  pages free     2880\n        scanned  9 (a: 12 i: 5)\n"
		 "        protection: (0, 0)\n  pagesets\n    cpu: 0 pcp: 0\n          count: 1\n"
		 "    cpu: 0 pcp: 1\n          count: 2\n          numa_hit:       22\n  prev_priority:     12\n");
	rig_start(rig, &collector_zoneinfo);
	assert_int_equal(rig_value_of(rig, "pages.scanned", "node0.DMA"), 9);
	assert_int_equal(rig_value_of(rig, "pages.scanned.a", "node0.DMA"), 12);
	assert_int_equal(rig_value_of(rig, "pages.scanned.i", "node0.DMA"), 5);
	assert_int_equal(rig_value_of(rig, "pagesets.cpu0.pcp0.count", "node0.DMA"), 1);
	assert_int_equal(rig_value_of(rig, "pagesets.cpu0.pcp1.count", "node0.DMA"), 2);
	assert_int_equal(rig_value_of(rig, "pagesets.cpu0.pcp1.numa_hit", "node0.DMA"), 22);
	assert_int_equal(rig_metric(rig, "pagesets.cpu0.pcp1.numa_hit")->kind, COUNTER);
	assert_int_equal(rig_value_of(rig, "prev_priority", "node0.DMA"), 12);
}

static void a_cpu_goes_and_another_comes(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/zoneinfo", FIRST SECOND_CPU LAST);
	rig_start(rig, &collector_zoneinfo);
	rig_file(rig, "proc/zoneinfo", FIRST LAST);
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_false(rig_has_of(rig, "pagesets.cpu11.count", "node0.DMA"));
	assert_int_equal(rig_value_of(rig, "start_pfn", "node0.DMA"), 1);
	rig_file(rig, "proc/zoneinfo", FIRST "    cpu: 12\n              count: 2\n" LAST);
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 3);
	assert_int_equal(rig_value_of(rig, "pagesets.cpu12.count", "node0.DMA"), 2);
}

static void a_sample_allocates_nothing(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/zoneinfo", FIRST SECOND_CPU LAST);
	rig_start(rig, &collector_zoneinfo);
	rig_file(rig, "proc/zoneinfo",
		 "Node 0, zone      DMA\n  per-node stats\n      nr_active_anon 18446744073709551615\n"
		 "      nr_dirtied   100000000\n" "  pages free     1\n        boost    22222\n        high     3\n"
		 "        protection: (0, 99999999, 1)\n      nr_free_pages 1\n      numa_hit     -2\n  pagesets\n"
		 "    cpu: 0\n              count: 1000\n              high:  4\n  vm stats threshold: 6\n"
		 SECOND_CPU LAST);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_true(rig_value_of(rig, "nr_active_anon", "node0") == UINT64_MAX);
	assert_true((int64_t)rig_value_of(rig, "pages.numa_hit", "node0.DMA") == -2);
	assert_int_equal(rig_value_of(rig, "protection.1", "node0.DMA"), 99999999);
	assert_int_equal(rig_value_of(rig, "pagesets.cpu11.count", "node0.DMA"), 2);
}

static void a_bad_number_costs_that_number(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/zoneinfo", "Node 0, zone DMA\n  pages free 5\n        min 6\n        protection: (0, 1)\n");
	rig_start(rig, &collector_zoneinfo);
	rig_file(rig, "proc/zoneinfo", "Node 0, zone DMA\n  pages free 5x\n        min 7\n        protection: (-, 2)\n");
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/zoneinfo: no number for protection.0");
	assert_false(rig_has_of(rig, "pages.free", "node0.DMA"));
	assert_int_equal(rig_value_of(rig, "pages.min", "node0.DMA"), 7);
	assert_int_equal(rig_value_of(rig, "protection.1", "node0.DMA"), 2);
}

static void of_two_lines_of_one_name_the_first_counts(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/zoneinfo", "Node 0, zone DMA\n  pages free 5\n        min 6\n        min 7\n");
	rig_start(rig, &collector_zoneinfo);
	assert_int_equal(rig_value_of(rig, "pages.min", "node0.DMA"), 6);
}

static void numbers_outside_of_a_zone_are_nobodys(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/zoneinfo", "  pages free 5\nNode 0, zone DMA\n        7\n  pages free\n: 9\n  x y z 8");
	rig_start(rig, &collector_zoneinfo);
	assert_int_equal(rig_count(rig), 1);
	assert_int_equal(rig_value_of(rig, "pages.x_y_z", "node0.DMA"), 8);
	rig_file(rig, "proc/zoneinfo", "");
	rig_again(rig);
	assert_int_equal(rig_count(rig), 0);
}

/* 1,152 of them in each of eight nodes: as many numbers as lines, in as few slots as there are zones times keys. */
static void many_cpus_are_many_keys_of_few_zones(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf text = { 0 };
	size_t before;

	for (int node = 0; node < 8; node++) {
		(void)buf_printf(&text, "Node %d, zone   Normal\n  pages free     1\n  pagesets\n", node);
		for (int cpu = 0; cpu < 1152; cpu++)
			(void)buf_printf(&text, "    cpu: %d\n              count:    %d\n              high:     9\n"
						"  vm stats threshold: 125\n", cpu, node * 10000 + cpu);
	}
	assert_int_equal(text.failed, 0);
	rig_file(rig, "proc/zoneinfo", text.data);
	rig_start(rig, &collector_zoneinfo);
	assert_int_equal(rig->run.shape.instance_count, 8);
	assert_int_equal(rig->run.shape.metric_count, 1 + 3 * 1152);
	assert_int_equal(rig_value_of(rig, "pagesets.cpu1151.count", "node7.Normal"), 71151);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_count(rig), 8 * (1 + 3 * 1152));
}

/* The recorded machines: a 3.1x kernel, one of 5.7 with two nodes. */
static void recorded_machines(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "pcp-meminfo-007"))
		skip();
	rig_start(rig, &collector_zoneinfo);
	assert_int_equal(rig_value_of(rig, "nr_kernel_stack", "node1"), 12512);
	assert_int_equal(rig_value_of(rig, "pages.numa_foreign", "node0.Normal"), 489923);
	assert_int_equal(rig_value_of(rig, "pagesets.cpu6.count", "node0.Normal"), 1440);
	assert_int_equal(rig_value_of(rig, "pages.managed", "node1.DMA"), 0);
	assert_false(rig_has_of(rig, "start_pfn", "node1.DMA"));
	assert_true(rig_tree(rig, "pcp-meminfo-003"));
	rig_start(rig, &collector_zoneinfo);
	assert_int_equal(rig_value_of(rig, "pages.numa_hit", "node0.DMA"), 144);
	assert_int_equal(rig_value_of(rig, "protection.3", "node0.DMA"), 64216);
	assert_true(rig_has_of(rig, "pagesets.cpu31.count", "node1.Normal"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(a_section_ends_where_the_next_one_begins),
		RIG_TEST(tells_levels_from_counts),
		RIG_TEST(reads_a_kernel_without_per_node_stats),
		RIG_TEST(reads_two_sets_a_cpu),
		RIG_TEST(a_cpu_goes_and_another_comes),
		RIG_TEST(a_sample_allocates_nothing),
		RIG_TEST(a_bad_number_costs_that_number),
		RIG_TEST(of_two_lines_of_one_name_the_first_counts),
		RIG_TEST(numbers_outside_of_a_zone_are_nobodys),
		RIG_TEST(many_cpus_are_many_keys_of_few_zones),
		RIG_TEST(recorded_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
