/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "collectors/exec_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct exec_line line;
	struct err err;
	uint64_t value;

	if (exec_line_read(text_n((const char *)data, size), &line, &err) < 0) {
		if (err.code >= 0 || !*err.text)
			abort();
		return 0;
	}
	/* One that is taken has a name and a value. */
	if (text_len(line.name) == 0 || line.exponent < 0 || line.exponent > 9 || !exec_line_value(&line, line.exponent, &value))
		abort();
	return 0;
}
