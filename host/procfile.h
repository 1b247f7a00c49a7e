/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that stays open and is read from the top at each sample, without allocating.
 *
 * The buffer is twice what the file held at open; -ESTALE from procfile_read() says that it outgrew that, and opening
 * anew is the remedy. A kernel file that cannot pread (-ESPIPE) is opened anew at each read. A file of the live kernel
 * is read with as few calls as the kernel allows: one that fills the buffer, one that returns 0, and the second is
 * spared where a short read already tells the end.
 */
#ifndef ASSAY_HOST_PROCFILE_H
#define ASSAY_HOST_PROCFILE_H

#include <errno.h>

#include "base/text.h"
#include "host/host.h"

struct procfile {
	const struct host *host;
	char *path; /* for messages */
	int fd;
	char *buf;
	size_t size;
	size_t first; /* bytes that opening read */
	uint64_t opened_ns;	   /* 0: they are no reading (any longer) */
	bool reopen;	   /* no pread: open for every read */
	bool short_is_end; /* one record to the kernel: the first read is the last */
};

/* 0, or -errno with `err` = "proc/meminfo: No such file or directory". `f` is written on success only. */
int procfile_open(struct procfile *f, const struct host *host, const char *path, struct err *err);

/* May what failed like this work later? Not what is not there, or not for this user, or what no room was for. */
static inline bool procfile_passes(int code)
{
	switch (code) {
	case -ENOENT:
	case -ENOTDIR:
	case -EISDIR:
	case -ELOOP:
	case -ENAMETOOLONG:
	case -EACCES:
	case -EPERM:
	case -ENODEV:
	case -EOPNOTSUPP:
	case -EFBIG:
	case -ENOMEM:
	case -EMFILE:
	case -ENFILE:
		return false;
	default:
		return code < 0;
	}
}

/* One that has nothing to read now (a sensor that is asleep): opened at each read, with room for a number. 0, -ENOMEM. */
int procfile_open_unread(struct procfile *f, const struct host *host, const char *path, struct err *err);

/* What opening it read, to learn names from; good until the first procfile_read(). */
struct text procfile_first(const struct procfile *f);

/* Read it from the top, or take what opening read where that is fresh (host.fresh_ns); `ret` is good until the next call. Allocates nothing. */
int procfile_read(struct procfile *f, struct text *ret, struct err *err);

void procfile_close(struct procfile *f); /* takes a zeroed one, too */

#endif
