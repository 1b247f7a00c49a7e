/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drives one collector with a file that a fuzzer wrote. The input is cut at its first NUL byte, if it has one: before
 * it stands what the file holds when the collector is opened, behind it what it holds at the second sample, so that
 * shapes change under it. What is sampled is checked as the agent relies on it: present slots lie in the shape, names
 * are there, and a failure has words.
 */
#ifndef ASSAY_TESTS_FUZZ_COLLECTOR_FILE_H
#define ASSAY_TESTS_FUZZ_COLLECTOR_FILE_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/collector.h"

struct fuzzed {
	struct host host;
	char path[160];   /* of the file */
	size_t folder;    /* so much of it is the tree's root */
	int fd;
};

static struct fuzzed fuzzed;

static void fuzzed_end(void)
{
	host_close(&fuzzed.host);
	(void)close(fuzzed.fd);
	(void)unlink(fuzzed.path);
	for (size_t at = strlen(fuzzed.path); at-- > fuzzed.folder;) {
		if (fuzzed.path[at] != '/')
			continue;
		fuzzed.path[at] = '\0';
		(void)rmdir(fuzzed.path);
	}
}

/* Make the one file `path`, whose folders are made, in a tree of its own. */
static void fuzzed_begin(const char *path)
{
	char root[64];
	struct err err;

	(void)snprintf(root, sizeof(root), "%s/assay-fuzz.XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	if (!mkdtemp(root))
		abort();
	fuzzed.folder = strlen(root);
	(void)snprintf(fuzzed.path, sizeof(fuzzed.path), "%s/%s", root, path);
	for (char *slash = fuzzed.path + fuzzed.folder + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		(void)mkdir(fuzzed.path, 0700);
		*slash = '/';
	}
	fuzzed.fd = open(fuzzed.path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fuzzed.fd < 0 || host_open_root(&fuzzed.host, root, &err) < 0)
		abort();
	(void)atexit(fuzzed_end);
}

static void fuzzed_write(const uint8_t *data, size_t size)
{
	if (ftruncate(fuzzed.fd, 0) < 0 || pwrite(fuzzed.fd, data, size, 0) != (ssize_t)size)
		abort();
}

static void fuzzed_check(const struct collector_run *run, int r, const struct err *err)
{
	const struct shape *shape = run->sample.shape;

	if (r < 0 && (err->code == 0 || err->text[0] == '\0'))
		abort();
	if (!run->is_open)
		return;
	for (size_t m = 0; m < shape->metric_count; m++)
		if (!shape->metrics[m].name || !*shape->metrics[m].name)
			abort();
	for (size_t slot = shape_slots(shape); slot % 64; slot++)
		if (sample_has(&run->sample, slot))
			abort();
}

static int fuzzed_file(const struct collector *collector, const char *path, const uint8_t *data, size_t size)
{
	const uint8_t *nul = memchr(data, 0, size);
	size_t first = nul ? (size_t)(nul - data) : size;
	struct collector_run run;
	struct err err = { 0 };

	if (!fuzzed.folder)
		fuzzed_begin(path);
	fuzzed_write(data, first);
	if (collector_run_open(&run, collector, &fuzzed.host, NULL, &err) == 0) {
		err = (struct err){ 0 };
		fuzzed_check(&run, collector_run_sample(&run, &err), &err);
		if (nul) {
			fuzzed_write(nul + 1, size - first - 1);
			err = (struct err){ 0 };
			fuzzed_check(&run, collector_run_sample(&run, &err), &err);
		}
	}
	collector_run_close(&run);
	return 0;
}

#endif
