/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The thread that takes sealed segments to where they belong, the oldest first.
 *
 * What cannot be delivered now is tried again: not before the time the server asked for, else after a pause that
 * doubles from 0.1 s to 60 s and of which the upper half is random, so that a room full of agents does not come back
 * at one instant. What is refused is set aside and the next one is taken.
 */
#ifndef ASSAY_AGENT_COURIER_H
#define ASSAY_AGENT_COURIER_H

#include <pthread.h>
#include <stdatomic.h>

#include "agent/agent.h"
#include "agent/shipper.h"
#include "agent/spool.h"

/* Pauses between attempts. Zero it to begin. */
struct pause {
	unsigned failures; /* in a row */
};

/* ns until the next attempt; `random` is any number. */
uint64_t pause_next(struct pause *pause, uint64_t asked_ns, uint64_t random);
uint64_t pause_random(void);

/* Where segments go: a URL, or a callback. */
struct destination {
	struct shipper *shipper; /* NULL: the callback */
	int (*deliver)(void *context, const struct ulid *run, uint32_t sequence, struct text sealed, struct err *err);
	void *context;
};

/* One segment of the spool. 0: it is there and gone from here. -EBADMSG, -EEXIST, -EMSGSIZE: set aside. -ENOENT:
 * there is none. Else later; *retry_ns as from shipper_put(). `bytes` is told how many were delivered. */
int destination_take(struct destination *d, struct spool *spool, uint32_t sequence, size_t *bytes, uint64_t *retry_ns,
		     struct err *err);

struct courier {
	struct destination destination;
	struct spool *spool;
	void (*notice)(void *context, const char *text);
	void *notice_context;
	pthread_t thread;
	bool running;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	uint32_t ready, next;          /* of all up to `ready`, those before `next` are done */
	bool closing;
	_Atomic uint64_t give_up_ns;   /* CLOCK_MONOTONIC */
	uint32_t refused;
	bool complained;               /* of the failure that lasts */
	struct err last;               /* failure */
};

void courier_open(struct courier *c); /* the first five fields are set, the others zero */
int courier_start(struct courier *c, struct err *err);
void courier_ready(struct courier *c, uint32_t sequence); /* any thread: all up to it are sealed */

/* Wait until all that is ready is delivered, at most `grace_ns`. How many are left, of which some refused. */
uint32_t courier_finish(struct courier *c, uint64_t grace_ns);
void courier_close(struct courier *c);

#endif
