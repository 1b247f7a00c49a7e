/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/change.h"
#include "analysis/lists.h"
#include "analysis/walk.h"

/* A growing list of rows. */
struct rows {
	struct compare_row *at;
	size_t count, room;
};

struct walk {
	const struct group *group;
	const struct compare_options *options;
	const char *testcase, *tbox_group;
	struct arena *arena;
	struct key_walk keys; /* of all runs, side by side, complete runs first */
	size_t *first;	      /* [side] its first run */
	unsigned *some;	      /* [side] how many complete runs have the key */
	double *scratch;
	bool profiled, lock_stats; /* does the base have these families at all? */
	struct rows functions, numbers;
	size_t key_count;
};

static bool base_has_family(const struct side *base, const char *prefix)
{
	for (size_t i = 0; i < base->complete; i++)
		if (run_has_family(base->runs[i], prefix))
			return true;
	return false;
}

static bool base_has_sibling(const struct side *base, const char *key)
{
	const char *ending[SIBLINGS_MAX];
	struct buf sibling = { 0 };
	size_t stem = 0, endings = key_siblings(key, &stem, ending);
	bool found = endings == 0;
	double value;

	for (size_t e = 0; e < endings && !found; e++) {
		buf_clear(&sibling);
		(void)buf_add(&sibling, key, stem);
		if (buf_puts(&sibling, ending[e]) < 0)
			break;
		for (size_t i = 0; i < base->count && !found; i++)
			found = stats_get(base->runs[i]->stats, sibling.data, &value);
	}
	buf_free(&sibling);
	return found;
}

/* The values of a side: of all its runs, or of its complete ones. */
static struct values values_of(const struct walk *w, size_t side, bool all)
{
	const struct side *s = &w->group->sides[side];

	return (struct values){ w->keys.values + w->first[side], all ? s->count : s->complete };
}

static struct compare_row *add_row(struct walk *w, struct rows *rows, const char *key)
{
	struct compare_row *row;

	if (rows->count == rows->room) {
		size_t room = rows->room ? 2 * rows->room : 64;
		struct compare_row *at = realloc(rows->at, room * sizeof(*at));

		if (!at)
			return NULL;
		rows->at = at;
		rows->room = room;
	}
	row = &rows->at[rows->count];
	*row = (struct compare_row){
		.key = arena_copy(w->arena, key),
		.cells = arena_take(w->arena, w->group->count, sizeof(*row->cells)),
	};
	if (!row->key || !row->cells)
		return NULL;
	rows->count++;
	return row;
}

static int fill_cell(const struct walk *w, size_t side, struct compare_row *row)
{
	struct compare_cell *cell = &row->cells[side];
	const struct compare_cell *base = &row->cells[0];
	struct values v = values_of(w, side, row->function);
	double sum = 0, squares = 0, *copy = row->function ? NULL : arena_take(w->arena, v.count, sizeof(*copy));

	if (!row->function && !copy)
		return -ENOMEM;
	for (size_t i = 0; i < v.count && copy; i++)
		copy[i] = w->keys.have[w->first[side] + i] ? v.at[i] : NAN;
	cell->values = copy;
	cell->runs = (unsigned)v.count;
	for (size_t i = 0; i < v.count; i++) {
		sum += v.at[i];
		cell->have += w->keys.have[w->first[side] + i];
	}
	if (isfinite(sum))
		cell->mean = v.count ? sum / (double)v.count : 0;
	else /* too large to be added up, not to be averaged */
		for (size_t i = 0; i < v.count; i++)
			cell->mean += v.at[i] / (double)v.count;
	cell->fails = row->function ? sum : 0;
	for (size_t i = 0; i < v.count; i++)
		squares += (v.at[i] - cell->mean) * (v.at[i] - cell->mean);
	cell->stddev = v.count ? sqrt(squares / (double)v.count) : 0;
	if (side == 0)
		return 0;
	if (row->function)
		cell->change = 100 * (cell->mean - base->mean); /* a mean of failures is their rate */
	else if (row->points)
		cell->change = cell->mean - base->mean;
	else if (base->mean != 0 || w->options->era == ERA_2016)
		cell->change = 100 * (cell->mean - base->mean) / base->mean;
	else
		cell->change = 100 * cell->mean / 1e-100;
	return 0;
}

static int take_function(struct walk *w, const char *key, bool denied)
{
	bool changed = false;
	struct compare_row *row;

	for (size_t side = 1; side < w->group->count && !changed; side++)
		changed = function_changed(values_of(w, 0, true), values_of(w, side, true));
	changed = changed && !denied && base_has_sibling(&w->group->sides[0], key);
	if ((!changed && !w->options->all) || w->options->kpi_only)
		return 0;
	row = add_row(w, &w->functions, key);
	if (!row)
		return -ENOMEM;
	row->function = true;
	row->changed = changed;
	for (size_t side = 0; side < w->group->count; side++)
		if (fill_cell(w, side, row) < 0)
			return -ENOMEM;
	return 0;
}

/* A new key is shown only where the family is one whose keys come and go. */
static bool is_present(const struct walk *w, const char *key)
{
	return w->some[0] || (w->profiled && key_is_of(key, "perf-profile")) ||
	       (w->lock_stats && key_is_of(key, "lock_stat"));
}

static int take_number(struct walk *w, const char *key, bool denied)
{
	bool changed = false, kpi = key_is_result(key, w->testcase);
	struct compare_row *row;

	if (w->options->kpi_only && !kpi)
		return 0;
	if (!denied && is_present(w, key) && !is_hidden_on_machine(key, w->tbox_group))
		for (size_t side = 1; side < w->group->count && !changed; side++)
			changed = number_changed(key, values_of(w, 0, false), values_of(w, side, false), w->options,
						 w->testcase, w->scratch);
	if (!changed && !w->options->all)
		return 0;
	row = add_row(w, &w->numbers, key);
	if (!row)
		return -ENOMEM;
	row->kpi = kpi;
	row->changed = changed;
	row->points = w->options->era != ERA_2016 && key_is_points(key);
	for (size_t side = 0; side < w->group->count; side++)
		if (fill_cell(w, side, row) < 0)
			return -ENOMEM;
	return 0;
}

static int take_key(struct walk *w, const char *key)
{
	const struct compare_options *o = w->options;
	bool function, denied;

	if ((o->filter && !text_glob(text_of(key), o->filter)) || (o->family && !key_is_of(key, o->family)) ||
	    key_is_numbered(key))
		return 0;
	w->key_count++;
	function = is_function_stat(key);
	denied = !o->more && key_is_denied(key, o->present_day);
	if (function)
		return take_function(w, key, denied);
	for (size_t side = 0; side < w->group->count; side++) {
		const bool *have = w->keys.have + w->first[side];

		w->some[side] = 0;
		for (unsigned i = 0; i < w->group->sides[side].complete; i++)
			w->some[side] += have[i];
	}
	return take_number(w, key, denied);
}

static int begin(struct walk *w)
{
	const struct compare_run **runs;
	size_t count = 0, run = 0;
	int r;

	for (size_t side = 0; side < w->group->count; side++)
		count += w->group->sides[side].count;
	runs = arena_take(w->arena, count, sizeof(*runs));
	w->scratch = arena_take(w->arena, count, sizeof(*w->scratch));
	w->first = arena_take(w->arena, w->group->count, sizeof(*w->first));
	w->some = arena_take(w->arena, w->group->count, sizeof(*w->some));
	if (!runs || !w->scratch || !w->first || !w->some)
		return -ENOMEM;
	for (size_t side = 0; side < w->group->count; side++) {
		const struct side *s = &w->group->sides[side];

		w->first[side] = run;
		for (size_t i = 0; i < s->count; i++)
			runs[run++] = s->runs[i];
	}
	r = key_walk_open(&w->keys, runs, count, w->arena);
	w->profiled = base_has_family(&w->group->sides[0], "perf-profile.");
	w->lock_stats = base_has_family(&w->group->sides[0], "lock_stat.");
	return r;
}

/* In order, and in the arena. */
static int settle(struct walk *w, struct rows *rows, struct compare_row **ret, size_t *ret_count)
{
	if (sort_rows(rows->at, rows->count, w->group->count, w->testcase, w->options->era) < 0)
		return -ENOMEM;
	*ret = arena_take(w->arena, rows->count, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	if (rows->count)
		memcpy(*ret, rows->at, rows->count * sizeof(**ret));
	*ret_count = rows->count;
	return 0;
}

int make_rows(const struct group *group, const struct compare_options *options, const char *testcase,
	      const char *tbox_group, struct arena *arena, struct compare_table *ret)
{
	struct walk w = {
		.group = group,
		.options = options,
		.testcase = testcase,
		.tbox_group = tbox_group,
		.arena = arena,
	};
	int r = begin(&w);

	for (const char *key; r == 0 && (key = key_walk_next(&w.keys));)
		r = take_key(&w, key);
	if (r == 0)
		r = settle(&w, &w.functions, &ret->functions, &ret->function_count);
	if (r == 0)
		r = settle(&w, &w.numbers, &ret->rows, &ret->row_count);
	ret->keys = w.key_count;
	free(w.functions.at);
	free(w.numbers.at);
	return r;
}
