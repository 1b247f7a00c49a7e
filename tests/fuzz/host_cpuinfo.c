/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever proc/cpuinfo holds, its facts are words of the kernel or counts above zero. */
#include <stdint.h>
#include <stdlib.h>

#include "host/cpuinfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pairs facts = { 0 };

	if (cpuinfo_facts(text_n((const char *)data, size), &facts) < 0)
		abort();
	for (size_t i = 0; i < facts.count; i++)
		if (strcmp(facts.at[i].value, "0") == 0 && strstr("cpu.threads cpu.cores cpu.sockets", facts.at[i].name))
			abort();
	pairs_free(&facts);
	return 0;
}
