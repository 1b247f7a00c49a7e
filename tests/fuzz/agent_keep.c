/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output in pieces of any size: what is told is what was printed, at its place, and what is not told is counted. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/keep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
	const uint8_t *printed;
	size_t size;
	uint64_t next, bytes;
};

static void put(void *context, const struct run_output *output)
{
	struct seen *seen = context;

	if (output->offset < seen->next || output->length == 0 || output->offset + output->length > seen->size)
		abort();
	if (memcmp(seen->printed + output->offset, output->data, output->length) != 0)
		abort();
	seen->next = output->offset + output->length;
	seen->bytes += output->length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen seen = { 0 };
	struct keep keep;
	struct err err;

	if (size < 2)
		return 0;
	seen.printed = data + 2;
	seen.size = size - 2;
	if (keep_open(&keep, OUTPUT_STDOUT, data[0], put, &seen, &err) < 0)
		return 0;
	for (size_t at = 0, step; at < seen.size; at += step) {
		step = (size_t)data[1] % 37 + at % 5 + 1;
		step = step < seen.size - at ? step : seen.size - at;
		keep_add(&keep, (const char *)seen.printed + at, step);
		if (at % 7 == 0)
			keep_flush(&keep);
	}
	keep_finish(&keep);
	if (seen.bytes + keep_dropped(&keep) != seen.size)
		abort();
	keep_close(&keep);
	return 0;
}
