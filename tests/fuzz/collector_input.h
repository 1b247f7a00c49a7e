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

static char fuzz_path[160];
static size_t fuzz_root; /* so much of the path is the tree's root */

static void fuzz_leave(void)
{
	(void)unlink(fuzz_path);
	for (size_t at = strlen(fuzz_path); at-- > fuzz_root;) {
		if (fuzz_path[at] != '/')
			continue;
		fuzz_path[at] = '\0';
		(void)rmdir(fuzz_path);
	}
}

static void fuzz_write(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd) < 0)
		abort();
}

/* A tree with one file; the folders above it are made. */
static void fuzz_enter(const char *file)
{
	(void)snprintf(fuzz_path, sizeof(fuzz_path), "%s/assay-fuzz.XXXXXX",
		       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	if (!mkdtemp(fuzz_path))
		abort();
	fuzz_root = strlen(fuzz_path);
	(void)snprintf(fuzz_path + fuzz_root, sizeof(fuzz_path) - fuzz_root, "/%s", file);
	for (char *slash = fuzz_path + fuzz_root + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		(void)mkdir(fuzz_path, 0700);
		*slash = '/';
	}
	(void)atexit(fuzz_leave);
}

/* What the agent relies on: a failure has words, names are there, present slots lie in the shape. */
static void fuzz_check(const struct collector_run *run, int r, const struct err *err)
{
	const struct shape *shape = &run->shape;

	if (r < 0 && (err->code >= 0 || !err->text[0]))
		abort();
	if (run->sample.shape != shape || shape->instance_count == 0)
		abort();
	for (size_t m = 0; m < shape->metric_count; m++)
		if (!*shape->metrics[m].name)
			abort();
	for (size_t slot = shape_slots(shape); run->is_open && slot % 64; slot++)
		if (sample_has(&run->sample, slot))
			abort();
}

static int fuzz_collector(const struct collector *collector, const char *file, const uint8_t *data, size_t size)
{
	struct collector_run run;
	struct host host;
	struct err err = { 0 };
	char root[sizeof(fuzz_path)];

	if (!fuzz_root)
		fuzz_enter(file);
	(void)snprintf(root, sizeof(root), "%.*s", (int)fuzz_root, fuzz_path);
	if (host_open_root(&host, root, &err) < 0)
		abort();
	for (int i = 0; i < INSTANTS; i++) {
		const uint8_t *stop = memmem(data, size, "%%\n", 3);
		size_t length = stop && i + 1 < INSTANTS ? (size_t)(stop - data) : size;

		fuzz_write(fuzz_path, data, length);
		if (i == 0 && collector_run_open(&run, collector, &host, NULL, &err) < 0)
			break;
		err = (struct err){ 0 };
		fuzz_check(&run, collector_run_sample(&run, &err), &err);
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

#define FUZZ_COLLECTOR(symbol, file)                                           \
	extern const struct collector collector_##symbol;                      \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);          \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)           \
	{                                                                      \
		return fuzz_collector(&collector_##symbol, file, data, size);  \
	}

#endif
