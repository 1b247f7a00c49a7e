/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text form of stats: what is read is written as it was, but for order and spelling of numbers. */
#include <stdint.h>
#include <stdlib.h>

#include "analysis/stats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stats s = { 0 }, again = { 0 };
	struct buf text = { 0 };
	struct err err = { 0 };

	if (stats_read(text_n((const char *)data, size), &s, &err) < 0)
		return 0;
	if (stats_write(&s, &text) < 0 || stats_read(buf_text(&text), &again, &err) < 0 || again.count != s.count)
		abort();
	for (size_t i = 0; i < s.count; i++)
		if (s.at[i].value != again.at[i].value)
			abort();
	stats_free(&s);
	stats_free(&again);
	buf_free(&text);
	return 0;
}
