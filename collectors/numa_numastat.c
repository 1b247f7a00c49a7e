/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/keyed.h"

static const struct hint hints[] = {
	/* key             kind     unit        help */
	{ "numa_hit",       COUNTER, UNIT_PAGES, "Pages got from the node that was wanted." },
	{ "numa_miss",      COUNTER, UNIT_PAGES, "Pages got from this node although another was wanted." },
	{ "numa_foreign",   COUNTER, UNIT_PAGES, "Pages wanted from this node and got from another." },
	{ "interleave_hit", COUNTER, UNIT_PAGES, "Pages that were to be interleaved and were got from the node in turn." },
	{ "local_node",     COUNTER, UNIT_PAGES, "Pages got from this node by a task that ran on it." },
	{ "other_node",     COUNTER, UNIT_PAGES, "Pages got from this node by a task that ran elsewhere." },
	{ "*",              COUNTER, UNIT_PAGES, "Pages, as the kernel counts them for that node." },
	{ 0 },
};

const struct collector collector_numa_numastat = {
	.name = "numa-numastat",
	.description = "Where pages were wanted and where they were got, by node",
	.source = "sys/devices/system/node/node*/numastat sys/devices/system/node/online",
	.hints = hints,
	KEYED_FILE,
};
