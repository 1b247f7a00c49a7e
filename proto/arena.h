/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that is given back at once, with a ceiling: a message of few bytes can ask protobuf-c for many.
 *
 * Blocks are zeroed, and a zero byte follows each: the bytes fields of a message are strings as they stand.
 */
#ifndef ASSAY_PROTO_ARENA_H
#define ASSAY_PROTO_ARENA_H

#include <stddef.h>

struct arena {
	struct arena_chunk *chunks;
	size_t used, ceiling; /* bytes since the last arena_clear() */
	int failed;           /* 0; -EMSGSIZE: somebody asked beyond the ceiling; -ENOMEM */
};

void *arena_take_bounded(struct arena *arena, size_t size); /* NULL: beyond the ceiling, or no memory */
void arena_clear(struct arena *arena, size_t ceiling);
void arena_close(struct arena *arena);

#endif
