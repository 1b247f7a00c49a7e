/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which items of vmstat the kernel only ever increments.
 *
 * The file is made of four lists: zone and node counters ("nr_...", levels, but for those that count events under that
 * name), NUMA events, the two dirty thresholds, and VM events, all of which only grow. So an item that no row knows is
 * a level when it is called nr_..., else a count of events.
 */
#include "collectors/vmstat_hints.h"

const struct hint vmstat_hints[] = {
	/* key                        kind     unit         help */
	/* events among the nr_ items */
	{ "nr_dirtied",               COUNTER, UNIT_PAGES,  "Pages that became dirty." },
	{ "nr_written",               COUNTER, UNIT_PAGES,  "Pages written back." },
	{ "nr_throttled_written",     COUNTER, UNIT_PAGES,  "Pages written back while reclaim waited for it." },
	{ "nr_vmscan_*",              COUNTER, UNIT_PAGES,  "Pages that reclaim wrote or marked to be freed at once." },
	{ "nr_promote*",              COUNTER, UNIT_PAGES,  "Pages moved, or not moved, to a faster tier of memory." },
	{ "nr_demote*",               COUNTER, UNIT_PAGES,  "Pages moved, or not moved, to a slower tier of memory." },
	{ "nr_foll_pin_*",            COUNTER, UNIT_COUNT,  "Pins of user pages taken and given back." },
	{ "nr_tlb_*",                 COUNTER, UNIT_COUNT,  "Flushes of translation buffers." },
	/* levels */
	{ "nr_kernel_stack",          GAUGE,   UNIT_KIB,    "Memory of kernel stacks." },
	{ "nr_shadow_call_stack",     GAUGE,   UNIT_KIB,    "Memory of shadow call stacks." },
	{ "nr_*_hugepages",           GAUGE,   UNIT_COUNT,  "Huge pages of that use." },
	{ "nr_*_pmdmapped",           GAUGE,   UNIT_COUNT,  "Huge pages mapped as a whole." },
	{ "nr_*",                     GAUGE,   UNIT_PAGES,  "Pages in that state." },
	{ "workingset_nodes",         GAUGE,   UNIT_COUNT,  "Nodes of the page cache that hold shadows of evicted pages." },
	{ "*_threshold",              GAUGE,   UNIT_PAGES,  "A limit that the kernel computes." },
	/* events */
	{ "pgpgin",                   COUNTER, UNIT_KIB,    "Read from block devices." },
	{ "pgpgout",                  COUNTER, UNIT_KIB,    "Written to block devices." },
	{ "pswpin",                   COUNTER, UNIT_PAGES,  "Pages swapped in." },
	{ "pswpout",                  COUNTER, UNIT_PAGES,  "Pages swapped out." },
	{ "pgfault",                  COUNTER, UNIT_COUNT,  "Page faults." },
	{ "pgmajfault",               COUNTER, UNIT_COUNT,  "Page faults that waited for a device." },
	{ "pg*",                      COUNTER, UNIT_PAGES,  "Pages that took that way." },
	{ "numa_hit",                 COUNTER, UNIT_PAGES,  "Pages got from the node that was wanted." },
	{ "numa_miss",                COUNTER, UNIT_PAGES,  "Pages got from this node although another was wanted." },
	{ "numa_foreign",             COUNTER, UNIT_PAGES,  "Pages wanted from this node and got from another." },
	{ "numa_local",               COUNTER, UNIT_PAGES,  "Pages got from this node by a task that ran on it." },
	{ "numa_other",               COUNTER, UNIT_PAGES,  "Pages got from this node by a task that ran elsewhere." },
	{ "numa_*",                   COUNTER, UNIT_COUNT,  "Events of placing memory on nodes." },
	{ "workingset_*",             COUNTER, UNIT_PAGES,  "Evicted pages that were wanted again." },
	{ "unevictable_pgs_*",        COUNTER, UNIT_PAGES,  "Pages that came to or left the list of those that cannot be evicted." },
	{ "balloon_*",                COUNTER, UNIT_PAGES,  "Pages that the balloon took or gave back." },
	{ "zswp*",                    COUNTER, UNIT_PAGES,  "Pages of the compressed swap cache." },
	{ "swp*_zero",                COUNTER, UNIT_PAGES,  "Swapped pages of zeros, which need no room." },
	{ "swap_ra*",                 COUNTER, UNIT_PAGES,  "Pages read ahead from swap, and those that were used." },
	{ "allocstall*",              COUNTER, UNIT_COUNT,  "Allocations that had to reclaim memory themselves." },
	{ "compact_*",                COUNTER, UNIT_COUNT,  "Events of compaction." },
	{ "thp_*",                    COUNTER, UNIT_COUNT,  "Events of transparent huge pages." },
	{ "oom_kill",                 COUNTER, UNIT_COUNT,  "Processes killed for want of memory." },
	{ "drop_*",                   COUNTER, UNIT_COUNT,  "Caches dropped by request." },
	{ "*",                        COUNTER, UNIT_COUNT,  "Events that the kernel counts under that name." },
	{ 0 },
};
