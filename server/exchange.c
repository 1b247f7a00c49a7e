/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/log.h"
#include "server/route.h"
#include "server/state.h"

static const char *header(const struct request *q, const char *name)
{
	return MHD_lookup_connection_value(q->connection, MHD_HEADER_KIND, name);
}

/* What a connection keeps, from its beginning to its end. */
struct kept {
	struct deadline *deadline;
	struct request *request; /* the one under way */
};

static struct kept *kept_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

static struct deadline *deadline_of(struct MHD_Connection *connection)
{
	struct kept *kept = kept_of(connection);

	return kept ? kept->deadline : NULL;
}

/* ---- begin and end ---- */

void *exchange_begin(void *context, const char *raw, struct MHD_Connection *connection)
{
	struct server *server = context;
	struct kept *kept = kept_of(connection);
	struct request *q = kept && !kept->request ? calloc(1, sizeof(*q)) : NULL;

	if (!q)
		return NULL;
	q->raw = strdup(raw);
	if (!q->raw) {
		free(q);
		return NULL;
	}
	kept->request = q;
	q->server = server;
	q->connection = connection;
	q->body.ceiling = server->options.body_bytes;
	(void)pthread_mutex_lock(&server->lock);
	server->active++;
	(void)pthread_mutex_unlock(&server->lock);
	return q;
}

static void tell(const struct request *q, enum MHD_RequestTerminationCode how)
{
	char target[200];
	size_t n = 0;

	for (; q->raw[n] && n < sizeof(target) - 1; n++)
		target[n] = q->raw[n] > ' ' && q->raw[n] < 0x7f ? q->raw[n] : '?';
	target[n] = '\0';
	log_notice("%s %s %u%s", q->method, target, q->answer.status,
		   how == MHD_REQUEST_TERMINATED_COMPLETED_OK ? "" : " (broken off)");
}

static void request_free(struct server *server, struct request *q)
{
	ingest_release(&server->ingest, q);
	buf_free(&q->answer.body);
	free(q->raw);
	free(q);
	(void)pthread_mutex_lock(&server->lock);
	if (--server->active == 0)
		(void)pthread_cond_signal(&server->idle);
	(void)pthread_mutex_unlock(&server->lock);
}

void exchange_end(void *context, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode how)
{
	struct server *server = context;
	struct kept *kept = kept_of(connection);
	struct request *q = *request;

	if (!q)
		return;
	*request = NULL;
	kept->request = NULL; /* it began, so something is kept */
	if (server->options.verbose)
		tell(q, how);
	deadline_renew(&server->deadlines, kept->deadline);
	request_free(server, q);
}

void exchange_connection(void *context, struct MHD_Connection *connection, void **socket_context,
			 enum MHD_ConnectionNotificationCode what)
{
	struct server *server = context;
	struct kept *kept = *socket_context;

	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		int fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;

		*socket_context = kept = calloc(1, sizeof(*kept));
		if (kept)
			kept->deadline = deadline_begin(&server->deadlines, fd);
		else
			deadline_refuse(fd);
	} else if (kept) {
		deadline_end(&server->deadlines, kept->deadline);
		if (kept->request) /* libmicrohttpd forgets one whose arguments find no room in its memory */
			request_free(server, kept->request);
		free(kept);
		*socket_context = NULL;
	}
}

size_t exchange_unescape(void *context, struct MHD_Connection *connection, char *text)
{
	return strlen(text);
}

/* ---- headers ---- */

struct announced {
	bool any;     /* a body follows */
	bool chunked; /* of unknown length */
	bool waits;   /* the client asked whether it may send it */
	uint64_t length;
};

static struct announced announced(const struct request *q)
{
	const char *length = header(q, MHD_HTTP_HEADER_CONTENT_LENGTH);
	const char *expect = header(q, MHD_HTTP_HEADER_EXPECT);
	struct announced ret = {
		.chunked = header(q, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL,
		.waits = expect && strcasecmp(expect, "100-continue") == 0,
	};
	struct text rest = text_of(length ? length : "");

	if (length && !text_u64(&rest, &ret.length))
		ret.length = UINT64_MAX;
	ret.any = ret.chunked || ret.length > 0;
	return ret;
}

static void begin_put(struct request *q, const struct announced *body)
{
	struct server *server = q->server;
	const char *encoding = header(q, MHD_HTTP_HEADER_CONTENT_ENCODING);
	struct err err = { 0 };

	if (route_run(q->target.parts[2], &q->run, &err) < 0 ||
	    route_sequence(q->target.parts[4], &q->sequence, &err) < 0)
		answer_failure(q, &err);
	else if (encoding && strcasecmp(encoding, "identity") != 0)
		answer_error(q, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
			     "a segment is packed already: send it without Content-Encoding");
	else if (!body->chunked && !header(q, MHD_HTTP_HEADER_CONTENT_LENGTH))
		answer_error(q, MHD_HTTP_LENGTH_REQUIRED, "a segment needs Content-Length or chunked transfer");
	else if (body->length > server->options.body_bytes)
		answer_error(q, MHD_HTTP_CONTENT_TOO_LARGE, "a segment may have %zu bytes", server->options.body_bytes);
	else if (!ingest_hold(&server->ingest, q, (size_t)body->length))
		answer_error(q, MHD_HTTP_TOO_MANY_REQUESTS, "other segments fill the memory; come again");
	else if (buf_reserve(&q->body, (size_t)body->length) < 0)
		answer_error(q, MHD_HTTP_SERVICE_UNAVAILABLE, "no memory for %llu bytes",
			     (unsigned long long)body->length);
}

static void begin(struct request *q, const char *method, const struct announced *body)
{
	struct err err = { 0 };
	const char *accept = header(q, MHD_HTTP_HEADER_ACCEPT);
	bool get = strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;

	(void)snprintf(q->method, sizeof(q->method), "%s", method);
	q->put = strcmp(method, MHD_HTTP_METHOD_PUT) == 0;
	q->wants_json = accept && strstr(accept, TYPE_JSON) && !strstr(accept, "text/plain");
	if (target_parse(&q->target, q->raw, &err) < 0) {
		answer_failure(q, &err);
		return;
	}
	q->route = route_find(&q->target);
	if (!q->route) {
		answer_error(q, MHD_HTTP_NOT_FOUND, "nothing has this address; docs/http.md lists those that are");
	} else if (!get && !(q->put && q->route->put)) {
		answer_error(q, MHD_HTTP_METHOD_NOT_ALLOWED, "this address answers %s", route_methods(q->route));
		q->answer.allow = route_methods(q->route);
	} else if (route_check_arguments(q->route, &q->target, &err) < 0) {
		answer_failure(q, &err);
	} else if (atomic_load(&q->server->stopping)) {
		answer_error(q, MHD_HTTP_SERVICE_UNAVAILABLE, "the server is stopping");
	} else if (q->put) {
		begin_put(q, body);
	}
}

/* How much of a body nobody wants is taken in, so that its sender comes to read the answer. */
static uint64_t patience(const struct request *q)
{
	return 2 * (uint64_t)q->server->options.body_bytes;
}

static enum MHD_Result take_headers(struct request *q, const char *method)
{
	struct announced body = announced(q);

	begin(q, method, &body);
	if (q->answer.status && body.any && (body.waits || body.length > patience(q))) {
		q->state = REQUEST_ANSWERED;
		return answer_send(q); /* and the connection ends */
	}
	q->state = q->put && !q->answer.status ? REQUEST_RECEIVING : REQUEST_IGNORING;
	return MHD_YES;
}

/* ---- body ---- */

static enum MHD_Result take_body(struct request *q, const char *upload, size_t size)
{
	struct ingest *ingest = &q->server->ingest;

	if (q->state == REQUEST_RECEIVING) {
		size_t length = q->body.len + size;

		if (size > q->server->options.body_bytes - q->body.len)
			answer_error(q, MHD_HTTP_CONTENT_TOO_LARGE, "a segment may have %zu bytes",
				     q->server->options.body_bytes);
		else if (length > q->held && !ingest_hold(ingest, q, length - q->held))
			answer_error(q, MHD_HTTP_TOO_MANY_REQUESTS, "other segments fill the memory; come again");
		else if (buf_add(&q->body, upload, size) < 0)
			answer_error(q, MHD_HTTP_SERVICE_UNAVAILABLE, "no memory for %zu bytes", length);
		if (!q->answer.status)
			return MHD_YES;
		ingest_release(ingest, q);
		q->state = REQUEST_IGNORING;
	}
	q->ignored += size;
	return q->ignored <= patience(q) ? MHD_YES : MHD_NO; /* a flood: the connection ends without a word */
}

/* ---- the whole request is here ---- */

static enum MHD_Result hand_over(struct request *q)
{
	struct server *server = q->server;

	q->state = REQUEST_ANSWERED;
	if (q->answer.status)
		return answer_send(q);
	deadline_pause(&server->deadlines, deadline_of(q->connection));
	MHD_suspend_connection(q->connection); /* first: once it is in a queue, it may be resumed */
	if (!queue_put(q->put ? &server->ingest.queue : &server->readers.queue, q)) {
		answer_error(q, MHD_HTTP_SERVICE_UNAVAILABLE, "the server is stopping");
		exchange_resume(q);
	}
	return MHD_YES;
}

void exchange_resume(struct request *request)
{
	MHD_resume_connection(request->connection);
}

enum MHD_Result exchange_handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
				const char *version, const char *upload, size_t *size, void **request)
{
	struct request *q = *request;
	size_t length = *size;

	if (!q)
		return MHD_NO; /* there was no memory to begin it */
	*size = 0;
	switch (q->state) {
	case REQUEST_BEGUN:
		*size = length;
		return take_headers(q, method);
	case REQUEST_RECEIVING:
	case REQUEST_IGNORING:
		return length ? take_body(q, upload, length) : hand_over(q);
	case REQUEST_ANSWERED:
		deadline_renew(&q->server->deadlines, deadline_of(connection));
		return answer_send(q);
	}
	return MHD_NO;
}
