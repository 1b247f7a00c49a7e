/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/keyed.h"

static const struct hint hints[] = {
	/* key          kind   unit        help */
	{ "HugePages_*", GAUGE, UNIT_PAGES, "Huge pages of the default size, on that node." },
	{ "*",           GAUGE, UNIT_NONE,  "Memory of that node, as the kernel names it; the file tells the unit." },
	{ 0 },
};

const struct collector collector_numa_meminfo = {
	.name = "numa-meminfo",
	.description = "How each node's memory is spent",
	.source = "sys/devices/system/node/node*/meminfo sys/devices/system/node/online",
	.hints = hints,
	KEYED_FILE,
};
