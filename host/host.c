/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/take.h"
#include "host/limits.h"
#include "host/resolve.h"
#include "host/seen.h"

#define PART ((size_t)4096)

/* The recording's own words about itself: lines "page_size 4096". What they do not say stays as it is. */
static int read_host_file(struct host *host, struct err *err)
{
	cleanup_buf struct buf b = { .ceiling = 4096 };
	struct text rest, line, word;
	uint64_t number;
	int r = host_read(host, "host", &b, err);

	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return r;
	rest = buf_text(&b);
	while (text_line(&rest, &line)) {
		if (!text_word(&line, &word))
			continue;
		if (!text_is(word, "page_size") && !text_is(word, "ticks_per_second"))
			continue;
		if (!text_u64(&line, &number) || number == 0 || number > 1 << 30)
			return err_set(err, -EINVAL, "%s/host: %.*s: no number from 1 to 2^30", host->root,
				       TEXT_ARGS(word));
		*(text_is(word, "page_size") ? &host->page_size : &host->ticks_per_second) = (long)number;
	}
	return 0;
}

int host_open_root(struct host *host, const char *root, struct err *err)
{
	struct err ignored;
	int r;

	*host = (struct host){ .live = !root, .page_size = 4096, .ticks_per_second = 100, .root = root ? root : "/" };
	host->root_fd = open(host->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (host->root_fd < 0)
		return err_set(err, -errno, "%s: %s", host->root, err_name(errno));
	if (host->live) {
		host->page_size = sysconf(_SC_PAGESIZE);
		host->ticks_per_second = sysconf(_SC_CLK_TCK);
		return 0;
	}
	r = read_host_file(host, &ignored);
	if (r < 0) {
		*err = ignored;
		host_close(host);
	}
	return r;
}

void host_close(struct host *host)
{
	take_close_fd(&host->root_fd);
	host->root_fd = -1;
}

int host_open(const struct host *host, const char *path)
{
	int fd = resolve(host, path, 0);

	seen_note(host, path, fd < 0 ? fd : 0);
	return fd;
}

bool host_has(const struct host *host, const char *path)
{
	cleanup_fd int fd = resolve(host, path, O_PATH);

	return fd >= 0;
}

static int read_all(const struct host *host, const char *path, struct buf *ret, struct err *err)
{
	cleanup_fd int fd = host_open(host, path);
	size_t ceiling = ret->ceiling ? ret->ceiling : BUF_CEILING;

	if (fd < 0)
		return limits_failed(err, fd, path);
	for (;;) {
		char part[PART];
		ssize_t n = read(fd, part, sizeof(part));
		int r;

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0 || (n < 0 && errno == EAGAIN)) /* the end; a FIFO that has nothing */
			return 0;
		if (n < 0)
			return err_set(err, -errno, "%s: %s", path, err_name(errno));
		r = buf_add(ret, part, (size_t)n);
		if (r == -EMSGSIZE)
			return err_set(err, r, "%s: larger than %zu bytes", path, ceiling);
		if (r < 0)
			return err_set(err, r, "%s: %s", path, err_name(r));
	}
}

int host_read(const struct host *host, const char *path, struct buf *ret, struct err *err)
{
	size_t before = ret->len;
	int r = read_all(host, path, ret, err);

	if (r < 0 || ret->len == before)
		seen_note(host, path, r < 0 ? r : SEEN_EMPTY);
	return r;
}

int host_write(const struct host *host, const char *path, const char *text, struct err *err)
{
	cleanup_fd int fd = host->live ? resolve(host, path, O_WRONLY | O_TRUNC) : -EROFS;

	if (fd < 0)
		return err_set(err, fd, "%s: %s", path, err_name(fd));
	if (write(fd, text, strlen(text)) < 0)
		return err_set(err, -errno, "%s: %s", path, err_name(errno));
	return 0;
}

static int by_nature(const void *a, const void *b)
{
	return natural_compare(*(char *const *)a, *(char *const *)b);
}

/* The names of a folder as they come. */
static int list(DIR *folder, struct names *ret)
{
	errno = 0;
	for (const struct dirent *e; (e = readdir(folder)); errno = 0) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (names_add(ret, text_of(e->d_name)) < 0)
			return -ENOMEM;
	}
	return -errno;
}

int host_list(const struct host *host, const char *path, struct names *ret, struct err *err)
{
	cleanup_fd int fd = resolve(host, path, O_DIRECTORY);
	struct names found = { 0 };
	DIR *folder;
	int r;

	names_free(ret);
	if (fd < 0)
		return limits_failed(err, fd, path);
	folder = fdopendir(fd);
	if (!folder)
		return err_set(err, -errno, "%s: %s", path, err_name(errno));
	(void)take_fd(&fd); /* the folder's now */
	r = list(folder, &found);
	(void)closedir(folder);
	if (r == 0 && found.count)
		qsort(found.at, found.count, sizeof(*found.at), by_nature);
	for (size_t i = 0; i < found.count && r == 0; i++)
		if (names_add(ret, text_of(found.at[i])) < 0)
			r = -ENOMEM;
	names_free(&found);
	if (r < 0)
		return err_set(err, r, "%s: %s", path, err_name(r));
	return 0;
}
