/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/compare.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/rows.h"
#include "analysis/verdict.h"

struct compare_memory {
	struct arena arena;
};

static int check_options(const struct compare_options *o, struct err *err)
{
	int alternatives = (o->gap > 0) + (o->variance > 0) + (o->distance > 0);

	if (o->rules != RULES_LKP && o->rules != RULES_ASSAY)
		return err_set(err, -EINVAL, "rules %d: not known", (int)o->rules);
	if (o->rules == RULES_ASSAY && (alternatives || o->relative > 0 || o->max_half_only))
		return err_set(err, -EINVAL, "gap, variance, distance and relative are of the rules lkp: ask for these");
	if (o->rules == RULES_LKP && (o->q > 0 || o->effect > 0 || o->weak || o->noise || o->expand || o->intervals || o->top))
		return err_set(err, -EINVAL,
			       "q, effect, weak, noise, expand, top and intervals are of the rules assay: ask for these");
	if (o->q < 0 || o->q >= 1 || o->effect < 0)
		return err_set(err, -EINVAL, "q has to lie between 0 and 1, and the effect above 0");
	if (alternatives > 1)
		return err_set(err, -EINVAL, "gap, variance and distance: give one of them");
	if (o->columns && o->column_count < 2)
		return err_set(err, -EINVAL, "a comparison needs a base and at least one head");
	return 0;
}

static int by_name_and_value(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	struct buf p = { 0 }, q = { 0 };
	int order;

	/* As the strings "name=value": "fs2=..." stands before "fs=...". */
	(void)buf_printf(&p, "%s=%s", x->name, x->value);
	(void)buf_printf(&q, "%s=%s", y->name, y->value);
	order = text_compare(buf_text(&p), buf_text(&q));
	buf_free(&p);
	buf_free(&q);
	return order;
}

static int common_axes(const struct pairs *axes, const char *compared, struct pairs *ret)
{
	for (size_t i = 0; i < axes->count; i++) {
		const struct pair *p = &axes->at[i];

		if (strcmp(p->name, compared) != 0 && strcmp(p->name, "run") != 0 &&
		    pairs_set(ret, p->name, p->value) < 0)
			return -ENOMEM;
	}
	if (ret->count)
		qsort(ret->at, ret->count, sizeof(*ret->at), by_name_and_value);
	return 0;
}

static int make_columns(const struct group *group, struct arena *arena, struct compare_table *ret)
{
	ret->column_count = group->count;
	ret->columns = arena_take(arena, group->count, sizeof(*ret->columns));
	ret->runs = arena_take(arena, group->count, sizeof(*ret->runs));
	ret->complete = arena_take(arena, group->count, sizeof(*ret->complete));
	if (!ret->columns || !ret->runs || !ret->complete)
		return -ENOMEM;
	for (size_t i = 0; i < group->count; i++) {
		ret->columns[i] = arena_copy(arena, group->sides[i].value);
		ret->runs[i] = group->sides[i].count;
		ret->complete[i] = group->sides[i].complete;
		if (!ret->columns[i])
			return -ENOMEM;
	}
	return 0;
}

static int make_table(const struct group *group, const struct compare_options *options, const char *axis,
		      struct arena *arena, struct compare_table *ret)
{
	/* Where these are the compared axis, the base's decide. */
	const struct pairs *axes = group->sides[0].runs[0]->axes;
	int r = common_axes(axes, axis, &ret->axes);

	if (r == 0)
		r = make_columns(group, arena, ret);
	if (r < 0)
		return r;
	if (options->rules == RULES_ASSAY)
		return make_verdicts(group, options, axis, pairs_get(axes, "testcase"), arena, ret);
	return make_rows(group, options, pairs_get(axes, "testcase"), pairs_get(axes, "tbox_group"), arena, ret);
}

static void add_up(struct comparison *c, const struct compare_table *t)
{
	for (size_t i = 0; i < t->column_count; i++) {
		c->runs_incomplete += t->runs[i] - t->complete[i];
		c->groups_short += t->complete[i] < COMPARE_RUNS_MIN;
	}
	c->keys += t->keys;
	c->rows += t->function_count + t->row_count + t->weak_count + t->noise_count;
}

static int compare_in(struct arena *arena, const struct compare_run *runs, size_t count,
		      const struct compare_options *options, struct comparison *ret)
{
	struct grouping grouping;
	int r;

	ret->axis = arena_copy(arena, options->axis ? options->axis : "commit");
	if (!ret->axis)
		return -ENOMEM;
	r = group_runs(runs, count, ret->axis, options->columns, options->column_count, arena, &grouping);
	if (r < 0)
		return r;
	ret->rules = options->rules;
	ret->era = options->era;
	ret->intervals = options->intervals;
	ret->runs = count;
	ret->runs_left_out = grouping.left_out;
	ret->tables = arena_take(arena, grouping.count, sizeof(*ret->tables));
	if (!ret->tables)
		return -ENOMEM;
	for (size_t i = 0; i < grouping.count && r == 0; i++) {
		struct compare_table *table = &ret->tables[ret->table_count++];

		r = make_table(&grouping.groups[i], options, ret->axis, arena, table);
		if (r == 0)
			add_up(ret, table);
	}
	return r;
}

int compare(const struct compare_run *runs, size_t count, const struct compare_options *options, struct comparison *ret,
	    struct err *err)
{
	int r = check_options(options, err);

	*ret = (struct comparison){ 0 };
	if (r < 0)
		return r;
	ret->memory = calloc(1, sizeof(*ret->memory));
	if (!ret->memory || compare_in(&ret->memory->arena, runs, count, options, ret) < 0) {
		comparison_free(ret);
		return err_set(err, -ENOMEM, "no memory to compare %zu runs", count);
	}
	return 0;
}

void comparison_free(struct comparison *c)
{
	for (size_t i = 0; i < c->table_count; i++)
		pairs_free(&c->tables[i].axes);
	if (c->memory)
		arena_free(&c->memory->arena);
	free(c->memory);
	*c = (struct comparison){ 0 };
}
