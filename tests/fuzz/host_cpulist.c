/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of CPUs that parses is in order, each once, and a set that has its own members. */
#include <stdint.h>
#include <stdlib.h>

#include "host/cpulist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cpulist list;
	struct err err;

	if (cpulist_parse(text_n((const char *)data, size), &list, &err) < 0)
		return 0;
	for (size_t i = 0; i < list.count; i++)
		if (list.at[i] >= CPULIST_MAX || (i && list.at[i] <= list.at[i - 1]) || !cpulist_has(&list, list.at[i]))
			abort();
	cpulist_free(&list);
	return 0;
}
