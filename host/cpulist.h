/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's list form of CPU and node sets: "0-3,8,10-11". An empty list is a set without members. */
#ifndef ASSAY_HOST_CPULIST_H
#define ASSAY_HOST_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"

#define CPULIST_MAX 65536 /* numbers above are refused */

struct cpulist {
	unsigned *at; /* ascending, each once */
	size_t count;
};

/* -EINVAL names the place that is no number. The caller frees `ret`. */
int cpulist_parse(struct text text, struct cpulist *ret, struct err *err);
bool cpulist_has(const struct cpulist *list, unsigned cpu);
void cpulist_free(struct cpulist *list);

#endif
