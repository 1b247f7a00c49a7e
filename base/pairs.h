/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ordered list of name=value: the axes of a run, the facts of a machine. Each name once; setting it again replaces
 * the value in its place. Zero it to begin.
 */
#ifndef ASSAY_BASE_PAIRS_H
#define ASSAY_BASE_PAIRS_H

#include <stddef.h>

#include "base/err.h"
#include "base/text.h"

struct pair {
	char *name, *value;
};

struct pairs {
	struct pair *at;
	size_t count, room;
};

int pairs_set(struct pairs *p, const char *name, const char *value); /* copies both; 0 or -ENOMEM */
int pairs_set_text(struct pairs *p, struct text name, struct text value);
int pairs_setf(struct pairs *p, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *pairs_get(const struct pairs *p, const char *name); /* or NULL */
const char *pairs_get_text(const struct pairs *p, struct text name);
int pairs_copy(struct pairs *to, const struct pairs *from); /* sets all of `from` in `to` */
void pairs_sort(struct pairs *p); /* by name, byte order */
void pairs_free(struct pairs *p);

#endif
