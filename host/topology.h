/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many CPUs, cores, sockets, nodes and which caches sysfs shows; for this room only. */
#ifndef ASSAY_HOST_TOPOLOGY_H
#define ASSAY_HOST_TOPOLOGY_H

#include "base/pairs.h"
#include "host/host.h"

/* Sets cpu.online, cpu.threads, cpu.cores, cpu.sockets, cpu.cache.*, node.count and node.<n>.cpus, each if sysfs tells it.
 * 0 or -ENOMEM. */
int topology_facts(const struct host *host, struct pairs *ret);

/* The file's text without blanks around it, in `content`; empty when it cannot be read. 0 or -ENOMEM. */
int fact_read(const struct host *host, const char *path, struct buf *content, struct text *ret);

/* The same of the first file that matches: a star stands for the first of its folder, in natural order, that has it. */
int fact_read_first(const struct host *host, const char *pattern, struct buf *content, struct text *ret);

#endif
