/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/keyed.h"

static const struct hint hints[] = {
	/* key          kind   unit        help */
	{ "HugePages_*", GAUGE, UNIT_PAGES, "Huge pages of the default size." },
	{ "*",           GAUGE, UNIT_NONE,  "Memory, as the kernel names it; the file tells the unit." },
	{ 0 },
};

const struct collector collector_meminfo = {
	.name = "meminfo",
	.description = "How the machine's memory is spent",
	.source = "proc/meminfo",
	.hints = hints,
	KEYED_FILE,
};
