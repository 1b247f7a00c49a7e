/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A head of CPUs, lines of a name, a column for each, and words. */
#include "tests/fuzz/collector_file.h"

extern const struct collector collector_interrupts;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzzed_file(&collector_interrupts, "proc/interrupts", data, size);
}
