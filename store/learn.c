/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/take.h"
#include "store/catalog.h"

/* Bind a text that lives until the statement was stepped. */
static void bind_text(sqlite3_stmt *s, int at, const char *text)
{
	(void)sqlite3_bind_text(s, at, text, -1, SQLITE_STATIC);
}

static int learn_run(struct catalog *c, const struct ulid *run, const struct catalog_segment *segment,
		     const struct gathered *g, struct err *err)
{
	sqlite3_stmt *s = catalog_prepare(c, CATALOG_RUN_ADD, err);

	if (!s)
		return err->code;
	bind_text(s, 1, run->text);
	bind_text(s, 2, g->host);
	(void)sqlite3_bind_int64(s, 3, catalog_integer(g->realtime_ns));
	(void)sqlite3_bind_int64(s, 4, segment->sequence);
	(void)sqlite3_bind_int64(s, 5, catalog_integer(segment->bytes));
	if (g->has_start)
		(void)sqlite3_bind_int64(s, 6, catalog_integer(g->start_ns));
	if (g->has_stop)
		(void)sqlite3_bind_int64(s, 7, catalog_integer(g->stop_ns));
	if (g->ended) {
		(void)sqlite3_bind_int64(s, 8, segment->sequence);
		(void)sqlite3_bind_int(s, 9, g->end.exited);
		(void)sqlite3_bind_int(s, 10, g->end.exit_code);
		(void)sqlite3_bind_int(s, 11, g->end.signal);
	}
	return catalog_run(c, s, err);
}

static int learn_pairs(struct catalog *c, const struct ulid *run, uint32_t sequence, int kind,
		       const struct pairs *pairs, struct err *err)
{
	int r = 0;

	for (size_t i = 0; i < pairs->count && r == 0; i++) {
		sqlite3_stmt *s = catalog_prepare(c, CATALOG_PAIR_ADD, err);

		if (!s)
			return err->code;
		bind_text(s, 1, run->text);
		(void)sqlite3_bind_int(s, 2, kind);
		bind_text(s, 3, pairs->at[i].name);
		bind_text(s, 4, pairs->at[i].value);
		(void)sqlite3_bind_int64(s, 5, sequence);
		r = catalog_run(c, s, err);
	}
	return r;
}

static int learn_results(struct catalog *c, const struct ulid *run, uint32_t sequence, const struct gathered *g,
			 struct err *err)
{
	int r = 0;

	for (size_t i = 0; i < g->result_count && r == 0; i++) {
		const struct gathered_result *result = &g->results[i];
		sqlite3_stmt *s = catalog_prepare(c, CATALOG_RESULT_ADD, err);

		if (!s)
			return err->code;
		bind_text(s, 1, run->text);
		bind_text(s, 2, result->key);
		if (!isnan(result->value)) /* SQLite has none: it stays NULL */
			(void)sqlite3_bind_double(s, 3, result->value);
		bind_text(s, 4, result->unit);
		(void)sqlite3_bind_int(s, 5, result->direction);
		(void)sqlite3_bind_int64(s, 6, sequence);
		r = catalog_run(c, s, err);
	}
	return r;
}

int catalog_learn(struct catalog *c, const struct ulid *run, const struct catalog_segment *segment,
		  const struct gathered *gathered, struct err *err)
{
	sqlite3_stmt *s = catalog_prepare(c, CATALOG_SEGMENT_ADD, err);
	int r;

	if (!s)
		return err->code;
	bind_text(s, 1, run->text);
	(void)sqlite3_bind_int64(s, 2, segment->sequence);
	(void)sqlite3_bind_int64(s, 3, catalog_integer(segment->bytes));
	(void)sqlite3_bind_int64(s, 4, (sqlite3_int64)segment->hash);
	(void)sqlite3_bind_int(s, 5, !gathered);
	r = catalog_run(c, s, err);
	if (r < 0 || sqlite3_changes(c->db) == 0 || !gathered)
		return r;
	r = learn_run(c, run, segment, gathered, err);
	if (r == 0)
		r = learn_pairs(c, run, segment->sequence, PAIR_AXIS, &gathered->axes, err);
	if (r == 0)
		r = learn_pairs(c, run, segment->sequence, PAIR_FACT, &gathered->facts, err);
	if (r == 0)
		r = learn_results(c, run, segment->sequence, gathered, err);
	return r;
}

int catalog_forget(struct catalog *c, const struct ulid *run, struct err *err)
{
	static const enum catalog_statement of[] = { CATALOG_DROP_RUN, CATALOG_DROP_SEGMENTS, CATALOG_DROP_PAIRS,
						     CATALOG_DROP_RESULTS, CATALOG_DERIVED_DROP };

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		sqlite3_stmt *s = catalog_prepare(c, of[i], err);

		if (!s)
			return err->code;
		bind_text(s, 1, run->text);
		if (catalog_run(c, s, err) < 0)
			return err->code;
	}
	return 0;
}

static void segment_of(sqlite3_stmt *s, struct catalog_segment *ret)
{
	ret->sequence = (uint32_t)sqlite3_column_int64(s, 0);
	ret->bytes = (uint64_t)sqlite3_column_int64(s, 1);
	ret->hash = (uint64_t)sqlite3_column_int64(s, 2);
	ret->refused = sqlite3_column_int(s, 3);
}

int catalog_segment(struct catalog *c, const struct ulid *run, uint32_t sequence, struct catalog_segment *ret,
		    struct err *err)
{
	sqlite3_stmt *s = catalog_prepare(c, CATALOG_SEGMENT_GET, err);
	int r;

	if (!s)
		return err->code;
	bind_text(s, 1, run->text);
	(void)sqlite3_bind_int64(s, 2, sequence);
	r = sqlite3_step(s);
	if (r == SQLITE_ROW)
		segment_of(s, ret);
	r = r == SQLITE_ROW ? 1 : r == SQLITE_DONE ? 0 : catalog_failed(c, err);
	(void)sqlite3_reset(s);
	return r;
}

int catalog_segments(struct catalog *c, const struct ulid *run, struct catalog_segment **ret, size_t *count,
		     struct err *err)
{
	cleanup_free struct catalog_segment *list = NULL;
	sqlite3_stmt *s = catalog_prepare(c, CATALOG_SEGMENTS, err);
	size_t n = 0, room = 0;
	int r;

	if (!s)
		return err->code;
	bind_text(s, 1, run->text);
	while ((r = sqlite3_step(s)) == SQLITE_ROW) {
		if (n == room) {
			struct catalog_segment *more = reallocarray(list, room += 64, sizeof(*more));

			if (!more)
				break;
			list = more;
		}
		segment_of(s, &list[n++]);
	}
	if (r == SQLITE_ROW)
		r = err_set(err, -ENOMEM, "no memory");
	else
		r = r == SQLITE_DONE ? 0 : catalog_failed(c, err);
	(void)sqlite3_reset(s);
	if (r < 0)
		return r;
	*count = n;
	*ret = take(&list);
	return 0;
}

int catalog_run_ids(struct catalog *c, struct ulid **ret, size_t *count, struct err *err)
{
	cleanup_free struct ulid *list = NULL;
	sqlite3_stmt *s = catalog_prepare(c, CATALOG_RUN_IDS, err);
	size_t n = 0, room = 0;
	int r;

	if (!s)
		return err->code;
	while ((r = sqlite3_step(s)) == SQLITE_ROW) {
		const char *id = catalog_text(s, 0);

		if (!ulid_is(text_of(id)))
			continue; /* nothing of ours */
		if (n == room) {
			struct ulid *more = reallocarray(list, room = 2 * room + 64, sizeof(*more));

			if (!more)
				break;
			list = more;
		}
		memcpy(list[n++].text, id, sizeof(list->text));
	}
	if (r == SQLITE_ROW)
		r = err_set(err, -ENOMEM, "no memory");
	else
		r = r == SQLITE_DONE ? 0 : catalog_failed(c, err);
	(void)sqlite3_reset(s);
	if (r < 0)
		return r;
	*count = n;
	*ret = take(&list);
	return 0;
}
