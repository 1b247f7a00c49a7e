/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <stdlib.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static unsigned digit_of(char c)
{
	return (unsigned)(unsigned char)c - '0'; /* above 9 when it is none */
}

bool text_starts(struct text t, const char *prefix)
{
	size_t n = strlen(prefix);

	return text_len(t) >= n && memcmp(t.at, prefix, n) == 0;
}

bool text_ends(struct text t, const char *suffix)
{
	size_t n = strlen(suffix);

	return text_len(t) >= n && memcmp(t.end - n, suffix, n) == 0;
}

bool text_line(struct text *rest, struct text *ret)
{
	const char *newline;

	if (rest->at >= rest->end)
		return false;
	newline = memchr(rest->at, '\n', text_len(*rest));
	ret->at = rest->at;
	ret->end = newline ? newline : rest->end;
	rest->at = newline ? newline + 1 : rest->end;
	return true;
}

void text_skip_blanks(struct text *rest)
{
	while (rest->at < rest->end && is_blank(*rest->at))
		rest->at++;
}

bool text_word(struct text *rest, struct text *ret)
{
	text_skip_blanks(rest);
	if (rest->at >= rest->end)
		return false;
	ret->at = rest->at;
	while (rest->at < rest->end && !is_blank(*rest->at))
		rest->at++;
	ret->end = rest->at;
	return true;
}

static bool among(char c, const char *set)
{
	for (; *set; set++)
		if (c == *set)
			return true;
	return false;
}

bool text_cut(struct text *rest, const char *separators, struct text *ret)
{
	const char *at = rest->at;

	while (at < rest->end && !among(*at, separators))
		at++;
	if (at == rest->end || at == rest->at)
		return false;
	*ret = (struct text){ rest->at, at };
	while (at < rest->end && among(*at, separators))
		at++;
	rest->at = at;
	return true;
}

bool text_skip(struct text *rest, const char *prefix)
{
	if (!text_starts(*rest, prefix))
		return false;
	rest->at += strlen(prefix);
	return true;
}

struct text text_trim(struct text t)
{
	while (t.at < t.end && among(*t.at, " \t\r\n"))
		t.at++;
	while (t.end > t.at && among(t.end[-1], " \t\r\n"))
		t.end--;
	return t;
}

bool text_u64(struct text *rest, uint64_t *ret)
{
	const char *at = rest->at;
	uint64_t value;
	int digits = 0;

	while (at < rest->end && is_blank(*at))
		at++;
	for (value = 0; at < rest->end; at++, digits++) {
		unsigned digit = digit_of(*at);

		if (digit > 9)
			break;
		if (digits >= 19 && (value > UINT64_MAX / 10 || value * 10 > UINT64_MAX - digit))
			return false;
		value = value * 10 + digit;
	}
	if (digits == 0)
		return false;
	rest->at = at;
	*ret = value;
	return true;
}

bool text_i64(struct text *rest, int64_t *ret)
{
	struct text at = *rest;
	uint64_t value;
	bool negative;

	text_skip_blanks(&at);
	negative = text_skip(&at, "-");
	if (at.at >= at.end || digit_of(*at.at) > 9 || !text_u64(&at, &value))
		return false;
	if (value > (uint64_t)INT64_MAX + negative)
		return false;
	*ret = negative ? (int64_t)(0 - value) : (int64_t)value;
	*rest = at;
	return true;
}

bool text_hex(struct text *rest, uint64_t *ret)
{
	struct text at = *rest;
	uint64_t value = 0;
	int digits = 0;

	text_skip_blanks(&at);
	if (text_starts(at, "0x") || text_starts(at, "0X"))
		at.at += 2;
	for (; at.at < at.end; at.at++, digits++) {
		unsigned digit = digit_of(*at.at);
		unsigned letter = ((unsigned)(unsigned char)*at.at | 0x20) - 'a';

		if (digit > 9 && letter > 5)
			break;
		if (value >> 60)
			return false;
		value = value << 4 | (digit <= 9 ? digit : letter + 10);
	}
	if (digits == 0)
		return false;
	*rest = at;
	*ret = value;
	return true;
}

bool text_decimal(struct text *rest, int exponent, int64_t *ret)
{
	struct text at = *rest;
	int64_t whole;
	bool negative;

	text_skip_blanks(&at);
	negative = at.at < at.end && *at.at == '-';
	if (!text_i64(&at, &whole))
		return false;
	if (at.at + 1 < at.end && *at.at == '.' && digit_of(at.at[1]) <= 9) {
		at.at++;
		for (; at.at < at.end && digit_of(*at.at) <= 9; at.at++) {
			int64_t digit = digit_of(*at.at);

			if (exponent == 0)
				continue;
			exponent--;
			if (__builtin_mul_overflow(whole, 10, &whole) ||
			    __builtin_add_overflow(whole, negative ? -digit : digit, &whole))
				return false;
		}
	}
	for (; exponent > 0; exponent--)
		if (__builtin_mul_overflow(whole, 10, &whole))
			return false;
	*rest = at;
	*ret = whole;
	return true;
}

int text_compare(struct text a, struct text b)
{
	size_t la = text_len(a), lb = text_len(b);
	int r = memcmp(a.at, b.at, la < lb ? la : lb);

	return r ? r : (la > lb) - (la < lb);
}

bool text_glob(struct text t, const char *pattern)
{
	const char *star = NULL, *retry = NULL;

	while (t.at < t.end) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = t.at;
		} else if (*pattern && (*pattern == '?' || *pattern == *t.at)) {
			pattern++;
			t.at++;
		} else if (star) {
			pattern = star; /* let the last star take one more */
			t.at = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

char *text_copy(struct text t)
{
	size_t n = text_len(t);
	char *copy = malloc(n + 1);

	if (copy) {
		if (n)
			memcpy(copy, t.at, n); /* all of it: a NUL within is a byte like another */
		copy[n] = '\0';
	}
	return copy;
}
