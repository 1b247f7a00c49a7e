/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processes that are children of the calling thread's: the command, its orphans, and what was there before, such as
 * collectors that are programs. A kernel that does not list them has none.
 */
#ifndef ASSAY_AGENT_CHILDREN_H
#define ASSAY_AGENT_CHILDREN_H

#include <stddef.h>

struct children {
	char text[4096]; /* numbers, a blank behind each */
	size_t length;
};

void children_list(struct children *ret);

/* How many live now that are not in `before`. */
size_t children_since(const struct children *before);

#endif
