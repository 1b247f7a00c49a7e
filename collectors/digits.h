/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decimal numbers, fast: eight digits in a handful of instructions, since a snapshot is mostly these.
 *
 * Every function returns the place behind what it took, or NULL when there is no digit at `at` or the number does not
 * fit in 64 bits. Nothing at or behind `end` is looked at.
 */
#ifndef ASSAY_COLLECTORS_DIGITS_H
#define ASSAY_COLLECTORS_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* What may stand behind a number: "12abc" is no number. */
static inline bool is_number_end(const char *at, const char *end)
{
	return at == end || is_blank(*at) || *at == '\n' || *at == '\r';
}

static inline const char *skip_blanks(const char *at, const char *end)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t x;

	if (end - at >= 8) { /* numbers stand right-aligned: up to seven blanks at once */
		memcpy(&x, at, 8);
		x ^= UINT64_C(0x2020202020202020);
		if (x & 0xff && (x & 0xff) != ('\t' ^ ' '))
			return at;
		at += x ? __builtin_ctzll(x) / 8 : 8;
	}
#endif
	while (at < end && is_blank(*at))
		at++;
	return at;
}

/* Behind the line that `at` is in. */
static inline const char *next_line(const char *at, const char *end)
{
	const char *newline;

	if (at >= end)
		return end;
	if (*at == '\n')
		return at + 1;
	newline = memchr(at, '\n', (size_t)(end - at));
	return newline ? newline + 1 : end;
}

/* One digit at a time, continuing `value`: the rare tail of long numbers and of the file's last bytes. */
static inline const char *digits_slow(const char *at, const char *end, uint64_t value, bool any, uint64_t *ret)
{
	for (; at < end; at++, any = true) {
		unsigned digit = (unsigned)(unsigned char)*at - '0';

		if (digit > 9)
			break;
		if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value))
			return NULL;
	}
	*ret = value;
	return any ? at : NULL;
}

static inline const char *digits_u64(const char *at, const char *end, uint64_t *ret)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t x, no_digit;

	if (end - at < 8)
		return digits_slow(at, end, 0, false, ret);
	memcpy(&x, at, 8);
	x ^= UINT64_C(0x3030303030303030); /* digits are 0 to 9 now, all else is larger */
	/* The sums may carry into the bytes above a byte that is no digit; only the lowest such byte is asked for. */
	no_digit = ((x + UINT64_C(0x7676767676767676)) | x) & UINT64_C(0x8080808080808080);
	if (no_digit) {
		unsigned bits = (unsigned)__builtin_ctzll(no_digit) & ~7u;

		if (bits == 0)
			return NULL;
		x <<= 64 - bits; /* the last digit is in the highest byte, zeros lead */
		at += bits / 8;
	} else {
		at += 8;
	}
	x = (x * 10 + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x * 100 + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);
	x = (x * 10000 + (x >> 32)) & UINT64_C(0x00000000ffffffff);
	if (!no_digit)
		return digits_slow(at, end, x, true, ret);
	*ret = x;
	return at;
#else
	return digits_slow(at, end, 0, false, ret);
#endif
}

/* One with an optional '-' and, for an exponent above 0, decimals: in units of 10^-exponent, as base/text.h says. */
static inline const char *digits_decimal(const char *at, const char *end, int exponent, uint64_t *ret)
{
	bool negative = at < end && *at == '-';

	if (exponent > 0) {
		struct text rest = { at, end };
		int64_t decimal;

		if (!text_decimal(&rest, exponent, &decimal))
			return NULL;
		*ret = (uint64_t)decimal;
		return rest.at;
	}
	at = digits_u64(at + negative, end, ret);
	if (at && negative)
		*ret = 0 - *ret;
	return at;
}

/* digits_u64() behind blanks. */
static inline const char *number_u64(const char *at, const char *end, uint64_t *ret)
{
	return digits_u64(skip_blanks(at, end), end, ret);
}

#endif
