/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deadlines: start, start + tick, start + 2 tick ... Pure arithmetic over CLOCK_MONOTONIC, ns.
 *
 * A deadline is never moved: who comes late finds the next one where it always was. Deadlines that passed while
 * nobody looked are missed; only the last of them is served.
 */
#ifndef ASSAY_AGENT_SCHEDULE_H
#define ASSAY_AGENT_SCHEDULE_H

#include <stdint.h>

struct schedule {
	uint64_t start_ns, tick_ns;
	uint64_t next; /* number of the tick that is waited for; 0 is at start_ns */
};

struct due {
	uint64_t tick;        /* to be served now */
	uint64_t lateness_ns; /* behind its deadline */
	uint64_t missed;      /* ticks before it that nobody served */
};

static inline uint64_t schedule_deadline(const struct schedule *s)
{
	return s->start_ns + s->next * s->tick_ns;
}

/* What is due at `now`, which is not before schedule_deadline(); then waits for the tick after it. */
static inline struct due schedule_take(struct schedule *s, uint64_t now_ns)
{
	uint64_t tick = (now_ns - s->start_ns) / s->tick_ns;
	struct due due = {
		.tick = tick,
		.lateness_ns = now_ns - s->start_ns - tick * s->tick_ns,
		.missed = tick - s->next,
	};

	s->next = tick + 1;
	return due;
}

#endif
