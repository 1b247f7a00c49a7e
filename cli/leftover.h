/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a machine, or a recorded tree, shows and nobody reads: the files of every collector's `source` that were not
 * read when all collectors that work here were opened and sampled once, each with the reason.
 */
#ifndef ASSAY_CLI_LEFTOVER_H
#define ASSAY_CLI_LEFTOVER_H

#include "base/err.h"
#include "host/host.h"

/* Files of one collector, left out for one reason. */
struct leftover {
	const char *collector;
	char *reason;
	struct names files;
};

struct leftovers {
	struct leftover *at;
	size_t count;
};

/* The collectors are opened as if the machine were a recording, so that none changes anything. -ENOMEM. */
int leftover_find(const struct host *host, struct leftovers *ret, struct err *err);
void leftover_free(struct leftovers *list);

#endif
