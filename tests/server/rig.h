/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A real server on a free port of loopback, in this process, over a store in a fresh folder; and a client of raw
 * sockets, which can be as rude as a test needs it.
 */
#ifndef ASSAY_TESTS_SERVER_RIG_H
#define ASSAY_TESTS_SERVER_RIG_H

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "proto/segment.h"
#include "server/server.h"
#include "tests/support/shared.h"

#define RUN_A "01ARZ3NDEKTSV4RRFFQ69G5FAV"
#define RUN_B "01BX5ZZKBKACTAV9WEVGEMMVRZ"

struct rig {
	char folder[256];
	struct server *server;
	uint16_t port;
	struct err err;
};

static inline void rig_start(struct rig *rig, struct server_options options)
{
	if (!rig->folder[0])
		fresh_folder(rig->folder, sizeof(rig->folder));
	options.store = rig->folder;
	options.threads = 2;
	if (server_start(&rig->server, &options, &rig->err) < 0)
		fail_msg("%s", rig->err.text);
	rig->port = server_port(rig->server);
}

static inline void rig_stop(struct rig *rig)
{
	if (rig->server)
		server_stop(rig->server);
	rig->server = NULL;
	if (rig->folder[0])
		remove_tree(rig->folder);
	rig->folder[0] = '\0';
}

static inline int rig_setup(void **state)
{
	*state = calloc(1, sizeof(struct rig));
	return *state ? 0 : -1;
}

static inline int rig_teardown(void **state)
{
	rig_stop(*state);
	free(*state);
	return 0;
}

/* ---- segments ---- */

/* Sealed, with a result `key` and a mark whose bytes make one segment differ from another. */
static inline struct buf segment_with(const char *run, uint32_t sequence, const struct pairs *axes, const char *key,
				      double value, bool last, const char *mark)
{
	struct run_header header = { .sequence = sequence,
				     .host = "lab-1",
				     .boot_id = "b",
				     .agent_version = "0.1.0",
				     .realtime_ns = UINT64_C(1764500000000000000),
				     .monotonic_ns = 5000000000,
				     .tick_ns = 1000000000 };
	const struct pairs none = { 0 };
	struct buf open = { 0 }, sealed = { 0 };
	struct segment_writer *w;
	struct err err = { 0 };

	(void)snprintf(header.run.text, sizeof(header.run.text), "%s", run);
	if (segment_writer_open(&w, &header, &open, &err) < 0 ||
	    (axes && segment_put_facts(w, axes, &none, &open, &err) < 0) ||
	    segment_put_mark(w, &(struct run_mark){ 5000000001, "note", mark }, &open, &err) < 0 ||
	    (key && segment_put_result(w, &(struct run_result){ key, value, "", 1 }, &open, &err) < 0) ||
	    (last && segment_put_end(w, &(struct run_end){ .exited = true }, &open, &err) < 0) ||
	    segment_seal(buf_text(&open), 1, &sealed, &err) < 0)
		fail_msg("%s", err.text);
	segment_writer_close(w);
	buf_free(&open);
	return sealed;
}

static inline struct buf segment_of(const char *run, uint32_t sequence, const char *mark)
{
	return segment_with(run, sequence, NULL, NULL, 0, false, mark);
}

/* ---- a client ---- */

struct reply {
	unsigned status; /* 0: the connection ended without an answer */
	char head[4096];
	struct buf body;
};

static inline int rig_connect(uint16_t port)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(port),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct timeval patience = { .tv_sec = 20 };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)), 0);
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)) < 0) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

/* False when the server hung up. */
static inline bool rig_send(int fd, const void *data, size_t length)
{
	for (const char *at = data; length > 0;) {
		ssize_t n = send(fd, at, length, MSG_NOSIGNAL);

		if (n <= 0)
			return false;
		at += n;
		length -= (size_t)n;
	}
	return true;
}

static inline bool rig_say(int fd, const char *text)
{
	return rig_send(fd, text, strlen(text));
}

/* One answer: its head, then as many bytes as it announces. Interim answers (100) are passed over. */
static inline struct reply rig_read(int fd, bool head_only)
{
	struct reply reply = { 0 };
	struct buf all = { .ceiling = (size_t)1 << 30 };
	size_t head = 0, length = 0;
	char part[65536];

	for (;;) {
		const char *end = all.len ? strstr(all.data, "\r\n\r\n") : NULL;
		ssize_t n;

		if (!head && end && strncmp(all.data, "HTTP/1.1 100", 12) == 0) {
			size_t skip = (size_t)(end + 4 - all.data);

			memmove(all.data, all.data + skip, all.len - skip + 1);
			all.len -= skip;
			continue;
		}
		if (!head && end) {
			const char *announced = strstr(all.data, "Content-Length: ");
			struct text rest = text_of(announced ? announced + 16 : "0"), status = text_of(all.data + 9);
			uint64_t number = 0;

			head = (size_t)(end + 4 - all.data);
			assert_true(head < sizeof(reply.head));
			memcpy(reply.head, all.data, head);
			assert_true(text_u64(&rest, &number));
			length = head_only ? 0 : number;
			assert_true(text_u64(&status, &number));
			reply.status = (unsigned)number;
		}
		if (head && all.len >= head + length)
			break;
		n = recv(fd, part, sizeof(part), 0);
		if (n <= 0) {
			reply.status = 0;
			break;
		}
		assert_int_equal(buf_add(&all, part, (size_t)n), 0);
	}
	if (reply.status)
		assert_int_equal(buf_add(&reply.body, all.data + head, length), 0);
	else
		assert_int_equal(buf_puts(&reply.body, ""), 0);
	buf_free(&all);
	return reply;
}

static inline bool rig_begin(int fd, const char *method, const char *target, const char *headers)
{
	char head[16384];
	int n = snprintf(head, sizeof(head), "%s %s HTTP/1.1\r\nHost: lab\r\n%s\r\n", method, target, headers);

	assert_true(n > 0 && n < (int)sizeof(head));
	return rig_send(fd, head, (size_t)n);
}

static inline struct reply rig_ask_with(struct rig *rig, const char *method, const char *target, const char *headers)
{
	struct reply reply;
	int fd = rig_connect(rig->port);

	assert_true(fd >= 0);
	(void)rig_begin(fd, method, target, headers);
	reply = rig_read(fd, strcmp(method, "HEAD") == 0);
	(void)close(fd);
	return reply;
}

static inline struct reply rig_get(struct rig *rig, const char *target)
{
	return rig_ask_with(rig, "GET", target, "");
}

/* Over a connection that stays: status alone. */
static inline unsigned rig_put_on(int fd, const char *run, uint32_t sequence, struct text body)
{
	char target[128], headers[64];
	struct reply reply;

	(void)snprintf(target, sizeof(target), "/v1/runs/%s/segments/%u", run, sequence);
	(void)snprintf(headers, sizeof(headers), "Content-Length: %zu\r\n", text_len(body));
	if (!rig_begin(fd, "PUT", target, headers) || !rig_send(fd, body.at, text_len(body)))
		return 0;
	reply = rig_read(fd, false);
	buf_free(&reply.body);
	return reply.status;
}

static inline struct reply rig_put(struct rig *rig, const char *target, const char *headers, struct text body)
{
	char all[512];
	struct reply reply;
	int fd = rig_connect(rig->port);

	assert_true(fd >= 0);
	(void)snprintf(all, sizeof(all), "%sContent-Length: %zu\r\n", headers, text_len(body));
	(void)rig_begin(fd, "PUT", target, all);
	(void)rig_send(fd, body.at, text_len(body));
	reply = rig_read(fd, false);
	(void)close(fd);
	return reply;
}

static inline unsigned rig_put_status(struct rig *rig, const char *run, uint32_t sequence, struct text body)
{
	int fd = rig_connect(rig->port);
	unsigned status;

	assert_true(fd >= 0);
	status = rig_put_on(fd, run, sequence, body);
	(void)close(fd);
	return status;
}

#define assert_status(reply, wanted)                                                                \
	do {                                                                                        \
		if ((reply).status != (wanted))                                                     \
			fail_msg("status %u instead of %u: %s", (reply).status, (unsigned)(wanted), \
				 (reply).body.data);                                                \
	} while (0)

#define assert_says(reply, words)                                                 \
	do {                                                                      \
		if (!strstr((reply).body.data, (words)))                          \
			fail_msg("no \"%s\" in: %s", (words), (reply).body.data); \
	} while (0)

/* The reply's status and a part of its body; frees it. */
#define assert_reply(expression, wanted, words)     \
	do {                                        \
		struct reply reply_ = (expression); \
		assert_status(reply_, wanted);      \
		assert_says(reply_, words);         \
		buf_free(&reply_.body);             \
	} while (0)

static inline double seconds_now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#endif
