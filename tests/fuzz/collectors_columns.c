/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a name and a row of numbers. */
#include "tests/fuzz/collector_file.h"

extern const struct collector collector_diskstats;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzzed_file(&collector_diskstats, "proc/diskstats", data, size);
}
