/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc/sys/net/netfilter/nf_conntrack_{count,max,buckets}: how full the table is, also where its events are not shown. */
#include <stdio.h>

#include "collectors/files.h"

#define PREFIX "proc/sys/net/netfilter/nf_conntrack_"

static const struct hint hints[] = {
	/* key       kind   unit        help */
	{ "count",   GAUGE, UNIT_COUNT, "Connections that are tracked." },
	{ "max",     GAUGE, UNIT_COUNT, "Connections that may be; packets of others are dropped." },
	{ "buckets", GAUGE, UNIT_COUNT, "Chains that the table has." },
	{ 0 },
};

static int conntrack_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct files *f = state;
	char path[128];
	int r = 0;

	files_begin(f, self, host);
	for (const struct hint *h = hints; h->key && r == 0; h++) {
		(void)snprintf(path, sizeof(path), PREFIX "%s", h->key);
		r = files_add(f, path, h->key, "", err);
	}
	return r < 0 ? r : files_end(f, err);
}

const struct collector collector_conntrack = {
	.name = "conntrack",
	.description = "How full netfilter's table of connections is",
	.source = PREFIX "count " PREFIX "max " PREFIX "buckets",
	.hints = hints,
	.state_size = sizeof(struct files),
	.open = conntrack_open,
	FILES_STATE,
};
