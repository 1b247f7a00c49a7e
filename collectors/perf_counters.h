/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of events, opened on their CPUs and read with one call a group and CPU.
 *
 * A counter that shares its PMU with others counts in part of the time: what a read gives is scaled by the time that
 * went by over the time in which it counted, CPU by CPU and from read to read, in whole numbers, and added up. So the
 * sum over 256 CPUs is as good as the 256 numbers, and a CPU on which it never counted takes no part in it.
 *
 * Descriptors: events x CPUs. What does not fit into the limit is left out by whole events, the last ones first.
 */
#ifndef ASSAY_COLLECTORS_PERF_COUNTERS_H
#define ASSAY_COLLECTORS_PERF_COUNTERS_H

#include "collectors/perf_edge.h"
#include "collectors/perf_events.h"

/* One group on one CPU. */
struct perf_place {
	int cpu; /* -1: wherever the command runs */
	int fd;	 /* the leader's, by which all are read; -1: the CPU was gone */
	bool begun;
	uint64_t enabled, running;	     /* ns, at the last read in which it had counted */
	uint64_t seen_enabled, seen_running; /* ns, at the last read */
	uint64_t *values;		     /* [events] at the last read in which it had counted */
	int *fds;			     /* [events] */
};

struct perf_counter {
	size_t first, count, pmu; /* as in struct perf_group; groups that did not fit were parted */
	struct perf_place *places;
	size_t place_count;
};

/* What went by on the places that were read into it, since the first read of each. */
struct perf_total {
	uint64_t enabled, running; /* ns */
	uint64_t counted;	   /* how many counted between the last two reads; the caller makes it 0 before a round */
	uint64_t *events;	   /* [events] scaled */
};

struct perf_counters {
	/* Set by the caller, the rest zero. */
	const struct perf_edge *edge;
	const struct host *host;
	int command;	   /* count this process and all it forks, from its next execve() on; 0: all, CPU by CPU */
	size_t group_most; /* events of the cores in one group; 0: as many as the kernel takes */

	struct perf_events events;
	struct perf_counter *at;
	size_t count, room;
	bool user_only;	    /* the kernel allows no more */
	bool full;	    /* no descriptors are left */
	uint64_t wanted, limit; /* descriptors */
};

/*
 * Open what can be opened of `list` (collectors/perf_events.h); what cannot is told in events.without. -EINVAL: not
 * such a list. -EACCES: not allowed, `err` says what would help. -EMFILE: not one event fits. -ENOENT: there is nothing
 * that could be counted, `err` says why.
 */
int perf_counters_open(struct perf_counters *c, const char *list, bool groups, struct err *err);
void perf_counters_close(struct perf_counters *c); /* also of one that could not be opened */

/* Read one place, and add to `total` what went by. Allocates nothing. -errno: nothing was added. */
int perf_counters_read(const struct perf_counters *c, const struct perf_counter *counter, struct perf_place *place,
		       struct perf_total *total);

/* The words for who is not allowed to count, by what the kernel's setting is. -EACCES. */
int perf_not_allowed(const struct host *host, bool command, struct err *err);

#endif
