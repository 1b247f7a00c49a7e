/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_COLLECTORS_GROW_H
#define ASSAY_COLLECTORS_GROW_H

#include <stdbool.h>
#include <stdlib.h>

/* Room for one element more of `size` in the array that `at` points to. False: there is no memory, and all is as it was. */
static inline bool grow(void *at, size_t count, size_t *room, size_t size)
{
	void **array = at;
	size_t more = *room ? 2 * *room : 64;
	void *grown;

	if (count < *room)
		return true;
	grown = realloc(*array, more * size);
	if (!grown)
		return false;
	*array = grown;
	*room = more;
	return true;
}

#endif
