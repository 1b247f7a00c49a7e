/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/matrix.h"

/* The kernel counts them, per CPU and for the machine, in 32 bits. */
static const struct hint hints[] = {
	/* key kind       unit        help                                        exponent fold */
	{ "*", COUNTER32, UNIT_COUNT, "Interrupts, by line, controller and device.", 0,    FOLD_SUM },
	{ 0 },
};

static int interrupts_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return matrix_open(state, self, true, host, err);
}

const struct collector collector_interrupts = {
	.name = "interrupts",
	.description = "Interrupts by line and CPU",
	.source = "proc/interrupts",
	.hints = hints,
	.state_size = sizeof(struct matrix),
	.interval_ms = 10000,
	.open = interrupts_open,
	.shape = matrix_shape,
	.sample = matrix_sample,
	.close = matrix_close,
};
