/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fuzzer of a collector: the input is its file at up to three instants, parted by lines "%%". It is opened on the
 * first and sampled on each, as the agent does it: new generations, bad lines, what goes away, all in one.
 */
#ifndef ASSAY_TESTS_FUZZ_COLLECTOR_INPUT_H
#define ASSAY_TESTS_FUZZ_COLLECTOR_INPUT_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/collector.h"

#define INSTANTS 3

static char fuzz_root[64];
static char fuzz_path[128];

static void fuzz_leave(void)
{
	char proc[sizeof(fuzz_root) + 8];

	(void)unlink(fuzz_path);
	(void)snprintf(proc, sizeof(proc), "%s/proc", fuzz_root);
	(void)rmdir(proc);
	(void)rmdir(fuzz_root);
}

static void fuzz_write(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd) < 0)
		abort();
}

static void fuzz_enter(const char *source)
{
	(void)snprintf(fuzz_root, sizeof(fuzz_root), "/dev/shm/assay-fuzz.XXXXXX");
	if (!mkdtemp(fuzz_root))
		abort();
	(void)snprintf(fuzz_path, sizeof(fuzz_path), "%s/proc", fuzz_root);
	if (mkdir(fuzz_path, 0700) < 0)
		abort();
	(void)snprintf(fuzz_path, sizeof(fuzz_path), "%s/%s", fuzz_root, source);
	(void)atexit(fuzz_leave);
}

static int fuzz_collector(const struct collector *collector, const uint8_t *data, size_t size)
{
	struct collector_run run;
	struct host host;
	struct err err;

	if (!*fuzz_root)
		fuzz_enter(collector->source);
	if (host_open_root(&host, fuzz_root, &err) < 0)
		abort();
	for (int i = 0; i < INSTANTS; i++) {
		const uint8_t *stop = memmem(data, size, "%%\n", 3);
		size_t length = stop && i + 1 < INSTANTS ? (size_t)(stop - data) : size;

		fuzz_write(fuzz_path, data, length);
		if (i == 0 && collector_run_open(&run, collector, &host, NULL, &err) < 0)
			break;
		(void)collector_run_sample(&run, &err);
		if (run.sample.shape != &run.shape || run.shape.instance_count == 0)
			abort();
		length += length < size ? 3 : 0;
		data += length;
		size -= length;
		if (size == 0)
			break;
	}
	collector_run_close(&run);
	host_close(&host);
	return 0;
}

#define FUZZ_COLLECTOR(symbol)                                           \
	extern const struct collector collector_##symbol;                \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);    \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)     \
	{                                                                \
		return fuzz_collector(&collector_##symbol, data, size);  \
	}

#endif
