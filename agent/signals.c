/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "agent/command.h"

static const int watched[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTSTP, SIGCONT, SIGWINCH, SIGCHLD,
};

int signals_take(struct signals *s, struct err *err)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	const struct sigaction otherwise = { .sa_handler = SIG_DFL };
	sigset_t set;

	(void)sigemptyset(&set);
	for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++)
		(void)sigaddset(&set, watched[i]);
	s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd < 0)
		return err_set(err, -errno, "signals of the command: %s", err_name(errno));
	(void)pthread_sigmask(SIG_BLOCK, &set, &s->mask_before);
	(void)sigaction(SIGCHLD, &otherwise, &s->child_before); /* ignored, there would be nothing to wait for */
	(void)sigaction(SIGPIPE, &ignore, &s->pipe_before);
	(void)prctl(PR_GET_CHILD_SUBREAPER, &s->subreaper_before);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1L);
	return 0;
}

void signals_give_back(struct signals *s)
{
	(void)prctl(PR_SET_CHILD_SUBREAPER, (long)s->subreaper_before);
	(void)sigaction(SIGCHLD, &s->child_before, NULL);
	(void)sigaction(SIGPIPE, &s->pipe_before, NULL);
	(void)close(s->fd);
	(void)pthread_sigmask(SIG_SETMASK, &s->mask_before, NULL);
}
