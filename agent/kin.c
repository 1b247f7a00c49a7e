/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/kin.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 1024 /* descriptors that are closed one by one where the kernel cannot close them at once */

static void close_others(int kept)
{
	if ((kept == 0 || close_range(0, (unsigned)kept - 1, 0) == 0) && close_range((unsigned)kept + 1, ~0u, 0) == 0)
		return;
	for (int fd = 0; fd < MANY; fd++)
		if (fd != kept)
			(void)close(fd);
}

static void stand_by(int hold)
{
	char byte;

	while (read(hold, &byte, 1) < 0 && errno == EINTR)
		;
}

static _Noreturn void younger(int hold)
{
	close_others(hold);
	stand_by(hold);
	_exit(0);
}

static _Noreturn void elder(int hold, int ready)
{
	pid_t session = getsid(0), self = getpid(), child;
	sigset_t all;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, NULL);
	(void)prctl(PR_SET_NAME, "assay-kin");
	if (setpgid(0, 0) < 0)
		_exit(1);
	child = fork();
	if (child == 0)
		younger(hold);
	if (child < 0 || setpgid(child, session) < 0 || write(ready, &self, sizeof(self)) != (ssize_t)sizeof(self))
		_exit(1); /* the younger, if there is one, ends by the pipe */
	close_others(hold);
	stand_by(hold);
	(void)waitpid(child, NULL, 0);
	_exit(0);
}

void kin_begin(int hold, int ready)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction before;
	pid_t between;

	/* The process between makes the elder an orphan, ours. Unheeded, it leaves nothing in what the command's
	 * children used. */
	(void)sigaction(SIGCHLD, &ignore, &before);
	between = fork();
	if (between == 0) {
		if (fork() == 0)
			elder(hold, ready);
		_exit(0);
	}
	while (between > 0 && waitpid(between, NULL, 0) < 0 && errno == EINTR)
		;
	(void)sigaction(SIGCHLD, &before, NULL);
}

pid_t kin_number(int ready)
{
	pid_t number;
	ssize_t n;

	do {
		n = read(ready, &number, sizeof(number));
	} while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(number) ? number : 0;
}
