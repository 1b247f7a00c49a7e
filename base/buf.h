/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes that grow up to a ceiling. Zero it to begin (`struct buf b = { .ceiling = 1 << 20 };`), buf_free() ends it
 * and may be called twice. Always NUL-terminated behind `len` once something was added.
 *
 * Results: 0; -ENOMEM; -EMSGSIZE when it would pass the ceiling (a ceiling of 0 is BUF_CEILING). Nothing is added
 * then, and the buffer remembers it in `failed`, so that a row of additions can be checked once, at its end.
 */
#ifndef ASSAY_BASE_BUF_H
#define ASSAY_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

#include "base/text.h"

#define BUF_CEILING ((size_t)64 << 20)

struct buf {
	char *data;
	size_t len, size, ceiling;
	int failed; /* 0, or the first failure */
};

int buf_reserve(struct buf *b, size_t more); /* room for `more` bytes beyond len */
int buf_add(struct buf *b, const void *data, size_t len);
int buf_add_text(struct buf *b, struct text t);
int buf_puts(struct buf *b, const char *s);
int buf_putc(struct buf *b, char c);
int buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
int buf_vprintf(struct buf *b, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void buf_clear(struct buf *b); /* empty, the memory stays */
void buf_free(struct buf *b);

static inline struct text buf_text(const struct buf *b)
{
	return (struct text){ b->data ? b->data : "", (b->data ? b->data : "") + b->len };
}

#define cleanup_buf __attribute__((cleanup(buf_free)))

#endif
