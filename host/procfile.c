/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/procfile.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/take.h"
#include "host/clock.h"
#include "host/limits.h"
#include "host/seen.h"

#define SIZE_LEAST ((size_t)128) /* an empty file, or "0\n", has room for a few numbers */
#define SIZE_MOST  ((size_t)64 << 20)

/*
 * When does a short read tell the end?
 *
 * A proc file made of records (one per interrupt, slab cache, device) hands out about a page at a time, however much
 * is asked for: a short read there says nothing, and only the read that returns 0 ends the file. An attribute of
 * sysfs and the proc files below are one record to the kernel: a read returns all of it or as much as was asked for.
 * Only the binary attributes of sysfs come in whole pages, so a count of whole pages is never taken for the end.
 */
#define PAGE_LEAST 4096

static const char *const one_record[] = {
	"proc/loadavg",	     "proc/meminfo",	     "proc/net/netstat",   "proc/net/snmp",	"proc/net/snmp6",
	"proc/net/sockstat", "proc/net/sockstat6",   "proc/net/xfrm_stat", "proc/pressure/cpu", "proc/pressure/io",
	"proc/pressure/irq", "proc/pressure/memory", "proc/softirqs",	   "proc/stat",		"proc/uptime",
};

static bool short_is_end(const struct host *host, int fd, const char *path)
{
	struct statfs fs;

	if (!host->live || fstatfs(fd, &fs) < 0)
		return false;
	if (fs.f_type == SYSFS_MAGIC)
		return true;
	for (size_t i = 0; i < sizeof(one_record) / sizeof(*one_record); i++)
		if (strcmp(path, one_record[i]) == 0)
			return fs.f_type == PROC_SUPER_MAGIC;
	return false;
}

/* Read on from `len` to the end: bytes in all, or -errno. `size` is returned when the buffer was filled: there may be
 * more. */
static ssize_t read_on(int fd, char *buf, size_t len, size_t size, bool seek, bool short_ends)
{
	while (len < size) {
		ssize_t n = seek ? pread(fd, buf + len, size - len, (off_t)len) : read(fd, buf + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN && !seek) /* a pipe that has nothing more to say */
			break;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
		if (short_ends && n % PAGE_LEAST != 0)
			break;
	}
	return (ssize_t)len;
}

/* Read all there is now, into a buffer twice as large. The first read also tells whether the file can pread. */
static int read_first(int fd, bool *reopen, struct procfile *f)
{
	cleanup_free char *buf = NULL;
	size_t size = 4096, len = 0;

	for (;;) {
		char *more = realloc(buf, size);
		ssize_t n;

		if (!more)
			return -ENOMEM;
		buf = more;
		n = read_on(fd, buf, len, size, !*reopen, false);
		if (n == -ESPIPE && !*reopen) {
			*reopen = true;
			continue;
		}
		if (n < 0)
			return (int)n;
		len = (size_t)n;
		if (len < size)
			break;
		if (size >= SIZE_MOST)
			return -EFBIG;
		size *= 4;
	}
	size = 2 * len < SIZE_LEAST ? SIZE_LEAST : 2 * len;
	f->buf = realloc(buf, size);
	if (!f->buf)
		return -ENOMEM;
	buf = NULL;
	f->size = size;
	f->first = len;
	return 0;
}

int procfile_open(struct procfile *f, const struct host *host, const char *path, struct err *err)
{
	cleanup_fd int fd = host_open(host, path);
	cleanup_free char *copy = strdup(path);
	struct procfile opened = { .host = host };
	int r;

	if (fd < 0)
		return limits_failed(err, fd, path);
	if (!copy)
		return err_set(err, -ENOMEM, "%s: no memory", path);
	opened.short_is_end = short_is_end(host, fd, path);
	r = read_first(fd, &opened.reopen, &opened);
	if (r < 0 || opened.first == 0)
		seen_note(host, path, r < 0 ? r : SEEN_EMPTY);
	if (r < 0)
		return err_set(err, r, "%s: %s", path, err_name(r));
	opened.fd = opened.reopen ? -1 : take_fd(&fd);
	opened.path = take(&copy);
	opened.opened_ns = host->fresh_ns ? clock_monotonic() : 0;
	*f = opened;
	return 0;
}

int procfile_open_unread(struct procfile *f, const struct host *host, const char *path, struct err *err)
{
	cleanup_free char *copy = strdup(path);
	cleanup_free char *buf = malloc(SIZE_LEAST);

	if (!copy || !buf)
		return err_set(err, -ENOMEM, "%s: no memory", path);
	*f = (struct procfile){
		.host = host, .path = take(&copy), .fd = -1, .buf = take(&buf), .size = SIZE_LEAST, .reopen = true
	};
	return 0;
}

struct text procfile_first(const struct procfile *f)
{
	return text_n(f->buf, f->first);
}

static ssize_t read_anew(struct procfile *f)
{
	cleanup_fd int fd = host_open(f->host, f->path);

	return fd < 0 ? fd : read_on(fd, f->buf, 0, f->size, false, false);
}

static bool is_fresh(struct procfile *f)
{
	uint64_t opened = f->opened_ns;

	f->opened_ns = 0;
	return opened && clock_monotonic() - opened <= f->host->fresh_ns;
}

int procfile_read(struct procfile *f, struct text *ret, struct err *err)
{
	ssize_t n = is_fresh(f) ? (ssize_t)f->first
		    : f->reopen ? read_anew(f)
				: read_on(f->fd, f->buf, 0, f->size, true, f->short_is_end);

	if (n < 0)
		return err_set(err, (int)n, "%s: %s", f->path, err_name((int)n));
	if ((size_t)n == f->size)
		return err_set(err, -ESTALE, "%s: grew beyond %zu bytes", f->path, f->size - 1);
	*ret = text_n(f->buf, (size_t)n);
	return 0;
}

void procfile_close(struct procfile *f)
{
	if (f->path && f->fd >= 0) /* a zeroed one owns nothing */
		(void)close(f->fd);
	free(f->path);
	free(f->buf);
	*f = (struct procfile){ 0 };
}
