/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks of a benchmark's phases: assay_mark("warm-up"), assay_mark("round 3"). Under `assay run` each becomes a mark of
 * the run with its time; elsewhere nothing happens. Needs no library. 0, or -1 with errno when it was not taken.
 *
 * The line is at most 321 bytes: a name of 64 without blanks, and perhaps a blank and a value of 256.
 */
#ifndef ASSAY_MARK_H
#define ASSAY_MARK_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline int assay_mark(const char *name_and_value)
{
	const char *path = getenv("ASSAY_MARK");
	char line[323];
	int fd, length, kept;
	ssize_t written;

	if (!path)
		return 0;
	length = snprintf(line, sizeof(line), "%s\n", name_and_value);
	if (length < 0 || (size_t)length >= sizeof(line)) {
		errno = EMSGSIZE;
		return -1;
	}
	fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	written = write(fd, line, (size_t)length);
	kept = errno;
	(void)close(fd);
	errno = kept;
	return written == (ssize_t)length ? 0 : -1;
}

#endif
