/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>

#include "analysis/reduce.h"
#include "lab/lab.h"

#define DERIVED "stats"

/* 1: taken from the kept file; 0: there is none that holds. */
static int kept(struct store *store, const struct ulid *run, struct stats *ret)
{
	struct err none = { 0 }; /* whatever is wrong with a kept file, the segments are there */
	cleanup_buf struct buf b = { 0 };

	if (store_get_derived(store, run, DERIVED, &b, &none) < 0)
		return 0;
	if (stats_read(buf_text(&b), ret, &none) == 0)
		return 1;
	stats_free(ret);
	*ret = (struct stats){ 0 };
	return 0;
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

/* The store refuses what was made of fewer segments than are here by now, and drops it when one comes. */
static void keep(struct store *store, const struct ulid *run, const struct stats *stats)
{
	struct err none = { 0 };
	cleanup_buf struct buf b = { 0 };

	if (stats_write(stats, &b) == 0)
		(void)store_put_derived(store, run, DERIVED, buf_text(&b), &none);
}

int lab_stats(struct store *store, const struct ulid *run, struct stats *ret, struct err *err)
{
	int r;

	*ret = (struct stats){ 0 };
	if (kept(store, run, ret))
		return 0;
	r = reduced(store, run, ret, err);
	if (r < 0) {
		stats_free(ret);
		*ret = (struct stats){ 0 };
		return r;
	}
	keep(store, run, ret);
	return 0;
}
