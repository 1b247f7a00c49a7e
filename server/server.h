/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A store behind HTTP. docs/http.md lists the routes.
 *
 *   PUT /v1/runs/<ulid>/segments/<seq>  201 durable, 200 same bytes, 409 other bytes, 413, 422 with the reason, 429, 503, 507
 *   GET /v1/runs?query=...              GET /v1/runs/<id>   GET /v1/runs/<id>/stats   GET /v1/runs/<id>/segments/<seq>
 *   GET /v1/compare?base=..&head=..     text/plain or application/json by Accept or ?format=
 *   GET /healthz                        200 "ok", or 503 with the reason
 *
 * Threads: server_start() starts its own (epoll and a pool); the other calls are for one thread.
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
	const char *address;     /* "127.0.0.1" */
	uint16_t port;           /* 0: any free one, see server_port() */
	unsigned threads;        /* 0: the CPUs, at most 8 */
	unsigned connections;    /* 0: 1024 */
	unsigned timeout_s;      /* of an idle connection; 0: 30 */
	size_t body_bytes;       /* 0: 32 MiB */
	size_t unpacked_bytes;   /* 0: 256 MiB */
	size_t bodies_bytes;     /* of all bodies held at once; 0: 256 MiB; beyond it 429 */
	bool verbose;            /* a line to stderr per request */
};

int server_start(struct server **ret, const struct server_options *options, struct err *err);
uint16_t server_port(const struct server *server);
/* Takes no new connections, ends those that are idle, waits for the others up to 5 s. */
void server_stop(struct server *server);

#endif
