/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clients that break rules, drip, flood or vanish. After each the server must still answer others. */
#include "tests/server/rig.h"

#include <sys/resource.h>

#define PATH_A "/v1/runs/" RUN_A "/segments/1"

static void assert_alive(struct rig *rig)
{
	assert_reply(rig_get(rig, "/healthz"), 200, "ok");
}

/* Seconds until the server hangs up, answered or not; at most the 20 of the socket. */
static double until_hung_up(int fd)
{
	double begin = seconds_now();
	char part[4096];

	while (recv(fd, part, sizeof(part), 0) > 0)
		;
	(void)close(fd);
	return seconds_now() - begin;
}

static void refuses_headers_without_end(void **state)
{
	struct rig *rig = *state;
	char line[1024] = "X: ";
	struct reply reply;
	int fd;

	rig_start(rig, (struct server_options){ 0 });
	memset(line + 3, 'x', sizeof(line) - 5);
	memcpy(line + sizeof(line) - 2, "\r\n", 2);
	fd = rig_connect(rig->port);
	assert_true(rig_say(fd, "GET /healthz HTTP/1.1\r\nHost: lab\r\n"));
	for (int i = 0; i < 1000 && rig_send(fd, line, sizeof(line)); i++)
		;
	reply = rig_read(fd, false);
	assert_true(reply.status == 431 || reply.status == 0);
	buf_free(&reply.body);
	(void)close(fd);
	assert_alive(rig);
}

static void refuses_a_long_address(void **state)
{
	struct rig *rig = *state;
	char target[8000];

	rig_start(rig, (struct server_options){ 0 });
	memset(target, 'a', sizeof(target) - 1);
	target[0] = '/';
	target[sizeof(target) - 1] = '\0';
	assert_reply(rig_get(rig, target), 414, "longer than 4096");
	memcpy(target, "/v1/runs?query=", 15);
	assert_reply(rig_get(rig, target), 414, "longer than 4096");
	assert_alive(rig);
}

static void refuses_many_arguments(void **state)
{
	struct rig *rig = *state;
	char target[4001];
	struct reply reply;

	rig_start(rig, (struct server_options){ .timeout_s = 1 });
	memset(target, '&', sizeof(target));
	memcpy(target, "/v1/runs?", 9);
	for (size_t i = 10; i < sizeof(target); i += 2)
		target[i] = 'a';
	target[90] = '\0';
	assert_reply(rig_get(rig, target), 400, "more than 32 arguments");
	target[90] = 'a';
	target[4000] =
		'\0'; /* libmicrohttpd finds no room to list these, and then only the timeout ends the connection */
	reply = rig_get(rig, target);
	assert_true(reply.status == 431 || reply.status == 0);
	buf_free(&reply.body);
	assert_alive(rig);
}

static void hangs_up_on_a_silent_client(void **state)
{
	static const char *const beginnings[] = { "", "GET /hea", "GET /healthz HTTP/1.1\r\nHost: l",
						  "PUT " PATH_A
						  " HTTP/1.1\r\nHost: lab\r\nContent-Length: 100\r\n\r\nabc" };
	struct rig *rig = *state;
	int fds[4];

	rig_start(rig, (struct server_options){ .timeout_s = 1, .request_s = 60 });
	for (int i = 0; i < 4; i++) {
		fds[i] = rig_connect(rig->port);
		assert_true(rig_say(fds[i], beginnings[i]));
	}
	for (int i = 0; i < 4; i++)
		assert_true(until_hung_up(fds[i]) < 6);
	assert_alive(rig);
}

static void hangs_up_on_a_client_that_drips(void **state)
{
	static const char head[] = "GET /healthz HTTP/1.1\r\nHost: lab\r\nX-Slow: ";
	struct rig *rig = *state;
	double begin = seconds_now();
	int fd;

	rig_start(rig, (struct server_options){ .timeout_s = 10, .request_s = 2 });
	fd = rig_connect(rig->port);
	assert_true(rig_say(fd, head));
	while (rig_say(fd, "x") && seconds_now() - begin < 15)
		(void)usleep(50000);
	assert_true(seconds_now() - begin < 8);
	(void)close(fd);
	assert_alive(rig);
}

static void a_request_that_is_quick_enough_is_not_hurried(void **state)
{
	struct rig *rig = *state;
	int fd;

	rig_start(rig, (struct server_options){ .timeout_s = 10, .request_s = 2 });
	fd = rig_connect(rig->port);
	for (int i = 0; i < 4; i++) { /* 4 s in all, each within its time */
		assert_true(rig_begin(fd, "GET", "/healthz", ""));
		assert_reply(rig_read(fd, false), 200, "ok");
		(void)usleep(1000000);
	}
	(void)close(fd);
}

static void ends_a_flood_of_chunks(void **state)
{
	static char chunk[65536 + 7 + 2] = "10000\r\n";
	struct rig *rig = *state;
	size_t sent = 0;
	int fd;

	rig_start(rig, (struct server_options){ .body_bytes = 1 << 20 });
	memset(chunk + 7, 'x', 65536);
	memcpy(chunk + 7 + 65536, "\r\n", 2);
	fd = rig_connect(rig->port);
	assert_true(rig_begin(fd, "PUT", PATH_A, "Transfer-Encoding: chunked\r\n"));
	while (sent < (size_t)64 << 20 && rig_send(fd, chunk, sizeof(chunk)))
		sent += 65536;
	assert_true(sent < (size_t)64 << 20);
	(void)close(fd);
	assert_alive(rig);
}

static void holds_little_memory_under_a_flood(void **state)
{
	static char chunk[65536 + 7 + 2] = "10000\r\n";
	struct rig *rig = *state;
	struct rusage before, after;
	int fds[32];

	rig_start(rig, (struct server_options){ .body_bytes = 1 << 20, .bodies_bytes = 4 << 20, .timeout_s = 1 });
	memset(chunk + 7, 'x', 65536);
	memcpy(chunk + 7 + 65536, "\r\n", 2);
	assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
	for (int i = 0; i < 32; i++) {
		fds[i] = rig_connect(rig->port);
		assert_true(rig_begin(fds[i], "PUT", PATH_A, "Transfer-Encoding: chunked\r\n"));
	}
	for (int round = 0; round < 15; round++)
		for (int i = 0; i < 32; i++)
			(void)rig_send(fds[i], chunk, sizeof(chunk));
	assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
#ifndef ASSAY_SANITIZED /* a sanitizer keeps what was freed, and memory of its own beside all of it */
	assert_true(after.ru_maxrss - before.ru_maxrss < 24 << 10); /* KiB; 32 bodies of 1 MiB would be more */
#endif
	for (int i = 0; i < 32; i++)
		(void)close(fds[i]);
	assert_alive(rig);
}

static void stores_nothing_of_a_body_that_breaks_off(void **state)
{
	struct rig *rig = *state;
	struct buf sent = segment_of(RUN_A, 1, "whole");
	char headers[64];

	rig_start(rig, (struct server_options){ .timeout_s = 1 });
	(void)snprintf(headers, sizeof(headers), "Content-Length: %zu\r\n", sent.len);
	for (size_t n = 0; n < sent.len; n += sent.len / 8 + 1) {
		int fd = rig_connect(rig->port);

		assert_true(rig_begin(fd, "PUT", PATH_A, headers));
		assert_true(rig_send(fd, sent.data, n));
		(void)close(fd);
	}
	assert_alive(rig);
	assert_reply(rig_get(rig, "/v1/runs"), 200, "{\"runs\":[]}");
	assert_int_equal(rig_put_status(rig, RUN_A, 1, buf_text(&sent)), 201);
	buf_free(&sent);
}

/* What has two lengths could be one request to a proxy and two to us. */
static void does_not_take_a_request_of_two_lengths(void **state)
{
	static const char *const headers[] = { "Content-Length: 5\r\nContent-Length: 50\r\n", "Content-Length: -5\r\n",
					       "Content-Length: 0x5\r\n", "Content-Length: 99999999999999999999999\r\n",
					       "Content-Length: 5 5\r\n" };
	struct rig *rig = *state;

	rig_start(rig, (struct server_options){ .timeout_s = 1 });
	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
		int fd = rig_connect(rig->port);
		struct reply reply;

		assert_true(rig_begin(fd, "PUT", PATH_A, headers[i]));
		(void)rig_say(fd, "helloGET /healthz HTTP/1.1\r\nHost: lab\r\n\r\n");
		reply = rig_read(fd, false);
		assert_true(reply.status == 0 || (reply.status >= 400 && reply.status < 500));
		buf_free(&reply.body);
		(void)close(fd);
	}
	assert_alive(rig);
	assert_reply(rig_get(rig, "/v1/runs"), 200, "{\"runs\":[]}");
}

static void survives_noise(void **state)
{
	struct rig *rig = *state;
	char noise[3000];

	rig_start(rig, (struct server_options){ .timeout_s = 1 });
	srand(1);
	for (int i = 0; i < 200; i++) {
		int fd = rig_connect(rig->port);
		size_t n = (size_t)rand() % sizeof(noise);

		for (size_t k = 0; k < n; k++)
			noise[k] = (char)rand();
		if (i % 3 == 0 && n > 30)
			memcpy(noise, "PUT " PATH_A " HTTP/1.1\r\n", 28);
		(void)rig_send(fd, noise, n);
		(void)close(fd);
	}
	assert_alive(rig);
}

/* What is malformed libmicrohttpd answers by itself, also while it is told to stop. */
static void stops_while_nonsense_comes(void **state)
{
	struct rig *rig = *state;
	int fds[24];

	for (int round = 0; round < 40; round++) {
		rig_start(rig, (struct server_options){ .timeout_s = 5 });
		for (int i = 0; i < 24; i++) {
			fds[i] = rig_connect(rig->port);
			assert_true(fds[i] >= 0);
			(void)rig_say(fds[i], i % 2 ? "GET / HTTP/1.1\r\n\r\n" : "GET / HTTP/1.1\r\n");
		}
		for (int i = 0; i < 24; i += 2)
			(void)rig_say(fds[i], "\r\n");
		rig_stop(rig);
		for (int i = 0; i < 24; i++)
			(void)close(fds[i]);
	}
}

static void a_reset_while_the_answer_is_made_harms_nobody(void **state)
{
	struct rig *rig = *state;

	rig_start(rig, (struct server_options){ 0 });
	for (int i = 0; i < 200; i++) {
		struct linger now = { .l_onoff = 1 };
		int fd = rig_connect(rig->port);

		assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now)), 0);
		(void)rig_begin(fd, "GET", i % 2 ? "/v1/runs" : "/healthz", "");
		(void)close(fd);
	}
	assert_alive(rig);
}

static void serves_others_when_too_many_connect(void **state)
{
	struct rig *rig = *state;
	int fds[64];

	rig_start(rig, (struct server_options){ .connections = 16, .timeout_s = 1 });
	for (int i = 0; i < 64; i++)
		fds[i] = rig_connect(rig->port);
	assert_alive(rig); /* as soon as the silent ones were hung up on */
	for (int i = 0; i < 64; i++)
		(void)close(fds[i]);
}

static void answers_requests_sent_ahead_in_order(void **state)
{
	struct rig *rig = *state;
	int fd;

	rig_start(rig, (struct server_options){ 0 });
	fd = rig_connect(rig->port);
	for (int i = 0; i < 30; i++)
		assert_true(rig_begin(fd, "HEAD", "/healthz", ""));
	for (int i = 0; i < 30; i++) {
		/* heads only, so that each ends where the next begins */
		char part[4096];
		ssize_t n = recv(fd, part, sizeof(part), MSG_PEEK);
		const char *end = n > 0 ? memmem(part, (size_t)n, "\r\n\r\n", 4) : NULL;

		if (!end) {
			i--;
			assert_true(n > 0);
			continue;
		}
		assert_memory_equal(part, "HTTP/1.1 200", 12);
		assert_int_equal(recv(fd, part, (size_t)(end + 4 - part), 0), end + 4 - part);
	}
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(refuses_headers_without_end, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(refuses_a_long_address, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(refuses_many_arguments, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(hangs_up_on_a_silent_client, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(hangs_up_on_a_client_that_drips, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(a_request_that_is_quick_enough_is_not_hurried, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(ends_a_flood_of_chunks, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(holds_little_memory_under_a_flood, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(stores_nothing_of_a_body_that_breaks_off, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(does_not_take_a_request_of_two_lengths, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(survives_noise, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(stops_while_nonsense_comes, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(a_reset_while_the_answer_is_made_harms_nobody, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(serves_others_when_too_many_connect, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(answers_requests_sent_ahead_in_order, rig_setup, rig_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
