/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/grouping.h"

#include <errno.h>
#include <stdlib.h>

#include "base/names.h"

/* Where a run stands; what is equal in table and column is one side. */
struct place {
	int table, column;
	size_t index;
	const struct compare_run *run;
	const char *value;
};

static int by_name(const void *a, const void *b)
{
	const struct pair *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

int axes_fingerprint(const struct pairs *axes, const char *axis, struct buf *ret)
{
	const struct pair **sorted = calloc(axes->count ? axes->count : 1, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < axes->count; i++)
		sorted[i] = &axes->at[i];
	qsort(sorted, axes->count, sizeof(*sorted), by_name);
	buf_clear(ret);
	(void)buf_putc(ret, ' ');
	for (size_t i = 0; i < axes->count; i++)
		if (strcmp(sorted[i]->name, axis) != 0 && strcmp(sorted[i]->name, "run") != 0)
			(void)buf_printf(ret, "%zu:%s=%zu:%s", strlen(sorted[i]->name), sorted[i]->name,
					 strlen(sorted[i]->value), sorted[i]->value);
	free(sorted);
	return ret->failed;
}

static int column_of(const char *value, const char *const *columns, size_t count, struct names *seen)
{
	if (!columns)
		return names_add(seen, text_of(value));
	for (size_t i = 0; i < count; i++)
		if (strcmp(columns[i], value) == 0)
			return (int)i;
	return -ENOENT;
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	if (x->run->incomplete != y->run->incomplete)
		return x->run->incomplete ? 1 : -1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static int place_runs(const struct compare_run *runs, size_t count, const char *axis, const char *const *columns,
		      size_t column_count, struct place *ret, size_t *ret_count)
{
	struct names tables = { 0 }, seen = { 0 };
	struct buf name = { 0 };
	int r = 0;

	for (size_t i = 0; i < count && r == 0; i++) {
		struct place *p = &ret[*ret_count];
		const char *value = pairs_get(runs[i].axes, axis);

		if (!value)
			continue;
		*p = (struct place){ .index = i, .run = &runs[i], .value = value };
		p->column = column_of(value, columns, column_count, &seen);
		if (p->column == -ENOENT)
			continue;
		r = axes_fingerprint(runs[i].axes, axis, &name);
		if (r == 0)
			p->table = names_add(&tables, buf_text(&name));
		if (r < 0 || p->column < 0 || p->table < 0)
			r = -ENOMEM;
		else
			++*ret_count;
	}
	buf_free(&name);
	names_free(&tables);
	names_free(&seen);
	return r;
}

/* The sides of one table, from the `count` places that it has. */
static int make_group(const struct place *places, size_t count, struct arena *arena, struct group *ret)
{
	size_t sides = 0;

	for (size_t i = 0; i < count; i++)
		sides += i == 0 || places[i].column != places[i - 1].column;
	ret->sides = arena_take(arena, sides, sizeof(*ret->sides));
	if (!ret->sides)
		return -ENOMEM;
	ret->count = 0;
	for (size_t i = 0; i < count; i++) {
		struct side *side;

		if (i == 0 || places[i].column != places[i - 1].column) {
			side = &ret->sides[ret->count++];
			side->value = places[i].value;
			side->runs = arena_take(arena, count - i, sizeof(*side->runs));
			if (!side->runs)
				return -ENOMEM;
		}
		side = &ret->sides[ret->count - 1];
		side->runs[side->count++] = places[i].run;
		side->complete += !places[i].run->incomplete;
	}
	return 0;
}

int group_runs(const struct compare_run *runs, size_t count, const char *axis, const char *const *columns,
	       size_t column_count, struct arena *arena, struct grouping *ret)
{
	struct place *places = arena_take(arena, count, sizeof(*places));
	size_t placed = 0;
	int r;

	*ret = (struct grouping){ 0 };
	if (!places)
		return -ENOMEM;
	r = place_runs(runs, count, axis, columns, column_count, places, &placed);
	if (r < 0)
		return r;
	qsort(places, placed, sizeof(*places), compare_places);
	ret->groups = arena_take(arena, placed, sizeof(*ret->groups));
	if (!ret->groups)
		return -ENOMEM;
	ret->left_out = count - placed;
	for (size_t i = 0, end; i < placed && r == 0; i = end) {
		bool partner = false;

		for (end = i; end < placed && places[end].table == places[i].table; end++)
			partner |= places[end].column != places[i].column;
		/* Without the base that was asked for there is nothing to set the others against. */
		if (!partner || (columns && places[i].column != 0))
			ret->left_out += end - i;
		else
			r = make_group(&places[i], end - i, arena, &ret->groups[ret->count++]);
	}
	return r;
}
