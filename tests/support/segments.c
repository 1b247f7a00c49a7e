/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/segments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct run_header test_header(uint32_t sequence)
{
	return (struct run_header){
		.run = { TEST_RUN },
		.sequence = sequence,
		.host = "lab1",
		.boot_id = "b007",
		.agent_version = "0.1.0",
		.realtime_ns = UINT64_C(1700000000000000000),
		.monotonic_ns = UINT64_C(5000000000),
		.tick_ns = UINT64_C(1000000000),
	};
}

static const char *const whole[] = { "" };
static const struct metric meminfo[] = {
	{ "MemTotal", GAUGE, UNIT_KIB, 0, FOLD_NONE },
	{ "MemFree", GAUGE, UNIT_KIB, 0, FOLD_NONE },
};
const struct shape test_meminfo = { "meminfo", 1, meminfo, 2, whole, 1 };

static const char *const cpus[] = { "CPU0", "CPU1", "CPU2" };
static const struct metric interrupts[] = {
	{ "24", COUNTER, UNIT_COUNT, 0, FOLD_SUM },
	{ "NMI", COUNTER, UNIT_COUNT, 0, FOLD_SUM },
};
const struct shape test_interrupts = { "interrupts", 1, interrupts, 2, cpus, 3 };

struct sample test_sample(const struct shape *shape, const int64_t *values, uint64_t absent)
{
	struct err err = { 0 };
	struct sample s;

	assert_int_equal(sample_init(&s, shape, &err), 0);
	for (size_t slot = 0; slot < shape_slots(shape); slot++) {
		s.values[slot] = values[slot];
		if (slot >= 64 || !(absent >> slot & 1))
			s.present[slot / 64] |= UINT64_C(1) << slot % 64;
	}
	return s;
}

struct shape test_shape(const char *collector, uint32_t generation, size_t count)
{
	struct metric *metrics = calloc(count, sizeof(*metrics));

	assert_non_null(metrics);
	for (size_t i = 0; i < count; i++) {
		char *name = malloc(24);

		assert_non_null(name);
		(void)snprintf(name, 24, "m%zu", i);
		metrics[i] = (struct metric){ name, COUNTER, UNIT_COUNT, 0, FOLD_SUM };
	}
	return (struct shape){ collector, generation, metrics, count, whole, 1 };
}

void test_shape_free(struct shape *shape)
{
	for (size_t i = 0; i < shape->metric_count; i++)
		free((char *)(uintptr_t)shape->metrics[i].name);
	free((struct metric *)(uintptr_t)shape->metrics);
}
