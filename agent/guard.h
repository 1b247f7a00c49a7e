/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process that outlives ours, should we be killed. The kernel then tells the command alone (SIGTERM): its workers would
 * go on unseen, and spoil what is measured next on this machine. The guard waits until the command has ended, 10 s at
 * most, and sends SIGTERM to what is left of its process group. What has left the group (a daemon, by setsid) has done
 * so to live on, and does.
 *
 * It sleeps in a read of a pipe that only we can write to. Its session is its own: what kills our group spares it.
 */
#ifndef ASSAY_AGENT_GUARD_H
#define ASSAY_AGENT_GUARD_H

#include <sys/types.h>

#include "base/err.h"

struct guard {
	pid_t pid;   /* 0: none */
	int release; /* a byte into it, and the guard goes without a deed */
};

int guard_start(struct guard *g, pid_t command, struct err *err);
void guard_end(struct guard *g); /* may be called twice */

#endif
