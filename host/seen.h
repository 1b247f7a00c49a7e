/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was looked at: every path that somebody opened of a host, and how it went. For `assay doctor`, which tells what
 * a machine shows and nobody reads.
 *
 *   struct seen seen = { 0 };
 *   host.seen = &seen;
 *
 * Threads: a host with one is used by one thread.
 */
#ifndef ASSAY_HOST_SEEN_H
#define ASSAY_HOST_SEEN_H

#include "host/host.h"

enum { SEEN_EMPTY = 1 }; /* it was read and held nothing */

struct seen {
	struct names paths;
	int *results; /* 0, SEEN_EMPTY or -errno, the last one, by the order of paths */
	size_t room;
	bool failed;  /* there was no memory: something is missing */
};

/* Nothing when the host has no `seen`. */
void seen_note(const struct host *host, const char *path, int result);

/* How it went; -ENOENT when nobody looked. */
int seen_find(const struct seen *seen, const char *path);
bool seen_has(const struct seen *seen, const char *path);

void seen_free(struct seen *seen);

#endif
