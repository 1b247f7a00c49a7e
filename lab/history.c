/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "3:g=1:4": equal for runs that agree in all axes; `free`: less those in which earlier runs may differ. */
static int fingerprint(const struct pairs *axes, const char *axis, const struct names *dropped, struct buf *ret)
{
	buf_clear(ret);
	(void)buf_putc(ret, ' ');
	for (size_t i = 0; i < axes->count; i++) {
		const struct pair *p = &axes->at[i];
		bool is_free = axis && (strcmp(p->name, axis) == 0 || strcmp(p->name, "commit") == 0 ||
					names_find(dropped, text_of(p->name), 0) >= 0);

		if (!is_free && strcmp(p->name, "run") != 0)
			(void)buf_printf(ret, "%zu:%s=%zu:%s", strlen(p->name), p->name, strlen(p->value), p->value);
	}
	return ret->failed;
}

/* What the sides' runs are, as far as an earlier one has to be the same. */
static int name_sides(const struct lab_side *sides, size_t count, const char *axis, const struct names *dropped,
		      struct names *ret)
{
	struct buf name = { 0 };
	int r = 0;

	for (size_t s = 0; s < count; s++)
		for (size_t i = 0; i < sides[s].runs.count && r >= 0; i++) {
			r = fingerprint(&sides[s].runs.at[i].axes, axis, dropped, &name);
			if (r >= 0)
				r = names_add(ret, buf_text(&name));
		}
	buf_free(&name);
	return r < 0 ? -ENOMEM : 0;
}

static bool is_of_sides(const struct lab_side *sides, size_t count, const struct store_run *run)
{
	for (size_t s = 0; s < count; s++)
		for (size_t i = 0; i < sides[s].runs.count; i++)
			if (strcmp(sides[s].runs.at[i].id.text, run->id.text) == 0)
				return true;
	return false;
}

static uint64_t last_of(const struct lab_side *sides, size_t count)
{
	uint64_t last = 0;

	for (size_t s = 0; s < count; s++)
		for (size_t i = 0; i < sides[s].runs.count; i++)
			if (sides[s].runs.at[i].realtime_ns > last)
				last = sides[s].runs.at[i].realtime_ns;
	return last;
}

/* One query for all: what every run of the sides has of host and benchmark. */
static int ask(const struct lab_side *sides, size_t count, struct lab_history *h, struct err *err)
{
	const struct store_run *any = &sides[0].runs.at[0];
	const char *testcase = pairs_get(&any->axes, "testcase");
	struct store_query query = { .limit = LAB_HISTORY_LOOKED_AT };
	bool one_host = true, one_testcase = testcase != NULL;
	int r = pairs_set(&query.where, "complete", "yes");

	for (size_t s = 0; s < count; s++)
		for (size_t i = 0; i < sides[s].runs.count; i++) {
			const char *other = pairs_get(&sides[s].runs.at[i].axes, "testcase");

			one_host &= strcmp(any->host, sides[s].runs.at[i].host) == 0;
			one_testcase = one_testcase && other && strcmp(testcase, other) == 0;
		}
	/* A '*' or '?' in a value would be a glob: a superset is as good. */
	if (r == 0 && one_host)
		r = pairs_set(&query.where, "host", any->host);
	if (r == 0 && one_testcase)
		r = pairs_set(&query.where, "testcase", testcase);
	if (r < 0)
		err_set(err, r, "no memory to look for earlier runs");
	else
		r = store_find(sides[0].store, &query, &h->found, err);
	store_query_free(&query);
	return r;
}

/* Which of the runs found fit, the newest first; `sets` names each one's set. */
static int choose(const struct lab_side *sides, size_t count, const char *axis, const struct names *dropped,
		  const struct store_runs *found, int *set, struct names *sets)
{
	struct names wanted = { 0 };
	struct buf name = { 0 };
	uint64_t last = last_of(sides, count);
	int r = name_sides(sides, count, axis, dropped, &wanted);

	for (size_t i = 0; i < found->count && r >= 0; i++) {
		const struct store_run *run = &found->at[i];

		set[i] = -1;
		/* Runs of files that do not tell when they were made count as earlier ones. */
		if (run->signal != 0 || lab_when(run) * 1e9 >= (double)last || is_of_sides(sides, count, run))
			continue;
		r = fingerprint(&run->axes, axis, dropped, &name);
		if (r < 0 || names_find(&wanted, buf_text(&name), 0) < 0)
			continue;
		r = fingerprint(&run->axes, NULL, dropped, &name);
		if (r >= 0)
			r = set[i] = names_add(sets, buf_text(&name));
	}
	buf_free(&name);
	names_free(&wanted);
	return r < 0 ? -ENOMEM : 0;
}

static bool has_company(const int *set, size_t count, size_t i)
{
	for (size_t k = 0; k < count; k++)
		if (k != i && set[k] == set[i])
			return true;
	return false;
}

/* Axes as the comparison sees them: without those that were dropped. */
static int take(struct lab_history *h, struct store *store, const struct store_run *run, const char *set,
		const struct names *dropped, struct err *err)
{
	size_t n = h->count++;

	h->sets[n] = strdup(set);
	if (!h->sets[n])
		return -ENOMEM;
	for (size_t i = 0; i < run->axes.count; i++) {
		const struct pair *p = &run->axes.at[i];

		if (names_find(dropped, text_of(p->name), 0) < 0 && pairs_set(&h->axes[n], p->name, p->value) < 0)
			return -ENOMEM;
	}
	h->runs[n] = (struct compare_run){
		.stats = &h->stats[n],
		.axes = &h->axes[n],
		.when = lab_when(run),
		.host = run->host,
		.boot = pairs_get(&run->facts, "host.boot_id"),
		.set = h->sets[n],
	};
	/* A run that cannot be read tells nothing; what is compared does not depend on it. */
	if (lab_stats(store, &run->id, &h->stats[n], err) < 0)
		h->runs[n].incomplete = true;
	return 0;
}

int lab_history_open(struct lab_history *ret, const struct lab_side *sides, size_t count, const char *axis,
		     const struct names *dropped, struct err *err)
{
	struct names sets = { 0 };
	int *set = NULL, r;

	*ret = (struct lab_history){ 0 };
	r = ask(sides, count, ret, err);
	if (r < 0)
		return r;
	set = calloc(ret->found.count + 1, sizeof(*set));
	ret->runs = calloc(LAB_HISTORY_RUNS, sizeof(*ret->runs));
	ret->stats = calloc(LAB_HISTORY_RUNS, sizeof(*ret->stats));
	ret->axes = calloc(LAB_HISTORY_RUNS, sizeof(*ret->axes));
	ret->sets = calloc(LAB_HISTORY_RUNS, sizeof(*ret->sets));
	r = set && ret->runs && ret->stats && ret->axes && ret->sets
		    ? choose(sides, count, axis, dropped, &ret->found, set, &sets)
		    : -ENOMEM;
	for (size_t i = ret->found.count; r == 0 && i-- > 0 && ret->count < LAB_HISTORY_RUNS;)
		if (set[i] >= 0 && has_company(set, ret->found.count, i))
			r = take(ret, sides[0].store, &ret->found.at[i], names_at(&sets, set[i]), dropped, err);
	names_free(&sets);
	free(set);
	return r < 0 ? err_set(err, r, "no memory for earlier runs") : 0;
}

void lab_history_close(struct lab_history *h)
{
	for (size_t i = 0; i < h->count; i++) {
		stats_free(&h->stats[i]);
		pairs_free(&h->axes[i]);
		free(h->sets[i]);
	}
	free(h->runs);
	free(h->stats);
	free(h->axes);
	free(h->sets);
	store_runs_free(&h->found);
	*h = (struct lab_history){ 0 };
}
