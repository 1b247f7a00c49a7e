/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalog: an SQLite database that can be made anew from the segments at any time. Private to the room.
 *
 * Rows have natural keys and every row that a segment taught carries that segment's sequence, so that segments may come
 * in any order, twice, or from several processes, and the rows end up the same.
 *
 * Results: -EBUSY another process writes; -ENOSPC; -EUCLEAN the file is damaged; -EROFS; -ENOMEM; -EIO.
 */
#ifndef ASSAY_STORE_CATALOG_H
#define ASSAY_STORE_CATALOG_H

#include <errno.h>
#include <sqlite3.h>
#include <stdbool.h>

#include "store/gather.h"

enum catalog_statement {
	CATALOG_BEGIN,
	CATALOG_COMMIT,
	CATALOG_ROLLBACK,
	CATALOG_META_GET,
	CATALOG_META_SET,
	CATALOG_SEGMENT_ADD,
	CATALOG_SEGMENT_GET,
	CATALOG_SEGMENTS,
	CATALOG_RUN_ADD,
	CATALOG_RUN_IDS,
	CATALOG_PAIR_ADD,
	CATALOG_PAIRS,
	CATALOG_RESULT_ADD,
	CATALOG_DERIVED_ADD,
	CATALOG_DERIVED,
	CATALOG_DERIVED_DROP,
	CATALOG_NEWEST,
	CATALOG_PREFIX,
	CATALOG_DROP_RUN,
	CATALOG_DROP_SEGMENTS,
	CATALOG_DROP_PAIRS,
	CATALOG_DROP_RESULTS,
	CATALOG_STATEMENTS, /* how many */
};

enum { PAIR_AXIS = 0, PAIR_FACT = 1 };

struct catalog {
	sqlite3 *db;
	sqlite3_stmt *statements[CATALOG_STATEMENTS];
	char *path;
	bool frozen; /* opened to be read only */
};

/* `path` NULL: in memory. -EUCLEAN: no catalog; -EPROTO: of a newer assay. Close it in any case. */
int catalog_open(struct catalog *c, const char *path, bool read_only, struct err *err);
void catalog_close(struct catalog *c);

/* A statement made ready, bound to nothing; NULL with `err`. */
sqlite3_stmt *catalog_prepare(struct catalog *c, enum catalog_statement which, struct err *err);

/* SQLite's last failure as -errno and words. */
int catalog_failed(struct catalog *c, struct err *err);

/* Step a statement that gives no row, and reset it. */
int catalog_run(struct catalog *c, sqlite3_stmt *statement, struct err *err);

/* How long to wait for another process that writes; at opening it is CATALOG_PATIENCE_MS. */
#define CATALOG_PATIENCE_MS 10000
void catalog_patience(struct catalog *c, int milliseconds);

/* A failure that leaves the catalog behind the folders until it is mended, and keeps nobody from what is known. */
static inline bool catalog_is_behind(int r)
{
	return r == -EBUSY || r == -ENOSPC;
}

int catalog_begin(struct catalog *c, struct err *err); /* to write */
int catalog_commit(struct catalog *c, struct err *err);
void catalog_rollback(struct catalog *c);

/* SQLite's integers are signed; what does not fit is the largest. */
static inline sqlite3_int64 catalog_integer(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : (sqlite3_int64)value;
}

/* ---- learn.c: within catalog_begin() and catalog_commit() ---- */

struct catalog_segment {
	uint32_t sequence;
	uint64_t bytes, hash;
	bool refused; /* a file that is no segment of this run */
};

/* `gathered` NULL: refused. A segment that is there already is left as it is. */
int catalog_learn(struct catalog *c, const struct ulid *run, const struct catalog_segment *segment,
		  const struct gathered *gathered, struct err *err);
int catalog_forget(struct catalog *c, const struct ulid *run, struct err *err);

/* 1 with `ret`, 0 not there, or -errno. */
int catalog_segment(struct catalog *c, const struct ulid *run, uint32_t sequence, struct catalog_segment *ret,
		    struct err *err);
/* All of a run, ascending; the caller frees. */
int catalog_segments(struct catalog *c, const struct ulid *run, struct catalog_segment **ret, size_t *count,
		     struct err *err);
/* Ids of all runs, ascending; the caller frees. */
int catalog_run_ids(struct catalog *c, struct ulid **ret, size_t *count, struct err *err);

/* Text of a column, never NULL. */
static inline const char *catalog_text(sqlite3_stmt *s, int column)
{
	const unsigned char *t = sqlite3_column_text(s, column);

	return t ? (const char *)t : "";
}

#endif
