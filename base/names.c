/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

static size_t hash_of(struct text name)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

	for (; name.at < name.end; name.at++)
		h = (h ^ (unsigned char)*name.at) * 0x100000001b3u;
	return (size_t)(h ^ h >> 32);
}

static bool is_at(const struct names *n, size_t row, struct text name)
{
	return n->length[row] == text_len(name) && memcmp(n->at[row], name.at, n->length[row]) == 0;
}

static void table_put(struct names *n, size_t row)
{
	size_t i = hash_of(text_n(n->at[row], n->length[row])) & (n->table_size - 1);

	while (n->table[i])
		i = (i + 1) & (n->table_size - 1);
	n->table[i] = (uint32_t)row + 1;
}

static int grow(struct names *n)
{
	size_t room = n->room ? 2 * n->room : 32;
	char **at = realloc(n->at, room * sizeof(*at));
	size_t *length;
	uint32_t *table;

	if (!at)
		return -ENOMEM;
	n->at = at;
	length = realloc(n->length, room * sizeof(*length));
	if (!length)
		return -ENOMEM;
	n->length = length;
	table = calloc(2 * room, sizeof(*table));
	if (!table)
		return -ENOMEM;
	free(n->table);
	n->table = table;
	n->table_size = 2 * room;
	n->room = room;
	for (size_t row = 0; row < n->count; row++)
		table_put(n, row);
	return 0;
}

int names_find(const struct names *n, struct text name, int guess)
{
	if (guess >= 0 && (size_t)guess < n->count && is_at(n, (size_t)guess, name))
		return guess;
	if (n->count == 0)
		return -1;
	for (size_t i = hash_of(name) & (n->table_size - 1); n->table[i]; i = (i + 1) & (n->table_size - 1))
		if (is_at(n, n->table[i] - 1, name))
			return (int)n->table[i] - 1;
	return -1;
}

int names_add(struct names *n, struct text name)
{
	int row = names_find(n, name, -1);
	char *copy;

	if (row >= 0)
		return row;
	if (n->count == n->room && (n->count >= INT_MAX / 4 || grow(n) < 0))
		return -ENOMEM;
	copy = text_copy(name);
	if (!copy)
		return -ENOMEM;
	n->at[n->count] = copy;
	n->length[n->count] = text_len(name);
	table_put(n, n->count);
	return (int)n->count++;
}

void names_free(struct names *n)
{
	for (size_t row = 0; row < n->count; row++)
		free(n->at[row]);
	free(n->at);
	free(n->length);
	free(n->table);
	*n = (struct names){ 0 };
}
