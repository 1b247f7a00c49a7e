/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sealed segments into the store of this machine: the agent's `deliver` callback. */
#ifndef ASSAY_CLI_DELIVER_H
#define ASSAY_CLI_DELIVER_H

#include "cli/place.h"

struct local_store {
	const char *path;   /* --store's value, or NULL */
	struct place place; /* opened at the first delivery, by the thread that delivers */
	char *turned;       /* the folder of the run at hand; NULL: `path` */
	bool is_open;
};

/* 0; -EEXIST: other bytes are there under this sequence; else what the store says. */
int deliver_local(void *context, const struct ulid *run, uint32_t sequence, struct text sealed, struct err *err);
/* agent_push()'s `turn_to`: this run's folder, unless --store named one for all. */
int deliver_local_turn(void *context, const char *folder, struct err *err);
/* The folder that `path` (--store, or NULL) means, absolute; the caller frees. NULL: none, or no memory. */
char *deliver_local_folder(const char *path);
void deliver_local_close(struct local_store *local);

#endif
