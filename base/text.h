/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A view of bytes that somebody else owns: [at, end). Never NUL-terminated, never copied.
 *
 * Readers take from the front of the view and move `at` forward. None allocates. Blanks are ' ' and '\t'.
 */
#ifndef ASSAY_BASE_TEXT_H
#define ASSAY_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct text {
	const char *at, *end;
};

/* For printf: "%.*s", TEXT_ARGS(t) */
#define TEXT_ARGS(t) (int)((t).end - (t).at), (t).at

static inline struct text text_of(const char *s)
{
	return (struct text){ s, s + strlen(s) };
}

static inline struct text text_n(const char *s, size_t n)
{
	return (struct text){ s, s + n };
}

static inline size_t text_len(struct text t)
{
	return (size_t)(t.end - t.at);
}

static inline bool text_is(struct text t, const char *s)
{
	size_t n = strlen(s);

	return text_len(t) == n && memcmp(t.at, s, n) == 0;
}

static inline bool text_same(struct text a, struct text b)
{
	return text_len(a) == text_len(b) && memcmp(a.at, b.at, text_len(a)) == 0;
}

bool text_starts(struct text t, const char *prefix);
bool text_ends(struct text t, const char *suffix);

/* Next line of `rest`, without its '\n'. False when `rest` is empty; a last line without '\n' counts. */
bool text_line(struct text *rest, struct text *ret);

/* Next word: blanks are skipped, then all up to the next blank. False when none is left. */
bool text_word(struct text *rest, struct text *ret);

/* What stands before the first of the characters `separators`; that and all further separators are skipped. False,
 * with `rest` as it was, when none of them is there or nothing stands before it. */
bool text_cut(struct text *rest, const char *separators, struct text *ret);

/* Skip `prefix`; false, and nothing skipped, when `rest` does not begin with it. */
bool text_skip(struct text *rest, const char *prefix);

void text_skip_blanks(struct text *rest);

/* `t` without blanks, '\r' and '\n' at both ends. */
struct text text_trim(struct text t);

/* A decimal number after optional blanks; false when there is no digit or it does not fit in 64 bits. On false
 * nothing is taken. The character after the number is left alone ("16384 kB" leaves " kB"). */
bool text_u64(struct text *rest, uint64_t *ret);
bool text_i64(struct text *rest, int64_t *ret); /* with an optional '-' */
bool text_hex(struct text *rest, uint64_t *ret); /* with or without 0x */

/* A decimal with at most `exponent` digits after the point, as an integer in units of 10^-exponent: "1.23" with
 * exponent 2 is 123, "1.2" is 120. Further digits are cut. */
bool text_decimal(struct text *rest, int exponent, int64_t *ret);

/* Byte order, the shorter first where one is the other's beginning. */
int text_compare(struct text a, struct text b);

/* Does `t` match `pattern`, where '*' stands for any run of characters and '?' for one? Linear; no recursion. */
bool text_glob(struct text t, const char *pattern);

/* A NUL-terminated copy of all its bytes that the caller frees; NULL without memory. */
char *text_copy(struct text t);

#endif
