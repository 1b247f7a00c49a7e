/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sealed segments into the store of this machine: the agent's `deliver` callback. */
#ifndef ASSAY_CLI_DELIVER_H
#define ASSAY_CLI_DELIVER_H

#include "cli/place.h"

struct local_store {
	const char *path;   /* --store's value, or NULL */
	struct place place; /* opened at the first delivery, by the thread that delivers */
	bool is_open;
};

/* 0; -EEXIST: other bytes are there under this sequence; else what the store says. */
int deliver_local(void *context, const struct ulid *run, uint32_t sequence, struct text sealed, struct err *err);
void deliver_local_close(struct local_store *local);

#endif
