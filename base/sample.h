/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shape, sample, snapshot: a collector's numbers and their meaning.
 *
 * A shape is a product, metrics x instances; slot = metric * instance_count + instance. An instance named "" is the
 * whole (the line "cpu" of proc/stat, an interrupt line with one number); a collector that measures one thing has
 * just that instance. Several instances keep the kernel's own names: "CPU0", "node1", "dentry", "nvme0n1".
 *
 * A slot that nobody put is absent. Absent is not zero.
 */
#ifndef ASSAY_BASE_SAMPLE_H
#define ASSAY_BASE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/metric.h"

struct shape {
	const char *collector;
	uint32_t generation; /* counts up each time the collector was opened anew; 1 is the first */
	const struct metric *metrics;
	size_t metric_count;
	const char *const *instances;
	size_t instance_count; /* at least 1 */
};

static inline size_t shape_slots(const struct shape *shape)
{
	return shape->metric_count * shape->instance_count;
}

struct sample {
	const struct shape *shape;
	int64_t *values;   /* [shape_slots]; a u64 of the kernel keeps its bits */
	uint64_t *present; /* one bit a slot */
	uint64_t begin_ns; /* CLOCK_MONOTONIC when the collector was asked */
	uint64_t cost_ns;  /* how long it took */
};

struct snapshot {
	uint64_t tick; /* counts from 0; the tick's number, not the snapshot's */
	uint64_t monotonic_ns;
	uint64_t lateness_ns; /* behind the deadline */
	const struct sample *samples;
	size_t count;
};

/* Lend memory for a shape. 0 or -ENOMEM with `err` filled; sample_free() takes a zeroed sample, too. */
int sample_init(struct sample *sample, const struct shape *shape, struct err *err);
void sample_clear(struct sample *sample); /* nothing is present */
void sample_free(struct sample *sample);

static inline size_t sample_slot(const struct sample *s, size_t metric, size_t instance)
{
	return metric * s->shape->instance_count + instance;
}

static inline void sample_put(struct sample *s, size_t metric, size_t instance, uint64_t value)
{
	size_t slot = sample_slot(s, metric, instance);

	s->values[slot] = (int64_t)value;
	s->present[slot / 64] |= UINT64_C(1) << slot % 64;
}

static inline bool sample_has(const struct sample *s, size_t slot)
{
	return s->present[slot / 64] >> slot % 64 & 1;
}

#endif
