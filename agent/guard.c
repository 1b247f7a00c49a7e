/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/take.h"

#define DESCRIPTORS 4096  /* closed one by one on a kernel before 5.9, where more are hardly open */
#define PATIENCE_MS 10000 /* for the command to end its workers itself */
#define STEP_MS     100

/* An end of the command's pipes held here would keep its readers waiting. */
static void close_all_from(int first)
{
	if (close_range((unsigned)first, ~0u, 0) == 0)
		return;
	for (int fd = first; fd < DESCRIPTORS; fd++)
		(void)close(fd);
}

static void wait_for_command(int ended, pid_t command)
{
	struct pollfd at = { .fd = ended, .events = POLLIN };

	if (ended >= 0) {
		(void)poll(&at, 1, PATIENCE_MS);
		return;
	}
	for (int waited = 0; waited < PATIENCE_MS && kill(command, 0) == 0; waited += STEP_MS)
		(void)poll(NULL, 0, STEP_MS);
}

static void stand(int released, pid_t command)
{
	int ended = pidfd_open(command, 0); /* -1 on a kernel before 5.3 */
	char byte;
	ssize_t n;

	(void)setsid();
	(void)prctl(PR_SET_NAME, "assay-guard");
	if (dup2(released, 0) < 0)
		_exit(1); /* it would not know when to act */
	ended = ended < 0 ? -1 : dup2(ended, 1);
	close_all_from(ended < 0 ? 1 : 2);
	do {
		n = read(0, &byte, 1);
	} while (n < 0 && errno == EINTR);
	if (n == 0) {
		wait_for_command(ended, command);
		(void)kill(-command, SIGTERM);
		(void)kill(-command, SIGCONT); /* a stopped one would not hear it */
	}
	_exit(0);
}

int guard_start(struct guard *g, pid_t command, struct err *err)
{
	cleanup_fd int released = -1, release = -1;
	int ends[2];

	*g = (struct guard){ .release = -1 };
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_set(err, -errno, "a pipe to the command's guard: %s", err_name(errno));
	released = ends[0];
	release = ends[1];
	g->pid = fork();
	if (g->pid == 0)
		stand(released, command);
	if (g->pid < 0) {
		g->pid = 0;
		return err_set(err, -errno, "no process to guard the command: %s", err_name(errno));
	}
	g->release = take_fd(&release);
	return 0;
}

void guard_end(struct guard *g)
{
	if (g->pid == 0)
		return;
	if (write(g->release, "", 1) < 0)
		(void)kill(g->pid, SIGKILL); /* it is gone already, or will be: nobody else reads the pipe */
	take_close_fd(&g->release);
	g->release = -1;
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	g->pid = 0;
}
