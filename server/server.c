/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/take.h"
#include "server/exchange.h"
#include "server/state.h"

#define STOP_S            5
#define CONNECTION_MEMORY ((size_t)32 << 10) /* request line, headers, and what of a body is read at once */

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static int address_parse(const char *text, uint16_t port, union address *ret, socklen_t *size, struct err *err)
{
	bool loopback;

	*ret = (union address){ 0 };
	if (inet_pton(AF_INET, text, &ret->v4.sin_addr) == 1) {
		ret->v4.sin_family = AF_INET;
		ret->v4.sin_port = htons(port);
		*size = sizeof(ret->v4);
		loopback = ntohl(ret->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	} else if (inet_pton(AF_INET6, text, &ret->v6.sin6_addr) == 1) {
		ret->v6.sin6_family = AF_INET6;
		ret->v6.sin6_port = htons(port);
		*size = sizeof(ret->v6);
		loopback = IN6_IS_ADDR_LOOPBACK(&ret->v6.sin6_addr);
	} else {
		return err_set(err, -EINVAL, "'%s' is not an address such as 127.0.0.1 or ::1", text);
	}
	if (!loopback)
		return err_set(err, -EPERM,
			       "%s is not a loopback address: assay-server has neither TLS nor tokens, so whoever reaches "
			       "it may read and write; put a proxy that has both before it",
			       text);
	return 0;
}

static int listener_open(const char *text, uint16_t port, uint16_t *ret_port, struct err *err)
{
	union address address;
	socklen_t size = 0;
	cleanup_fd int fd = -1;
	int on = 1, r = address_parse(text, port, &address, &size, err);

	if (r < 0)
		return r;
	fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
	    bind(fd, &address.any, size) < 0 || listen(fd, SOMAXCONN) < 0 || getsockname(fd, &address.any, &size) < 0)
		return err_set(err, -errno, "listen on %s, port %u: %s", text, port, err_name(errno));
	*ret_port = ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
	return take_fd(&fd);
}

static void fill_in(struct server_options *o)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (!o->address)
		o->address = "127.0.0.1";
	if (o->threads == 0)
		o->threads = cpus < 1 ? 1 : cpus > 8 ? 8 : (unsigned)cpus;
	if (o->connections == 0)
		o->connections = 1024;
	if (o->connections < o->threads)
		o->connections = o->threads; /* libmicrohttpd divides them */
	if (o->timeout_s == 0)
		o->timeout_s = 30;
	if (o->request_s == 0)
		o->request_s = 10 * o->timeout_s;
	if (o->body_bytes == 0)
		o->body_bytes = (size_t)32 << 20;
	if (o->unpacked_bytes == 0)
		o->unpacked_bytes = (size_t)256 << 20;
	if (o->bodies_bytes == 0)
		o->bodies_bytes = (size_t)256 << 20;
}

static void __attribute__((format(printf, 2, 0))) http_log(void *context, const char *format, va_list args)
{
	char line[512];

	(void)vsnprintf(line, sizeof(line), format, args);
	line[strcspn(line, "\r\n")] = '\0';
	log_notice("http: %s", line);
}

static int http_open(struct server *s, struct err *err)
{
	const struct server_options *o = &s->options;
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
	struct MHD_OptionItem log[] = { { MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)http_log, s },
					{ MHD_OPTION_END, 0, NULL } };

	if (o->verbose)
		flags |= MHD_USE_ERROR_LOG;
	s->daemon = MHD_start_daemon(flags, s->port, NULL, NULL, exchange_handle, s,
				     MHD_OPTION_ARRAY, o->verbose ? log : &log[1],
				     MHD_OPTION_LISTEN_SOCKET, s->listener,
				     MHD_OPTION_THREAD_POOL_SIZE, o->threads,
				     MHD_OPTION_CONNECTION_LIMIT, o->connections,
				     MHD_OPTION_CONNECTION_TIMEOUT, o->timeout_s,
				     MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY,
				     MHD_OPTION_STRICT_FOR_CLIENT, 1,
				     MHD_OPTION_URI_LOG_CALLBACK, exchange_begin, s,
				     MHD_OPTION_UNESCAPE_CALLBACK, exchange_unescape, s,
				     MHD_OPTION_NOTIFY_COMPLETED, exchange_end, s,
				     MHD_OPTION_NOTIFY_CONNECTION, exchange_connection, s,
				     MHD_OPTION_END);
	return s->daemon ? 0 : err_set(err, errno ? -errno : -EIO, "libmicrohttpd does not start: %s",
				       errno ? err_name(errno) : "it says no reason");
}

int server_start(struct server **ret, const struct server_options *options, struct err *err)
{
	const struct store_options store = {
		.path = options->store,
		.segment_bytes = options->body_bytes,
		.unpacked_bytes = options->unpacked_bytes,
	};
	struct server *s = calloc(1, sizeof(*s));
	pthread_condattr_t monotonic;
	int r;

	if (!s)
		return err_set(err, -ENOMEM, "no memory for a server");
	s->options = *options;
	fill_in(&s->options);
	r = s->listener = listener_open(s->options.address, s->options.port, &s->port, err);
	if (r < 0)
		goto out;
	r = ingest_open(&s->ingest, &store, s->options.bodies_bytes, err);
	if (r < 0)
		goto out_listener;
	r = readers_open(&s->readers, &store, s->options.threads, err);
	if (r < 0)
		goto out_ingest;
	r = deadlines_open(&s->deadlines, (uint64_t)s->options.request_s * 1000000000, err);
	if (r < 0)
		goto out_readers;
	(void)pthread_mutex_init(&s->lock, NULL);
	(void)pthread_condattr_init(&monotonic);
	(void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&s->idle, &monotonic);
	(void)pthread_condattr_destroy(&monotonic);
	r = http_open(s, err);
	if (r == 0) {
		*ret = s;
		return 0;
	}
	(void)pthread_cond_destroy(&s->idle);
	(void)pthread_mutex_destroy(&s->lock);
	deadlines_close(&s->deadlines);
out_readers:
	readers_stop(&s->readers);
	readers_close(&s->readers);
out_ingest:
	ingest_stop(&s->ingest);
	ingest_close(&s->ingest);
out_listener:
	(void)close(s->listener);
out:
	free(s);
	return r;
}

uint16_t server_port(const struct server *server)
{
	return server->port;
}

static void wait_until_idle(struct server *s)
{
	struct timespec until;

	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += STOP_S;
	(void)pthread_mutex_lock(&s->lock);
	while (s->active && pthread_cond_timedwait(&s->idle, &s->lock, &until) == 0)
		;
	(void)pthread_mutex_unlock(&s->lock);
}

void server_stop(struct server *s)
{
	atomic_store(&s->stopping, true); /* what is new is answered 503 meanwhile */
	wait_until_idle(s);
	/* Both answer what waits, and take no more: no connection stays suspended. */
	ingest_stop(&s->ingest);
	readers_stop(&s->readers);
	if (!deadlines_end_all(&s->deadlines, (uint64_t)STOP_S * 1000000000))
		log_warning("some connections do not end");
	MHD_stop_daemon(s->daemon);
	ingest_close(&s->ingest);
	readers_close(&s->readers);
	deadlines_close(&s->deadlines);
	(void)pthread_cond_destroy(&s->idle);
	(void)pthread_mutex_destroy(&s->lock);
	free(s);
}
