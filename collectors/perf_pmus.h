/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The PMUs of a host, as sys/bus/event_source/devices shows them; each is looked up when it is first named, since a
 * server has some hundred of them.
 *
 *   cpu/ or cpu_core/ cpu_atom/ or armv8_.../   those of the cores; on hybrid parts each has its CPUs in `cpus`
 *   uncore_imc_0/cpumask: 0,28                  counts for a socket: opened on these CPUs, one of each socket
 *   msr/                                        no such file: on every CPU
 *
 * "software" and "tracepoint" are PMUs that need no folder.
 */
#ifndef ASSAY_COLLECTORS_PERF_PMUS_H
#define ASSAY_COLLECTORS_PERF_PMUS_H

#include "host/cpulist.h"
#include "host/host.h"

#define PERF_DEVICES "sys/bus/event_source/devices"

struct perf_pmu {
	char *name;
	uint32_t type;
	bool core;
	bool shared; /* it counts for more than one CPU: a box of the uncore */
	struct cpulist cpus; /* online ones, on which its events are opened */
};

struct perf_pmus {
	const struct host *host;
	struct perf_pmu *at;
	size_t count, room;
	struct cpulist online;
	bool cores_known;
};

int perf_pmus_open(struct perf_pmus *p, const struct host *host, struct err *err);
void perf_pmus_close(struct perf_pmus *p);

/* Numbers of PMUs, good until close. -ENOENT: it is not there; what its folder holds that is no number is -EBADMSG. */
int perf_pmus_find(struct perf_pmus *p, struct text name, struct err *err);
int perf_pmus_of_type(struct perf_pmus *p, uint32_t type, struct err *err);

/* Find those of the cores: at[i].core is right from here on. 0, also when there is none; -ENOMEM. */
int perf_pmus_cores(struct perf_pmus *p, struct err *err);

/* Is a type written into the upper half of a generic event's config, since there is more than one kind of core? */
bool perf_pmu_is_hybrid(const struct perf_pmu *pmu);

/* Names of all PMUs that a user may mean by `name`: itself, or "uncore_imc_0", "uncore_imc_1" by "uncore_imc" or "imc". */
int perf_pmus_match(const struct perf_pmus *p, struct text name, struct names *ret, struct err *err);

#endif
