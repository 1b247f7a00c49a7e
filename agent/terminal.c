/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/take.h"

static bool is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

static int make_pair(struct terminal *t, struct err *err)
{
	cleanup_fd int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	cleanup_fd int slave = -1;
	struct termios modes = t->before;
	struct winsize size;

	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
		return err_set(err, -errno, "no pseudo-terminal for the command: %s", err_name(errno));
	slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0)
		return err_set(err, -errno, "the pseudo-terminal's other end: %s", err_name(errno));
	if (!t->raw) { /* ours echoes and returns the carriage already */
		modes.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
		modes.c_oflag &= ~(tcflag_t)OPOST;
	}
	if (tcsetattr(slave, TCSANOW, &modes) < 0)
		return err_set(err, -errno, "modes of the pseudo-terminal: %s", err_name(errno));
	if (ioctl(t->ours, TIOCGWINSZ, &size) == 0)
		(void)ioctl(slave, TIOCSWINSZ, &size); /* a terminal without a size stays without */
	t->master = take_fd(&master);
	t->slave = take_fd(&slave);
	return 0;
}

int terminal_open(struct terminal *t, struct err *err)
{
	*t = (struct terminal){ .ours = -1, .master = -1, .slave = -1 };
	for (int fd = 2; fd >= 0; fd--) {
		t->is[fd] = isatty(fd);
		if (t->is[fd])
			t->ours = fd;
	}
	if (t->ours < 0)
		return 0;
	if (tcgetattr(t->ours, &t->before) < 0)
		return err_set(err, -errno, "modes of the terminal: %s", err_name(errno));
	t->keyboard = t->is[0] && !is_pipe(1);
	t->raw = t->keyboard && t->is[1];
	return make_pair(t, err);
}

int terminal_become(const struct terminal *t)
{
	if (setsid() < 0 || ioctl(t->slave, TIOCSCTTY, 0) < 0)
		return -errno;
	for (int fd = 0; fd < 3; fd++)
		if (t->is[fd] && dup2(t->slave, fd) < 0)
			return -errno;
	return 0;
}

void terminal_started(struct terminal *t)
{
	take_close_fd(&t->slave);
	t->slave = -1;
}

void terminal_claim(struct terminal *t)
{
	struct termios modes = t->before;

	if (!t->keyboard || t->claimed || tcgetpgrp(t->ours) != getpgrp())
		return; /* in the background: setting modes or reading would stop us */
	if (t->raw) {
		cfmakeraw(&modes);
		if (tcsetattr(t->ours, TCSADRAIN, &modes) < 0)
			return; /* hung up */
	}
	t->claimed = true;
}

void terminal_release(struct terminal *t)
{
	if (!t->claimed)
		return;
	t->claimed = false;
	if (t->raw && tcgetpgrp(t->ours) == getpgrp())
		(void)tcsetattr(t->ours, TCSADRAIN, &t->before); /* fails when it hung up: nothing to restore */
}

void terminal_resize(struct terminal *t)
{
	struct winsize size;

	if (t->ours >= 0 && ioctl(t->ours, TIOCGWINSZ, &size) == 0)
		(void)ioctl(t->master, TIOCSWINSZ, &size);
}

bool terminal_adds_returns(const struct terminal *t)
{
	struct termios modes;

	return tcgetattr(t->master, &modes) == 0 && modes.c_oflag & OPOST && modes.c_oflag & ONLCR;
}

void terminal_close(struct terminal *t)
{
	if (t->ours < 0)
		return;
	terminal_release(t);
	take_close_fd(&t->slave);
	take_close_fd(&t->master);
	t->ours = t->master = t->slave = -1;
}
