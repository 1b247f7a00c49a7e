/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/collector.h"

#define COLLECTOR(name) extern const struct collector collector_##name;
#include "collectors/list.def"
#undef COLLECTOR

#define COLLECTOR(name) &collector_##name,
const struct collector *const collectors[] = {
#include "collectors/list.def"
	NULL
};

const struct collector *collector_find(const char *name)
{
	for (const struct collector *const *c = collectors; *c; c++)
		if (strcmp((*c)->name, name) == 0)
			return *c;
	return NULL;
}
