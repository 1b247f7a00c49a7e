/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks that the command sets: a FIFO in the run's spool folder, whose path the command has in $ASSAY_MARK. A line of
 * it, "NAME" or "NAME VALUE", becomes a mark of the run with the time at which it was read. Lines of at most
 * PIPE_BUF (4096) bytes arrive whole, whoever else writes. Names are MARK_NAME_MAX printable characters at most, without
 * blanks, and not those the agent gives itself; what is refused is counted and told.
 */
#ifndef ASSAY_AGENT_MARKS_H
#define ASSAY_AGENT_MARKS_H

#include <pthread.h>
#include <stdbool.h>

#include "agent/recorder.h"

#define MARKS_VARIABLE "ASSAY_MARK"
#define MARK_NAME_MAX  64
#define MARK_VALUE_MAX 256
#define MARKS_MOST     10000 /* of a run */

struct marks {
	struct recorder *recorder;
	int fd, stop; /* stop: an eventfd */
	bool running;
	pthread_t thread;
	char line[4096];
	size_t length;
	bool too_long; /* the line that is being read */
	uint64_t count, refused;
};

/* Put where the FIFO of a run will be into the environment, for the command that is forked next; then make the
 * environment what it was. `before` is for marks_withdraw() alone. 0 or -ENOMEM. */
int marks_offer(const char *spool, const struct ulid *run, char **before, struct err *err);
void marks_withdraw(char *before);

/* 0, or -errno with words: the run goes on without marks. */
int marks_start(struct marks *m, int folder, struct recorder *recorder, struct err *err);
void marks_stop(struct marks *m); /* what stands in the FIFO is read first; may be called without a start */

#endif
