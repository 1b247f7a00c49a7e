/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/take.h"
#include "host/limits.h"
#include "host/resolve.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Two runs of digits as numbers of any length; both are moved behind their run. */
static int number_compare(const char **a, const char **b)
{
	size_t la, lb;
	int r;

	while (**a == '0')
		++*a;
	while (**b == '0')
		++*b;
	for (la = 0; is_digit((*a)[la]);)
		la++;
	for (lb = 0; is_digit((*b)[lb]);)
		lb++;
	r = la != lb ? (la > lb) - (la < lb) : memcmp(*a, *b, la);
	*a += la;
	*b += lb;
	return r;
}

int natural_compare(const char *a, const char *b)
{
	const char *first = a, *second = b;

	while (*a && *b) {
		int r;

		if (is_digit(*a) && is_digit(*b)) {
			r = number_compare(&a, &b);
			if (r)
				return r;
		} else if (*a != *b) {
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	if (*a || *b)
		return *a ? 1 : -1;
	return strcmp(first, second); /* "cpu01" and "cpu1" are two names still */
}

static bool is_pattern(struct text t)
{
	for (; t.at < t.end; t.at++)
		if (*t.at == '*' || *t.at == '?')
			return true;
	return false;
}

/* `base` + '/' + `name` to `ret`. */
static int join(const char *base, const char *name, struct names *ret)
{
	cleanup_buf struct buf path = { 0 };

	(void)buf_puts(&path, base);
	if (path.len)
		(void)buf_putc(&path, '/');
	(void)buf_puts(&path, name);
	if (path.failed)
		return path.failed;
	return names_add(ret, buf_text(&path)) < 0 ? -ENOMEM : 0;
}

/* One component of the pattern under one path found so far. */
static int expand(const struct host *host, const char *base, const char *component, struct names *ret)
{
	struct names listed = { 0 };
	struct err ignored;
	int r;

	if (!is_pattern(text_of(component)))
		return join(base, component, ret);
	r = host_list(host, base, &listed, &ignored);
	if (!limits_lack(r))
		r = 0; /* a folder that is not there or may not be read has no matches */
	for (size_t i = 0; i < listed.count && r == 0; i++)
		if (listed.at[i][0] != '.' && text_glob(text_of(listed.at[i]), component))
			r = join(base, listed.at[i], ret);
	names_free(&listed);
	return r;
}

static int by_nature(const void *a, const void *b)
{
	return natural_compare(*(char *const *)a, *(char *const *)b);
}

/* Those that are there, in order. */
static int settle(const struct host *host, struct names *found, struct names *ret)
{
	if (found->count)
		qsort(found->at, found->count, sizeof(*found->at), by_nature);
	for (size_t i = 0; i < found->count; i++) {
		cleanup_fd int fd = resolve(host, found->at[i], O_PATH);

		if (limits_lack(fd))
			return fd;
		if (fd >= 0 && names_add(ret, text_of(found->at[i])) < 0)
			return -ENOMEM;
	}
	return 0;
}

int host_glob(const struct host *host, const char *pattern, struct names *ret, struct err *err)
{
	const char *rest = pattern;
	struct names found = { 0 };
	int r;

	names_free(ret);
	r = names_add(&found, text_of("")) < 0 ? -ENOMEM : 0;
	while (r == 0) {
		size_t n = strcspn(rest += strspn(rest, "/"), "/");
		char *component = n ? strndup(rest, n) : NULL;
		struct names next = { 0 };

		if (n == 0)
			break;
		if (!component)
			r = -ENOMEM;
		for (size_t i = 0; i < found.count && r == 0; i++)
			r = expand(host, found.at[i], component, &next);
		free(component);
		names_free(&found);
		found = next;
		rest += n;
	}
	if (r == 0)
		r = settle(host, &found, ret);
	names_free(&found);
	return r < 0 ? limits_failed(err, r, pattern) : 0;
}
