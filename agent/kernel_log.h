/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's log while a run goes on: each record of /dev/kmsg that comes after the start becomes a log frame of the
 * source LOG_SOURCE_KERNEL. A thread of its own sleeps until there is one.
 *
 * Records that were overwritten before they were read, or found no place within `limit`, are counted. Where the log
 * may not be read the fact KERNEL_LOG_FACT says so. Of a recorded tree the whole of its dev/kmsg or log/dmesg is
 * told, line by line.
 */
#ifndef ASSAY_AGENT_KERNEL_LOG_H
#define ASSAY_AGENT_KERNEL_LOG_H

#include <pthread.h>
#include <stdbool.h>

#include "agent/recorder.h"
#include "host/host.h"

struct kernel_log {
	/* Set by the caller, the rest zero. */
	const struct host *host;
	struct recorder *recorder;
	size_t limit; /* bytes of records that are kept; errors and worse have as much again for themselves */

	int fd, stop; /* stop: an eventfd */
	bool started, running;
	pthread_t thread;
	uint64_t next;    /* number of the record that should come next; 0: not known */
	size_t kept[2];   /* bytes: of all others, of errors and worse */
	uint64_t lost;    /* overwritten before they were read */
	uint64_t dropped; /* beyond the limit */
};

/* Before the command starts. Never fails towards the run: the fact tells what could not be done. */
void kernel_log_start(struct kernel_log *k);
/* What has come until now is told, then it ends. May be called without a start, and twice. */
void kernel_log_stop(struct kernel_log *k);

#endif
