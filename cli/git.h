/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_CLI_GIT_H
#define ASSAY_CLI_GIT_H

#include "base/buf.h"
#include "base/err.h"

/*
 * What `git -C folder ARGUMENT...` prints, without the newline at its end, appended to `ret`. The arguments end at NULL.
 * -ENOENT: git is not installed; -EINVAL: it failed, its own words are on stderr.
 */
int git_read(const char *folder, const char *const *arguments, struct buf *ret, struct err *err);

#endif
