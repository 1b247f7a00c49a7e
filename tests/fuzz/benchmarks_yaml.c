/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A benchmark file, from its bytes to its rules. */
#include <stdint.h>

#include "benchmarks/benchmark.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *const argv[] = { "demo", "-g", "5", "-pT", "--mode=x", "-d", "a", "--", NULL };
	struct benchmark b = { 0 };
	struct pairs axes = { 0 };
	struct err err = { 0 };

	if (benchmark_parse("x.yaml", text_n((const char *)data, size), &b, &err) == 0)
		(void)benchmark_axes(&b, argv, &axes, &err);
	pairs_free(&axes);
	benchmark_free(&b);
	return 0;
}
