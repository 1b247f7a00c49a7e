/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clocks, in ns. Suspended time is clock_boottime() moving more than clock_monotonic(). */
#ifndef ASSAY_HOST_CLOCK_H
#define ASSAY_HOST_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t); /* cannot fail for the clocks below */
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t clock_monotonic(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static inline uint64_t clock_realtime(void)
{
	return clock_ns(CLOCK_REALTIME);
}

static inline uint64_t clock_boottime(void)
{
	return clock_ns(CLOCK_BOOTTIME);
}

/* CPU time of the calling thread. */
static inline uint64_t clock_thread(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

#endif
