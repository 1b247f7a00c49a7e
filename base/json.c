/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* How many bytes the UTF-8 character at `t` has, or 0 where there is none: no overlong forms, no surrogates. */
static size_t character(struct text t)
{
	const unsigned char *at = (const unsigned char *)t.at;
	size_t n = at[0] < 0x80 ? 1 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2 : (at[0] & 0xf0) == 0xe0 ? 3 :
		   at[0] >= 0xf0 && at[0] < 0xf5 ? 4 : 0;

	if (n == 0 || n > text_len(t))
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0) || (at[0] == 0xf0 && at[1] < 0x90) ||
	    (at[0] == 0xf4 && at[1] >= 0x90))
		return 0;
	return n;
}

int json_text(struct buf *b, struct text t)
{
	(void)buf_putc(b, '"');
	while (t.at < t.end) {
		size_t n = character(t);

		if (n == 0) {
			(void)buf_puts(b, "\xef\xbf\xbd");
			t.at++;
			continue;
		}
		if (*t.at == '"' || *t.at == '\\')
			(void)buf_printf(b, "\\%c", *t.at);
		else if (n == 1 && ((unsigned char)*t.at < 0x20 || *t.at == 0x7f))
			(void)buf_printf(b, "\\u%04x", (unsigned)(unsigned char)*t.at);
		else
			(void)buf_add(b, t.at, n);
		t.at += n;
	}
	return buf_putc(b, '"');
}

int json_number(struct buf *b, double value)
{
	char digits[32];

	if (!isfinite(value))
		return buf_puts(b, "null");
	for (int precision = 15; precision <= 17; precision++) {
		(void)snprintf(digits, sizeof(digits), "%.*g", precision, value);
		if (strtod(digits, NULL) == value)
			break;
	}
	return buf_puts(b, digits);
}

int json_pairs(struct buf *b, const struct pairs *p)
{
	(void)buf_putc(b, '{');
	for (size_t i = 0; i < p->count; i++) {
		if (i)
			(void)buf_putc(b, ',');
		(void)json_text(b, text_of(p->at[i].name));
		(void)buf_putc(b, ':');
		(void)json_text(b, text_of(p->at[i].value));
	}
	return buf_putc(b, '}');
}
