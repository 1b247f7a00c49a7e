/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Make a recorded tree: copies of what collectors and facts read, under `directory`. */
#ifndef ASSAY_HOST_RECORD_H
#define ASSAY_HOST_RECORD_H

#include "host/host.h"

struct record_count {
	size_t files;
	size_t bytes;
	size_t refused; /* were there and could not be read (EACCES, EIO); not an error */
};

/* Copy every file that matches `pattern` (host_glob); a missing one is skipped. Folders are made. Files are read
 * whole and written beside, then renamed. */
int host_record(const struct host *host, const char *pattern, int directory_fd, struct record_count *count,
		struct err *err);

/* The files that host_facts() reads, and the file `host` that tells page size and ticks. */
int host_record_facts(const struct host *host, int directory_fd, struct record_count *count, struct err *err);

#endif
