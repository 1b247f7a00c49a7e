/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/buf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int buf_reserve(struct buf *b, size_t more)
{
	size_t ceiling = b->ceiling ? b->ceiling : BUF_CEILING;
	size_t size = b->size ? b->size : 256;
	char *data;

	if (b->failed)
		return b->failed;
	if (more > ceiling || b->len > ceiling - more)
		return b->failed = -EMSGSIZE;
	if (b->data && b->size - b->len > more)
		return 0;
	while (size - b->len <= more) /* one more byte, for the NUL */
		size *= 2;
	data = realloc(b->data, size);
	if (!data)
		return b->failed = -ENOMEM;
	b->data = data;
	b->size = size;
	return 0;
}

int buf_add(struct buf *b, const void *data, size_t len)
{
	int r = buf_reserve(b, len);

	if (r < 0)
		return r;
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
	return 0;
}

int buf_add_text(struct buf *b, struct text t)
{
	return buf_add(b, t.at, text_len(t));
}

int buf_puts(struct buf *b, const char *s)
{
	return buf_add(b, s, strlen(s));
}

int buf_putc(struct buf *b, char c)
{
	return buf_add(b, &c, 1);
}

int buf_vprintf(struct buf *b, const char *format, va_list args)
{
	va_list again;
	int n, r;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (n < 0)
		return b->failed = -EINVAL;
	r = buf_reserve(b, (size_t)n);
	if (r < 0)
		return r;
	(void)vsnprintf(b->data + b->len, (size_t)n + 1, format, args);
	b->len += (size_t)n;
	return 0;
}

int buf_printf(struct buf *b, const char *format, ...)
{
	va_list args;
	int r;

	va_start(args, format);
	r = buf_vprintf(b, format, args);
	va_end(args);
	return r;
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	b->failed = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buf_free(struct buf *b)
{
	free(b->data);
	b->data = NULL;
	b->len = b->size = 0;
	b->failed = 0;
}
