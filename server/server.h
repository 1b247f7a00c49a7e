/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A store behind HTTP. docs/http.md lists the routes.
 *
 *   PUT /v1/runs/<ulid>/segments/<seq>  201 durable, 200 same bytes, 409 other bytes, 413, 422 with the reason, 429, 503, 507
 *   GET /v1/runs?query=..&limit=..      GET /v1/runs/<id>   GET /v1/runs/<id>/stats   GET /v1/runs/<id>/segments/<seq>
 *   GET /v1/compare?base=..&head=..     text/plain or application/json by Accept or ?format=
 *   GET /healthz                        200 "ok", or 503 with the reason
 *   GET /                               a page for people
 *
 * Threads: server_start() starts its own; the other calls are for one thread.
 *
 *   pool       epoll and HTTP; takes bodies into memory; never waits for a disk
 *   ingest     one thread: puts what waits into the store, one sync for all, then their answers
 *   readers    as many as the pool: look into the store, reduce, compare
 *   deadlines  one thread: ends connections that dribble
 */
#ifndef ASSAY_SERVER_SERVER_H
#define ASSAY_SERVER_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct server;

struct server_options {
	const char *store;       /* path */
	const char *address;     /* NULL: "127.0.0.1"; one that is not loopback's is -EPERM */
	uint16_t port;           /* 0: any free one, see server_port() */
	unsigned threads;        /* 0: the CPUs, at most 8 */
	unsigned connections;    /* 0: 1024 */
	unsigned timeout_s;      /* of a connection on which nothing moves; 0: 30 */
	unsigned request_s;      /* for a request to come in, and for its answer to go out; 0: 10 x timeout_s */
	size_t body_bytes;       /* 0: 32 MiB */
	size_t unpacked_bytes;   /* 0: 256 MiB */
	size_t bodies_bytes;     /* of all bodies held at once; 0: 256 MiB; beyond it 429 */
	bool verbose;            /* a line to stderr per request */
};

/* Listens when it returns 0. The options and their texts are not needed afterwards. */
int server_start(struct server **ret, const struct server_options *options, struct err *err);
uint16_t server_port(const struct server *server);
/* Answers 503 to what is new, gives requests that are under way 5 s, stores and answers what came in whole, ends. A
 * comparison that is being computed is waited for. */
void server_stop(struct server *server);

#endif
