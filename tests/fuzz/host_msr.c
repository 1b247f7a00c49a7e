/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording's registers; whatever was read is found again. */
#include <stdint.h>
#include <stdlib.h>

#include "host/msr_recorded.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct msr_recorded *at = NULL;
	struct cpulist cpus = { 0 };
	struct err err;
	size_t count;

	if (msr_recorded_parse(text_n((const char *)data, size), &at, &count, &err) < 0)
		return 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t value;

		if (msr_recorded_find(at, count, at[i].cpu, at[i].address, &value) < 0)
			abort();
	}
	if (msr_recorded_cpus(at, count, &cpus, &err) == 0 && cpus.count == 0)
		abort();
	cpulist_free(&cpus);
	free(at);
	return 0;
}
