/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every reader of base/text.h on any bytes: it stays in the view, moves forward only, and takes nothing on false. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
	if (!holds)
		abort();
}

static bool moved(struct text before, struct text after, bool took)
{
	return after.end == before.end && after.at <= after.end && (took ? after.at > before.at : after.at == before.at);
}

static void numbers(struct text t)
{
	struct text rest;
	uint64_t value, again;
	int64_t number;
	bool took;

	rest = t;
	took = text_u64(&rest, &value);
	expect(moved(t, rest, took));
	if (took) {
		rest = t;
		expect(!text_i64(&rest, &number) || (uint64_t)number == value);
		rest = t;
		expect(!text_decimal(&rest, 0, &number) || (uint64_t)number == value);
	}
	rest = t;
	took = text_hex(&rest, &again);
	expect(moved(t, rest, took));
	for (int exponent = 0; exponent < 20; exponent += 3) {
		rest = t;
		took = text_decimal(&rest, exponent, &number);
		expect(moved(t, rest, took));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text rest = text_n((const char *)data, size), line, word;
	char pattern[32];
	size_t n = size < sizeof(pattern) ? size : sizeof(pattern) - 1;

	if (n)
		memcpy(pattern, data, n);
	pattern[n] = '\0';
	(void)text_glob(rest, pattern);
	expect(text_glob(rest, "*"));
	while (text_line(&rest, &line)) {
		struct text words = line, before = line;

		expect(text_len(text_trim(line)) <= text_len(line));
		expect(moved(before, words, text_cut(&words, ": ", &word)));
		words = line;
		while (text_word(&words, &word)) {
			expect(text_len(word) > 0 && word.at >= line.at && word.end <= line.end);
			numbers(word);
		}
		numbers(line);
	}
	expect(rest.at == rest.end);
	return 0;
}
