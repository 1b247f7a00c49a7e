/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "base/option.h"
#include "base/take.h"
#include "store/files.h"
#include "store/inside.h"
#include "store/query.h"

/* No gap: sequences are from 1 on and each once, so the highest equals their number. */
#define RUN_COMPLETE "(ifnull(exited, 0) AND last_sequence = segments)"
#define RUN_COLUMNS  \
	"id, host, realtime_ns, start_ns, stop_ns, segments, bytes, exited, exit_code, signal, " RUN_COMPLETE

static int load_pairs(struct store *s, struct store_run *run, struct err *err)
{
	sqlite3_stmt *q = catalog_prepare(&s->catalog, CATALOG_PAIRS, err);
	int r, added = 0;

	if (!q)
		return err->code;
	(void)sqlite3_bind_text(q, 1, run->id.text, -1, SQLITE_STATIC);
	while (added == 0 && (r = sqlite3_step(q)) == SQLITE_ROW)
		added = pairs_set(sqlite3_column_int(q, 0) == PAIR_AXIS ? &run->axes : &run->facts, catalog_text(q, 1),
				  catalog_text(q, 2));
	if (added < 0)
		r = err_set(err, -ENOMEM, "run %s: no memory", run->id.text);
	else
		r = r == SQLITE_DONE ? 0 : catalog_failed(&s->catalog, err);
	(void)sqlite3_reset(q);
	return r;
}

static int load_run(struct store *s, sqlite3_stmt *row, struct store_run *ret, struct err *err)
{
	const char *id = catalog_text(row, 0), *host;
	int r;

	*ret = (struct store_run){ 0 };
	if (!ulid_is(text_of(id)))
		return err_set(err, -EUCLEAN, "%s: a run's id is '%s'; `assay runs --rebuild` makes it anew",
			       s->catalog.path ? s->catalog.path : s->path, id);
	memcpy(ret->id.text, id, sizeof(ret->id.text));
	ret->realtime_ns = (uint64_t)sqlite3_column_int64(row, 2);
	if (sqlite3_column_type(row, 3) != SQLITE_NULL && sqlite3_column_int64(row, 4) > sqlite3_column_int64(row, 3))
		ret->duration_ns = (uint64_t)(sqlite3_column_int64(row, 4) - sqlite3_column_int64(row, 3));
	ret->segments = (uint32_t)sqlite3_column_int64(row, 5);
	ret->bytes = (uint64_t)sqlite3_column_int64(row, 6);
	ret->exited = sqlite3_column_int(row, 7);
	ret->exit_code = sqlite3_column_int(row, 8);
	ret->signal = sqlite3_column_int(row, 9);
	ret->complete = sqlite3_column_int(row, 10);
	r = load_pairs(s, ret, err);
	if (r == 0) {
		host = pairs_get(&ret->facts, "host.name");
		ret->host = text_copy(text_of(host ? host : catalog_text(row, 1)));
		if (!ret->host)
			r = err_set(err, -ENOMEM, "run %s: no memory", id);
	}
	if (r < 0)
		store_run_free(ret);
	return r;
}

void store_run_free(struct store_run *run)
{
	pairs_free(&run->axes);
	pairs_free(&run->facts);
	free((char *)run->host);
	*run = (struct store_run){ 0 };
}

void store_runs_free(struct store_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		store_run_free(&runs->at[i]);
	free(runs->at);
	*runs = (struct store_runs){ 0 };
}

static bool is_glob(const char *value)
{
	return strpbrk(value, "*?");
}

/* Is the name no axis of any run? Then it is a fact's. */
static int is_fact(struct store *s, const char *name, bool *ret, struct err *err)
{
	sqlite3_stmt *q = NULL;
	int r;

	*ret = false;
	if (query_part(name) != QUERY_AXIS)
		return 0;
	if (sqlite3_prepare_v2(s->catalog.db, "SELECT 1 FROM pair WHERE kind = 0 AND name = ?1 LIMIT 1", -1, &q, NULL) !=
	    SQLITE_OK)
		return catalog_failed(&s->catalog, err);
	(void)sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
	r = sqlite3_step(q);
	*ret = r == SQLITE_DONE;
	r = r == SQLITE_DONE || r == SQLITE_ROW ? 0 : catalog_failed(&s->catalog, err);
	(void)sqlite3_finalize(q);
	return r;
}

/* Pair i's name is the statement's parameter 2i + 1, its value 2i + 2. */
static void add_condition(struct buf *sql, const struct pair *pair, size_t i, bool fact)
{
	size_t name = 2 * i + 1, value = 2 * i + 2;
	bool yes = false;
	struct err ignored;

	switch (query_part(pair->name)) {
	case QUERY_AXIS:
		if (fact) /* run by run, since facts have no index */
			(void)buf_printf(sql, " AND EXISTS (SELECT 1 FROM pair WHERE run = id AND kind = 1 AND name = ?%zu AND ",
					 name);
		else
			(void)buf_printf(sql, " AND id IN (SELECT run FROM pair WHERE kind = 0 AND name = ?%zu AND ", name);
		(void)buf_printf(sql, is_glob(pair->value) ? "globs(?%zu, value))" : "value = ?%zu)", value);
		break;
	case QUERY_ID:
		(void)buf_printf(sql, " AND id >= upper(?%zu) AND id < upper(?%zu) || '~'", value, value);
		break;
	case QUERY_COMPLETE:
		(void)parse_bool(pair->name, pair->value, &yes, &ignored);
		(void)buf_printf(sql, " AND %s" RUN_COMPLETE, yes ? "" : "NOT ");
		break;
	case QUERY_HOST:
		(void)buf_printf(sql,
				 " AND globs(?%zu, ifnull((SELECT value FROM pair WHERE run = id AND kind = 1"
				 " AND name = 'host.name'), host))",
				 value);
		break;
	case QUERY_SINCE:
		(void)buf_printf(sql, " AND id >= ?%zu", value);
		break;
	case QUERY_UNTIL:
		(void)buf_printf(sql, " AND id <= ?%zu", value);
		break;
	}
}

static int bind_condition(sqlite3_stmt *q, const struct pair *pair, size_t i, struct err *err)
{
	enum query_part part = query_part(pair->name);
	const char *value = pair->value;
	struct ulid time;
	int r = 0;

	if (part == QUERY_SINCE || part == QUERY_UNTIL) {
		r = query_time(pair->name, pair->value, part == QUERY_UNTIL, &time, err);
		value = time.text;
	}
	if (r == 0) { /* what the statement does not use is out of its range and left out */
		(void)sqlite3_bind_text(q, (int)(2 * i + 1), pair->name, -1, SQLITE_TRANSIENT);
		(void)sqlite3_bind_text(q, (int)(2 * i + 2), value, -1, SQLITE_TRANSIENT);
	}
	return r;
}

/* The newest `limit` of those that match, newest first. */
static int find_prepare(struct store *s, const struct store_query *query, sqlite3_stmt **ret, struct err *err)
{
	cleanup_buf struct buf sql = { 0 };
	int r = 0;

	(void)buf_puts(&sql, "SELECT " RUN_COLUMNS " FROM run WHERE 1");
	for (size_t i = 0; i < query->where.count && r == 0; i++) {
		bool fact;

		r = is_fact(s, query->where.at[i].name, &fact, err);
		add_condition(&sql, &query->where.at[i], i, fact);
	}
	if (r < 0)
		return r;
	(void)buf_puts(&sql, " ORDER BY id DESC");
	if (query->limit)
		(void)buf_printf(&sql, " LIMIT %zu", query->limit);
	if (sql.failed)
		return err_set(err, sql.failed, "no memory for the query");
	if (sqlite3_prepare_v2(s->catalog.db, sql.data, (int)sql.len, ret, NULL) != SQLITE_OK)
		return catalog_failed(&s->catalog, err);
	for (size_t i = 0; i < query->where.count && r == 0; i++)
		r = bind_condition(*ret, &query->where.at[i], i, err);
	return r;
}

static int find_step(struct store *s, sqlite3_stmt *q, struct store_runs *ret, struct err *err)
{
	size_t room = 0;
	int r;

	while ((r = sqlite3_step(q)) == SQLITE_ROW) {
		if (ret->count == room) {
			struct store_run *more = reallocarray(ret->at, room = 2 * room + 16, sizeof(*more));

			if (!more)
				return err_set(err, -ENOMEM, "no memory for %zu runs", room);
			ret->at = more;
		}
		r = load_run(s, q, &ret->at[ret->count], err);
		if (r < 0)
			return r;
		ret->count++;
	}
	return r == SQLITE_DONE ? 0 : catalog_failed(&s->catalog, err);
}

/* What was left on its way is learnt first, if that can be now. */
static int look(struct store *s, struct err *err)
{
	int r = store_follow_catalog(s, err);

	if (r < 0)
		return r;
	r = incoming_look(s, false, err);
	return catalog_is_behind(r) ? 0 : r;
}

int store_find(struct store *store, const struct store_query *query, struct store_runs *ret, struct err *err)
{
	sqlite3_stmt *q = NULL;
	int r = look(store, err);

	*ret = (struct store_runs){ 0 };
	if (r < 0)
		return r;
	r = find_prepare(store, query, &q, err);
	if (r == 0)
		r = find_step(store, q, ret, err);
	(void)sqlite3_finalize(q);
	if (r < 0)
		store_runs_free(ret);
	for (size_t a = 0, b = ret->count; a + 1 < b; a++, b--) { /* oldest first */
		struct store_run run = ret->at[a];

		ret->at[a] = ret->at[b - 1];
		ret->at[b - 1] = run;
	}
	return r;
}

int store_run(struct store *store, const struct ulid *id, struct store_run *ret, struct err *err)
{
	sqlite3_stmt *q = NULL;
	int r = files_check_run(id, err);

	*ret = (struct store_run){ 0 };
	if (r == 0)
		r = store_follow_catalog(store, err);
	if (r == 0 && store_can_learn(store)) {
		r = index_run(store, id, false, NULL, err);
		if (catalog_is_behind(r)) /* then as much as is known */
			r = 0;
	}
	if (r < 0)
		return r;
	if (sqlite3_prepare_v2(store->catalog.db, "SELECT " RUN_COLUMNS " FROM run WHERE id = ?1", -1, &q, NULL) !=
	    SQLITE_OK)
		return catalog_failed(&store->catalog, err);
	(void)sqlite3_bind_text(q, 1, id->text, -1, SQLITE_STATIC);
	r = sqlite3_step(q);
	if (r == SQLITE_ROW)
		r = load_run(store, q, ret, err);
	else if (r == SQLITE_DONE)
		r = err_set(err, -ENOENT, "no run %s here; `assay runs` lists them", id->text);
	else
		r = catalog_failed(&store->catalog, err);
	(void)sqlite3_finalize(q);
	return r;
}

static int resolve_newest(struct store *s, const char *name, struct ulid *ret, struct err *err)
{
	struct text t = text_of(name + 1);
	sqlite3_stmt *q;
	uint64_t n;
	int r;

	if (!text_u64(&t, &n) || t.at != t.end || n > INT32_MAX)
		return err_set(err, -EINVAL, "'%s': @0 is the newest run, @1 the one before", name);
	q = catalog_prepare(&s->catalog, CATALOG_NEWEST, err);
	if (!q)
		return err->code;
	(void)sqlite3_bind_int64(q, 1, (sqlite3_int64)n);
	r = sqlite3_step(q);
	if (r == SQLITE_ROW) {
		memcpy(ret->text, catalog_text(q, 0), sizeof(ret->text));
		r = 0;
	} else if (r == SQLITE_DONE) {
		r = err_set(err, -ENOENT, "no run %s: there are not that many here; `assay runs` lists them", name);
	} else {
		r = catalog_failed(&s->catalog, err);
	}
	(void)sqlite3_reset(q);
	return r;
}

static int resolve_prefix(struct store *s, const char *name, struct ulid *ret, struct err *err)
{
	struct ulid found[2] = { 0 };
	char prefix[ULID_LENGTH + 1];
	size_t n = 0;
	sqlite3_stmt *q;
	int r;

	for (n = 0; name[n]; n++)
		prefix[n] = name[n] >= 'a' && name[n] <= 'z' ? (char)(name[n] - 'a' + 'A') : name[n];
	prefix[n] = '\0';
	q = catalog_prepare(&s->catalog, CATALOG_PREFIX, err);
	if (!q)
		return err->code;
	(void)sqlite3_bind_text(q, 1, prefix, -1, SQLITE_STATIC);
	for (n = 0; (r = sqlite3_step(q)) == SQLITE_ROW && n < 2; n++)
		memcpy(found[n].text, catalog_text(q, 0), sizeof(found[n].text));
	r = r == SQLITE_DONE || n == 2 ? 0 : catalog_failed(&s->catalog, err);
	(void)sqlite3_reset(q);
	if (r < 0)
		return r;
	if (n == 0)
		return err_set(err, -ENOENT, "no run %s here; `assay runs` lists them", name);
	if (n == 2)
		return err_set(err, -ENOTUNIQ, "'%s' is the beginning of %s and of %s; give more of it", name,
			       found[0].text, found[1].text);
	*ret = found[0];
	return 0;
}

int store_resolve(struct store *store, const char *name, struct ulid *ret, struct err *err)
{
	int r = look(store, err);

	if (r < 0)
		return r;
	if (*name == '@')
		return resolve_newest(store, name, ret, err);
	if (!ulid_is_prefix(text_of(name)))
		return err_set(err, -ENOENT,
			       "no run '%s': give an id, the beginning of one, or @0; `assay runs` lists them", name);
	r = resolve_prefix(store, name, ret, err);
	if (r == -ENOENT && store_can_learn(store)) { /* put there by hand, perhaps */
		r = index_all(store, true, false, NULL, err);
		if (r == 0)
			r = resolve_prefix(store, name, ret, err);
	}
	return r;
}
