/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/take.h"

int files_check_run(const struct ulid *run, struct err *err)
{
	if (!ulid_is(text_n(run->text, strnlen(run->text, sizeof(run->text)))))
		return err_set(err, -EINVAL, "'%.*s' is not the id of a run", ULID_LENGTH, run->text);
	return 0;
}

void files_segment_name(char ret[SEGMENT_NAME_SIZE], uint32_t sequence)
{
	(void)snprintf(ret, SEGMENT_NAME_SIZE, "%06u.seg", sequence);
}

/* The inverse: only the one spelling that files_segment_name() gives. */
static bool sequence_of(const char *name, uint32_t *ret)
{
	char again[SEGMENT_NAME_SIZE];
	struct text t = text_of(name);
	uint64_t number;

	if (!text_u64(&t, &number) || number == 0 || number > UINT32_MAX)
		return false;
	files_segment_name(again, (uint32_t)number);
	*ret = (uint32_t)number;
	return strcmp(again, name) == 0;
}

int files_run_folder(int runs_fd, const struct ulid *run, struct err *err)
{
	int fd = openat(runs_fd, run->text, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return err_set(err, -ENOENT, "no run %s here; `assay runs` lists them", run->text);
	if (fd < 0)
		return err_set(err, -errno, "open runs/%s: %s", run->text, err_name(errno));
	return fd;
}

/* A folder of its own offset, so that the caller's descriptor can be listed again. */
static DIR *list_open(int fd, const char *what, struct err *err)
{
	int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *ret = own < 0 ? NULL : fdopendir(own);

	if (!ret) {
		err_set(err, -errno, "list %s: %s", what, err_name(errno));
		if (own >= 0)
			(void)close(own);
	}
	return ret;
}

/* Room for one more at the end of an array; NULL without memory, and the array stays. */
static void *grown(void *array, size_t count, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : 64;
	void *ret = array;

	if (count == *room) {
		ret = reallocarray(array, more, size);
		if (ret)
			*room = more;
	}
	return ret;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

int files_sequences(int folder_fd, const char *what, uint32_t **ret, size_t *count, struct err *err)
{
	cleanup_free uint32_t *list = NULL;
	size_t n = 0, room = 0;
	DIR *dir = list_open(folder_fd, what, err);
	int r = 0;

	if (!dir)
		return err->code;
	for (struct dirent *e; r == 0 && (errno = 0, e = readdir(dir));) {
		uint32_t sequence, *more;

		if (!sequence_of(e->d_name, &sequence))
			continue;
		more = grown(list, n, &room, sizeof(*list));
		if (!more) {
			r = err_set(err, -ENOMEM, "list %s: no memory", what);
			break;
		}
		list = more;
		list[n++] = sequence;
	}
	if (r == 0 && errno)
		r = err_set(err, -errno, "list %s: %s", what, err_name(errno));
	(void)closedir(dir);
	if (r < 0)
		return r;
	if (n)
		qsort(list, n, sizeof(*list), by_number);
	*count = n;
	*ret = take(&list);
	return 0;
}

static int by_text(const void *a, const void *b)
{
	return memcmp(a, b, ULID_LENGTH);
}

int files_runs(int runs_fd, struct ulid **ret, size_t *count, struct err *err)
{
	cleanup_free struct ulid *list = NULL;
	size_t n = 0, room = 0;
	DIR *dir = list_open(runs_fd, "runs", err);
	int r = 0;

	if (!dir)
		return err->code;
	for (struct dirent *e; r == 0 && (errno = 0, e = readdir(dir));) {
		struct ulid *more;

		if (!ulid_is(text_of(e->d_name)))
			continue;
		more = grown(list, n, &room, sizeof(*list));
		if (!more) {
			r = err_set(err, -ENOMEM, "list runs: no memory");
			break;
		}
		list = more;
		memcpy(list[n++].text, e->d_name, sizeof(list->text));
	}
	if (r == 0 && errno)
		r = err_set(err, -errno, "list runs: %s", err_name(errno));
	(void)closedir(dir);
	if (r < 0)
		return r;
	if (n)
		qsort(list, n, sizeof(*list), by_text);
	*count = n;
	*ret = take(&list);
	return 0;
}

/* A regular file's descriptor and size. A pipe that lies there must not make us wait. */
static int open_regular(int folder_fd, const char *name, size_t *size, struct err *err)
{
	cleanup_fd int fd = openat(folder_fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_set(err, -errno, "read %s: %s", name, err_name(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, -EBADMSG, "read %s: not a regular file", name);
	*size = (size_t)st.st_size;
	return take_fd(&fd);
}

int files_read(int folder_fd, const char *name, size_t ceiling, struct buf *ret, struct err *err)
{
	size_t size = 0;
	cleanup_fd int fd = open_regular(folder_fd, name, &size, err);

	if (fd < 0)
		return fd;
	if (size > ceiling)
		return err_set(err, -EMSGSIZE, "%s: %zu bytes, more than %zu", name, size, ceiling);
	if (buf_reserve(ret, size) < 0)
		return err_set(err, ret->failed, "read %s: no room for %zu bytes", name, size);
	while (size) {
		ssize_t n = read(fd, ret->data + ret->len, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, -errno, "read %s: %s", name, err_name(errno));
		if (n == 0)
			break;
		ret->len += (size_t)n;
		size -= (size_t)n;
	}
	if (ret->data)
		ret->data[ret->len] = '\0';
	return 0;
}

int files_same(int folder_fd, const char *name, struct text bytes, struct err *err)
{
	size_t size = 0;
	cleanup_fd int fd = open_regular(folder_fd, name, &size, err);
	char part[32768];

	if (fd < 0)
		return fd;
	if (size != text_len(bytes))
		return 0;
	while (bytes.at < bytes.end) {
		ssize_t n = read(fd, part, sizeof(part));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, -errno, "read %s: %s", name, err_name(errno));
		if (n == 0 || (size_t)n > text_len(bytes) || memcmp(part, bytes.at, (size_t)n) != 0)
			return 0;
		bytes.at += n;
	}
	return 1;
}

int files_write(int fd, struct text bytes, const char *what, struct err *err)
{
	while (bytes.at < bytes.end) {
		ssize_t n = write(fd, bytes.at, text_len(bytes));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, -errno, "write %s: %s", what, err_name(errno));
		bytes.at += n;
	}
	return 0;
}
