/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and bytes of the store's files. Private to the room.
 *
 * A path is only ever built from a run's id that ulid_is() accepted, a number, and a derived name of [a-z.-]+.
 */
#ifndef ASSAY_STORE_FILES_H
#define ASSAY_STORE_FILES_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/ulid.h"

#define SEGMENT_NAME_SIZE 16 /* "4294967295.seg" */

/* 0, or -EINVAL: not an id that may become a path. */
int files_check_run(const struct ulid *run, struct err *err);

void files_segment_name(char ret[SEGMENT_NAME_SIZE], uint32_t sequence);

/* The folder of a run, a descriptor the caller closes; -ENOENT without words when there is none. */
int files_run_folder(int runs_fd, const struct ulid *run, struct err *err);

/* Sequences of the segments in a folder, ascending; the caller frees. */
int files_sequences(int folder_fd, const char *what, uint32_t **ret, size_t *count, struct err *err);

/* Ids of all folders under runs/, ascending; the caller frees. */
int files_runs(int runs_fd, struct ulid **ret, size_t *count, struct err *err);

/* Append a whole regular file to `ret`. -EMSGSIZE: longer than `ceiling`; told before memory is taken. */
int files_read(int folder_fd, const char *name, size_t ceiling, struct buf *ret, struct err *err);

/* Does the file hold exactly these bytes? 1, 0, or -errno. */
int files_same(int folder_fd, const char *name, struct text bytes, struct err *err);

/* All of them, whatever write() takes at a time. */
int files_write(int fd, struct text bytes, const char *what, struct err *err);

#endif
