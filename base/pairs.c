/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/pairs.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static struct pair *find(const struct pairs *p, struct text name)
{
	for (size_t i = 0; i < p->count; i++)
		if (text_is(name, p->at[i].name))
			return &p->at[i];
	return NULL;
}

int pairs_set_text(struct pairs *p, struct text name, struct text value)
{
	struct pair *old = find(p, name);
	char *v = text_copy(value);
	char *n;

	if (!v)
		return -ENOMEM;
	if (old) {
		free(old->value);
		old->value = v;
		return 0;
	}
	n = text_copy(name);
	if (n && p->count == p->room) {
		size_t room = p->room ? 2 * p->room : 16;
		struct pair *at = realloc(p->at, room * sizeof(*at));

		if (at) {
			p->at = at;
			p->room = room;
		}
	}
	if (!n || p->count == p->room) {
		free(n);
		free(v);
		return -ENOMEM;
	}
	p->at[p->count++] = (struct pair){ n, v };
	return 0;
}

int pairs_set(struct pairs *p, const char *name, const char *value)
{
	return pairs_set_text(p, text_of(name), text_of(value));
}

int pairs_setf(struct pairs *p, const char *name, const char *format, ...)
{
	char *value = NULL;
	va_list args;
	int r;

	va_start(args, format);
	r = vasprintf(&value, format, args);
	va_end(args);
	if (r < 0)
		return -ENOMEM;
	r = pairs_set(p, name, value);
	free(value);
	return r;
}

const char *pairs_get_text(const struct pairs *p, struct text name)
{
	struct pair *pair = find(p, name);

	return pair ? pair->value : NULL;
}

const char *pairs_get(const struct pairs *p, const char *name)
{
	return pairs_get_text(p, text_of(name));
}

int pairs_copy(struct pairs *to, const struct pairs *from)
{
	int r = 0;

	for (size_t i = 0; i < from->count && r == 0; i++)
		r = pairs_set(to, from->at[i].name, from->at[i].value);
	return r;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct pair *)a)->name, ((const struct pair *)b)->name);
}

void pairs_sort(struct pairs *p)
{
	if (p->count)
		qsort(p->at, p->count, sizeof(*p->at), by_name);
}

void pairs_free(struct pairs *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->at[i].name);
		free(p->at[i].value);
	}
	free(p->at);
	*p = (struct pairs){ 0 };
}
