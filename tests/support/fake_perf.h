/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kernel that counts what a test says: perf-stat opened by an edge of this file's. Descriptors are numbers from 3 on,
 * the lowest that is free, as the kernel gives them.
 */
#ifndef ASSAY_TESTS_SUPPORT_FAKE_PERF_H
#define ASSAY_TESTS_SUPPORT_FAKE_PERF_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "collectors/perf_stat.h"

#define FAKE_FDS 65536

struct fake_fd {
	struct perf_event_attr attr;
	int cpu, process, leader;
	bool open, enabled;
	uint64_t value;
	uint64_t time_enabled, time_running; /* of a leader */
};

static struct {
	struct fake_fd fd[FAKE_FDS];
	uint64_t soft, hard;	     /* limit of descriptors */
	unsigned general;	     /* counters beside those of cycles and instructions; 0: no limit */
	int (*refuse)(const struct perf_event_attr *attr, int cpu); /* -errno; NULL: nothing is refused */
	int top; /* descriptors above were never given */
	size_t reads;
} fake;

static int fake_open(void *context, struct perf_event_attr *attr, int process, int cpu, int group)
{
	unsigned general = 0;
	int fd = 3, r = fake.refuse ? fake.refuse(attr, cpu) : 0;

	if (r < 0)
		return r;
	for (int i = group; fake.general && i < fake.top && group >= 0; i++)
		if (fake.fd[i].open && fake.fd[i].leader == group)
			general += fake.fd[i].attr.type != PERF_TYPE_SOFTWARE &&
				   !(fake.fd[i].attr.type == PERF_TYPE_HARDWARE && fake.fd[i].attr.config < 2);
	if (fake.general && group >= 0 && attr->type != PERF_TYPE_SOFTWARE &&
	    !(attr->type == PERF_TYPE_HARDWARE && attr->config < 2) && general + 1 > fake.general)
		return -EINVAL;
	while (fd < fake.top && fake.fd[fd].open)
		fd++;
	if ((uint64_t)fd >= fake.soft || fd == FAKE_FDS)
		return -EMFILE;
	fake.fd[fd] = (struct fake_fd){ .attr = *attr,
					.cpu = cpu,
					.process = process,
					.leader = group < 0 ? fd : group,
					.open = true,
					.enabled = !attr->disabled };
	fake.top = fd >= fake.top ? fd + 1 : fake.top;
	return fd;
}

static int fake_enable(void *context, int fd)
{
	fake.fd[fd].enabled = true;
	return 0;
}

static long fake_read(void *context, int fd, void *buffer, size_t size)
{
	uint64_t at[64] = { 0, fake.fd[fd].time_enabled, fake.fd[fd].time_running };
	size_t length;

	fake.reads++;
	for (int i = fd; i < fake.top && at[0] < 32; i++)
		if (fake.fd[i].open && fake.fd[i].leader == fd)
			at[3 + at[0]++] = fake.fd[i].value;
	length = (3 + at[0]) * sizeof(*at);
	if (length > size)
		return -ENOSPC;
	memcpy(buffer, at, length);
	return (long)length;
}

static void fake_close(void *context, int fd)
{
	fake.fd[fd].open = false;
}

static uint64_t fake_allow(void *context, uint64_t more)
{
	fake.soft = fake.hard - fake.soft < more ? fake.hard : fake.soft + more;
	return fake.soft;
}

static const struct perf_edge fake_edge = {
	.open = fake_open, .enable = fake_enable, .read = fake_read, .close = fake_close, .allow = fake_allow
};

static int fake_stat_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return perf_stat_open_by(self, state, host, &fake_edge, err);
}

/* The collector itself, by the fake kernel. */
static inline struct collector fake_perf_stat(void)
{
	struct collector c = collector_perf_stat;

	c.open = fake_stat_open;
	return c;
}

static inline void fake_reset(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.soft = fake.hard = FAKE_FDS;
}

/* How many descriptors there are of an event, by its type and config. */
static inline size_t fake_count(unsigned type, uint64_t config)
{
	size_t count = 0;

	for (int fd = 3; fd < fake.top; fd++)
		count += fake.fd[fd].open && fake.fd[fd].attr.type == type && fake.fd[fd].attr.config == config;
	return count;
}

/* The descriptor of an event on a CPU, or NULL. */
static inline struct fake_fd *fake_at(unsigned type, uint64_t config, int cpu)
{
	for (int fd = 3; fd < fake.top; fd++)
		if (fake.fd[fd].open && fake.fd[fd].attr.type == type && fake.fd[fd].attr.config == config &&
		    fake.fd[fd].cpu == cpu)
			return &fake.fd[fd];
	return NULL;
}

/* Time that goes by for the group of an event. */
static inline void fake_time(struct fake_fd *at, uint64_t enabled, uint64_t running)
{
	fake.fd[at->leader].time_enabled += enabled;
	fake.fd[at->leader].time_running += running;
}

#endif
