/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between libmicrohttpd and the rest: its callbacks, which turn what comes in on a connection into a request, and an
 * answer into what goes out.
 *
 * What it demands, and where it shows here: an answer may be given when the headers are here or when the whole request
 * is, not while the body comes; one given before the body is over ends the connection; a suspended connection must be
 * resumed before the daemon is stopped. And what it does not do: the end of a client that came together with its last
 * bytes is only seen when the connection's time is up, and a request with more arguments than its memory can list gets
 * no answer, but is ended then.
 */
#ifndef ASSAY_SERVER_EXCHANGE_H
#define ASSAY_SERVER_EXCHANGE_H

#include "server/request.h"

/* The callbacks; `context` is the server. */
void *exchange_begin(void *context, const char *raw, struct MHD_Connection *connection);
enum MHD_Result exchange_handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
				const char *version, const char *upload, size_t *size, void **request);
void exchange_end(void *context, struct MHD_Connection *connection, void **request,
		  enum MHD_RequestTerminationCode how);
void exchange_connection(void *context, struct MHD_Connection *connection, void **socket_context,
			 enum MHD_ConnectionNotificationCode what);
/* Leaves the target as it is: target_parse() decodes its parts. */
size_t exchange_unescape(void *context, struct MHD_Connection *connection, char *text);

/* From a thread that worked on the request: it is the connection's again. */
void exchange_resume(struct request *request);

#endif
