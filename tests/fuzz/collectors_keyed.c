/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a key and a number. */
#include "tests/fuzz/collector_file.h"

extern const struct collector collector_meminfo;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzzed_file(&collector_meminfo, "proc/meminfo", data, size);
}
