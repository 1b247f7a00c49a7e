/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of a store. Private to the room.
 *
 *   DIR/incoming/<ulid>.<seq>.<pid>-<random>-<n>   a segment on its way
 *
 * A put writes there, syncs, links the file to its name in the run's folder, syncs that folder, tells the catalog and
 * only then takes the name in incoming/ away. So a name that stays there after a crash says which run the catalog may
 * not know: incoming_look() reads that run again, and sweeps the name.
 */
#ifndef ASSAY_STORE_INSIDE_H
#define ASSAY_STORE_INSIDE_H

#include "store/catalog.h"
#include "store/store.h"

#define INCOMING_NAME_SIZE 96
#define CATALOG_IN_MEMORY  0
#define CATALOG_CLOSED     UINT64_MAX /* it could not be opened again; tried anew with the next call */
#define INCOMING_SECONDS   2  /* a process takes no longer from linking to telling the catalog */
#define INCOMING_MINUTES   10 /* what is older and was not linked belongs to nobody */

struct store {
	char *path;
	int runs_fd;
	int incoming_fd; /* -1: opened to be read only, and there is none */
	bool read_only;
	size_t segment_bytes;
	struct segment_limits limits;
	struct catalog catalog;
	char *catalog_path;
	uint64_t catalog_inode; /* CATALOG_IN_MEMORY, CATALOG_CLOSED, or of the file that is open */
	uint64_t random;        /* of names in incoming/ */
	uint64_t names_made;
	struct { /* what store_read() last gave, for store_put_derived() */
		struct ulid run;
		size_t segments;
	} read;
};

static inline bool store_can_learn(const struct store *s)
{
	return !s->catalog.frozen;
}

/* store.c: go on with another file when the catalog was removed or made anew under our hands. */
int store_follow_catalog(struct store *s, struct err *err);

/* put.c: a file of these bytes in incoming/, written and not synced. Its descriptor, and its name in `name`. */
int incoming_make(struct store *s, const struct ulid *run, uint32_t sequence, struct text bytes,
		  char name[INCOMING_NAME_SIZE], struct err *err);

uint64_t segment_hash(struct text bytes);

/* ---- index.c ---- */

/* Make the catalog say of a run what its folder holds. `anew`: read every segment again. `ret`: added to, or NULL. */
int index_run(struct store *s, const struct ulid *run, bool anew, struct store_rebuilt *ret, struct err *err);

/* All folders; `only_unknown`: those that the catalog does not list. Runs whose folder is gone are dropped. */
int index_all(struct store *s, bool only_unknown, bool anew, struct store_rebuilt *ret, struct err *err);

/* What was left on its way. `all`: also what may be on its way right now. */
int incoming_look(struct store *s, bool all, struct err *err);

/* ---- derived.c ---- */

bool derived_name_is(const char *name);
/* Remove the derived files of a run: a segment came. */
int derived_drop(struct store *s, const struct ulid *run, int folder_fd, struct err *err);

#endif
