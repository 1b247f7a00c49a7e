/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An HTTP server on loopback, in a thread, that answers what its script says and writes down what it was asked. */
#ifndef ASSAY_TESTS_AGENT_STUB_H
#define ASSAY_TESTS_AGENT_STUB_H

#include "tests/agent/agent_rig.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/take.h"

#define STUB_REQUESTS 256

struct stub_answer {
	int status;          /* 0: cut the connection in the middle of the request's body */
	const char *headers; /* "Retry-After: 2\r\n"; or NULL */
	const char *body;    /* or NULL */
	bool close;
};

struct stub_request {
	char line[200]; /* "PUT /v1/..." */
	size_t length;  /* of its body */
	uint64_t at_ns;
	bool fresh;     /* on a new connection */
	bool octets;    /* its type is application/octet-stream */
};

struct stub {
	const struct stub_answer *script; /* the last one is repeated */
	size_t answers;
	int listener, stop;
	char url[64];
	pthread_t thread;
	pthread_mutex_t mutex;
	struct stub_request request[STUB_REQUESTS];
	size_t requests;
};

static inline bool stub_wait(struct stub *s, int fd)
{
	struct pollfd at[2] = { { .fd = fd, .events = POLLIN }, { .fd = s->stop, .events = POLLIN } };

	while (poll(at, 2, -1) < 0 && errno == EINTR)
		;
	return !at[1].revents;
}

/* One request: false, the connection ends. */
static inline bool stub_serve(struct stub *s, int fd, bool fresh)
{
	static const size_t room = 1 << 16;
	cleanup_free char *text = calloc(1, room);
	char answer[1024];
	const struct stub_answer *a;
	struct stub_request *request;
	size_t length = 0, body = 0, head;
	char *end = NULL, *at;
	ssize_t n;

	assert_non_null(text);
	while (!end) {
		if (length == room - 1 || !stub_wait(s, fd) || (n = read(fd, text + length, room - 1 - length)) <= 0)
			return false;
		length += (size_t)n;
		text[length] = '\0';
		end = strstr(text, "\r\n\r\n");
	}
	head = (size_t)(end + 4 - text);
	at = strcasestr(text, "content-length: ");
	if (at)
		body = strtoul(at + 16, NULL, 10);
	(void)pthread_mutex_lock(&s->mutex);
	a = &s->script[s->requests < s->answers ? s->requests : s->answers - 1];
	request = &s->request[s->requests % STUB_REQUESTS];
	(void)snprintf(request->line, sizeof(request->line), "%.*s", (int)strcspn(text, "\r"), text);
	request->length = body;
	request->at_ns = clock_monotonic();
	request->fresh = fresh;
	request->octets = strcasestr(text, "content-type: application/octet-stream\r\n") != NULL;
	s->requests++;
	(void)pthread_mutex_unlock(&s->mutex);
	if (a->status == 0)
		return false;
	for (size_t have = length - head; have < body; have += (size_t)n)
		if (!stub_wait(s, fd) || (n = read(fd, text, room)) <= 0)
			return false;
	(void)snprintf(answer, sizeof(answer), "HTTP/1.1 %d Any\r\n%sContent-Length: %zu\r\n\r\n%s", a->status,
		       a->headers ? a->headers : "", a->body ? strlen(a->body) : 0, a->body ? a->body : "");
	return write(fd, answer, strlen(answer)) == (ssize_t)strlen(answer) && !a->close;
}

static inline void *stub_work(void *context)
{
	struct stub *s = context;

	while (stub_wait(s, s->listener)) {
		int fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);

		for (bool fresh = true; fd >= 0 && stub_serve(s, fd, fresh);)
			fresh = false;
		if (fd >= 0)
			(void)close(fd);
	}
	return NULL;
}

static inline void stub_start(struct stub *s, const struct stub_answer *script, size_t answers)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t length = sizeof(address);

	*s = (struct stub){ .script = script, .answers = answers };
	(void)pthread_mutex_init(&s->mutex, NULL);
	s->stop = eventfd(0, EFD_CLOEXEC);
	s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(s->stop >= 0 && s->listener >= 0);
	assert_int_equal(bind(s->listener, (struct sockaddr *)&address, length), 0);
	assert_int_equal(listen(s->listener, 16), 0);
	assert_int_equal(getsockname(s->listener, (struct sockaddr *)&address, &length), 0);
	(void)snprintf(s->url, sizeof(s->url), "http://127.0.0.1:%u/", (unsigned)ntohs(address.sin_port));
	assert_int_equal(pthread_create(&s->thread, NULL, stub_work, s), 0);
}

static inline void stub_stop(struct stub *s)
{
	assert_int_equal(eventfd_write(s->stop, 1), 0);
	(void)pthread_join(s->thread, NULL);
	(void)close(s->listener);
	(void)close(s->stop);
	(void)pthread_mutex_destroy(&s->mutex);
}

#endif
