/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cleaning up by attribute: a thing declared with cleanup_* is released when its scope ends, unless it was handed
 * on with take().
 */
#ifndef ASSAY_BASE_TAKE_H
#define ASSAY_BASE_TAKE_H

#include <stdlib.h>
#include <unistd.h>

static inline void take_close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

static inline void take_free(void *pointer)
{
	free(*(void **)pointer);
}

#define cleanup_fd   __attribute__((cleanup(take_close_fd)))
#define cleanup_free __attribute__((cleanup(take_free)))

/* Hand a descriptor or a pointer on: the scope no longer owns it. */
static inline int take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#define take(pointer)                                \
	__extension__({                              \
		__typeof__(*(pointer)) taken_ = *(pointer); \
		*(pointer) = NULL;                   \
		taken_;                              \
	})

#endif
