/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks each collector when it is due. Cheap ones and dear ones have a thread each, a lane, so that the dear make no
 * cheap one late. All deadlines are counted from one moment, the opening snapshot's; each collector has its interval,
 * a multiple of the tick, and a lane wakes only when one of its own is due.
 *
 * A dear collector that knows of levels only is no part of the opening and closing snapshots, which make differences: its
 * lane asks it first SAMPLER_LATER_NS after the start, and a command that is over by then does not pay for it.
 *
 * A collector that fails is told of once, with its path and the reason; what it could not give is absent. One that
 * gave nothing at all is asked again after SAMPLER_RETRY_NS. It is told of once more when all of it is back.
 */
#ifndef ASSAY_AGENT_SAMPLER_H
#define ASSAY_AGENT_SAMPLER_H

#include <pthread.h>
#include <stdatomic.h>

#include "agent/agent.h"
#include "agent/recorder.h"
#include "agent/schedule.h"

#define SAMPLER_LATER_NS (UINT64_C(1000000000) / 10)
#define SAMPLER_RETRY_NS (60 * UINT64_C(1000000000))

struct asked {
	const struct collector_choice *choice;
	struct collector_run run;
	uint64_t every;    /* ticks */
	uint64_t due;      /* number of the tick */
	bool levels;       /* dear, and levels only */
	bool failing;      /* and that was told */
	uint64_t retry_ns; /* it gave nothing at all: not asked before */
};

struct sampler;

struct lane {
	struct sampler *sampler;
	struct asked *at;
	size_t count;
	struct sample *samples; /* those of one snapshot */
	struct schedule schedule; /* in steps of the intervals' greatest common divisor */
	uint64_t step;          /* that many ticks */
	bool running;
	pthread_t thread;
};

struct sampler {
	/* Set by the caller, the rest zero. */
	const struct host *host;
	struct recorder *recorder;
	uint64_t tick_ns, retry_ns;
	void (*notice)(void *context, const char *text);
	void *notice_context;

	struct lane lane[2]; /* cheap; dear */
	struct sample *samples; /* room for all */
	pthread_mutex_t mutex;
	pthread_cond_t stop;
	bool stopping;
	uint64_t start_ns;
	int64_t suspended_ns, wall_ns; /* what the other clocks were ahead of CLOCK_MONOTONIC */
	atomic_uint_fast64_t missed, errors;
};

/* Opens what can be opened; the others are told of and tried again. -ENOMEM. */
int sampler_open(struct sampler *s, const struct collector_choice *choices, size_t count, struct err *err);

/* Add the notes of those that are open. 0 or -ENOMEM. Before the lanes run. */
int sampler_notes(const struct sampler *s, struct pairs *ret);

/* All collectors but those of dear levels at once, by the caller's thread; not while the lanes run. The first one begins the time of the ticks. */
void sampler_whole(struct sampler *s);

int sampler_start(struct sampler *s, struct err *err);
void sampler_stop(struct sampler *s); /* waits for a sample that is being taken */
void sampler_close(struct sampler *s);

#endif
