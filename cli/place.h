/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where runs are looked for: the local store, another folder, or a server's URL; from --store, $ASSAY_STORE or the
 * default.
 */
#ifndef ASSAY_CLI_PLACE_H
#define ASSAY_CLI_PLACE_H

#include <jansson.h>

#include "store/store.h"

struct place {
	struct store *store; /* a folder; NULL at a server */
	char *url;	     /* without trailing slash; NULL at a folder */
};

/* `given`: --store's value, or NULL. `writable` makes the folder when it is not there; else its absence is -ENOENT. */
int place_open(struct place *place, const char *given, bool writable, struct err *err);
void place_close(struct place *place);

bool is_url(const char *text);

/*
 * A run as the user names it. A folder that holds segments (000001.seg ...) is one, too, and needs no store: then
 * `folder` is set. At a server `id` is what the server resolves it to.
 */
struct named_run {
	struct ulid id;
	const char *folder;
};

int place_resolve(struct place *place, const char *name, struct named_run *ret, struct err *err);

/* All events of it, wherever it is. */
int place_read(struct place *place, const struct named_run *run, const struct run_events *events, void *context,
	       struct err *err);

/* ---- a server (remote.c) ---- */

/* GET url+path, with the parameters encoded. 0 with the body in `ret`; the server's own words on an error. */
int remote_get(const char *url, const char *path, const struct pairs *parameters, const char *accept, struct buf *ret,
	       struct err *err);
/* The same, as JSON the caller decrefs. */
int remote_json(const char *url, const char *path, const struct pairs *parameters, json_t **ret, struct err *err);

/* Percent-encode as a value in a query string or a path component. */
int url_encode(struct buf *to, const char *text);

#endif
