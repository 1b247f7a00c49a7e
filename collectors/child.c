/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/take.h"
#include "host/clock.h"

#define SECOND	    UINT64_C(1000000000)
#define PAUSE_LEAST SECOND
#define PAUSE_MOST  (60 * SECOND)
#define LIVED	    (10 * SECOND) /* so long: the next pause is short again */
#define TERM_MS	    200		  /* for SIGTERM, then SIGKILL */
#define READS_MOST  64		  /* in a turn */

/* ---- start ---- */

static int open_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	return fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0 ? -errno : 0;
}

/* Signals as a shell would hand them on: the agent's own are blocked or ignored. */
static int spawn(pid_t *pid, const char *const *argv, int out, int err)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int r;

	(void)sigemptyset(&none);
	(void)sigfillset(&all);
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawnattr_init(&attributes);
	(void)posix_spawnattr_setflags(&attributes,
				       POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	(void)posix_spawnattr_setsigmask(&attributes, &none);
	(void)posix_spawnattr_setsigdefault(&attributes, &all);
	r = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
	if (r == 0)
		r = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)posix_spawnattr_destroy(&attributes);
	return -r;
}

static int start(struct child *c)
{
	int out[2] = { -1, -1 }, err[2] = { -1, -1 };
	int r = open_pipe(out);

	if (r == 0)
		r = open_pipe(err);
	if (r == 0)
		r = spawn(&c->pid, c->argv, out[1], err[1]);
	take_close_fd(&out[1]);
	take_close_fd(&err[1]);
	if (r < 0) {
		take_close_fd(&out[0]);
		take_close_fd(&err[0]);
		c->pid = 0;
		return r;
	}
	c->out = out[0];
	c->err = err[0];
	c->process = pidfd_open(c->pid, 0);
	c->taken = c->length = c->said_length = 0;
	c->fresh = false;
	return 0;
}

/* ---- end ---- */

static bool has_ended(const struct child *c, int wait_ms)
{
	struct pollfd p = { c->process, POLLIN, 0 };

	return c->process < 0 || poll(&p, 1, wait_ms) > 0;
}

/* Its group is there as long as the process is, so the number is still its own. */
static void signal_group(const struct child *c, int signal)
{
	if (!has_ended(c, 0) && kill(-c->pid, signal) < 0)
		(void)kill(c->pid, signal);
}

/* Who wraps a command waits for all children; then the status is gone: -1. */
static int reap(struct child *c)
{
	int status = -1;

	if (has_ended(c, TERM_MS) && waitpid(c->pid, &status, WNOHANG) != c->pid)
		status = -1;
	take_close_fd(&c->out);
	take_close_fd(&c->err);
	take_close_fd(&c->process);
	c->out = c->err = c->process = -1;
	c->pid = 0;
	return status;
}

void child_end(struct child *c)
{
	if (c->pid == 0)
		return;
	signal_group(c, SIGTERM);
	if (!has_ended(c, TERM_MS))
		signal_group(c, SIGKILL);
	(void)reap(c);
}

static void pause_after_end(struct child *c, uint64_t now)
{
	if (now - c->started_ns > LIVED)
		c->pause_ns = 0;
	c->pause_ns = c->pause_ns ? 2 * c->pause_ns : PAUSE_LEAST;
	if (c->pause_ns > PAUSE_MOST)
		c->pause_ns = PAUSE_MOST;
	c->again_ns = now + c->pause_ns;
}

static int tell_end(struct child *c, const char *how, uint64_t now)
{
	pause_after_end(c, now);
	return err_set(&c->why, -EAGAIN, "%s: %s %s; started anew after %d s%s%.*s", c->name, c->argv[0], how,
		       (int)(c->pause_ns / SECOND), c->said_length ? ": " : "", (int)c->said_length, c->said);
}

static int ended(struct child *c, uint64_t now)
{
	int status;
	char how[64] = "ended";

	if (!has_ended(c, TERM_MS))
		signal_group(c, SIGKILL); /* it closed its output and goes on */
	status = reap(c);
	if (status >= 0 && WIFEXITED(status))
		(void)snprintf(how, sizeof(how), "ended with status %d", WEXITSTATUS(status));
	else if (status >= 0 && WIFSIGNALED(status))
		(void)snprintf(how, sizeof(how), "was ended by signal %d", WTERMSIG(status));
	return tell_end(c, how, now);
}

static int kill_it(struct child *c, const char *why, uint64_t now)
{
	signal_group(c, SIGKILL);
	(void)reap(c);
	return tell_end(c, why, now);
}

/* ---- what it prints ---- */

static void hear(struct child *c)
{
	char part[512];
	ssize_t n;

	for (int i = 0; i < READS_MOST && (n = read(c->err, part, sizeof(part))) > 0; i++)
		for (ssize_t k = 0; k < n; k++) {
			if (part[k] == '\n') {
				c->said_whole = true;
				continue;
			}
			if (c->said_whole)
				c->said_length = 0;
			c->said_whole = false;
			if (c->said_length < sizeof(c->said))
				c->said[c->said_length++] = part[k] >= ' ' && part[k] <= '~' ? part[k] : '?';
		}
}

/* Bytes from `from` on are new: is there a blank line whose end is among them? The last whole tick is told. */
static void find_ticks(struct child *c, size_t from, uint64_t now)
{
	size_t begin = c->taken;

	for (size_t i = from > begin ? from : begin; i < c->length; i++) {
		bool blank = c->buf[i] == '\n' && (i == begin || c->buf[i - 1] == '\n');

		if (!blank)
			continue;
		if (i > begin) { /* several blank lines are one */
			c->tick = text_n(c->buf + begin, i - begin);
			c->fresh = true;
			c->whole_ns = now;
		}
		begin = i + 1;
	}
	c->taken = begin;
}

/* What was looked at, or has been overtaken by a later tick, goes. */
static void make_room(struct child *c)
{
	size_t from = c->fresh ? (size_t)(c->tick.at - c->buf) : c->taken;

	memmove(c->buf, c->buf + from, c->length - from);
	if (c->fresh)
		c->tick = text_n(c->buf, text_len(c->tick));
	c->taken -= from;
	c->length -= from;
}

static int listen(struct child *c, uint64_t now)
{
	ssize_t n = 0;

	for (int i = 0; i < READS_MOST; i++) {
		make_room(c);
		if (c->length == CHILD_BUFFER) {
			if (!c->fresh)
				return kill_it(c, "prints a tick of more than 64 KiB and was killed", now);
			c->fresh = false; /* overtaken */
			continue;
		}
		n = read(c->out, c->buf + c->length, CHILD_BUFFER - c->length);
		if (n <= 0)
			break;
		c->length += (size_t)n;
		find_ticks(c, c->length - (size_t)n, now);
	}
	if (n == 0)
		return -EPIPE;
	return 0;
}

int child_turn(struct child *c, uint64_t now, struct err *err)
{
	int r = 0;

	if (c->pid == 0 && c->fresh)
		return 0; /* its last tick counts */
	if (c->pid == 0) {
		if (now < c->again_ns) {
			*err = c->why;
			return c->why.code;
		}
		r = start(c);
		c->whole_ns = c->started_ns = now;
		if (r < 0) {
			pause_after_end(c, now);
			(void)err_set(&c->why, -EAGAIN, "%s: %s cannot be started: %s", c->name, c->argv[0],
				      err_name(r));
		}
	}
	if (r == 0) {
		hear(c);
		r = listen(c, now);
		if (r == -EPIPE) {
			hear(c);
			r = ended(c, now);
			if (c->fresh)
				return 0;
		} else if (r == 0 && now - c->whole_ns > c->patience_ns)
			r = kill_it(c, "finished no tick in its time and was killed", now);
	}
	if (r < 0)
		*err = c->why;
	return r < 0 ? c->why.code : 0;
}

void child_wait(struct child *c, int most_ms)
{
	uint64_t until = clock_monotonic() + (uint64_t)most_ms * 1000000;
	struct err ignored;

	while (!c->fresh && child_turn(c, clock_monotonic(), &ignored) == 0 && !c->fresh) {
		struct pollfd p = { c->out, POLLIN, 0 };
		uint64_t now = clock_monotonic();

		if (now >= until)
			break;
		(void)poll(&p, 1, (int)((until - now) / 1000000) + 1);
	}
}

/* ---- can it be started? ---- */

static bool can_run(struct text folder, const char *program)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%.*s/%s", TEXT_ARGS(folder), program);

	return n > 0 && (size_t)n < sizeof(path) && access(path, X_OK) == 0;
}

int child_look(const char *name, const char *const *argv, struct err *err)
{
	const char *folders = getenv("PATH");
	struct text rest = text_of(folders ? folders : "/usr/local/bin:/usr/bin:/bin");

	if (strchr(argv[0], '/'))
		return access(argv[0], X_OK) == 0 ? 0
						  : err_set(err, -errno, "%s: %s: %s", name, argv[0], err_name(errno));
	while (rest.at < rest.end) {
		const char *colon = memchr(rest.at, ':', text_len(rest));
		struct text folder = { rest.at, colon ? colon : rest.end };

		if (can_run(text_len(folder) ? folder : text_of("."), argv[0]))
			return 0;
		rest.at = colon ? colon + 1 : rest.end;
	}
	return err_set(err, -ENOENT, "%s: no program %s in PATH", name, argv[0]);
}
