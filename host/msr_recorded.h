/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording's registers, msr/msr.txt; for host/msr.c and its fuzzer. */
#ifndef ASSAY_HOST_MSR_RECORDED_H
#define ASSAY_HOST_MSR_RECORDED_H

#include <stdint.h>

#include "host/cpulist.h"
#include "host/host.h"

struct msr_recorded {
	uint32_t address;
	unsigned cpu;
	uint64_t value;
};

/* -ENOENT: there is no such file. -EBADMSG: not of that form, naming the place. The caller frees `ret`. */
int msr_recorded_read(const struct host *host, struct msr_recorded **ret, size_t *count, struct err *err);
int msr_recorded_parse(struct text content, struct msr_recorded **ret, size_t *count, struct err *err);

/* Which CPUs stand there. */
int msr_recorded_cpus(const struct msr_recorded *at, size_t count, struct cpulist *ret, struct err *err);

/* -EIO: the recording does not have it. */
int msr_recorded_find(const struct msr_recorded *at, size_t count, unsigned cpu, uint32_t address, uint64_t *ret);

#endif
