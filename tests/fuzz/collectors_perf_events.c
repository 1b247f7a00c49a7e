/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of events on a host with two kinds of cores and two boxes: what parses has PMUs, names and whole groups. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/perf_events.h"

#define DEVICES "sys/bus/event_source/devices/"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const files[][2] = {
	{ "sys/devices/system/cpu/online", "0-7" },
	{ DEVICES "cpu_core/type", "4" },
	{ DEVICES "cpu_core/cpus", "0-3" },
	{ DEVICES "cpu_core/format/event", "config:0-7" },
	{ DEVICES "cpu_core/format/umask", "config:8-15,40-47" },
	{ DEVICES "cpu_core/events/slots", "event=0x00,umask=0x4" },
	{ DEVICES "cpu_atom/type", "10" },
	{ DEVICES "cpu_atom/cpus", "4-7" },
	{ DEVICES "cpu_atom/format/event", "config:0-7" },
	{ DEVICES "uncore_imc_0/type", "20" },
	{ DEVICES "uncore_imc_0/cpumask", "0" },
	{ DEVICES "uncore_imc_0/format/event", "config:0-7" },
	{ DEVICES "uncore_imc_0/events/reads", "event=0x04,ch=?" },
	{ DEVICES "uncore_imc_1/type", "21" },
	{ "sys/kernel/tracing/events/sched/sched_switch/id", "314" },
};
static char root[] = "/tmp/assay-fuzz.XXXXXX";
static struct host host;

static void leave(void)
{
	char path[200];

	host_close(&host);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", root, files[i][0]);
		(void)unlink(path);
		for (char *slash; (slash = strrchr(path, '/')) && slash > path + strlen(root); ) {
			*slash = '\0';
			(void)rmdir(path);
		}
	}
	(void)rmdir(root);
}

static void enter(void)
{
	char path[200];
	struct err err;

	if (!mkdtemp(root))
		abort();
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		int fd;

		(void)snprintf(path, sizeof(path), "%s/%s", root, files[i][0]);
		for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
			*slash = '\0';
			(void)mkdir(path, 0700);
			*slash = '/';
		}
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0 || write(fd, files[i][1], strlen(files[i][1])) < 0 || close(fd) < 0)
			abort();
	}
	if (host_open_root(&host, root, &err) < 0)
		abort();
	(void)atexit(leave);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *list = text_copy(text_n((const char *)data, size));
	struct perf_events e = { 0 };
	struct err err = { 0 };
	size_t next = 0;
	int r;

	if (!list)
		return 0;
	if (host.root_fd <= 0)
		enter();
	r = perf_events_make(&e, &host, list, &err);
	if (r < 0 && (err.code != r || !err.text[0]))
		abort();
	for (size_t i = 0; r == 0 && i < e.group_count; i++) {
		const struct perf_group *g = &e.groups[i];

		if (g->first != next || g->count == 0 || g->count > PERF_GROUP_MAX || g->pmu >= e.pmus.count)
			abort();
		next += g->count;
		for (size_t k = g->first; k < next; k++)
			if (e.at[k].pmu != g->pmu || !e.at[k].name[0] || e.at[k].factor == 0)
				abort();
	}
	if (r == 0 && next != e.count)
		abort();
	perf_events_free(&e);
	free(list);
	return 0;
}
