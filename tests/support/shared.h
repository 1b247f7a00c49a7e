/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded material beside the project ($ASSAY_SHARED/data): tests of it run where it is, and skip() where it is not.
 */
#ifndef ASSAY_TESTS_SUPPORT_SHARED_H
#define ASSAY_TESTS_SUPPORT_SHARED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* "<shared>/data/<path>" in `ret`; false when it is not there. */
bool shared_path(char *ret, size_t size, const char *path);

/* The whole of a file by its absolute path; fails the test when it cannot be read. Free with buf_free. */
struct buf read_whole(const char *path);

/* A fresh folder under $TMPDIR; remove_tree() takes it away. */
void fresh_folder(char *ret, size_t size);
void remove_tree(const char *path);

/* Write a file and the folders above it. */
void write_file(const char *folder, const char *path, const char *content, size_t length);

#endif
