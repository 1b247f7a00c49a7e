/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lab/lab.h"

static int by_query(struct lab_side *side, struct err *err)
{
	struct store_query query = { 0 };
	int r = store_query_parse(&query, side->name, err);

	if (r == 0)
		r = store_find(side->store, &query, &side->runs, err);
	if (r == 0 && pairs_copy(&side->where, &query.where) < 0)
		r = err_set(err, -ENOMEM, "%s: no memory", side->name);
	store_query_free(&query);
	return r;
}

static int by_value(struct lab_side *side, const char *axis, struct err *err)
{
	struct store_query query = { 0 };
	int r = 0;

	if (pairs_set(&query.where, axis, side->name) < 0 || pairs_set(&side->where, axis, side->name) < 0)
		r = err_set(err, -ENOMEM, "%s: no memory", side->name);
	if (r == 0)
		r = store_find(side->store, &query, &side->runs, err);
	store_query_free(&query);
	return r;
}

static int by_id(struct lab_side *side, struct err *err)
{
	struct ulid id;
	int r = store_resolve(side->store, side->name, &id, err);

	if (r < 0)
		return r;
	pairs_free(&side->where);
	side->where = (struct pairs){ 0 };
	side->by_id = true;
	side->runs.at = calloc(1, sizeof(*side->runs.at));
	if (!side->runs.at)
		return err_set(err, -ENOMEM, "%s: no memory", side->name);
	r = store_run(side->store, &id, side->runs.at, err);
	side->runs.count = r == 0;
	return r;
}

int lab_side_open(struct lab_side *ret, struct store *store, const char *name, const char *axis, struct err *err)
{
	int r;

	if (!axis)
		axis = "commit";
	*ret = (struct lab_side){ .store = store, .name = strdup(name) };
	if (!ret->name)
		return err_set(err, -ENOMEM, "%s: no memory", name);
	if (*name == '\0')
		return err_set(err, -EINVAL, "a side of the comparison has no name; say a query, a %s or a run", axis);
	if (strchr(name, '=')) {
		r = by_query(ret, err);
		if (r == 0 && ret->runs.count == 0)
			r = err_set(err, -ENOENT, "no run has %s", name);
		return r;
	}
	if (*name == '@' || ulid_is(text_of(name)))
		return by_id(ret, err);
	r = by_value(ret, axis, err);
	if (r < 0 || ret->runs.count)
		return r;
	store_runs_free(&ret->runs);
	ret->runs = (struct store_runs){ 0 };
	r = ulid_is_prefix(text_of(name)) ? by_id(ret, err) : -ENOENT;
	if (r == -ENOENT)
		err_set(err, r, "no run has %s=%s, and none is called %s", axis, name, name);
	return r;
}

void lab_side_close(struct lab_side *side)
{
	free(side->name);
	pairs_free(&side->where);
	store_runs_free(&side->runs);
	*side = (struct lab_side){ 0 };
}
