/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of names, each once, found by its bytes. Row numbers are given in the order of adding and never change.
 *
 * names_find() does not allocate; `guess` is the row that is looked at first, since a kernel file rarely changes its
 * order. Names may hold any byte; one with a NUL in it (garbage in a file) is told apart by all its bytes and reads as
 * what stands before.
 */
#ifndef ASSAY_BASE_NAMES_H
#define ASSAY_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct names {
	char **at;      /* at[row], NUL-terminated */
	size_t *length; /* length[row] */
	size_t count;
	size_t room;
	uint32_t *table; /* open addressing: row + 1, 0 where free */
	size_t table_size;
};

/* The row of `name`, added if it is new; -ENOMEM. */
int names_add(struct names *n, struct text name);

/* The row of `name`, or -1. */
int names_find(const struct names *n, struct text name, int guess);

static inline const char *names_at(const struct names *n, int row)
{
	return n->at[row];
}

void names_free(struct names *n);

#endif
