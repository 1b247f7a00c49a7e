/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/verdict_input.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/lists.h"
#include "analysis/verdict_history.h"
#include "analysis/walk.h"

#define BOOTS_LEAST 3 /* a side, for boots to be the units */

/* Families whose keys come and go: a run that has the family at all has 0 under a key that it lacks. */
static const char *const absent_is_zero[] = { "perf-profile.", "perf-sched.", "lock_stat.", "latency_stats.",
					      "ftrace." };
#define ZERO_FAMILIES (sizeof(absent_is_zero) / sizeof(absent_is_zero[0]))

struct filling {
	const struct compare_options *options;
	const struct compare_run **runs; /* of the sides, then the history */
	size_t run_count;
	size_t *unit;	  /* [run of the sides] its unit; SIZE_MAX: incomplete */
	unsigned *there;  /* [unit] how many of its runs have the present key */
	bool *has_family; /* [zero family x run] */
	size_t room, function_room;
};

static bool same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* ---- runs and units ---- */

static size_t count_boots(const struct side *s, bool *ret_known, bool *ret_shared)
{
	size_t boots = 0;

	for (size_t i = 0; i < s->complete; i++) {
		bool seen = false;

		*ret_known &= s->runs[i]->boot != NULL;
		for (size_t k = 0; k < i && !seen; k++)
			seen = same(s->runs[k]->boot, s->runs[i]->boot);
		boots += !seen;
		*ret_shared |= seen;
	}
	return boots;
}

/* Did each run of the side run in a boot that the other side ran in, too? */
static bool ran_in_boots_of(const struct side *s, const struct side *other)
{
	for (size_t i = 0; i < s->complete; i++) {
		bool found = false;

		for (size_t k = 0; k < other->complete && !found; k++)
			found = same(s->runs[i]->boot, other->runs[k]->boot);
		if (!found)
			return false;
	}
	return true;
}

static void look_at_boots(const struct group *g, struct verdict_input *in)
{
	bool known = true, shared = false;

	in->boots_least = SIZE_MAX;
	in->same_boots = true;
	for (size_t s = 0; s < g->count; s++) {
		size_t boots = count_boots(&g->sides[s], &known, &shared);

		if (boots < in->boots_least)
			in->boots_least = boots;
		in->same_boots &= ran_in_boots_of(&g->sides[s], &g->sides[0]);
	}
	if (!known)
		in->boots_least = 0;
	in->by_boot = known && shared && in->boots_least >= BOOTS_LEAST;
}

/* The unit of each run: side by side, in the order of their first runs. */
static void name_units(const struct group *g, struct verdict_input *in, size_t *unit)
{
	size_t run = 0;

	for (size_t s = 0; s < g->count; s++) {
		const struct side *side = &g->sides[s];

		in->sides[s] = (struct verdict_side){ .first = in->units, .first_run = run, .runs = side->count };
		for (size_t i = 0; i < side->count; i++) {
			size_t k = 0;

			while (in->by_boot && k < i && !same(side->runs[k]->boot, side->runs[i]->boot))
				k++;
			if (i >= side->complete)
				unit[run + i] = SIZE_MAX;
			else if (in->by_boot && k < i)
				unit[run + i] = unit[run + k];
			else
				unit[run + i] = in->units++;
		}
		in->sides[s].units = in->units - in->sides[s].first;
		run += side->count;
	}
	in->runs = run;
}

/* Where each unit stood: the mean rank of its runs among all complete ones. Known on one machine only. */
static int find_positions(const struct filling *f, struct verdict_input *in, struct arena *arena)
{
	double *sum = arena_take(arena, in->units, sizeof(*sum));
	const char *host = NULL;

	if (!sum)
		return -ENOMEM;
	for (size_t u = 0; u < in->units; u++)
		f->there[u] = 0;
	for (size_t i = 0; i < in->runs; i++) {
		size_t rank = 0;

		if (f->unit[i] == SIZE_MAX)
			continue;
		if (!(f->runs[i]->when > 0) || (host && f->runs[i]->host && strcmp(host, f->runs[i]->host) != 0))
			return 0;
		host = f->runs[i]->host ? f->runs[i]->host : host;
		for (size_t k = 0; k < in->runs; k++)
			rank += f->unit[k] != SIZE_MAX && (f->runs[k]->when < f->runs[i]->when ||
							   (k < i && !(f->runs[k]->when > f->runs[i]->when)));
		sum[f->unit[i]] += (double)rank;
		f->there[f->unit[i]]++;
	}
	for (size_t u = 0; u < in->units; u++)
		sum[u] /= (double)f->there[u];
	in->positions = sum;
	return 0;
}

/* ---- keys ---- */

/* Room for another row of `width` numbers; the row's numbers, or NULL. */
static double *grow(const char ***keys, double **values, size_t *room, size_t count, size_t width)
{
	if (count == *room) {
		size_t more = *room ? 2 * *room : 1024;
		const char **new_keys = realloc(*keys, more * sizeof(**keys));
		double *new_values;

		if (!new_keys)
			return NULL;
		*keys = new_keys;
		new_values = realloc(*values, more * (width ? width : 1) * sizeof(**values));
		if (!new_values)
			return NULL;
		*values = new_values;
		*room = more;
	}
	return *values + count * width;
}

static int take_function(struct filling *f, const struct key_walk *w, const char *key, struct verdict_input *in)
{
	double *row = grow(&in->function_keys, &in->function_values, &f->function_room, in->function_count, in->runs);

	if (!row)
		return -ENOMEM;
	for (size_t i = 0; i < in->runs; i++)
		row[i] = w->values[i];
	in->function_keys[in->function_count++] = key;
	return 0;
}

static size_t zero_family(const char *key)
{
	size_t i = 0;

	while (i < ZERO_FAMILIES && !text_starts(text_of(key), absent_is_zero[i]))
		i++;
	return i;
}

static int take_number(struct filling *f, const struct key_walk *w, const char *key, struct verdict_input *in)
{
	size_t width = in->units + in->history_runs, family = zero_family(key), some = 0;
	double *row = grow(&in->keys, &in->values, &f->room, in->count, width);

	if (!row)
		return -ENOMEM;
	for (size_t u = 0; u < width; u++)
		row[u] = 0;
	for (size_t u = 0; u < in->units; u++)
		f->there[u] = 0;
	for (size_t i = 0; i < f->run_count; i++) {
		bool there = w->have[i] || (family < ZERO_FAMILIES && f->has_family[family * f->run_count + i]);

		if (i >= in->runs) {
			row[in->units + i - in->runs] = there ? w->values[i] : NAN;
		} else if (there && f->unit[i] != SIZE_MAX) {
			row[f->unit[i]] += w->values[i];
			f->there[f->unit[i]]++;
			some += w->have[i];
		}
	}
	for (size_t u = 0; u < in->units; u++)
		row[u] = f->there[u] ? row[u] / (double)f->there[u] : NAN;
	if (some == 0) /* only the history has it, or an incomplete run */
		return 0;
	in->keys[in->count++] = key;
	return 0;
}

static int take_keys(struct filling *f, struct arena *arena, struct verdict_input *in)
{
	struct key_walk w;
	int r = key_walk_open(&w, f->runs, f->run_count, arena);

	for (const char *key; r == 0 && (key = key_walk_next(&w));) {
		if (key_is_numbered(key))
			continue;
		in->looked_at++;
		if (!f->options->more && key_is_denied(key, f->options->present_day))
			continue;
		r = is_function_stat(key) ? take_function(f, &w, key, in) : take_number(f, &w, key, in);
	}
	return r;
}

int verdict_input_make(const struct group *group, const struct compare_options *options, const char *axis,
		       const struct pairs *common, struct arena *arena, struct verdict_input *ret)
{
	struct filling f = { .options = options };
	struct verdict_past past = { 0 };
	size_t runs = 0, at = 0;
	int r;

	*ret = (struct verdict_input){ .side_count = group->count };
	for (size_t s = 0; s < group->count; s++)
		runs += group->sides[s].count;
	r = verdict_past_find(group, options, axis, common, arena, &past);
	if (r < 0)
		return r;
	f.run_count = runs + past.count;
	f.runs = arena_take(arena, f.run_count, sizeof(*f.runs));
	f.unit = arena_take(arena, runs, sizeof(*f.unit));
	f.there = arena_take(arena, runs, sizeof(*f.there));
	f.has_family = arena_take(arena, ZERO_FAMILIES * f.run_count, sizeof(*f.has_family));
	ret->sides = arena_take(arena, group->count, sizeof(*ret->sides));
	if (!f.runs || !f.unit || !f.there || !f.has_family || !ret->sides)
		return -ENOMEM;
	for (size_t s = 0; s < group->count; s++)
		for (size_t i = 0; i < group->sides[s].count; i++)
			f.runs[at++] = group->sides[s].runs[i];
	for (size_t i = 0; i < past.count; i++)
		f.runs[at++] = past.runs[i];
	for (size_t z = 0; z < ZERO_FAMILIES; z++)
		for (size_t i = 0; i < f.run_count; i++)
			f.has_family[z * f.run_count + i] = run_has_family(f.runs[i], absent_is_zero[z]);
	ret->sets = past.sets;
	ret->history_runs = past.count;
	look_at_boots(group, ret);
	name_units(group, ret, f.unit);
	r = find_positions(&f, ret, arena);
	return r < 0 ? r : take_keys(&f, arena, ret);
}

void verdict_input_free(struct verdict_input *in)
{
	free(in->keys);
	free(in->values);
	free(in->function_keys);
	free(in->function_values);
	*in = (struct verdict_input){ 0 };
}

struct values verdict_values(const struct verdict_input *in, size_t row, size_t side)
{
	const struct verdict_side *s = &in->sides[side];

	return (struct values){ in->values + row * (in->units + in->history_runs) + s->first, s->units };
}

struct values verdict_history(const struct verdict_input *in, size_t row)
{
	return (struct values){ in->values + row * (in->units + in->history_runs) + in->units, in->history_runs };
}
