/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of CPUs by number, and a line of interrupts that may be very long. */
#include "tests/fuzz/collector_file.h"

extern const struct collector collector_proc_stat;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzzed_file(&collector_proc_stat, "proc/stat", data, size);
}
