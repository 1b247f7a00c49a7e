/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of events by name -> what the kernel calls them, on which PMU, in which groups.
 *
 *   default                     the groups of spec A.3.8, and the top-down ones where the cores show "slots"
 *   topdown                     level 1 of the top-down breakdown, by whichever of its two forms sysfs shows
 *   {cpu-cycles,instructions}   a group: counted at the same time or not at all
 *   cycles dTLB-loads:u         the kernel's own names (collectors/perf_names.h)
 *   r01c2                       raw, for the cores' PMU
 *   cpu/event=0x3c,umask=1/     terms of sysfs (collectors/perf_format.h), ":u" and the like behind the last slash;
 *   uncore_imc/cas_count_read/  of each uncore_imc_0, uncore_imc_1 ...
 *   sched:sched_switch          a tracepoint, where tracefs shows it
 *   slots                       an event of sysfs of the cores' PMU
 *   INST_RETIRED:ANY_P          all else is asked of libpfm4 (collectors/perf_library.h)
 *
 * A name of the cores' is taken for each kind of core. Separators are commas and blanks.
 */
#ifndef ASSAY_COLLECTORS_PERF_EVENTS_H
#define ASSAY_COLLECTORS_PERF_EVENTS_H

#include "base/pairs.h"
#include "collectors/perf_format.h"
#include "collectors/perf_pmus.h"

#define PERF_GROUP_MAX 32

struct perf_event {
	char *name; /* as asked for */
	struct perf_code code;
	size_t pmu;
	unsigned factor; /* a whole number that sysfs says counts are to be multiplied by; mostly 1 */
};

/* Events of one PMU, one after the other. */
struct perf_group {
	size_t first, count, pmu;
};

struct perf_events {
	struct perf_pmus pmus;
	struct perf_event *at;
	size_t count, room;
	struct perf_group *groups;
	size_t group_count, group_room;
	struct pairs without; /* what is left out, by name: why */
	bool apart; /* set by the caller: every event is a group of its own */
};

/*
 * Zero it, set `apart`, then make it. 0, also when nothing is left to count: `without` tells why. -EINVAL: not such a
 * list, naming the place. The host has no list of its CPUs: the error of its file.
 */
int perf_events_make(struct perf_events *e, const struct host *host, const char *list, struct err *err);
void perf_events_free(struct perf_events *e); /* also of one that could not be made */

/* Note that something is left out; a reason that stands there already stays. */
int perf_events_leave_out(struct perf_events *e, const char *name, const char *why, struct err *err);

#endif
