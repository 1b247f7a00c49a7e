/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a file that is imported: CSV where the first byte is even, else JSON. Every run that comes out of it has
 * at least one number, and all are finite.
 */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lab/import_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int check(struct import *in, const char *path, const struct pairs *axes, const struct stats *stats,
		 struct import_moment moment, struct err *err)
{
	if (stats->count == 0)
		abort();
	for (size_t i = 0; i < stats->count; i++)
		if (!isfinite(stats->at[i].value) || *stats->at[i].key == '\0')
			abort();
	in->count->runs++;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct import_count count = { 0 };
	struct pairs axes = { 0 };
	struct import in = { .given = &axes, .count = &count, .take = check };
	struct err err;
	char path[64];
	int fd;

	if (size == 0)
		return 0;
	(void)snprintf(path, sizeof(path), "/tmp/assay-fuzz-import.%d.%s", getpid(), data[0] & 1 ? "json" : "csv");
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, data + 1, size - 1) != (ssize_t)(size - 1))
		abort();
	(void)close(fd);
	(void)import_file(&in, path, &axes, &err);
	(void)unlink(path);
	return 0;
}
