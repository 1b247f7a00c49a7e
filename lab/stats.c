/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <inttypes.h>

#include "analysis/reduce.h"
#include "lab/lab.h"
#include "lab/stats.h"

#define DERIVED "stats"

/* "segments N", of the kept file: what it was made from. */
static bool made_from(struct text *rest, uint64_t *ret)
{
	struct text line;

	return text_line(rest, &line) && text_skip(&line, "segments ") && text_u64(&line, ret) && line.at == line.end;
}

/* 1: taken from the kept file; 0: there is none that holds. */
static int kept(struct store *store, const struct ulid *run, uint64_t segments, struct stats *ret)
{
	struct err none = { 0 }; /* whatever is wrong with a kept file, the segments are there */
	cleanup_buf struct buf b = { 0 };
	struct text rest;
	uint64_t from;

	if (store_get_derived(store, run, DERIVED, &b, &none) < 0)
		return 0;
	rest = buf_text(&b);
	if (!made_from(&rest, &from) || from != segments)
		return 0;
	if (stats_read(rest, ret, &none) < 0) {
		stats_free(ret);
		*ret = (struct stats){ 0 };
		return 0;
	}
	return 1;
}

static int reduced(struct store *store, const struct ulid *run, struct stats *ret, struct err *err)
{
	struct reduce *reduce = NULL;
	int r = reduce_open(&reduce, err);

	if (r < 0)
		return r;
	r = store_read(store, run, &reduce_events, reduce, err);
	if (r == 0)
		r = reduce_finish(reduce, ret, err);
	reduce_close(reduce);
	return r;
}

static void keep(struct store *store, const struct ulid *run, uint64_t segments, const struct stats *stats)
{
	struct err none = { 0 };
	cleanup_buf struct buf b = { 0 };

	if (buf_printf(&b, "segments %" PRIu64 "\n", segments) == 0 && stats_write(stats, &b) == 0)
		(void)store_put_derived(store, run, DERIVED, buf_text(&b), &none);
}

/*
 * `segments` was counted before the segments are read. A segment that comes meanwhile may be in the stats or not: the
 * kept file then bears a number that no longer holds, and is not used again.
 */
int stats_of(struct store *store, const struct ulid *run, uint64_t segments, struct stats *ret, struct err *err)
{
	int r;

	*ret = (struct stats){ 0 };
	if (kept(store, run, segments, ret))
		return 0;
	r = reduced(store, run, ret, err);
	if (r < 0) {
		stats_free(ret);
		*ret = (struct stats){ 0 };
		return r;
	}
	keep(store, run, segments, ret);
	return 0;
}

int lab_stats(struct store *store, const struct ulid *run, struct stats *ret, struct err *err)
{
	struct store_run found = { 0 };
	int r = store_run(store, run, &found, err);

	if (r < 0)
		return r;
	r = stats_of(store, run, found.segments, ret, err);
	store_run_free(&found);
	return r;
}
