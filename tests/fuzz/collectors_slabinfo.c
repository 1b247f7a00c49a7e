/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A version, a head, and caches whose names may hold nearly anything. */
#include "tests/fuzz/collector_file.h"

extern const struct collector collector_slabinfo;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzzed_file(&collector_slabinfo, "proc/slabinfo", data, size);
}
