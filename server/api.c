/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server/api.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/option.h"
#include "lab/json.h"
#include "lab/lab.h"
#include "server/route.h"
#include "server/state.h"

/* Of one answer; beyond it 400 says how to ask for less. */
#define ANSWER_BYTES ((size_t)256 << 20)

static void answer_built(struct request *q, const char *type, struct buf *body)
{
	if (body->failed == -EMSGSIZE) {
		buf_free(body);
		answer_error(
			q, MHD_HTTP_BAD_REQUEST,
			"the answer would be larger than %zu bytes; ask for less, with query= or limit=", ANSWER_BYTES);
		return;
	}
	answer_with(q, MHD_HTTP_OK, type, body);
}

/* The run that the address names: its id, or a beginning that is its alone, or @0, @1 ... */
static int run_of(struct request *q, struct store *store, struct ulid *ret)
{
	struct err err = { 0 };
	const char *name = q->target.parts[2];
	int r = *name == '@' || ulid_is_prefix(text_of(name)) ? store_resolve(store, name, ret, &err)
							      : route_run(name, ret, &err);

	if (r < 0)
		answer_failure(q, &err);
	return r;
}

void get_health(struct request *q, struct store *store)
{
	struct store_query query = { .limit = 1 };
	struct store_runs runs = { 0 };
	struct err err = { 0 };
	struct buf body = { 0 };
	int r = ingest_health(&q->server->ingest, &err);

	if (r == 0)
		r = store_find(store, &query, &runs, &err);
	store_runs_free(&runs);
	if (r < 0) {
		answer_error(q, MHD_HTTP_SERVICE_UNAVAILABLE, "%s", err.text);
		return;
	}
	(void)buf_puts(&body, "ok\n");
	answer_with(q, MHD_HTTP_OK, TYPE_TEXT, &body);
}

static int query_of(struct request *q, struct store_query *ret, struct err *err)
{
	const char *text = target_argument(&q->target, "query");
	const char *limit = target_argument(&q->target, "limit");
	long long number;
	int r = text && *text ? store_query_parse(ret, text, err) : 0;

	if (r == 0 && limit) {
		r = parse_number("limit", limit, &number, err);
		if (r == 0 && (number < 1 || number > UINT32_MAX))
			r = err_set(err, -EINVAL, "limit: %lld is not between 1 and %u", number, UINT32_MAX);
		if (r == 0)
			ret->limit = (size_t)number;
	}
	return r;
}

void get_runs(struct request *q, struct store *store)
{
	struct store_query query = { 0 };
	struct store_runs runs = { 0 };
	struct err err = { 0 };
	struct buf body = { .ceiling = ANSWER_BYTES };
	int r = query_of(q, &query, &err);

	if (r == 0)
		r = store_find(store, &query, &runs, &err);
	if (r == 0) {
		(void)json_runs(&body, &runs, false);
		answer_built(q, TYPE_JSON, &body);
	} else {
		answer_failure(q, &err);
	}
	store_runs_free(&runs);
	store_query_free(&query);
}

void get_run(struct request *q, struct store *store)
{
	struct store_run run = { 0 };
	struct store_segment *segments = NULL;
	struct buf body = { .ceiling = ANSWER_BYTES };
	struct err err = { 0 };
	struct ulid id;
	size_t count = 0;
	int r = run_of(q, store, &id);

	if (r < 0)
		return;
	r = store_run(store, &id, &run, &err);
	if (r == 0)
		r = store_segments(store, &id, &segments, &count, &err);
	if (r == 0) {
		(void)buf_puts(&body, "{\"run\":");
		(void)json_run(&body, &run, true);
		(void)buf_puts(&body, ",\"segments\":[");
		for (size_t i = 0; i < count; i++)
			(void)buf_printf(&body, "%s{\"segment\":%" PRIu32 ",\"bytes\":%" PRIu64 "}", i ? "," : "",
					 segments[i].sequence, segments[i].bytes);
		(void)buf_puts(&body, "]}\n");
		answer_built(q, TYPE_JSON, &body);
	} else {
		answer_failure(q, &err);
	}
	free(segments);
	store_run_free(&run);
}

void get_stats(struct request *q, struct store *store)
{
	struct stats stats = { 0 };
	struct buf body = { .ceiling = ANSWER_BYTES };
	struct err err = { 0 };
	struct ulid id;
	int r = run_of(q, store, &id);

	if (r < 0)
		return;
	if (lab_stats(store, &id, &stats, &err) < 0) {
		answer_failure(q, &err);
		return;
	}
	(void)json_stats(&body, &id, &stats);
	answer_built(q, TYPE_JSON, &body);
	stats_free(&stats);
}

void get_segment(struct request *q, struct store *store)
{
	struct buf body = { .ceiling = ANSWER_BYTES };
	struct err err = { 0 };
	struct ulid id;
	uint32_t sequence;
	int r = run_of(q, store, &id);

	if (r < 0)
		return;
	r = route_sequence(q->target.parts[4], &sequence, &err);
	if (r == 0)
		r = store_get_segment(store, &id, sequence, &body, &err);
	if (r < 0)
		answer_failure(q, &err);
	answer_with(q, MHD_HTTP_OK, "application/octet-stream", &body);
}
