/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program assay-server, killed while clients send: whatever was answered 2xx is there afterwards, byte for byte. */
#include "tests/server/rig.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/wait.h>

enum { CLIENTS = 4, KILLS = 60, SECONDS = 60, SEGMENTS_MOST = 20000 };

extern char **environ;

struct program {
	pid_t pid;
	uint16_t port;
};

static void program_start(struct program *program, const char *folder)
{
	char path[4096], line[128] = "";
	char *argv[] = { path, "--port", "0", "--store", (char *)folder, NULL };
	posix_spawn_file_actions_t actions;
	struct text rest;
	uint64_t port = 0;
	size_t n = 0;
	int out[2];

	assert_non_null(getenv("ASSAY_BUILD"));
	(void)snprintf(path, sizeof(path), "%s/server/assay-server", getenv("ASSAY_BUILD"));
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
	assert_int_equal(posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO), 0);
	assert_int_equal(posix_spawn(&program->pid, path, &actions, NULL, argv, environ), 0);
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)close(out[1]);
	while (n < sizeof(line) - 1 && !strchr(line, '\n') && read(out[0], line + n, 1) == 1)
		n++;
	(void)close(out[0]);
	rest = text_of(line);
	assert_true(text_skip(&rest, "listening on http://127.0.0.1:") && text_u64(&rest, &port));
	assert_true(text_is(rest, "\n"));
	program->port = (uint16_t)port;
}

static int program_end(struct program *program, int signal_number)
{
	int status = 0;

	assert_int_equal(kill(program->pid, signal_number), 0);
	assert_int_equal(waitpid(program->pid, &status, 0), program->pid);
	return status;
}

struct client {
	pthread_t thread;
	char run[27];
	atomic_uint port;  /* 0: stop */
	uint32_t answered; /* all up to this were answered 2xx */
	unsigned wrong;	   /* other answers than 200 and 201 */
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
	unsigned port;

	while ((port = atomic_load(&client->port)) && client->answered < SEGMENTS_MOST) {
		int fd = rig_connect((uint16_t)port);
		unsigned status = 200;

		while (fd >= 0 && status && atomic_load(&client->port) && client->answered < SEGMENTS_MOST) {
			struct buf sent = segment_number(client->run, client->answered + 1);

			status = rig_put_on(fd, client->run, client->answered + 1, buf_text(&sent));
			if (status == 200 || status == 201)
				client->answered++;
			else
				client->wrong += status != 0;
			buf_free(&sent);
		}
		if (fd >= 0)
			(void)close(fd);
		(void)usleep(1000);
	}
	return NULL;
}

static size_t check_all(struct rig *rig, const struct client *clients)
{
	size_t checked = 0;

	for (int i = 0; i < CLIENTS; i++) {
		int fd = rig_connect(rig->port);

		for (uint32_t k = 1; k <= clients[i].answered; k++, checked++) {
			struct buf sent = segment_number(clients[i].run, k);
			char target[128];
			struct reply reply;

			(void)snprintf(target, sizeof(target), "/v1/runs/%s/segments/%u", clients[i].run, k);
			assert_true(rig_begin(fd, "GET", target, ""));
			reply = rig_read(fd, false);
			assert_status(reply, 200);
			assert_int_equal(reply.body.len, sent.len);
			assert_memory_equal(reply.body.data, sent.data, sent.len);
			buf_free(&reply.body);
			buf_free(&sent);
		}
		(void)close(fd);
	}
	return checked;
}

static void what_was_answered_is_there_after_a_kill(void **state)
{
	struct rig *rig = *state;
	struct client clients[CLIENTS] = { 0 };
	struct program program;
	double begin = seconds_now();
	int kills = 0;

	srand(1);
	fresh_folder(rig->folder, sizeof(rig->folder));
	program_start(&program, rig->folder);
	for (int i = 0; i < CLIENTS; i++) {
		atomic_init(&clients[i].port, program.port);
		(void)snprintf(clients[i].run, sizeof(clients[i].run), "01ARZ3NDEKTSV4RRFFQ69G5F%02d", i);
		assert_int_equal(pthread_create(&clients[i].thread, NULL, client_run, &clients[i]), 0);
	}
	for (; kills < KILLS && seconds_now() - begin < SECONDS; kills++) {
		(void)usleep((useconds_t)rand() % 150000);
		assert_true(WIFSIGNALED(program_end(&program, SIGKILL)));
		program_start(&program, rig->folder);
		for (int i = 0; i < CLIENTS; i++)
			atomic_store(&clients[i].port, program.port);
	}
	for (int i = 0; i < CLIENTS; i++)
		atomic_store(&clients[i].port, 0);
	for (int i = 0; i < CLIENTS; i++) {
		assert_int_equal(pthread_join(clients[i].thread, NULL), 0);
		assert_int_equal(clients[i].wrong, 0);
	}
	rig->port = program.port;
	assert_true(kills >= 50);
	assert_true(check_all(rig, clients) > (size_t)kills); /* the kills were amid ingest */
	assert_int_equal(program_end(&program, SIGTERM), 0);
}

static void ends_with_0_when_asked_to(void **state)
{
	static const int signals[] = { SIGTERM, SIGINT };
	struct rig *rig = *state;
	struct program program;

	fresh_folder(rig->folder, sizeof(rig->folder));
	for (int i = 0; i < 2; i++) {
		program_start(&program, rig->folder);
		assert_int_equal(program_end(&program, signals[i]), 0);
	}
}

/* The exit status of the program with one or two arguments; its words go to where the test's go. */
static int status_of_program(const char *first, const char *second)
{
	char path[4096];
	char *argv[] = { path, (char *)first, (char *)second, NULL };
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int status = 0;

	assert_non_null(getenv("ASSAY_BUILD"));
	(void)snprintf(path, sizeof(path), "%s/server/assay-server", getenv("ASSAY_BUILD"));
	assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
	assert_int_equal(posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0), 0);
	assert_int_equal(posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0), 0);
	assert_int_equal(posix_spawn(&pid, path, &actions, NULL, argv, environ), 0);
	(void)posix_spawn_file_actions_destroy(&actions);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void tells_wrong_usage_from_failure(void **state)
{
	assert_int_equal(status_of_program("--help", NULL), 0);
	assert_int_equal(status_of_program("--version", NULL), 0);
	assert_int_equal(status_of_program("--nonsense", NULL), 2);
	assert_int_equal(status_of_program("--port", NULL), 2);
	assert_int_equal(status_of_program("--port", "65536"), 2);
	assert_int_equal(status_of_program("--port=x", NULL), 2);
	assert_int_equal(status_of_program("--listen", "0.0.0.0"), 1);
	assert_int_equal(status_of_program("--store", "/dev/null/store"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_answered_is_there_after_a_kill, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(ends_with_0_when_asked_to, rig_setup, rig_teardown),
		cmocka_unit_test(tells_wrong_usage_from_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
