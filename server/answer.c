/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "lab/json.h"
#include "server/state.h"

#define RETRY_BUSY_S   1 /* room comes as soon as other bodies are stored */
#define RETRY_BROKEN_S 5 /* a person has to act, or the server is on its way down */

void answer_with(struct request *request, unsigned status, const char *type, struct buf *body)
{
	struct answer *answer = &request->answer;

	if (answer->status) {
		buf_free(body);
		return;
	}
	answer->status = status;
	answer->type = type;
	answer->body = *body;
	*body = (struct buf){ 0 };
	if (status == MHD_HTTP_TOO_MANY_REQUESTS)
		answer->retry_after_s = RETRY_BUSY_S;
	else if (status == MHD_HTTP_SERVICE_UNAVAILABLE || status == MHD_HTTP_INSUFFICIENT_STORAGE)
		answer->retry_after_s = RETRY_BROKEN_S;
}

void answer_error(struct request *request, unsigned status, const char *format, ...)
{
	struct buf body = { 0 };
	char words[512];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	(void)buf_puts(&body, "{\"error\":");
	(void)json_text(&body, text_of(words));
	(void)buf_puts(&body, "}\n");
	answer_with(request, status, TYPE_JSON, &body);
}

void answer_failure(struct request *request, const struct err *err)
{
	static const struct {
		int code;
		unsigned status;
	} statuses[] = {
		{ -ENOENT, MHD_HTTP_NOT_FOUND },
		{ -EINVAL, MHD_HTTP_BAD_REQUEST },
		{ -E2BIG, MHD_HTTP_BAD_REQUEST },
		{ -ENOTUNIQ, MHD_HTTP_BAD_REQUEST },
		{ -ENAMETOOLONG, MHD_HTTP_URI_TOO_LONG },
	};

	for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++) {
		if (statuses[i].code == err->code) {
			answer_error(request, statuses[i].status, "%s", err->text);
			return;
		}
	}
	answer_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "%s", err->text);
}

static bool add_headers(struct MHD_Response *response, const struct answer *answer, bool last)
{
	char seconds[16];
	bool ok = MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->type) &&
		  MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache") &&
		  MHD_add_response_header(response, "X-Content-Type-Options", "nosniff") &&
		  MHD_add_response_header(response, "Content-Security-Policy",
					  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
					  "frame-ancestors 'none'");

	if (ok && answer->retry_after_s) {
		(void)snprintf(seconds, sizeof(seconds), "%u", answer->retry_after_s);
		ok = MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, seconds);
	}
	if (ok && answer->allow)
		ok = MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, answer->allow);
	if (ok && last)
		ok = MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
	if (ok && answer->vary_accept)
		ok = MHD_add_response_header(response, MHD_HTTP_HEADER_VARY, "Accept");
	return ok;
}

enum MHD_Result answer_send(struct request *request)
{
	static char no_memory[] = "{\"error\":\"no memory for the answer\"}\n";
	struct answer *answer = &request->answer;
	struct MHD_Response *response;
	enum MHD_Result r = MHD_NO;

	if (answer->body.failed) {
		buf_free(&answer->body);
		answer->status = MHD_HTTP_INTERNAL_SERVER_ERROR;
		answer->type = TYPE_JSON;
		response = MHD_create_response_from_buffer(sizeof(no_memory) - 1, no_memory, MHD_RESPMEM_PERSISTENT);
	} else {
		response = MHD_create_response_from_buffer(answer->body.len, answer->body.data, MHD_RESPMEM_MUST_FREE);
		if (response)
			answer->body.data = NULL; /* the response's to free */
	}
	if (!response)
		return MHD_NO;
	if (add_headers(response, answer, atomic_load(&request->server->stopping)))
		r = MHD_queue_response(request->connection, answer->status, response);
	MHD_destroy_response(response);
	return r;
}
