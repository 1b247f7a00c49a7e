/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/command.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/kin.h"
#include "base/take.h"

struct child {
	char *const *argv;
	const struct signals *signals;
	const struct terminal *terminal;
	int go, failed, out, error; /* its ends of the pipes; -1: none */
	int go_write;               /* the parent's end of go */
	int hold, hold_write, ready; /* of its kin; -1: none */
	pid_t parent;
};

static int become(const struct child *child)
{
	int r;
	char byte;

	/* Both before the wait, so that a parent that dies meanwhile is not outlived. */
	if (prctl(PR_SET_PDEATHSIG, (long)SIGTERM) < 0 || getppid() != child->parent)
		return -ESRCH;
	if (child->terminal->ours >= 0)
		r = terminal_become(child->terminal);
	else
		r = setpgid(0, 0) < 0 ? -errno : 0;
	if (r < 0)
		return r;
	if (child->hold >= 0) {
		(void)close(child->hold_write); /* its kin must not hold itself */
		kin_begin(child->hold, child->ready);
		(void)close(child->ready);
	}
	if (child->out >= 0 && dup2(child->out, STDOUT_FILENO) < 0)
		return -errno;
	if (child->error >= 0 && dup2(child->error, STDERR_FILENO) < 0)
		return -errno;
	(void)sigaction(SIGCHLD, &child->signals->child_before, NULL);
	(void)sigaction(SIGPIPE, &child->signals->pipe_before, NULL);
	(void)sigprocmask(SIG_SETMASK, &child->signals->mask_before, NULL);
	(void)close(child->go_write); /* else it would wait for itself when the parent gives up */
	if (read(child->go, &byte, 1) != 1)
		return -ECANCELED; /* the run was given up before it began */
	(void)execvp(child->argv[0], child->argv);
	return -errno;
}

static void end_of_child(const struct child *child)
{
	int r = become(child);

	if (write(child->failed, &r, sizeof(r)) < 0)
		_exit(125); /* nobody is left to be told */
	_exit(127);
}

static int open_pipe(int *read_end, int *write_end, struct err *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_set(err, -errno, "a pipe to the command: %s", err_name(errno));
	*read_end = ends[0];
	*write_end = ends[1];
	return 0;
}

/* Sets up the relay of one stream; the command's end of its pipe comes back in *write_end. */
static int open_stream(struct relay *relay, int to, bool quiet, int *write_end, struct err *err)
{
	cleanup_fd int read_end = -1;
	int r = open_pipe(&read_end, write_end, err);

	if (r == 0)
		r = relay_open(relay, read_end, quiet ? -1 : to, err);
	if (r == 0)
		(void)take_fd(&read_end);
	return r;
}

static int open_streams(struct command *c, bool quiet, int *out, int *error, struct err *err)
{
	const struct terminal *t = &c->terminal;
	cleanup_fd int master = -1;
	int r = 0;

	if (!t->is[1])
		r = open_stream(&c->relay[0], STDOUT_FILENO, quiet, out, err);
	if (r == 0 && !t->is[2])
		r = open_stream(&c->relay[1], STDERR_FILENO, quiet, error, err);
	if (r < 0 || t->ours < 0)
		return r;
	master = fcntl(t->master, F_DUPFD_CLOEXEC, 3);
	if (master < 0)
		return err_set(err, -errno, "the pseudo-terminal: %s", err_name(errno));
	c->through_terminal = t->is[1] ? 0 : t->is[2] ? 1 : 2;
	r = relay_open(&c->relay[c->through_terminal], master, quiet ? -1 : (c->through_terminal + 1) % 3, err);
	if (r == 0)
		(void)take_fd(&master);
	return r;
}

/* With a terminal the command leads a session, which its kin keeps from being an orphan. */
static int open_kin(struct command *c, int *hold, int *ready_read, int *ready_write, struct err *err)
{
	int r;

	if (c->terminal.ours < 0)
		return 0;
	r = open_pipe(hold, &c->hold, err);
	return r < 0 ? r : open_pipe(ready_read, ready_write, err);
}

int command_fork(struct command *c, char *const *argv, const struct signals *signals, bool quiet, struct err *err)
{
	cleanup_fd int go = -1, failed = -1, out = -1, error = -1, hold = -1, ready = -1, ready_write = -1;
	struct child child;
	int r;

	*c = (struct command){ .ended = -1, .go = -1, .failed = -1, .hold = -1, .through_terminal = -1 };
	for (size_t i = 0; i < 3; i++)
		c->relay[i].from = c->relay[i].to = -1;
	r = terminal_open(&c->terminal, err);
	if (r == 0)
		r = open_pipe(&go, &c->go, err);
	if (r == 0)
		r = open_pipe(&c->failed, &failed, err);
	if (r == 0)
		r = open_streams(c, quiet, &out, &error, err);
	if (r == 0)
		r = open_kin(c, &hold, &ready, &ready_write, err);
	if (r < 0) {
		command_close(c);
		return r;
	}
	child = (struct child){ argv, signals, &c->terminal, go, failed, out, error, c->go, hold, c->hold, ready_write, getpid() };
	c->pid = fork();
	if (c->pid == 0)
		end_of_child(&child);
	if (c->pid < 0) {
		r = err_set(err, -errno, "no process for the command: %s", err_name(errno));
		c->pid = 0;
		command_close(c);
		return r;
	}
	/* A thread of the caller's that blocks no signals takes SIGCHLD away from the signalfd. */
	c->ended = pidfd_open(c->pid, 0);
	if (c->terminal.ours < 0)
		(void)setpgid(c->pid, c->pid); /* the child does so, too: whoever is first */
	terminal_started(&c->terminal);
	if (ready >= 0) {
		take_close_fd(&ready_write);
		ready_write = -1;
		c->kin = kin_number(ready);
	}
	r = guard_start(&c->guard, c->pid, err);
	if (r < 0)
		command_close(c);
	return r;
}

int command_go(struct command *c, const char *name, struct err *err)
{
	int why = 0;
	ssize_t n;

	children_list(&c->before);
	if (write(c->go, "", 1) != 1)
		return err_set(err, -errno, "%s: its process is gone: %s", name, err_name(errno));
	take_close_fd(&c->go);
	c->go = -1;
	do {
		n = read(c->failed, &why, sizeof(why)); /* ends when exec closes the other end */
	} while (n < 0 && errno == EINTR);
	take_close_fd(&c->failed);
	c->failed = -1;
	if (n == 0)
		return 0;
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	guard_end(&c->guard);
	if (why == 0)
		why = -EIO;
	return err_set(err, why, "%s: cannot be run: %s", name, err_name(why));
}

void command_close(struct command *c)
{
	take_close_fd(&c->go); /* a child that waits for it ends */
	take_close_fd(&c->failed);
	take_close_fd(&c->ended);
	take_close_fd(&c->hold); /* so does its kin */
	c->go = c->failed = c->ended = c->hold = -1;
	if (c->pid > 0)
		while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
			;
	if (c->kin > 0)
		while (waitpid(c->kin, NULL, 0) < 0 && errno == EINTR)
			;
	c->pid = c->kin = 0;
	guard_end(&c->guard);
	for (size_t i = 0; i < 3; i++)
		relay_close(&c->relay[i]);
	terminal_close(&c->terminal);
}
