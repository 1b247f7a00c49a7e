/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that is taken in small pieces and given back all at once: rows, cells and keys of a comparison.
 * Zero it to begin; arena_free() ends it and may be called twice.
 */
#ifndef ASSAY_ANALYSIS_ARENA_H
#define ASSAY_ANALYSIS_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *last;
};

/* Zeroed, aligned for any type; `count` may be 0. NULL without memory, or when the product does not fit. */
void *arena_take(struct arena *a, size_t count, size_t size);
char *arena_copy(struct arena *a, const char *text); /* NULL without memory */
void arena_free(struct arena *a);

#endif
