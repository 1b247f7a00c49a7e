/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/keyed.h"
#include "collectors/vmstat_hints.h"

const struct collector collector_numa_vmstat = {
	.name = "numa-vmstat",
	.description = "Pages by state, by node",
	.source = "sys/devices/system/node/node*/vmstat sys/devices/system/node/online",
	.hints = vmstat_hints,
	KEYED_FILE,
};
