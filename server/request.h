/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One request from its first line to its answer, and the ways to answer it.
 *
 * Order:   begun (request line), headers, body, then the connection is suspended and the request is handed through a
 *          queue to a thread that may wait for disks; that thread fills `answer` and gives it back.
 * Threads: a request is owned by one thread at a time: the connection's, then that of the queue, then the
 *          connection's again. The lock of the queue and that of MHD_resume_connection() stand between them.
 */
#ifndef ASSAY_SERVER_REQUEST_H
#define ASSAY_SERVER_REQUEST_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/ulid.h"
#include "server/target.h"

struct server;
struct route;
struct store;

enum request_state {
	REQUEST_BEGUN,     /* the headers are not looked at yet */
	REQUEST_RECEIVING, /* the body is kept */
	REQUEST_IGNORING,  /* the body is not kept: not wanted, or the answer stands already */
	REQUEST_ANSWERED,  /* `answer` stands and the body is over */
};

struct answer {
	unsigned status; /* 0: none yet */
	const char *type;
	struct buf body;
	unsigned retry_after_s; /* 0: not told */
	const char *allow;      /* of 405 */
	bool vary_accept;
};

struct request {
	struct request *next; /* in a queue */
	struct server *server;
	struct MHD_Connection *connection;
	enum request_state state;
	char *raw;            /* the target as it came */
	char method[12];      /* cut when longer; for the log */
	struct target target;
	const struct route *route;
	bool put;
	bool wants_json;      /* by the Accept header */
	struct ulid run;      /* of a put */
	uint32_t sequence;
	struct buf body;
	size_t held;          /* bytes counted against the server's ceiling for bodies */
	uint64_t ignored;     /* bytes of the body that were not kept */
	struct answer answer;
};

/* The first answer stands; what comes after it is not looked at. `body` is taken, and freed where not needed. */
void answer_with(struct request *request, unsigned status, const char *type, struct buf *body);

/* {"error": "..."} */
void answer_error(struct request *request, unsigned status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What failed while looking for an answer: the status that belongs to the code of `err`, and its words. */
void answer_failure(struct request *request, const struct err *err);

/* Hand `answer` to the connection. Called by the connection's thread. */
enum MHD_Result answer_send(struct request *request);

#define TYPE_JSON "application/json"
#define TYPE_TEXT "text/plain; charset=utf-8"
#define TYPE_HTML "text/html; charset=utf-8"

#endif
