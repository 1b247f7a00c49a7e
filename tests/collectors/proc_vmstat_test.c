/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_proc_vmstat;

static void two_instants_of_a_counter(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/vmstat", "nr_free_pages 100\npgfault 10\nnr_unstable 0\n");
	rig_start(rig, &collector_proc_vmstat);
	rig_file(rig, "proc/vmstat", "nr_free_pages 90\npgfault 18446744073709551615\nnr_unstable 0\n");
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value(rig, "nr_free_pages"), 90);
	assert_true(rig_value(rig, "pgfault") == UINT64_MAX);
}

/* The lists of what only ever grows, and of what goes up and down. */
static void knows_counters_from_levels(void **state)
{
	static const char *const counters[] = {
		"allocstall_normal", "compact_stall", "htlb_buddy_alloc_success", "kswapd_inodesteal", "nr_dirtied",
		"nr_written", "nr_promoted", "nr_promote_fail", "nr_vmscan_write", "nr_vmscan_immediate_reclaim",
		"numa_hit", "numa_pte_updates", "pageoutrun", "pgpgin", "pgalloc_normal", "pgpromote_success", "pswpin",
		"slabs_scanned", "thp_fault_alloc", "unevictable_pgs_culled", "zone_reclaim_failed",
		"workingset_refault_anon", "drop_slab", "oom_kill", "balloon_inflate", "swap_ra_hit", "zswpin",
		"ksm_swpin_copy", "cma_alloc_success", "direct_map_level2_splits", "nr_tlb_remote_flush",
		"nr_foll_pin_acquired", "vma_lock_miss", "nr_throttled_written", "a_new_event",
	};
	static const char *const levels[] = {
		"nr_free_pages", "nr_dirty", "nr_dirty_threshold", "nr_dirty_background_threshold", "workingset_nodes",
		"nr_zone_inactive_anon", "nr_anon_transparent_hugepages", "nr_kernel_stack", "nr_isolated_file",
		"nr_swapcached", "nr_hugetlb", "nr_a_new_level",
	};
	struct rig *rig = *state;
	struct buf file = { 0 };

	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		(void)buf_printf(&file, "%s 1\n", counters[i]);
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		(void)buf_printf(&file, "%s 1\n", levels[i]);
	rig_file(rig, "proc/vmstat", file.data);
	buf_free(&file);
	rig_start(rig, &collector_proc_vmstat);
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		if (rig_metric(rig, counters[i])->kind != COUNTER)
			fail_msg("%s is a counter", counters[i]);
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		if (rig_metric(rig, levels[i])->kind != GAUGE)
			fail_msg("%s is a level", levels[i]);
	assert_int_equal(rig_metric(rig, "pgpgin")->unit, UNIT_KIB);
	assert_int_equal(rig_metric(rig, "nr_dirty")->unit, UNIT_PAGES);
}

static void every_key_of_a_recorded_machine(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "pcp-meminfo-007"))
		skip();
	rig_start(rig, &collector_proc_vmstat);
	assert_int_equal(rig_count(rig), 164);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(two_instants_of_a_counter),
		RIG_TEST(knows_counters_from_levels),
		RIG_TEST(every_key_of_a_recorded_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
