/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What collectors cost here: `assay collectors --cost`. */
#ifndef ASSAY_CLI_COST_H
#define ASSAY_CLI_COST_H

#include <stdbool.h>

#include "collectors/collector.h"

/*
 * Opens each of `list` (ends at NULL) that works here, takes a few samples of it and prints a table, the dearest for the CPU
 * first: values present, bytes read by a sample, microseconds of CPU, nanoseconds by value, interval, lane, percent of one
 * CPU at that interval. 0 or -errno.
 */
int cost_print(const struct collector *const *list, const struct host *host, bool json, struct err *err);

/* The second lane is that of the dear ones: "cheap", "dear". */
const char *lane_name(const struct collector *c);

#endif
