/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process that prints ticks (collectors/exec.h), and what has come out of it. */
#ifndef ASSAY_COLLECTORS_CHILD_H
#define ASSAY_COLLECTORS_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/text.h"

#define CHILD_BUFFER ((size_t)64 << 10)

struct child {
	/* Set by the caller, the rest zero. */
	const char *name;         /* for words */
	const char *const *argv;
	uint64_t patience_ns;

	pid_t pid;                /* 0: there is none */
	int process, out, err;    /* pidfd and pipes, of one that is there */
	uint64_t whole_ns;        /* when it finished a tick, or was started */
	uint64_t started_ns;
	uint64_t again_ns;        /* not started before */
	uint64_t pause_ns;        /* after it ended next */
	size_t taken;             /* bytes of buf up to the last whole tick's end */
	size_t length;
	bool fresh;               /* `tick` has not been looked at */
	struct text tick;         /* the last whole one; in buf */
	struct err why;           /* it is not running */
	char said[160];           /* the last line on stderr */
	size_t said_length;
	bool said_whole;          /* the next byte begins a new line */
	char buf[CHILD_BUFFER];
};

/*
 * Start it if it is time, take what its pipes hold, end one that hangs. 0; -EAGAIN: it does not run, as `why` tells.
 * Never waits; allocates nothing but what a start needs.
 */
int child_turn(struct child *c, uint64_t now_ns, struct err *err);

/* Until there is a fresh tick, it ends, or `most_ms` have passed. */
void child_wait(struct child *c, int most_ms);

void child_end(struct child *c); /* SIGTERM, SIGKILL after a moment; also of a zeroed one */

/* Can it be started? -errno with words. */
int child_look(const char *name, const char *const *argv, struct err *err);

#endif
