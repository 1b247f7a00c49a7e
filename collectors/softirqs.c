/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/matrix.h"

/* A column for each possible CPU, online or not; counted in 32 bits. */
static const struct hint hints[] = {
	/* key kind       unit        help                                            exponent fold */
	{ "*", COUNTER32, UNIT_COUNT, "Deferred work of interrupts, by kind and CPU.", 0,       FOLD_SUM },
	{ 0 },
};

static int softirqs_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return matrix_open(state, self, false, host, err);
}

const struct collector collector_softirqs = {
	.name = "softirqs",
	.description = "Deferred work of interrupts by kind and CPU",
	.source = "proc/softirqs",
	.hints = hints,
	.state_size = sizeof(struct matrix),
	.interval_ms = 10000,
	.open = softirqs_open,
	.shape = matrix_shape,
	.sample = matrix_sample,
	.close = matrix_close,
};
