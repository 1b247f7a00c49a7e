/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A row for each CPU that is online, all numbers of 32 bits:
 *
 *   2.6 to 2.6.34  9 columns; 2.6.35 a 10th, 3.11 an 11th, 5.10 the backlog and the number of the CPU, 6.2 two more
 *
 * Columns that kernels no longer fill keep the names that they had.
 */
#include "collectors/cpu_rows.h"

static const char *const names[] = {
	"processed", "dropped", "time_squeeze", "throttled", "fastroute_hit", "fastroute_success", "fastroute_defer",
	"fastroute_deferred_out", "cpu_collision", "received_rps", "flow_limit_count", "softnet_backlog_len",
	"cpu", "input_qlen", "process_qlen", NULL,
};

static const struct hint hints[] = {
	/* key                   kind       unit        help                                                                      exponent fold */
	{ "processed",           COUNTER32, UNIT_COUNT, "Packets taken in from devices, or passed on by another CPU.",            0, FOLD_SUM },
	{ "dropped",             COUNTER32, UNIT_COUNT, "Packets dropped because the CPU's backlog was full.",                    0, FOLD_SUM },
	{ "time_squeeze",        COUNTER32, UNIT_COUNT, "Rounds that ended with packets left, for want of time or budget.",       0, FOLD_SUM },
	{ "cpu_collision",       COUNTER32, UNIT_COUNT, "Collisions on a device's lock for sending; zero since 4.10.",            0, FOLD_SUM },
	{ "received_rps",        COUNTER32, UNIT_COUNT, "Times that this CPU was woken for packets that another one steered to it.", 0, FOLD_SUM },
	{ "flow_limit_count",    COUNTER32, UNIT_COUNT, "Packets dropped because their flow had too much of the backlog.",        0, FOLD_SUM },
	{ "softnet_backlog_len", GAUGE,     UNIT_COUNT, "Packets that wait in the CPU's backlog, both queues.",                   0, FOLD_SUM },
	{ "input_qlen",          GAUGE,     UNIT_COUNT, "Packets that wait to be taken over by the CPU.",                         0, FOLD_SUM },
	{ "process_qlen",        GAUGE,     UNIT_COUNT, "Packets that the CPU has taken over and not processed yet.",             0, FOLD_SUM },
	{ "throttled",           COUNTER32, UNIT_COUNT, "Of old kernels; zero since 2.6.",                                        0, FOLD_SUM },
	{ "fastroute_*",         COUNTER32, UNIT_COUNT, "Of old kernels that could pass packets from device to device; zero since.", 0, FOLD_SUM },
	{ "*",                   COUNTER32, UNIT_COUNT, "A number that newer kernels print behind the known ones.",               0, FOLD_SUM },
	{ 0 },
};

static const struct cpu_rows_format format = { names, 13, CPU_ROWS_ONLINE, true };

static int softnet_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return cpu_rows_open(state, self, &format, host, err);
}

const struct collector collector_softnet = {
	.name = "softnet",
	.description = "Packets taken in, dropped and steered, by CPU",
	.source = "proc/net/softnet_stat " CPU_ROWS_ONLINE,
	.hints = hints,
	.open = softnet_open,
	CPU_ROWS_STATE,
};
