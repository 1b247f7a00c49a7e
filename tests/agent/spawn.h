/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An agent in a process of its own, so that it can have standard streams, a terminal and signals of its own. */
#ifndef ASSAY_TESTS_AGENT_SPAWN_H
#define ASSAY_TESTS_AGENT_SPAWN_H

#include "tests/agent/agent_rig.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>

struct spawned {
	pid_t pid;
	int in, out, error; /* our ends of its streams; of a terminal all three are its master in `out` */
	struct buf seen;    /* of out, so far */
};

static inline void spawn_write(const struct rig *rig, const char *name, const struct buf *b)
{
	write_file(rig->folder, name, b->data ? b->data : "", b->len);
}

/* Never returns: what `assay run` would do. */
static inline void spawn_child(struct rig *rig, const char *script)
{
	int status;

	(void)alarm(100); /* a test that hangs ends */
	(void)close_range(3, ~0u, CLOSE_RANGE_CLOEXEC); /* what the one who runs the tests left open is not ours */
	rig->plan.quiet = false;
	if (rig_run(rig, script) < 0)
		_exit(125);
	status = rig->outcome.end.signal ? 128 + rig->outcome.end.signal : rig->outcome.end.exit_code;
	spawn_write(rig, "told", &rig->told);
	spawn_write(rig, "notices", &rig->notices);
	_exit(status);
}

static inline struct spawned spawn_pipes(struct rig *rig, const char *script)
{
	struct spawned s = { 0 };
	int in[2], out[2], error[2];

	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(error, O_CLOEXEC), 0);
	s.pid = fork();
	assert_true(s.pid >= 0);
	if (s.pid == 0) {
		if (setsid() < 0 || dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(error[1], 2) < 0)
			_exit(124);
		(void)close(in[1]);
		(void)close(out[0]);
		(void)close(error[0]);
		spawn_child(rig, script);
	}
	(void)close(in[0]);
	(void)close(out[1]);
	(void)close(error[1]);
	s.in = in[1];
	s.out = out[0];
	s.error = error[0];
	return s;
}

/* A shell's part, as far as stopping goes: says "[stopped]" and continues the job. */
static inline void spawn_as_job(struct rig *rig, const char *script)
{
	pid_t job = fork();
	int status;

	if (job == 0) {
		(void)setpgid(0, 0);
		(void)signal(SIGTTOU, SIG_IGN);
		(void)tcsetpgrp(0, getpid());
		(void)signal(SIGTTOU, SIG_DFL);
		spawn_child(rig, script);
	}
	while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
		(void)tcsetpgrp(0, getpgrp());
		if (write(1, "[stopped]", 9) != 9)
			_exit(124);
		(void)tcsetpgrp(0, job);
		(void)kill(-job, SIGCONT);
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 124);
}

/* Which of its streams are the terminal: bits 0, 1, 2; the others are /dev/null. As a job of a shell, or the leader of
 * the terminal's session. */
static inline struct spawned spawn_terminal(struct rig *rig, const char *script, unsigned streams, bool job)
{
	const struct winsize size = { .ws_row = 33, .ws_col = 77 };
	struct spawned s = { .in = -1, .error = -1 };
	int slave;

	s.out = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(s.out >= 0);
	assert_int_equal(unlockpt(s.out), 0);
	slave = ioctl(s.out, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(slave >= 0);
	assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
	s.pid = fork();
	assert_true(s.pid >= 0);
	if (s.pid == 0) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		if (setsid() < 0 || ioctl(slave, TIOCSCTTY, 0) < 0)
			_exit(124);
		for (int fd = 0; fd < 3; fd++)
			if (dup2(streams >> fd & 1 ? slave : null, fd) < 0)
				_exit(124);
		(void)close(s.out);
		(void)close(slave);
		(void)signal(SIGTTOU, SIG_IGN);
		if (job)
			spawn_as_job(rig, script);
		(void)signal(SIGTTOU, SIG_DFL);
		spawn_child(rig, script);
	}
	(void)close(slave);
	return s;
}

/* Read what it prints until `part` was seen: 1; it ended before: 0; so many ms went by: -1. */
static inline int spawn_sees(struct spawned *s, const char *part, uint64_t ms)
{
	uint64_t give_up = clock_monotonic() + ms * 1000000;
	char block[4096];

	for (;;) {
		struct pollfd at = { .fd = s->out, .events = POLLIN };
		ssize_t n;

		if (s->seen.data && strstr(s->seen.data, part))
			return 1;
		if (clock_monotonic() > give_up)
			return -1;
		if (poll(&at, 1, 50) <= 0)
			continue;
		n = read(s->out, block, sizeof(block));
		if (n <= 0)
			return 0;
		assert_int_equal(buf_add(&s->seen, block, (size_t)n), 0);
	}
}

/* The same, and fails the test after 30 s. */
static inline bool spawn_expect(struct spawned *s, const char *part)
{
	int seen = spawn_sees(s, part, 30000);

	if (seen < 0)
		fail_msg("waited for \"%s\", saw \"%s\"", part, s->seen.data ? s->seen.data : "");
	return seen;
}

static inline void spawn_type(struct spawned *s, const char *keys)
{
	assert_int_equal(write(s->in >= 0 ? s->in : s->out, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* Its exit status, when it has ended; what it told is in the rig then. */
static inline int spawn_wait(struct rig *rig, struct spawned *s)
{
	char path[400];
	int status = 0;

	assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
	if (s->in >= 0)
		(void)close(s->in);
	(void)close(s->out);
	if (s->error >= 0)
		(void)close(s->error);
	buf_free(&s->seen);
	buf_free(&rig->told);
	buf_free(&rig->notices);
	(void)snprintf(path, sizeof(path), "%s/told", rig->folder);
	if (access(path, R_OK) == 0)
		rig->told = read_whole(path);
	(void)snprintf(path, sizeof(path), "%s/notices", rig->folder);
	if (access(path, R_OK) == 0)
		rig->notices = read_whole(path);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

#endif
