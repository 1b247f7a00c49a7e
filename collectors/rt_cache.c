/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/cpu_rows.h"

/* "entries" is the whole machine's, in every row. */
static const struct hint hints[] = {
	/* key             kind       unit        help                                                             exponent fold */
	{ "entries",        GAUGE,     UNIT_COUNT, "Routes of IPv4 that are kept for destinations.",                0, FOLD_MAX },
	{ "in_slow_tot",    COUNTER32, UNIT_COUNT, "Packets received whose route had to be looked up.",             0, FOLD_SUM },
	{ "out_slow_tot",   COUNTER32, UNIT_COUNT, "Packets sent whose route had to be looked up.",                 0, FOLD_SUM },
	{ "in_martian_*",   COUNTER32, UNIT_COUNT, "Packets received with an address that cannot be.",              0, FOLD_SUM },
	{ "in_no_route",    COUNTER32, UNIT_COUNT, "Packets received that no route is for.",                        0, FOLD_SUM },
	{ "*",              COUNTER32, UNIT_COUNT, "Routes looked up or cleared away, as the kernel names it; most are zero since 3.6.", 0, FOLD_SUM },
	{ 0 },
};

const struct collector collector_rt_cache = {
	.name = "rt-cache",
	.description = "Routes looked up for packets of IPv4, by CPU",
	.source = "proc/net/stat/rt_cache " CPU_ROWS_POSSIBLE,
	.hints = hints,
	.open = cpu_rows_open_headed,
	CPU_ROWS_STATE,
};
