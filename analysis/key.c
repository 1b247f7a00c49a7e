/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "analysis/reduce.h"

static int put(struct buf *ret, const char *part)
{
	size_t from = ret->len;
	int r = buf_puts(ret, part);

	if (r < 0)
		return r;
	for (char *c = ret->data + from; c < ret->data + ret->len; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			*c = '-';
	return 0;
}

int key_of(const char *collector, const char *instance, const char *metric, struct buf *ret)
{
	bool metric_first = strcmp(collector, "diskstats") == 0;
	const char *second = metric_first ? metric : instance;
	const char *third = metric_first ? instance : metric;

	(void)put(ret, collector);
	if (*second) {
		(void)buf_putc(ret, '.');
		(void)put(ret, second);
	}
	if (*third) {
		(void)buf_putc(ret, '.');
		(void)put(ret, third);
	}
	return ret->failed;
}
