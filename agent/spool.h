/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder of one run, from its first frame until all of it is delivered.
 *
 *   SPOOL/<ulid>/000001.seg      sealed, waiting
 *   SPOOL/<ulid>/000002.open     whole frames, being written or not sealed yet
 *   SPOOL/<ulid>/000001.refused  sealed; the other side will never take it
 *   SPOOL/<ulid>/lock            flocked by the one who writes; free: he is dead
 *   SPOOL/<ulid>/to              the URL, or "local:FOLDER"
 *   SPOOL/<ulid>/mark            a FIFO, while the run goes on (agent/marks.h)
 *   SPOOL/<ulid>/reserve         room for the last words of a run whose disk is full by then
 *
 * A run's folder gets its name when the lock is held already: no one sees it without. Files reach the disk before they
 * are called .seg, and the folder is synced after.
 *
 * Threads: one writes (create, append), one seals, one delivers; `bytes` is shared by all.
 */
#ifndef ASSAY_AGENT_SPOOL_H
#define ASSAY_AGENT_SPOOL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/ulid.h"

#define SPOOL_CEILING ((size_t)1 << 30)

#define SPOOL_MARKS "mark"

struct spool {
	int parent, folder, lock; /* descriptors */
	struct ulid run;
	size_t ceiling;           /* bytes, of all runs that wait */
	atomic_size_t bytes;      /* on the disk, for all we know */
};

/* Makes the folders above, the run's own, its lock and `to`. -EEXIST: the run is there already. */
int spool_open(struct spool *s, const char *path, const struct ulid *run, const char *to, size_t ceiling,
	       struct err *err);

/* The run ends: its last frames may take the room that was reserved for them. */
void spool_spend_reserve(struct spool *s);

/* Take over a dead agent's folder; halves of files in it are removed. -EBUSY: he is alive. -ENOENT: gone meanwhile. */
int spool_adopt(struct spool *s, int parent, const struct ulid *run, struct err *err);

/* The descriptor of a fresh NNNNNN.open. */
int spool_create(struct spool *s, uint32_t sequence, struct err *err);

/* All of `bytes` or nothing: what a full disk cut is taken back. */
int spool_append(struct spool *s, int fd, struct text bytes, struct err *err);

/* NNNNNN.open becomes NNNNNN.seg. On failure the open one stays, whole. */
int spool_seal(struct spool *s, uint32_t sequence, struct err *err);
/* The same, of bytes that stand for those in the open file; there need not be one. */
int spool_seal_bytes(struct spool *s, uint32_t sequence, struct text open, struct err *err);

/* Sealed bytes of one segment, appended to `ret`; those of an open one are sealed in memory only. */
int spool_read(struct spool *s, uint32_t sequence, struct buf *ret, struct err *err);

/* The bytes of NNNNNN.open as they are. */
int spool_read_open(struct spool *s, uint32_t sequence, struct buf *ret, struct err *err);

void spool_drop(struct spool *s, uint32_t sequence);      /* delivered */
void spool_set_aside(struct spool *s, uint32_t sequence); /* refused */

/* Which segments are here, ascending: those sealed (or refused, when asked for) and those open. The caller frees. */
struct spool_segment {
	uint32_t sequence;
	bool open, sealed, refused;
};
int spool_list(const struct spool *s, struct spool_segment **ret, size_t *count, struct err *err);

/* Let go of it; a folder without segments is removed. */
void spool_close(struct spool *s);

/* A descriptor of a folder, or -errno. */
int spool_open_folder(int at, const char *path);

/* Where it is to go, as spool_open() was told: appended to `ret`. */
int spool_to(const struct spool *s, struct buf *ret, struct err *err);

/* Bytes of all files below SPOOL, but for the reserves. */
size_t spool_usage(int parent);

#endif
