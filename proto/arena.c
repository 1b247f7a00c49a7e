/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proto/arena.h"

#include <errno.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)16 << 10)

struct arena_chunk {
	struct arena_chunk *next;
	size_t size, used;
	alignas(max_align_t) unsigned char data[];
};

void *arena_take_bounded(struct arena *arena, size_t size)
{
	struct arena_chunk *chunk = arena->chunks;
	size_t whole;
	void *ret;

	if (size >= arena->ceiling - arena->used) {
		arena->failed = -EMSGSIZE;
		return NULL;
	}
	whole = (size + alignof(max_align_t)) & ~(alignof(max_align_t) - 1); /* one more at least: the zero behind */
	if (!chunk || chunk->size - chunk->used < whole) {
		size_t room = whole > CHUNK ? whole : CHUNK;

		chunk = malloc(sizeof(*chunk) + room);
		if (!chunk) {
			arena->failed = -ENOMEM;
			return NULL;
		}
		*chunk = (struct arena_chunk){ .next = arena->chunks, .size = room };
		arena->chunks = chunk;
	}
	ret = chunk->data + chunk->used;
	memset(ret, 0, whole);
	chunk->used += whole;
	arena->used += size + 1;
	return ret;
}

void arena_clear(struct arena *arena, size_t ceiling)
{
	struct arena_chunk *chunk = arena->chunks;

	while (chunk && (chunk->next || chunk->size > CHUNK)) {
		arena->chunks = chunk->next;
		free(chunk);
		chunk = arena->chunks;
	}
	if (chunk)
		chunk->used = 0;
	arena->used = 0;
	arena->ceiling = ceiling;
	arena->failed = 0;
}

void arena_close(struct arena *arena)
{
	arena_clear(arena, 0);
	free(arena->chunks);
	arena->chunks = NULL;
}
