/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/take.h"
#include "host/facts.h"

/* Make the folders above a file and open the last. Links among them are not followed: a tree stays in its folder. */
static int open_folder(int directory_fd, const char *path, const char **ret_name, struct err *err)
{
	cleanup_fd int at = openat(directory_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const char *slash;

	if (at < 0)
		return err_set(err, -errno, "the recording's folder: %s", err_name(errno));
	for (const char *rest = path;; rest = slash + 1) {
		char name[NAME_MAX + 1];
		int next;

		slash = strchr(rest, '/');
		if (!slash) {
			*ret_name = rest;
			return take_fd(&at);
		}
		if ((size_t)(slash - rest) > NAME_MAX)
			return err_set(err, -ENAMETOOLONG, "%s: %s", path, err_name(ENAMETOOLONG));
		memcpy(name, rest, (size_t)(slash - rest));
		name[slash - rest] = '\0';
		if (mkdirat(at, name, 0777) < 0 && errno != EEXIST)
			return err_set(err, -errno, "make the folder of %s: %s", path, err_name(errno));
		next = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (next < 0)
			return err_set(err, -errno, "open the folder of %s: %s", path, err_name(errno));
		(void)close(at);
		at = next;
	}
}

static int write_whole(int fd, struct text content)
{
	while (content.at < content.end) {
		ssize_t n = write(fd, content.at, text_len(content));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		content.at += n;
	}
	return 0;
}

static int write_file(int directory_fd, const char *path, struct text content, struct record_count *count,
		      struct err *err)
{
	const char *name = NULL;
	cleanup_fd int folder = open_folder(directory_fd, path, &name, err);
	cleanup_fd int fd = -1;
	char beside[NAME_MAX + 1];
	int r;

	if (folder < 0)
		return folder;
	if (snprintf(beside, sizeof(beside), ".%s.part", name) >= (int)sizeof(beside))
		return err_set(err, -ENAMETOOLONG, "%s: %s", path, err_name(ENAMETOOLONG));
	fd = openat(folder, beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_set(err, -errno, "write %s: %s", path, err_name(errno));
	r = write_whole(fd, content);
	if (r == 0 && renameat(folder, beside, folder, name) < 0)
		r = -errno;
	if (r < 0) {
		(void)unlinkat(folder, beside, 0);
		return err_set(err, r, "write %s: %s", path, err_name(r));
	}
	count->files++;
	count->bytes += text_len(content);
	return 0;
}

static int record_one(const struct host *host, const char *path, int directory_fd, struct buf *content,
		      struct record_count *count, struct err *err)
{
	struct err why;
	int r;

	buf_clear(content);
	r = host_read(host, path, content, &why);
	if (r == -ENOENT || r == -EISDIR) /* gone since it was listed; a pattern may match folders */
		return 0;
	if (r == -ENOMEM) {
		*err = why;
		return r;
	}
	if (r < 0) {
		count->refused++;
		return 0;
	}
	return write_file(directory_fd, path, buf_text(content), count, err);
}

int host_record(const struct host *host, const char *pattern, int directory_fd, struct record_count *count,
		struct err *err)
{
	cleanup_buf struct buf content = { 0 };
	struct names paths = { 0 };
	int r = host_glob(host, pattern, &paths, err);

	for (size_t i = 0; i < paths.count && r == 0; i++)
		r = record_one(host, paths.at[i], directory_fd, &content, count, err);
	names_free(&paths);
	return r;
}

int host_record_facts(const struct host *host, int directory_fd, struct record_count *count, struct err *err)
{
	cleanup_buf struct buf words = { 0 }, content = { 0 };
	struct text arch;
	int r = host_arch(host, &content, &arch);

	(void)buf_printf(&words, "page_size %ld\nticks_per_second %ld\n", host->page_size, host->ticks_per_second);
	if (arch.at < arch.end)
		(void)buf_printf(&words, "arch %.*s\n", TEXT_ARGS(arch));
	if (r < 0 || words.failed)
		return err_set(err, -ENOMEM, "record the facts: no memory");
	r = write_file(directory_fd, "host", buf_text(&words), count, err);
	for (size_t i = 0; host_facts_sources[i] && r == 0; i++)
		r = host_record(host, host_facts_sources[i], directory_fd, count, err);
	return r;
}
