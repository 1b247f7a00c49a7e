/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs as folders of sealed segments, and a catalog that can be made anew from them.
 *
 *   DIR/runs/<ulid>/000001.seg ...   the truth: what was shipped, byte for byte
 *   DIR/runs/<ulid>/stats            derived by analysis, kept by the caller's word (store_put_derived)
 *   DIR/catalog.sqlite               derived: runs, axes, facts, results, and which segments are here
 *
 * Several processes may use one store at once (SQLite's WAL and file names that are linked into place).
 * Threads: a `struct store` is used by one thread at a time; open one per thread.
 */
#ifndef ASSAY_STORE_STORE_H
#define ASSAY_STORE_STORE_H

#include "base/buf.h"
#include "base/run.h"

struct store;

struct store_options {
	const char *path;      /* made, with its parents, when not there */
	bool read_only;
	size_t segment_bytes;  /* ceiling of one sealed segment; 0: 32 MiB */
	size_t unpacked_bytes; /* and of what it unpacks to; 0: 256 MiB */
};

int store_open(struct store **ret, const struct store_options *options, struct err *err);
void store_close(struct store *store);

/* "$ASSAY_STORE", else "$XDG_DATA_HOME/assay", else "~/.local/share/assay". The caller frees. NULL: no home. */
char *store_default_path(void);

/* ---- ingest ---- */

enum put_result { PUT_CREATED, PUT_SAME, PUT_CONFLICT }; /* 201, 200, 409 */

/*
 * Store one sealed segment. It is read through first: the run and sequence of its header must be those given.
 * The bytes are written beside, synced, linked to their name, and the folder synced; then the catalog is told.
 * With `batch` not NULL the syncs of file and folder are left to store_sync() - group commit: many puts, one wait.
 *
 * 0 with `ret`; -EBADMSG or -EMSGSIZE: refused (422, 413); -ENOSPC, -EIO ...: nothing was kept.
 */
struct store_batch;
int store_put_segment(struct store *store, const struct ulid *run, uint32_t sequence, struct text sealed,
		      struct store_batch *batch, enum put_result *ret, struct err *err);

struct store_batch *store_batch_new(void);
/* Make all puts of the batch durable. After 0 each of them may be answered. Empties the batch. */
int store_sync(struct store *store, struct store_batch *batch, struct err *err);
void store_batch_free(struct store_batch *batch);

/* ---- looking ---- */

struct store_run {
	struct ulid id;
	struct pairs axes, facts;
	const char *host;     /* of facts, or "" */
	uint64_t realtime_ns; /* of the first segment that is here */
	uint64_t duration_ns; /* command.start to command.end; 0 unknown */
	uint32_t segments;    /* how many are here */
	uint64_t bytes;
	bool complete;        /* an End with exited, and no gap in the sequence */
	int exit_code, signal;
};

/*
 * What a run is asked for: axis=value pairs, all of which must hold; a value may be a glob ("v6.*").
 * Also: id (prefix), complete ("yes"/"no"), since, until (dates "2026-11-30" or seconds), limit, host.
 */
struct store_query {
	struct pairs where;
	size_t limit; /* 0: all */
};

/* "commit=v6.12,testcase=hackbench". -EINVAL names the part that is none. */
int store_query_parse(struct store_query *query, const char *text, struct err *err);
void store_query_free(struct store_query *query);

struct store_runs {
	struct store_run *at; /* oldest first */
	size_t count;
};
int store_find(struct store *store, const struct store_query *query, struct store_runs *ret, struct err *err);
void store_runs_free(struct store_runs *runs);

/* One run by id, unique prefix, "@0" (the newest), "@1" (the one before). -ENOENT; -ENOTUNIQ names two of them. */
int store_resolve(struct store *store, const char *name, struct ulid *ret, struct err *err);
int store_run(struct store *store, const struct ulid *id, struct store_run *ret, struct err *err);
void store_run_free(struct store_run *run);

/* All events of a run, segment by segment in their order. A segment that cannot be read is told by a log event and
 * the next is read; -ENOENT without any. */
int store_read(struct store *store, const struct ulid *run, const struct run_events *events, void *context,
	       struct err *err);

/* The bytes of one segment as they came. */
int store_get_segment(struct store *store, const struct ulid *run, uint32_t sequence, struct buf *ret, struct err *err);
/* Sequences of a run that are here, ascending; the caller frees *ret. */
int store_sequences(struct store *store, const struct ulid *run, uint32_t **ret, size_t *count, struct err *err);

/* ---- derived ---- */

/* A file beside the segments (`stats`), replaced as a whole. `name`: [a-z.-]+. It is dropped when a segment comes. */
int store_put_derived(struct store *store, const struct ulid *run, const char *name, struct text bytes, struct err *err);
int store_get_derived(struct store *store, const struct ulid *run, const char *name, struct buf *ret, struct err *err);

/* Make the catalog anew from the segments. */
struct store_rebuilt {
	size_t runs, segments, refused; /* refused: files that are no segments; named in `first` */
	struct err first;
};
int store_rebuild(struct store *store, struct store_rebuilt *ret, struct err *err);

#endif
