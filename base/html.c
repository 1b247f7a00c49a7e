/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/html.h"

int html_text(struct buf *b, const char *s)
{
	for (; *s; s++) {
		switch (*s) {
		case '&':
			(void)buf_puts(b, "&amp;");
			break;
		case '<':
			(void)buf_puts(b, "&lt;");
			break;
		case '>':
			(void)buf_puts(b, "&gt;");
			break;
		case '"':
			(void)buf_puts(b, "&quot;");
			break;
		case '\'':
			(void)buf_puts(b, "&#39;");
			break;
		default:
			(void)buf_putc(b, *s);
		}
	}
	return b->failed;
}
