/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which address answers which method: one table. */
#ifndef ASSAY_SERVER_ROUTE_H
#define ASSAY_SERVER_ROUTE_H

#include "server/request.h"

struct route {
	const char *path; /* "v1/runs/?/segments/?", where '?' stands for any one part */
	/* GET and HEAD. Runs on a thread that may wait, with a store of its own; always answers. */
	void (*get)(struct request *request, struct store *store);
	bool put; /* takes segments */
	const char *arguments; /* their names, a blank between; NULL: `get` looks at all of them itself */
};

extern const struct route routes[]; /* ends at the row without a path */

/* By the path, whatever the method; NULL: no such address. */
const struct route *route_find(const struct target *target);

/* -EINVAL: an argument that the route does not know, or one that is there twice. */
int route_check_arguments(const struct route *route, const struct target *target, struct err *err);

/* For the Allow header. */
const char *route_methods(const struct route *route);

/* A run and a sequence number of an address, as a put needs them: exact. -EINVAL with words. */
int route_run(const char *part, struct ulid *ret, struct err *err);
int route_sequence(const char *part, uint32_t *ret, struct err *err);

#endif
