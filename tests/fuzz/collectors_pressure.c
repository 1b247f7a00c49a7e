/* SPDX-License-Identifier: GPL-3.0-or-later */
/* some and full, with decimals. */
#include "tests/fuzz/collector_file.h"

extern const struct collector collector_pressure;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzzed_file(&collector_pressure, "proc/pressure/cpu", data, size);
}
