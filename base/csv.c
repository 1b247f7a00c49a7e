/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/csv.h"

int csv_field(struct buf *b, const char *text)
{
	bool quoted = strpbrk(text, ",\"\r\n") != NULL;

	if (quoted)
		(void)buf_putc(b, '"');
	for (; *text; text++) {
		if (*text == '"')
			(void)buf_putc(b, '"');
		(void)buf_putc(b, *text);
	}
	if (quoted)
		(void)buf_putc(b, '"');
	return b->failed;
}
