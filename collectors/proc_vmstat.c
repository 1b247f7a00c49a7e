/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/keyed.h"
#include "collectors/vmstat_hints.h"

const struct collector collector_proc_vmstat = {
	.name = "proc-vmstat",
	.description = "Pages by state, and events of memory management",
	.source = "proc/vmstat",
	.hints = vmstat_hints,
	KEYED_FILE,
};
