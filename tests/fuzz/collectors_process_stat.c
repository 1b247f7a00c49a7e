/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "collectors/process_stat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text text = { (const char *)data, (const char *)data + size };
	struct process_stat stat;

	if (process_stat_read(text, &stat) &&
	    (stat.name.at <= text.at || stat.name.end >= text.end || stat.name.end < stat.name.at))
		abort();
	return 0;
}
