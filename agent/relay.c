/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/take.h"

/* A description of our own of the same pipe or terminal; -1 where there is no such thing. */
static int open_again(int fd)
{
	char path[64];
	struct stat st;

	unsigned number;

	/* A regular file has its offset in the description, a socket cannot be opened, and a pseudo-terminal's master
	 * would be another one. */
	if (fstat(fd, &st) < 0 || !(S_ISFIFO(st.st_mode) || isatty(fd)) || ioctl(fd, TIOCGPTN, &number) == 0)
		return -1;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static bool never_blocks(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && !S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode) && !isatty(fd);
}

int relay_open(struct relay *r, int from, int to, struct err *err)
{
	int flags = fcntl(from, F_GETFL, 0);
	int again = to < 0 ? -1 : open_again(to);

	*r = (struct relay){ .from = from, .to = to, .chunk = RELAY_BYTES, .buf = malloc(RELAY_BYTES) };
	if (again >= 0) {
		r->to = again;
		r->own_to = true;
	} else if (to >= 0 && !never_blocks(to)) {
		r->chunk = PIPE_BUF; /* what poll() promises room for */
	}
	if (!r->buf)
		return err_set(err, -ENOMEM, "no memory to pass the command's output on");
	if (flags < 0 || fcntl(from, F_SETFL, flags | O_NONBLOCK) < 0)
		return err_set(err, -errno, "the command's output: %s", err_name(errno));
	return 0;
}

void relay_poll(const struct relay *r, struct pollfd *from, struct pollfd *to)
{
	*from = (struct pollfd){ .fd = relay_waits(r) ? -1 : r->from, .events = POLLIN };
	*to = (struct pollfd){ .fd = relay_waits(r) ? r->to : -1, .events = POLLOUT };
}

int relay_pull(struct relay *r)
{
	ssize_t n;

	if (r->from < 0)
		return -EPIPE;
	n = read(r->from, r->buf, RELAY_BYTES);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0) { /* a pseudo-terminal ends with EIO */
		take_close_fd(&r->from);
		r->from = -1;
		return -EPIPE;
	}
	r->at = 0;
	r->len = r->to < 0 ? 0 : (size_t)n;
	return (int)n;
}

static int give_up(struct relay *r, int why)
{
	r->at = r->len = 0;
	r->failed = why;
	if (why == -EPIPE) { /* nobody reads: the writer is to learn it as it would without us */
		take_close_fd(&r->from);
		r->from = -1;
	}
	if (r->own_to)
		take_close_fd(&r->to);
	r->to = -1;
	r->own_to = false;
	return why;
}

int relay_push(struct relay *r)
{
	while (relay_waits(r)) {
		size_t n = r->len - r->at;
		ssize_t done = write(r->to, r->buf + r->at, n < r->chunk ? n : r->chunk);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0 && errno == EAGAIN)
			return 0;
		if (done < 0)
			return give_up(r, -errno);
		r->at += (size_t)done;
		if (r->chunk < RELAY_BYTES)
			return 0; /* ask poll() before the next portion */
	}
	return 0;
}

void relay_close(struct relay *r)
{
	take_close_fd(&r->from);
	if (r->own_to)
		take_close_fd(&r->to);
	free(r->buf);
	*r = (struct relay){ .from = -1, .to = -1 };
}
