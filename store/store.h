/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs as folders of sealed segments, and a catalog that can be made anew from them.
 *
 *   DIR/runs/<ulid>/000001.seg ...   the truth: what was shipped, byte for byte
 *   DIR/runs/<ulid>/stats            derived by analysis, kept by the caller's word (store_put_derived)
 *   DIR/incoming/                    files on their way; what a crash leaves there is swept at the next opening
 *   DIR/catalog.sqlite               derived: runs, axes, facts, results, and which segments are here
 *
 * The folders are right, the catalog may be behind: it is made when missing, damaged or of an older assay, and mended
 * for a run where the difference is noticed - at opening (after a crash, a boot, or runs that came or went by hand),
 * and whenever that run is asked for.
 *
 * Several processes may use one store at once (SQLite's WAL and file names that are linked into place).
 * Threads: a `struct store` is used by one thread at a time; open one per thread.
 * Results: 0 or -errno with words. Besides those named below: -EBUSY when another process holds the catalog for more
 * than 10 s, -ENOMEM, -EIO; -EROFS for what writes in a store that was opened to be read only. Looking does not fail
 * when the catalog cannot be mended now (held, disk full): it tells what is known.
 */
#ifndef ASSAY_STORE_STORE_H
#define ASSAY_STORE_STORE_H

#include "base/buf.h"
#include "base/run.h"

struct store;

struct store_options {
	const char *path;      /* made, with its parents, when not there */
	bool read_only;        /* nothing is made or written; without a usable catalog one is made in memory */
	size_t segment_bytes;  /* ceiling of one sealed segment; 0: 32 MiB */
	size_t unpacked_bytes; /* and of what it unpacks to; 0: 256 MiB */
};

/* -ENOENT: read_only and not there; -EPROTO: the catalog is of a newer assay. */
int store_open(struct store **ret, const struct store_options *options, struct err *err);
void store_close(struct store *store); /* NULL, too */

/* "$ASSAY_STORE", else "$XDG_DATA_HOME/assay", else "~/.local/share/assay". The caller frees. NULL: no home. */
char *store_default_path(void);

/* ---- ingest ---- */

enum put_result { PUT_CREATED, PUT_SAME, PUT_CONFLICT }; /* 201, 200, 409 */

/*
 * Store one sealed segment. It is read through first: the run and sequence of its header must be those given.
 * The bytes are written to incoming/, synced, linked to their name, and the folder synced; then the catalog is told.
 * With `batch` not NULL all from the sync on is left to store_sync() - group commit: many puts, one wait. Until then
 * the segment is to be seen by nobody, `ret` must stay where it is, and no put of the batch may be answered.
 *
 * PUT_SAME: these bytes were there already. PUT_CONFLICT: others were, and stay.
 * 0 with `ret`; -EBADMSG or -EMSGSIZE: refused (422, 413); -ENOBUFS: the batch is full; -ENOSPC, -EIO ...: nothing was
 * kept. After a failure the batch is as it was before.
 */
struct store_batch;
#define STORE_BATCH_MAX 256 /* puts in one batch, each an open file until it is synced */

int store_put_segment(struct store *store, const struct ulid *run, uint32_t sequence, struct text sealed,
		      struct store_batch *batch, enum put_result *ret, struct err *err);

struct store_batch *store_batch_new(void); /* NULL: no memory */
/*
 * Make all puts of the batch durable. After 0 each of them may be answered, by its `ret` as it is now: a PUT_CREATED
 * has become PUT_SAME or PUT_CONFLICT where another process was faster. After a failure none may: what is there is
 * whole, but may not last. Empties the batch in any case. A catalog that could not be written is no failure; it is
 * behind.
 */
int store_sync(struct store *store, struct store_batch *batch, struct err *err);
/* Drops what was not synced. Before store_close(). NULL, too. */
void store_batch_free(struct store_batch *batch);

/* ---- looking ---- */

struct store_run {
	struct ulid id;
	struct pairs axes, facts; /* each sorted by name */
	const char *host;     /* the fact host.name, else of the first header; the run's own, never NULL */
	uint64_t realtime_ns; /* of the first segment that is here */
	uint64_t duration_ns; /* command.start to command.end; 0 unknown */
	uint32_t segments;    /* how many are here; files that are no segments do not count */
	uint64_t bytes;       /* of them, sealed */
	bool complete;        /* an End with exited, and no gap in the sequence */
	bool exited;          /* an End with exited is here: the two below are known */
	int exit_code, signal;
};

/*
 * What a run is asked for: axis=value pairs, all of which must hold. A value with '*' (any characters) or '?' (any one)
 * is a glob: "v6.*". A name that is no axis of any run is a fact's: "cpu.code_name=Cascade Lake". These names are neither:
 *
 *   id        the beginning of a run's id, either case
 *   complete  yes or no: the end is here, and all segments before it
 *   host      name of the machine, or a glob
 *   since     2026-11-30, 2026-11-30T17:05, 2026-11-30T17:05:09 (UTC), or seconds since 1970: began then or later
 *   until     the same: began up to the end of that day, minute or second
 *   limit     only the newest so many of those that match
 *
 * A run's time is that of its id.
 */
struct store_query {
	struct pairs where; /* all but limit */
	size_t limit;       /* 0: all */
};

/*
 * "commit=v6.12,testcase=hackbench". Parts are separated by commas, each name stands once. A value that holds a comma
 * is quoted, a quote within it doubled: options="rw,noatime". A star cannot be escaped; '?' matches it. An empty text
 * asks for all runs. -EINVAL names the part that is none; `query` is then empty. End it with store_query_free().
 */
int store_query_parse(struct store_query *query, const char *text, struct err *err);
void store_query_free(struct store_query *query);

struct store_runs {
	struct store_run *at; /* oldest first */
	size_t count;
};
int store_find(struct store *store, const struct store_query *query, struct store_runs *ret, struct err *err);
void store_runs_free(struct store_runs *runs);

/*
 * One run by id, unique prefix (either case), "@0" (the newest), "@1" (the one before). -ENOENT says what to do;
 * -ENOTUNIQ names two of them; -EINVAL: "@" without a number.
 */
int store_resolve(struct store *store, const char *name, struct ulid *ret, struct err *err);
/* -ENOENT. Looks into the folder, so that it is never behind. */
int store_run(struct store *store, const struct ulid *id, struct store_run *ret, struct err *err);
void store_run_free(struct store_run *run);

/*
 * All events of a run, segment by segment in their order. A segment that cannot be read is told by a log event of the
 * source "store", and the next is read; of a broken one the events before the break have been told. -ENOENT without
 * any segment; what the listener returns ends the reading and is passed up.
 */
int store_read(struct store *store, const struct ulid *run, const struct run_events *events, void *context,
	       struct err *err);

/* The bytes of one segment as they came, appended to `ret`; -ENOENT. */
int store_get_segment(struct store *store, const struct ulid *run, uint32_t sequence, struct buf *ret, struct err *err);
/* Sequences of a run that are here, ascending; the caller frees *ret. */
int store_sequences(struct store *store, const struct ulid *run, uint32_t **ret, size_t *count, struct err *err);

struct store_segment {
	uint32_t sequence;
	uint64_t bytes; /* sealed */
};

/* The same with their sizes. */
int store_segments(struct store *store, const struct ulid *run, struct store_segment **ret, size_t *count,
		   struct err *err);

/* ---- derived ---- */

/*
 * A file beside the segments (`stats`), replaced as a whole. `name`: up to 64 of [a-z.-], not ".seg" at its end, no dot
 * at its beginning. It is dropped when a segment comes. -ESTALE: the run was read with this handle's store_read(), and
 * more segments have come since; nothing is kept then. -ENOENT: no such run, or no such file.
 */
int store_put_derived(struct store *store, const struct ulid *run, const char *name, struct text bytes,
		      struct err *err);
int store_get_derived(struct store *store, const struct ulid *run, const char *name, struct buf *ret, struct err *err);

/* Make the catalog anew from the segments, run by run: others who look meanwhile miss none. Derived files stay. */
struct store_rebuilt {
	size_t runs, segments, refused; /* refused: files that are no segments; named in `first` */
	struct err first;
};
int store_rebuild(struct store *store, struct store_rebuilt *ret, struct err *err);

#endif
