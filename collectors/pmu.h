/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An event that sysfs names, of a PMU that counts for a whole CPU, core or package: msr, cstate_core, cstate_pkg, power.
 *
 *   sys/bus/event_source/devices/<pmu>/type             9
 *   sys/bus/event_source/devices/<pmu>/events/<event>   event=0x02
 *   sys/bus/event_source/devices/<pmu>/cpumask          0,16: the CPUs that count for the others; not there: each
 */
#ifndef ASSAY_COLLECTORS_PMU_H
#define ASSAY_COLLECTORS_PMU_H

#include "host/cpulist.h"
#include "host/host.h"

#define PMU_FOLDER "sys/bus/event_source/devices/"

struct pmu_event {
	uint32_t type;
	uint64_t config;
	struct cpulist cpus; /* of the mask; empty: there is none */
};

/* -ENOENT: the kernel shows no such event. -EOPNOTSUPP: a recorded tree has no counters. The caller frees `cpus`. */
int pmu_event_find(const struct host *host, const char *pmu, const char *event, struct pmu_event *ret, struct err *err);

/* A counter that runs from here on: an O_CLOEXEC descriptor the caller closes, or -errno. */
int pmu_event_open(const struct pmu_event *event, unsigned cpu);

/* 0 or -errno. */
int pmu_event_read(int fd, uint64_t *ret);

/* Why it could not be opened, and what helps: "needs CAP_PERFMON or perf_event_paranoid 0 or less". */
const char *pmu_refused(int code);

#endif
