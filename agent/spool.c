/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/take.h"

#define RESERVE       "reserve"
#define RESERVE_BYTES (64 << 10) /* results of a benchmark, marks, End; what is kept of its output is longer */

int spool_open_folder(int at, const char *path)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int make_folders(const char *path, struct err *err)
{
	cleanup_free char *part = text_copy(text_of(path));

	if (!part)
		return err_set(err, -ENOMEM, "%s: no memory", path);
	for (char *slash = part + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		(void)mkdir(part, 0777); /* the last one tells */
		*slash = '/';
	}
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		return err_set(err, -errno, "spool %s: %s", path, err_name(errno));
	return 0;
}

static int write_to(int folder, const char *to)
{
	cleanup_fd int fd = openat(folder, "to", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	size_t length = strlen(to);

	if (fd < 0)
		return -errno;
	return write(fd, to, length) == (ssize_t)length ? 0 : -ENOSPC;
}

/* Without it the run does no worse than end without its last words, should the disk be full by then. */
static void make_reserve(struct spool *s)
{
	cleanup_fd int fd = openat(s->folder, RESERVE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd >= 0 && fallocate(fd, 0, 0, RESERVE_BYTES) < 0)
		(void)unlinkat(s->folder, RESERVE, 0); /* a size alone would be no room */
}

void spool_spend_reserve(struct spool *s)
{
	(void)unlinkat(s->folder, RESERVE, 0);
}

/* Under a name that nobody looks at, until it is locked. One that a dead agent left at this point is taken over. */
static int lock_hidden(struct spool *s, const char *hidden)
{
	if (mkdirat(s->parent, hidden, 0777) < 0 && errno != EEXIST)
		return -errno;
	s->folder = spool_open_folder(s->parent, hidden);
	if (s->folder < 0)
		return s->folder;
	s->lock = openat(s->folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (s->lock < 0)
		return -errno;
	return flock(s->lock, LOCK_EX | LOCK_NB) < 0 ? -EEXIST : 0;
}

static void unmake_run(struct spool *s, const char *hidden)
{
	spool_spend_reserve(s);
	(void)unlinkat(s->folder, SPOOL_MARKS, 0);
	(void)unlinkat(s->folder, "to", 0);
	(void)unlinkat(s->folder, "lock", 0);
	(void)unlinkat(s->parent, hidden, AT_REMOVEDIR);
}

static void let_go(struct spool *s)
{
	take_close_fd(&s->lock);
	take_close_fd(&s->folder);
	take_close_fd(&s->parent);
	s->lock = s->folder = s->parent = -1;
}

int spool_open(struct spool *s, const char *path, const struct ulid *run, const char *to, size_t ceiling,
	       struct err *err)
{
	char hidden[ULID_LENGTH + 2];
	int r;

	*s = (struct spool){ .parent = -1, .folder = -1, .lock = -1, .run = *run };
	s->ceiling = ceiling ? ceiling : SPOOL_CEILING;
	(void)snprintf(hidden, sizeof(hidden), ".%s", run->text);
	r = make_folders(path, err);
	if (r < 0)
		return r;
	s->parent = spool_open_folder(AT_FDCWD, path);
	if (s->parent < 0)
		return err_set(err, s->parent, "spool %s: %s", path, err_name(s->parent));
	r = lock_hidden(s, hidden);
	if (r == 0) {
		r = write_to(s->folder, to);
		make_reserve(s);
		if (r == 0 && renameat2(s->parent, hidden, s->parent, run->text, RENAME_NOREPLACE) < 0)
			r = -errno;
		if (r < 0)
			unmake_run(s, hidden);
	}
	if (r < 0) {
		let_go(s);
		return err_set(err, r, "spool %s/%s: %s", path, run->text, err_name(r));
	}
	atomic_store(&s->bytes, spool_usage(s->parent));
	return 0;
}

/* What an agent that was killed had no time to remove: halves of sealed files, its reserve. */
static void sweep(struct spool *s)
{
	int again = spool_open_folder(s->folder, ".");
	DIR *stream = again < 0 ? NULL : fdopendir(again);

	if (!stream) {
		take_close_fd(&again);
		return;
	}
	spool_spend_reserve(s);
	(void)unlinkat(s->folder, SPOOL_MARKS, 0);
	for (struct dirent *e; (e = readdir(stream));)
		if (text_ends(text_of(e->d_name), ".new"))
			(void)unlinkat(s->folder, e->d_name, 0);
	(void)closedir(stream);
}

int spool_adopt(struct spool *s, int parent, const struct ulid *run, struct err *err)
{
	int r = 0;

	*s = (struct spool){ .folder = -1, .lock = -1, .run = *run, .ceiling = SIZE_MAX };
	s->parent = fcntl(parent, F_DUPFD_CLOEXEC, 3);
	s->folder = spool_open_folder(parent, run->text);
	if (s->parent < 0 || s->folder < 0) {
		r = s->folder < 0 ? s->folder : -errno;
		goto out;
	}
	s->lock = openat(s->folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (s->lock < 0)
		r = -errno;
	else if (flock(s->lock, LOCK_EX | LOCK_NB) < 0)
		r = errno == EWOULDBLOCK ? -EBUSY : -errno;
out:
	if (r < 0) {
		let_go(s);
		return err_set(err, r, "spooled run %s: %s", run->text, err_name(r));
	}
	sweep(s);
	return 0;
}

void spool_close(struct spool *s)
{
	struct spool_segment *segments = NULL;
	struct err ignored;
	size_t count = 0;

	if (s->folder < 0)
		return;
	spool_spend_reserve(s);
	(void)unlinkat(s->folder, SPOOL_MARKS, 0);
	if (spool_list(s, &segments, &count, &ignored) == 0 && count == 0) {
		(void)unlinkat(s->folder, "to", 0);
		(void)unlinkat(s->folder, "lock", 0);
		(void)unlinkat(s->parent, s->run.text, AT_REMOVEDIR); /* fails when something else is in it */
	}
	free(segments);
	let_go(s);
}

static size_t usage_of(int folder)
{
	DIR *stream = fdopendir(folder);
	size_t bytes = 0;

	if (!stream) {
		(void)close(folder);
		return 0;
	}
	for (struct dirent *e; (e = readdir(stream));) {
		struct stat st;

		if (strcmp(e->d_name, RESERVE) != 0 &&
		    fstatat(dirfd(stream), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
			bytes += (size_t)st.st_size;
	}
	(void)closedir(stream);
	return bytes;
}

size_t spool_usage(int parent)
{
	int again = spool_open_folder(parent, "."); /* a position of its own */
	DIR *stream = again < 0 ? NULL : fdopendir(again);
	size_t bytes = 0;

	if (!stream) {
		take_close_fd(&again);
		return 0;
	}
	for (struct dirent *e; (e = readdir(stream));) {
		int folder = ulid_is(text_of(e->d_name)) ? spool_open_folder(parent, e->d_name) : -1;

		if (folder >= 0)
			bytes += usage_of(folder);
	}
	(void)closedir(stream);
	return bytes;
}
