/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small file whose change tells that a collector's shape is out of date: the list of online CPUs or nodes.
 */
#ifndef ASSAY_COLLECTORS_WATCH_H
#define ASSAY_COLLECTORS_WATCH_H

#include "host/procfile.h"

struct watch {
	struct procfile file;
	struct text first; /* what it held at open; owned */
	bool is_open;
	bool unread; /* it could not be read then: that it can now is a change */
};

/* A missing or unreadable file is no error: there is nothing to watch then, or only that it may be read again. -ENOMEM. */
int watch_open(struct watch *w, const struct host *host, const char *path, struct err *err);

/* 0: as at open. -ESTALE: it holds something else, or cannot be read any longer. */
int watch_check(struct watch *w, struct err *err);

void watch_close(struct watch *w); /* takes a zeroed one, too */

#endif
