/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/take.h"

#define LINKS 40
#define DEPTH 64

struct walk {
	int fd[DEPTH]; /* fd[0] is the root, the caller's */
	int depth;
	int links;
	char rest[PATH_MAX]; /* of the path, not yet walked */
};

static void walk_up(struct walk *w, int depth)
{
	while (w->depth > depth)
		(void)close(w->fd[w->depth--]);
}

/* The next component of the rest in `ret` (of NAME_MAX + 1 bytes), "" at its end. */
static int walk_cut(struct walk *w, char *ret)
{
	const char *at = w->rest + strspn(w->rest, "/");
	size_t n = strcspn(at, "/");
	const char *rest = at + n + strspn(at + n, "/");

	if (n > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(ret, at, n);
	ret[n] = '\0';
	memmove(w->rest, rest, strlen(rest) + 1);
	return 0;
}

/* Put a link's target before the rest. */
static int walk_link(struct walk *w, int link_fd)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(link_fd, "", target, sizeof(target));
	size_t left = strlen(w->rest);

	if (n < 0)
		return -errno;
	if (++w->links > LINKS)
		return -ELOOP;
	if ((size_t)n + 1 + left + 1 > sizeof(w->rest))
		return -ENAMETOOLONG;
	if (n > 0 && target[0] == '/')
		walk_up(w, 0);
	memmove(w->rest + n + 1, w->rest, left + 1);
	memcpy(w->rest, target, (size_t)n);
	w->rest[n] = '/';
	return 0;
}

/* Enter a folder, follow a link. 1: the path's end, which is no link; it is left to the caller. */
static int walk_step(struct walk *w, const char *name)
{
	bool last = w->rest[0] == '\0';
	struct stat st;
	int r = 0;
	int fd;

	if (strcmp(name, ".") == 0)
		return 0;
	if (strcmp(name, "..") == 0) {
		walk_up(w, w->depth > 0 ? w->depth - 1 : 0);
		return 0;
	}
	fd = openat(w->fd[w->depth], name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		r = -errno;
	else if (S_ISLNK(st.st_mode))
		r = walk_link(w, fd);
	else if (last)
		r = 1;
	else if (!S_ISDIR(st.st_mode))
		r = -ENOTDIR;
	else if (w->depth + 1 == DEPTH)
		r = -ENAMETOOLONG;
	else
		w->fd[++w->depth] = take_fd(&fd);
	take_close_fd(&fd);
	return r;
}

static int open_at(int fd, const char *name, int flags)
{
	int r = openat(fd, name, flags);

	return r < 0 ? -errno : r;
}

/* A FIFO or a terminal in a tree holds nobody up. */
static int all_flags(int flags)
{
	return O_CLOEXEC | flags | (flags & O_PATH ? 0 : O_RDONLY | O_NONBLOCK);
}

int resolve_walk(int root_fd, const char *path, int flags)
{
	struct walk w = { .fd = { root_fd } };
	size_t length = strlen(path);
	char name[NAME_MAX + 1];
	int r;

	if (length >= sizeof(w.rest))
		return -ENAMETOOLONG;
	memcpy(w.rest, path, length + 1);
	do {
		r = walk_cut(&w, name);
		if (r == 0)
			r = name[0] ? walk_step(&w, name) : 1;
	} while (r == 0);
	if (r == 1)
		r = open_at(w.fd[w.depth], name[0] ? name : ".", all_flags(flags) | O_NOFOLLOW);
	walk_up(&w, 0);
	return r;
}

int resolve(const struct host *host, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)all_flags(flags),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	long r;

	while (*path == '/')
		path++;
	if (*path == '\0')
		path = ".";
	if (host->live)
		return open_at(host->root_fd, path, all_flags(flags));
	for (int tries = 0; tries < 3; tries++) {
		r = syscall(SYS_openat2, host->root_fd, path, &how, sizeof(how));
		if (r >= 0)
			return (int)r;
		if (errno == ENOSYS || errno == EPERM) /* an old kernel, a sandbox */
			break;
		if (errno != EAGAIN) /* EAGAIN: somebody renamed folders meanwhile */
			return -errno;
	}
	return resolve_walk(host->root_fd, path, flags);
}
