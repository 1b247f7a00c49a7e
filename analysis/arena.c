/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)64 << 10)

struct arena_block {
	struct arena_block *before;
	size_t used, size;
	alignas(max_align_t) unsigned char at[];
};

void *arena_take(struct arena *a, size_t count, size_t size)
{
	const size_t unit = alignof(max_align_t);
	struct arena_block *block = a->last;
	size_t need;
	void *piece;

	if (size && count > SIZE_MAX / 4 / size)
		return NULL;
	need = (count * size + unit - 1) / unit * unit;
	if (!block || block->size - block->used < need) {
		size_t room = need > BLOCK ? need : BLOCK;

		block = calloc(1, sizeof(*block) + room);
		if (!block)
			return NULL;
		block->size = room;
		block->before = a->last;
		a->last = block;
	}
	piece = block->at + block->used;
	block->used += need;
	return piece;
}

char *arena_copy(struct arena *a, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = arena_take(a, size, 1);

	if (copy)
		memcpy(copy, text, size);
	return copy;
}

void arena_free(struct arena *a)
{
	for (struct arena_block *block = a->last; block;) {
		struct arena_block *before = block->before;

		free(block);
		block = before;
	}
	a->last = NULL;
}
