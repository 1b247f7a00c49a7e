/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many files this process may have open: a collector holds one for each CPU or node. */
#ifndef ASSAY_HOST_LIMITS_H
#define ASSAY_HOST_LIMITS_H

#include <errno.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "base/err.h"

/* As many as it may give itself: the soft limit becomes the hard one. False: nothing has changed, else `before` is what
 * was. The wrapped command is forked before, and keeps what its user gave it. */
bool limits_raise_files(struct rlimit *before);
void limits_restore_files(const struct rlimit *before);

/* "PATH: Too many open files: the limit is 1024 (ulimit -Hn)", other codes without the limit; returns `code`. */
int limits_failed(struct err *err, int code, const char *path);

/* It is this process that lacks something: the file may well be there. */
static inline bool limits_lack(int code)
{
	return code == -ENOMEM || code == -EMFILE || code == -ENFILE;
}

#endif
