/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab/trend.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/plot.h"
#include "base/names.h"

/* ---- collecting ---- */

static void day_of(uint64_t realtime_ns, char *ret, size_t size)
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	struct tm utc = { 0 };

	(void)gmtime_r(&seconds, &utc);
	if (strftime(ret, size, "%Y-%m-%d", &utc) == 0)
		*ret = '\0';
}

static const char *name_of(const struct store_run *run, const char *by, char day[16])
{
	if (strcmp(by, "run") == 0)
		return run->id.text;
	if (strcmp(by, "day") != 0)
		return pairs_get(&run->axes, by);
	day_of(run->realtime_ns, day, 16);
	return day;
}

/* Runs of other parameters are no history of each other. */
static int check_alike(const struct store_runs *runs, const char *by, struct err *err)
{
	struct names apart = { 0 };
	struct buf list = { 0 };
	int r = 0;

	for (size_t i = 0; i < runs->count && r >= 0; i++)
		for (size_t a = 0; a < runs->at[i].axes.count && r >= 0; a++) {
			const struct pair *p = &runs->at[i].axes.at[a];
			const char *first = pairs_get(&runs->at[0].axes, p->name);

			if (strcmp(p->name, by) != 0 && strcmp(p->name, "run") != 0 && strcmp(p->name, "commit") != 0 &&
			    (!first || strcmp(first, p->value) != 0))
				r = names_add(&apart, text_of(p->name));
		}
	for (size_t i = 0; i < apart.count && r >= 0; i++)
		r = buf_printf(&list, "%s%s", i ? ", " : "", apart.at[i]);
	if (r < 0)
		r = err_set(err, -ENOMEM, "no memory for the history");
	else if (apart.count)
		r = err_set(err, -EINVAL,
			    "these runs are no history of one thing: they differ in %.200s; a query may name that",
			    list.data);
	else
		r = 0;
	buf_free(&list);
	names_free(&apart);
	return r;
}

/* Mean and squares as they come; finished by finish(). */
static int take(struct trend *t, const struct names *names, const struct store_run *run, int row, double value)
{
	struct trend_point *p = &t->points[row];
	double apart = value - p->mean;

	if (!p->name) {
		p->name = strdup(names_at(names, row));
		p->realtime_ns = run->realtime_ns;
		if (!p->name)
			return -ENOMEM;
	}
	p->runs++;
	p->mean += apart / p->runs;
	p->stddev += apart * (value - p->mean);
	return 0;
}

static int collect(struct trend *t, struct store *store, const struct store_runs *runs, struct err *err)
{
	struct names names = { 0 };
	int r = 0;

	for (size_t i = 0; i < runs->count && r >= 0; i++) {
		const struct store_run *run = &runs->at[i];
		char day[16];
		const char *name = name_of(run, t->by, day);
		struct stats stats;
		double value;

		r = lab_stats(store, &run->id, &stats, err);
		if (r < 0) {
			(void)err_prefix(err, "run %s: ", run->id.text);
			break;
		}
		if (!name || !stats_get(&stats, t->key, &value) || !isfinite(value)) {
			t->without++;
			stats_free(&stats);
			continue;
		}
		r = names_add(&names, text_of(name));
		if (r >= 0)
			r = take(t, &names, run, r, value);
		if (r < 0)
			(void)err_set(err, -ENOMEM, "no memory for the history");
		stats_free(&stats);
	}
	t->count = names.count;
	names_free(&names);
	return r < 0 ? r : 0;
}

static int finish(struct trend *t, struct err *err)
{
	double *values = calloc(2 * t->count + 1, sizeof(*values));
	int r = values ? 0 : -ENOMEM;

	for (size_t i = 0; i < t->count && r == 0; i++) {
		struct trend_point *p = &t->points[i];

		p->stddev = p->runs > 1 ? sqrt(p->stddev / (p->runs - 1)) : 0;
		values[i] = p->mean;
		values[t->count + i] = p->runs;
	}
	if (r == 0)
		r = find_change_points(values, values + t->count, t->count, &t->changes);
	free(values);
	return r < 0 ? err_set(err, r, "no memory for the history") : 0;
}

static int find_runs(struct store *store, const char *text, struct store_runs *ret, struct err *err)
{
	struct store_query query = { 0 };
	int r = store_query_parse(&query, text, err);

	if (r == 0 && !pairs_get(&query.where, "complete"))
		r = pairs_set(&query.where, "complete", "yes");
	if (r == 0)
		r = store_find(store, &query, ret, err);
	store_query_free(&query);
	if (r == 0 && ret->count > LAB_RUNS_MAX)
		r = err_set(err, -E2BIG, "%zu runs, more than %d; narrow the query, or add limit=N", ret->count,
			    LAB_RUNS_MAX);
	if (r == 0 && ret->count == 0)
		r = err_set(err, -ENOENT, "no complete run has %s", *text ? text : "any axes");
	return r;
}

int lab_trend(struct store *store, const char *key, const char *query, const char *by, struct trend *ret,
	      struct err *err)
{
	struct store_runs runs = { 0 };
	int r;

	*ret = (struct trend){ .key = strdup(key), .by = strdup(by ? by : "commit") };
	r = ret->key && ret->by ? find_runs(store, query, &runs, err) : err_set(err, -ENOMEM, "no memory");
	if (r == 0)
		r = check_alike(&runs, ret->by, err);
	if (r == 0) {
		ret->points = calloc(runs.count, sizeof(*ret->points));
		r = ret->points ? collect(ret, store, &runs, err) : err_set(err, -ENOMEM, "no memory");
	}
	if (r == 0 && ret->count == 0)
		r = err_set(err, -ENOENT, "none of %zu runs has %s, and %s", runs.count, key, ret->by);
	if (r == 0)
		r = finish(ret, err);
	store_runs_free(&runs);
	if (r < 0)
		trend_free(ret);
	return r;
}

void trend_free(struct trend *t)
{
	for (size_t i = 0; t->points && i < t->count; i++)
		free(t->points[i].name);
	change_history_free(&t->changes);
	free(t->points);
	free(t->key);
	free(t->by);
	*t = (struct trend){ 0 };
}

/* ---- one or two groups, run by run ---- */

static int values_of(const struct lab_side *side, const char *key, struct values *ret, struct err *err)
{
	double *values = calloc(side->runs.count + 1, sizeof(*values));
	int r = values ? 0 : err_set(err, -ENOMEM, "no memory");

	*ret = (struct values){ values, 0 };
	for (size_t i = 0; i < side->runs.count && r == 0; i++) {
		struct stats stats;
		double value;

		if (!side->runs.at[i].complete)
			continue;
		r = lab_stats(side->store, &side->runs.at[i].id, &stats, err);
		if (r == 0 && stats_get(&stats, key, &value))
			values[ret->count++] = value;
		if (r == 0)
			stats_free(&stats);
	}
	return r;
}

int lab_plot(struct store *store, const char *key, const char *const *names, size_t count, const char *axis, bool svg,
	     struct buf *ret, struct err *err)
{
	struct lab_side sides[2] = { 0 };
	struct plot plot = { .title = key };
	struct values values[2] = { 0 };
	int r = 0;

	for (size_t i = 0; i < count && r == 0; i++) {
		r = lab_side_open(&sides[i], store, names[i], axis, err);
		if (r == 0)
			r = values_of(&sides[i], key, &values[i], err);
	}
	if (r == 0) {
		plot.good = values[0];
		plot.bad = values[1];
		plot.good_name = names[0];
		plot.bad_name = count > 1 ? names[1] : NULL;
		r = svg ? plot_svg(&plot, ret) : plot_ascii(&plot, ret);
		if (r == -EINVAL)
			r = err_set(err, -ENOENT, "none of these runs has %s", key);
		else if (r < 0)
			r = err_set(err, r, "no memory to draw %s", key);
	}
	for (size_t i = 0; i < count; i++) {
		lab_side_close(&sides[i]);
		free((double *)values[i].at);
	}
	return r;
}
