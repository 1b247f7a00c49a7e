/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/server/rig.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>

#define PATH_A "/v1/runs/" RUN_A "/segments/1"

static void answers_created_then_same_then_conflict(void **state)
{
	struct rig *rig = *state;
	struct buf first = segment_of(RUN_A, 1, "one"), other = segment_of(RUN_A, 1, "another");

	rig_start(rig, (struct server_options){ 0 });
	assert_reply(rig_put(rig, PATH_A, "", buf_text(&first)), 201,
		     "{\"run\":\"" RUN_A "\",\"segment\":1,\"stored\":\"created\"}\n");
	assert_reply(rig_put(rig, PATH_A, "", buf_text(&first)), 200,
		     "{\"run\":\"" RUN_A "\",\"segment\":1,\"stored\":\"same\"}\n");
	assert_reply(rig_put(rig, PATH_A, "", buf_text(&other)), 409, "has other bytes under segment 1 already");
	buf_free(&first);
	buf_free(&other);
}

static void gives_back_the_bytes_it_took(void **state)
{
	struct rig *rig = *state;
	struct buf sent = segment_of(RUN_A, 7, "seven");
	struct reply reply;

	rig_start(rig, (struct server_options){ 0 });
	assert_int_equal(rig_put_status(rig, RUN_A, 7, buf_text(&sent)), 201);
	reply = rig_get(rig, "/v1/runs/" RUN_A "/segments/7");
	assert_status(reply, 200);
	assert_non_null(strstr(reply.head, "Content-Type: application/octet-stream\r\n"));
	assert_int_equal(reply.body.len, sent.len);
	assert_memory_equal(reply.body.data, sent.data, sent.len);
	buf_free(&reply.body);
	buf_free(&sent);
	assert_reply(rig_get(rig, "/v1/runs/" RUN_A "/segments/8"), 404, "no segment 8");
}

static void takes_a_chunked_body(void **state)
{
	struct rig *rig = *state;
	struct buf sent = segment_of(RUN_A, 1, "in pieces");
	int fd;

	rig_start(rig, (struct server_options){ 0 });
	fd = rig_connect(rig->port);
	assert_true(rig_begin(fd, "PUT", PATH_A, "Transfer-Encoding: chunked\r\n"));
	for (size_t at = 0; at < sent.len; at += 10) {
		size_t n = sent.len - at < 10 ? sent.len - at : 10;
		char size[16];

		(void)snprintf(size, sizeof(size), "%zx\r\n", n);
		assert_true(rig_say(fd, size) && rig_send(fd, sent.data + at, n) && rig_say(fd, "\r\n"));
	}
	assert_true(rig_say(fd, "0\r\n\r\n"));
	assert_reply(rig_read(fd, false), 201, "created");
	(void)close(fd);
	assert_int_equal(rig_put_status(rig, RUN_A, 1, buf_text(&sent)), 200);
	buf_free(&sent);
}

static void says_why_a_body_is_no_segment(void **state)
{
	struct rig *rig = *state;
	struct buf other_run = segment_of(RUN_B, 1, ""), other_number = segment_of(RUN_A, 2, "");
	struct text torn = { other_run.data, other_run.data + other_run.len - 5 };

	rig_start(rig, (struct server_options){ 0 });
	assert_reply(rig_put(rig, PATH_A, "", text_of("hello")), 422, "not a segment");
	assert_reply(rig_put(rig, PATH_A, "", text_of("")), 422, "{\"error\":");
	assert_reply(rig_put(rig, PATH_A, "", buf_text(&other_run)), 422, RUN_B);
	assert_reply(rig_put(rig, PATH_A, "", buf_text(&other_number)), 422, "2");
	assert_reply(rig_put(rig, "/v1/runs/" RUN_B "/segments/1", "", torn), 422, "{\"error\":");
	assert_reply(rig_get(rig, "/v1/runs"), 200, "{\"runs\":[]}");
	buf_free(&other_run);
	buf_free(&other_number);
}

static void refuses_an_address_that_names_no_segment(void **state)
{
	static const char *const wrong[] = { "/v1/runs/x/segments/1",
					     "/v1/runs/../segments/1",
					     "/v1/runs/" RUN_A "/segments/0",
					     "/v1/runs/" RUN_A "/segments/-1",
					     "/v1/runs/" RUN_A "/segments/4294967296",
					     "/v1/runs/" RUN_A "/segments/1e3",
					     "/v1/runs/..%2f..%2fetc/segments/1",
					     "/v1/runs/%00/segments/1",
					     "/v1/runs/%zz/segments/1" };
	struct rig *rig = *state;

	rig_start(rig, (struct server_options){ 0 });
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_reply(rig_put(rig, wrong[i], "", text_of("body")), 400, "{\"error\":");
}

static void wants_a_length_and_no_coding(void **state)
{
	struct rig *rig = *state;

	rig_start(rig, (struct server_options){ 0 });
	assert_reply(rig_ask_with(rig, "PUT", PATH_A, ""), 411, "Content-Length");
	assert_reply(rig_put(rig, PATH_A, "Content-Encoding: gzip\r\n", text_of("body")), 415, "Content-Encoding");
}

static void refuses_a_body_by_its_announced_length(void **state)
{
	struct rig *rig = *state;
	int fd;

	rig_start(rig, (struct server_options){ .body_bytes = 10000 });
	/* who asks first is told before a byte of the body was sent */
	fd = rig_connect(rig->port);
	assert_true(rig_begin(fd, "PUT", PATH_A, "Content-Length: 10001\r\nExpect: 100-continue\r\n"));
	assert_reply(rig_read(fd, false), 413, "10000 bytes");
	(void)close(fd);
	/* who sends at once can still read the answer */
	for (int i = 0; i < 50; i++) {
		static char body[10001];

		assert_reply(rig_put(rig, PATH_A, "", text_n(body, sizeof(body))), 413, "10000 bytes");
	}
	/* of an absurd length nothing is waited for */
	assert_reply(rig_ask_with(rig, "PUT", PATH_A, "Content-Length: 9223372036854775807\r\n"), 413, "10000 bytes");
}

static void refuses_a_chunked_body_when_it_grows_too_large(void **state)
{
	struct rig *rig = *state;
	char chunk[1005] = "3e8\r\n";
	int fd;

	rig_start(rig, (struct server_options){ .body_bytes = 10000 });
	memset(chunk + 5, 'x', 1000);
	fd = rig_connect(rig->port);
	assert_true(rig_begin(fd, "PUT", PATH_A, "Transfer-Encoding: chunked\r\n"));
	for (int i = 0; i < 11; i++)
		assert_true(rig_send(fd, chunk, sizeof(chunk)) && rig_say(fd, "\r\n"));
	assert_true(rig_say(fd, "0\r\n\r\n"));
	assert_reply(rig_read(fd, false), 413, "10000 bytes");
	(void)close(fd);
}

static void sends_away_what_finds_no_room(void **state)
{
	struct rig *rig = *state;
	struct buf sent = segment_of(RUN_A, 1, "small");
	struct reply reply;
	int slow;

	rig_start(rig, (struct server_options){ .body_bytes = 10000, .bodies_bytes = 10000 });
	slow = rig_connect(rig->port);
	assert_true(rig_begin(slow, "PUT", "/v1/runs/" RUN_B "/segments/1", "Content-Length: 10000\r\n"));
	for (int i = 0; i < 200; i++) { /* until its headers are read */
		reply = rig_put(rig, PATH_A, "", buf_text(&sent));
		if (reply.status == 429)
			break;
		assert_in_range(reply.status, 200, 201);
		buf_free(&reply.body);
		(void)usleep(10000);
	}
	assert_status(reply, 429);
	assert_non_null(strstr(reply.head, "Retry-After: 1\r\n"));
	buf_free(&reply.body);
	(void)close(slow);
	for (int i = 0; i < 200; i++) { /* its room is given back */
		reply = rig_put(rig, PATH_A, "", buf_text(&sent));
		buf_free(&reply.body);
		if (reply.status != 429)
			break;
		(void)usleep(10000);
	}
	assert_in_range(reply.status, 200, 201);
	buf_free(&sent);
}

static void says_when_the_store_fails(void **state)
{
	struct rig *rig = *state;
	struct buf sent = segment_of(RUN_A, 1, "one");
	struct reply reply;
	char incoming[300];

	rig_start(rig, (struct server_options){ 0 });
	(void)snprintf(incoming, sizeof(incoming), "%s/incoming", rig->folder);
	assert_int_equal(rmdir(incoming), 0);
	reply = rig_put(rig, PATH_A, "", buf_text(&sent));
	assert_status(reply, 503);
	assert_non_null(strstr(reply.head, "Retry-After: 5\r\n"));
	buf_free(&reply.body);
	assert_reply(rig_get(rig, "/healthz"), 503, "incoming");
	assert_reply(rig_get(rig, "/v1/runs"), 200, "{\"runs\":[]}"); /* looking still works */
	buf_free(&sent);
}

/* In a child with file systems of its own: a server whose disk has 512 KiB. */
static void fill_a_small_disk(struct rig *rig)
{
	struct buf sent;
	unsigned status = 201;
	static char noise[50000];

	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		_exit(77);
	fresh_folder(rig->folder, sizeof(rig->folder));
	if (mount("tmpfs", rig->folder, "tmpfs", 0, "size=512k") < 0)
		_exit(77);
	rig_start(rig, (struct server_options){ 0 });
	for (uint32_t i = 1; i < 100 && status == 201; i++) {
		for (size_t k = 0; k < sizeof(noise) - 1; k++)
			noise[k] = (char)(33 + rand() % 90);
		sent = segment_of(RUN_A, i, noise);
		status = rig_put_status(rig, RUN_A, i, buf_text(&sent));
		buf_free(&sent);
	}
	_exit(status == 507 ? 0 : 1);
}

static void says_that_the_disk_is_full(void **state)
{
	struct rig *rig = *state;
	pid_t child = fork();
	int status = 0;

	if (child == 0)
		fill_a_small_disk(rig);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- many at once ---- */

enum { CLIENTS = 16, SEGMENTS = 50 };

struct client {
	pthread_t thread;
	struct rig *rig;
	char run[27];
	unsigned wanted;
	unsigned wrong; /* answers */
};

static struct buf segment_number(const char *run, uint32_t sequence)
{
	char mark[64];

	(void)snprintf(mark, sizeof(mark), "%s %u", run, sequence);
	return segment_of(run, sequence, mark);
}

static void *client_run(void *context)
{
	struct client *client = context;
	int fd = rig_connect(client->rig->port);

	for (uint32_t i = 1; i <= SEGMENTS; i++) {
		struct buf sent = segment_number(client->run, i);

		client->wrong += rig_put_on(fd, client->run, i, buf_text(&sent)) != client->wanted;
		buf_free(&sent);
	}
	(void)close(fd);
	return NULL;
}

static void put_all(struct rig *rig, unsigned wanted)
{
	struct client clients[CLIENTS] = { 0 };

	for (int i = 0; i < CLIENTS; i++) {
		clients[i] = (struct client){ .rig = rig, .wanted = wanted };
		(void)snprintf(clients[i].run, sizeof(clients[i].run), "01ARZ3NDEKTSV4RRFFQ69G5F%02d", i);
		assert_int_equal(pthread_create(&clients[i].thread, NULL, client_run, &clients[i]), 0);
	}
	for (int i = 0; i < CLIENTS; i++) {
		assert_int_equal(pthread_join(clients[i].thread, NULL), 0);
		assert_int_equal(clients[i].wrong, 0);
	}
}

static void keeps_every_segment_of_many_clients_at_once(void **state)
{
	struct rig *rig = *state;

	rig_start(rig, (struct server_options){ 0 });
	put_all(rig, 201);
	for (int i = 0; i < CLIENTS; i++) {
		for (uint32_t k = 1; k <= SEGMENTS; k++) {
			char run[27], target[128];
			struct buf sent;
			struct reply reply;

			(void)snprintf(run, sizeof(run), "01ARZ3NDEKTSV4RRFFQ69G5F%02d", i);
			(void)snprintf(target, sizeof(target), "/v1/runs/%s/segments/%u", run, k);
			sent = segment_number(run, k);
			reply = rig_get(rig, target);
			assert_status(reply, 200);
			assert_int_equal(reply.body.len, sent.len);
			assert_memory_equal(reply.body.data, sent.data, sent.len);
			buf_free(&reply.body);
			buf_free(&sent);
		}
	}
	put_all(rig, 200);
}

static void ends_in_time_while_clients_are_busy(void **state)
{
	struct rig *rig = *state;
	struct client clients[4] = { 0 };
	double begin;

	rig_start(rig, (struct server_options){ 0 });
	for (int i = 0; i < 4; i++) {
		clients[i] = (struct client){ .rig = rig };
		(void)snprintf(clients[i].run, sizeof(clients[i].run), "01ARZ3NDEKTSV4RRFFQ69G5F%02d", i);
		assert_int_equal(pthread_create(&clients[i].thread, NULL, client_run, &clients[i]), 0);
	}
	(void)usleep(50000);
	begin = seconds_now();
	server_stop(rig->server);
	rig->server = NULL;
	assert_true(seconds_now() - begin < 15);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_join(clients[i].thread, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(answers_created_then_same_then_conflict, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(gives_back_the_bytes_it_took, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(takes_a_chunked_body, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(says_why_a_body_is_no_segment, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(refuses_an_address_that_names_no_segment, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(wants_a_length_and_no_coding, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(refuses_a_body_by_its_announced_length, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(refuses_a_chunked_body_when_it_grows_too_large, rig_setup,
						rig_teardown),
		cmocka_unit_test_setup_teardown(sends_away_what_finds_no_room, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(says_when_the_store_fails, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(says_that_the_disk_is_full, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(keeps_every_segment_of_many_clients_at_once, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(ends_in_time_while_clients_are_busy, rig_setup, rig_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
