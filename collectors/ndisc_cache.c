/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/cpu_rows.h"

/* "entries" is the whole table's, in every row. */
static const struct hint hints[] = {
	/* key                  kind     unit        help                                                                exponent fold */
	{ "entries",             GAUGE,   UNIT_COUNT, "Neighbours in the table of IPv6.",                                  0, FOLD_MAX },
	{ "lookups",             COUNTER, UNIT_COUNT, "Neighbours looked up.",                                            0, FOLD_SUM },
	{ "hits",                COUNTER, UNIT_COUNT, "Neighbours looked up and found.",                                  0, FOLD_SUM },
	{ "res_failed",          COUNTER, UNIT_COUNT, "Neighbours whose address could not be found out.",                 0, FOLD_SUM },
	{ "unresolved_discards", COUNTER, UNIT_COUNT, "Packets dropped while their neighbour's address was looked for.",  0, FOLD_SUM },
	{ "table_fulls",         COUNTER, UNIT_COUNT, "Neighbours refused because the table was full.",                   0, FOLD_SUM },
	{ "*",                   COUNTER, UNIT_COUNT, "Events of the table of neighbours of IPv6, as the kernel names them.", 0, FOLD_SUM },
	{ 0 },
};

const struct collector collector_ndisc_cache = {
	.name = "ndisc-cache",
	.description = "The table of neighbours of IPv6, by CPU",
	.source = "proc/net/stat/ndisc_cache " CPU_ROWS_POSSIBLE,
	.hints = hints,
	.open = cpu_rows_open_headed,
	CPU_ROWS_STATE,
};
