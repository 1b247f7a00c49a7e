/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules as JSON, a NUL, then an output: compiled and applied. */
#include <stdint.h>

#include "analysis/results.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text whole = text_n((const char *)data, size), json = whole, out = text_of("");
	const char *nul = size ? memchr(data, '\0', size) : NULL;
	struct results_rules *rules = NULL;
	struct stats s = { 0 };
	struct err err = { 0 };
	size_t count;

	if (nul) {
		json.end = nul;
		out = (struct text){ nul + 1, whole.end };
	}
	if (results_compile(json, &rules, &err) < 0)
		return 0;
	(void)results_apply(rules, "fuzz", out, out, &s, &count, &err);
	stats_free(&s);
	results_free(rules);
	return 0;
}
