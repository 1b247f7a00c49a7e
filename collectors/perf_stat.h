/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests, which are the kernel themselves: perf-stat opened by another edge, on any host. */
#ifndef ASSAY_COLLECTORS_PERF_STAT_H
#define ASSAY_COLLECTORS_PERF_STAT_H

#include "collectors/collector.h"
#include "collectors/perf_edge.h"

extern const struct collector collector_perf_stat;

int perf_stat_open_by(const struct collector *self, void *state, const struct host *host, const struct perf_edge *edge,
		      struct err *err);

#endif
