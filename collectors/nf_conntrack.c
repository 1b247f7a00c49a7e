/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/cpu_rows.h"

/* "entries" is the whole table's, in every row. */
static const struct hint hints[] = {
	/* key              kind       unit        help                                                              exponent fold */
	{ "entries",        GAUGE,     UNIT_COUNT, "Connections in the table.",                                      0, FOLD_MAX },
	{ "found",          COUNTER32, UNIT_COUNT, "Connections found where a new one would have been put.",         0, FOLD_SUM },
	{ "invalid",        COUNTER32, UNIT_COUNT, "Packets that could not be tracked.",                             0, FOLD_SUM },
	{ "insert",         COUNTER32, UNIT_COUNT, "Connections put into the table; zero since 4.8.",                0, FOLD_SUM },
	{ "insert_failed",  COUNTER32, UNIT_COUNT, "Connections that were there already when they should be put in.", 0, FOLD_SUM },
	{ "drop",           COUNTER32, UNIT_COUNT, "Packets dropped because a connection could not be put in.",      0, FOLD_SUM },
	{ "early_drop",     COUNTER32, UNIT_COUNT, "Connections thrown out because the table was full.",             0, FOLD_SUM },
	{ "search_restart", COUNTER32, UNIT_COUNT, "Searches begun anew because the table was resized meanwhile.",   0, FOLD_SUM },
	{ "expect_*",       COUNTER32, UNIT_COUNT, "Connections that another one announced: new, made, taken away.", 0, FOLD_SUM },
	{ "*",              COUNTER32, UNIT_COUNT, "Events of connection tracking, as the kernel names them.",       0, FOLD_SUM },
	{ 0 },
};

const struct collector collector_nf_conntrack = {
	.name = "nf-conntrack",
	.description = "Connections tracked by netfilter, and what befell them, by CPU",
	.source = "proc/net/stat/nf_conntrack " CPU_ROWS_POSSIBLE,
	.hints = hints,
	.open = cpu_rows_open_headed,
	CPU_ROWS_STATE,
};
