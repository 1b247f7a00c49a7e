/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts what is allocated, so that "a sample allocates nothing" is a test like any other:
 *
 *	size_t before = alloc_count();
 *
 *	assert_int_equal(procfile_read(&file, &text, &err), 0);
 *	assert_int_equal(alloc_count(), before);
 *
 * and makes an allocation fail, so that what happens without memory is one, too:
 *
 *	alloc_fail_at(1);
 *	assert_int_equal(pairs_set(&pairs, "a", "b"), -ENOMEM);
 *
 * Every program of tests/<room>/ is linked with the linker's --wrap for malloc, calloc, realloc, reallocarray,
 * aligned_alloc, posix_memalign, strdup, strndup, asprintf, vasprintf, fopen, opendir and fdopendir: nothing has to be
 * asked for. It holds for the rooms' code and the tests', under every sanitizer. Not seen: what a shared library
 * (libc by other functions, libcpuid, SQLite) allocates within.
 */
#ifndef ASSAY_TESTS_SUPPORT_ALLOC_COUNT_H
#define ASSAY_TESTS_SUPPORT_ALLOC_COUNT_H

#include <stddef.h>

/* Allocations of this thread since it began; a realloc counts, a free does not. */
size_t alloc_count(void);

/* The n-th allocation of this thread from now on fails with ENOMEM, once; 0: none does. */
void alloc_fail_at(size_t n);

#endif
