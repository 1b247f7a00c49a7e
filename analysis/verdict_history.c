/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/verdict_history.h"

#include <errno.h>
#include <stdlib.h>

#include "base/names.h"

struct past_run {
	const struct compare_run *run;
	int set;
	double newest; /* of the set */
};

static bool is_column(const struct group *g, const char *value)
{
	for (size_t s = 0; s < g->count; s++)
		if (strcmp(g->sides[s].value, value) == 0)
			return true;
	return false;
}

static bool is_here(const struct group *g, const struct compare_run *run)
{
	bool same_host = !run->host;

	for (size_t s = 0; s < g->count; s++)
		for (size_t i = 0; i < g->sides[s].count; i++) {
			const struct compare_run *r = g->sides[s].runs[i];

			if (r->stats == run->stats)
				return false;
			same_host |= !r->host || (run->host && strcmp(r->host, run->host) == 0);
		}
	return same_host;
}

/* May its axes differ from the table's in this one? The commit is what makes it an earlier run. */
static bool is_free(const char *name)
{
	return strcmp(name, "run") == 0 || strcmp(name, "commit") == 0;
}

static bool fits(const struct group *g, const char *axis, const struct pairs *common, const struct compare_run *run)
{
	for (size_t i = 0; i < common->count; i++) {
		const char *value = pairs_get(run->axes, common->at[i].name);

		if (!is_free(common->at[i].name) && (!value || strcmp(value, common->at[i].value) != 0))
			return false;
	}
	for (size_t i = 0; i < run->axes->count; i++) {
		const struct pair *p = &run->axes->at[i];

		if (is_free(p->name) || pairs_get(common, p->name))
			continue;
		if (strcmp(p->name, axis) != 0 || !is_column(g, p->value))
			return false;
	}
	return !run->incomplete && is_here(g, run);
}

static int by_age(const void *a, const void *b)
{
	const struct past_run *x = a, *y = b;

	if (x->newest < y->newest || x->newest > y->newest)
		return x->newest > y->newest ? -1 : 1;
	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	return x->run < y->run ? -1 : x->run > y->run;
}

static int find_sets(struct past_run *past, size_t count)
{
	struct names sets = { 0 };
	struct buf name = { 0 };
	int r = 0;

	for (size_t i = 0; i < count && r >= 0; i++) {
		buf_clear(&name);
		r = past[i].run->set ? buf_puts(&name, past[i].run->set)
				     : axes_fingerprint(past[i].run->axes, "run", &name);
		if (r >= 0)
			r = past[i].set = names_add(&sets, buf_text(&name));
	}
	buf_free(&name);
	names_free(&sets);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++)
			if (past[k].set == past[i].set && past[k].run->when > past[i].newest)
				past[i].newest = past[k].run->when;
	return r < 0 ? -ENOMEM : 0;
}

int verdict_past_find(const struct group *group, const struct compare_options *options, const char *axis,
		      const struct pairs *common, struct arena *arena, struct verdict_past *ret)
{
	struct past_run *past = arena_take(arena, options->history_count, sizeof(*past));
	size_t *runs = arena_take(arena, options->history_count, sizeof(*runs)), count = 0;

	ret->runs = arena_take(arena, options->history_count, sizeof(*ret->runs));
	if (!past || !runs || !ret->runs)
		return -ENOMEM;
	for (size_t i = 0; i < options->history_count; i++)
		if (fits(group, axis, common, &options->history[i]))
			past[count++].run = &options->history[i];
	if (find_sets(past, count) < 0)
		return -ENOMEM;
	qsort(past, count, sizeof(*past), by_age);
	ret->sets.runs = runs;
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && past[end].set == past[i].set; end++)
			;
		if (end - i < 2) /* a run alone has no noise */
			continue;
		if (ret->count && ret->count + (end - i) > HISTORY_RUNS_MAX)
			break;
		for (size_t k = i; k < end && ret->count < HISTORY_RUNS_MAX; k++) {
			ret->runs[ret->count++] = past[k].run;
			runs[ret->sets.count]++;
		}
		ret->sets.count++;
	}
	return 0;
}
