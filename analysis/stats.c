/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/stats.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/number.h"

/* Keys lie in blocks that never move. Before each stands its number in the order of setting (unaligned), which tells
 * the later one of two that are equal. */
struct stats_memory {
	struct stats_memory *next;
	size_t used, size;
	char bytes[];
};

#define BLOCK ((size_t)64 << 10)

static char *memory_take(struct stats *s, size_t size)
{
	struct stats_memory *m = s->memory;

	if (!m || m->size - m->used < size) {
		size_t room = size > BLOCK ? size : BLOCK;

		m = malloc(sizeof(*m) + room);
		if (!m)
			return NULL;
		*m = (struct stats_memory){ s->memory, 0, room };
		s->memory = m;
	}
	m->used += size;
	return m->bytes + m->used - size;
}

/* A key is one word of a line. */
static char in_key(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f ? '-' : c;
}

static int set(struct stats *s, struct text key, double value)
{
	uint64_t order = s->count;
	size_t length = text_len(key);
	char *copy;

	if (!isfinite(value) || length == 0)
		return 0;
	if (s->count == s->room) {
		size_t room = s->room ? 2 * s->room : 64;
		struct stat_value *at = realloc(s->at, room * sizeof(*at));

		if (!at)
			return -ENOMEM;
		s->at = at;
		s->room = room;
	}
	copy = memory_take(s, sizeof(order) + length + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, &order, sizeof(order));
	copy += sizeof(order);
	for (size_t i = 0; i < length; i++)
		copy[i] = in_key(key.at[i]);
	copy[length] = '\0';
	s->at[s->count++] = (struct stat_value){ copy, value };
	return 0;
}

int stats_set(struct stats *s, const char *key, double value)
{
	return set(s, text_of(key), value);
}

int stats_setf(struct stats *s, double value, const char *format, ...)
{
	cleanup_buf struct buf key = { 0 };
	va_list args;
	int r;

	va_start(args, format);
	r = buf_vprintf(&key, format, args);
	va_end(args);
	return r < 0 ? r : set(s, buf_text(&key), value);
}

static uint64_t order_of(const char *key)
{
	uint64_t order;

	memcpy(&order, key - sizeof(order), sizeof(order));
	return order;
}

static int by_key(const void *left, const void *right)
{
	const struct stat_value *a = left, *b = right;
	int r = strcmp(a->key, b->key);

	if (r != 0 || a->key == b->key)
		return r;
	return order_of(a->key) < order_of(b->key) ? -1 : 1;
}

void stats_sort(struct stats *s)
{
	size_t kept = 0;

	if (s->count == 0)
		return;
	qsort(s->at, s->count, sizeof(*s->at), by_key);
	for (size_t i = 1; i < s->count; i++)
		if (strcmp(s->at[kept].key, s->at[i].key) == 0)
			s->at[kept] = s->at[i];
		else
			s->at[++kept] = s->at[i];
	s->count = kept + 1;
}

static int key_against(const void *key, const void *value)
{
	return strcmp(key, ((const struct stat_value *)value)->key);
}

bool stats_get(const struct stats *s, const char *key, double *ret)
{
	const struct stat_value *found = s->count ? bsearch(key, s->at, s->count, sizeof(*s->at), key_against) : NULL;

	if (!found)
		return false;
	*ret = found->value;
	return true;
}

void stats_free(struct stats *s)
{
	while (s->memory) {
		struct stats_memory *next = s->memory->next;

		free(s->memory);
		s->memory = next;
	}
	free(s->at);
	*s = (struct stats){ 0 };
}

int stats_write(const struct stats *s, struct buf *ret)
{
	int r = buf_printf(ret, "assay-stats %d\n", STATS_RULES);

	for (size_t i = 0; i < s->count && r == 0; i++)
		if (isfinite(s->at[i].value))
			r = buf_printf(ret, "%s %.17g\n", s->at[i].key, s->at[i].value);
	return r;
}

static int read_lines(struct text rest, struct stats *ret, struct err *err)
{
	struct text line, key;
	uint64_t rules;
	size_t number = 1;

	if (!text_line(&rest, &line) || !text_skip(&line, "assay-stats ") || !text_u64(&line, &rules) ||
	    line.at != line.end)
		return err_set(err, -EBADMSG, "stats: the first line is not \"assay-stats N\"");
	if (rules != STATS_RULES)
		return err_set(err, -ESTALE, "stats of rules %llu, this program has %d", (unsigned long long)rules,
			       STATS_RULES);
	if (rest.at < rest.end && rest.end[-1] != '\n')
		return err_set(err, -EBADMSG, "stats: the last line is torn");
	while (text_line(&rest, &line)) {
		double value;
		int r;

		number++;
		if (!text_cut(&line, " ", &key) || memchr(key.at, '\0', text_len(key)) || !number_read(line, &value))
			return err_set(err, -EBADMSG, "stats:%zu: not \"KEY VALUE\"", number);
		r = set(ret, key, value);
		if (r < 0)
			return err_set(err, r, "stats: no memory");
	}
	stats_sort(ret);
	return 0;
}

int stats_read(struct text text, struct stats *ret, struct err *err)
{
	struct stats s = { 0 };
	int r = read_lines(text, &s, err);

	if (r < 0)
		stats_free(&s);
	else
		*ret = s;
	return r;
}
