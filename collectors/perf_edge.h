/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The few calls by which counters are had of the kernel, so that a test can be the kernel. */
#ifndef ASSAY_COLLECTORS_PERF_EDGE_H
#define ASSAY_COLLECTORS_PERF_EDGE_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

struct perf_edge {
	void *context;
	/* A descriptor, or -errno. `group`: the leader's, or -1. */
	int (*open)(void *context, struct perf_event_attr *attr, int process, int cpu, int group);
	int (*enable)(void *context, int fd); /* a group, by its leader */
	/* Bytes, or -errno. */
	long (*read)(void *context, int fd, void *buffer, size_t size);
	void (*close)(void *context, int fd);
	/* Have this process allowed so many descriptors more, as far as its hard limit goes; how many it may have now. */
	uint64_t (*allow)(void *context, uint64_t more);
};

extern const struct perf_edge perf_edge_kernel;

#endif
