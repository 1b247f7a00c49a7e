/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First line: a format of sysfs; the second one: terms. What parses sets the bits of its ranges and no others, and a
 * name stands among the terms once.
 */
#include <stdlib.h>

#include "collectors/perf_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t bits_of(const struct perf_format *f)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < f->count; i++)
		for (unsigned bit = f->at[i].first; bit <= f->at[i].last; bit++)
			bits |= UINT64_C(1) << bit;
	return bits;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text rest = text_n((const char *)data, size), line;
	struct perf_terms terms = { 0 };
	struct perf_format format;
	struct err err;

	if (!text_line(&rest, &line))
		return 0;
	if (perf_format_parse(line, &format, &err) == 0) {
		struct perf_code code = { 0 };

		if (format.word >= PERF_WORDS || format.count == 0 || format.count > PERF_RANGES)
			abort();
		if (perf_format_put(&format, size * 0x9e3779b97f4a7c15, &code, &err) == 0 &&
		    (code.config[format.word] & ~bits_of(&format)))
			abort();
	}
	if (perf_terms_parse(rest, &terms, &err) < 0)
		return 0;
	for (size_t i = 0; i < terms.count; i++)
		for (size_t k = 0; k < i; k++)
			if (text_same(terms.at[i].name, terms.at[k].name))
				abort();
	return 0;
}
