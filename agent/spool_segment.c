/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a run's folder. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/spool.h"
#include "base/take.h"
#include "proto/segment.h"

#define SEAL_LEVEL 3
#define NAME_BYTES 32

static void name_of(char *ret, uint32_t sequence, const char *suffix)
{
	(void)snprintf(ret, NAME_BYTES, "%06u.%s", (unsigned)sequence, suffix);
}

static int failed(const struct spool *s, const char *doing, const char *name, int code, struct err *err)
{
	return err_set(err, code, "%s spool file %s/%s: %s", doing, s->run.text, name, err_name(code));
}

int spool_create(struct spool *s, uint32_t sequence, struct err *err)
{
	char name[NAME_BYTES];
	int fd;

	name_of(name, sequence, "open");
	fd = openat(s->folder, name, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	return fd < 0 ? failed(s, "create", name, -errno, err) : fd;
}

static int write_all(int fd, struct text bytes)
{
	while (bytes.at < bytes.end) {
		ssize_t n = write(fd, bytes.at, text_len(bytes));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		bytes.at += n;
	}
	return 0;
}

int spool_append(struct spool *s, int fd, struct text bytes, struct err *err)
{
	off_t before = lseek(fd, 0, SEEK_END);
	int r = write_all(fd, bytes);

	if (r < 0) {
		/* A cut frame would hide those behind it. Should this fail, too, the reader stops at the cut. */
		if (before >= 0 && ftruncate(fd, before) < 0)
			return err_set(err, -EIO, "take back half a frame of run %s: %s", s->run.text, err_name(errno));
		return err_set(err, r, "write the spool of run %s: %s", s->run.text, err_name(r));
	}
	(void)atomic_fetch_add(&s->bytes, text_len(bytes));
	return 0;
}

static int read_file(const struct spool *s, const char *name, struct buf *ret, struct err *err)
{
	cleanup_fd int fd = openat(s->folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	ssize_t n;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0)
		return failed(s, "read", name, -errno, err);
	r = buf_reserve(ret, (size_t)st.st_size);
	if (r < 0)
		return failed(s, "read", name, r, err);
	for (size_t left = (size_t)st.st_size; left; left -= (size_t)n) {
		n = read(fd, ret->data + ret->len, left);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n < 0)
			return failed(s, "read", name, -errno, err);
		else if (n == 0)
			break; /* shorter than it was */
		ret->len += (size_t)n;
	}
	if (ret->data)
		ret->data[ret->len] = '\0';
	return 0;
}

int spool_read_open(struct spool *s, uint32_t sequence, struct buf *ret, struct err *err)
{
	char name[NAME_BYTES];

	name_of(name, sequence, "open");
	return read_file(s, name, ret, err);
}

int spool_to(const struct spool *s, struct buf *ret, struct err *err)
{
	return read_file(s, "to", ret, err);
}

static int seal_in_memory(struct spool *s, uint32_t sequence, struct buf *ret, struct err *err)
{
	cleanup_buf struct buf open = { 0 };
	int r = spool_read_open(s, sequence, &open, err);

	if (r < 0)
		return r;
	return segment_seal(buf_text(&open), SEAL_LEVEL, ret, err);
}

int spool_read(struct spool *s, uint32_t sequence, struct buf *ret, struct err *err)
{
	static const char *const suffixes[] = { "seg", "refused" };
	char name[NAME_BYTES];

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		struct err ignored;
		int r;

		name_of(name, sequence, suffixes[i]);
		r = read_file(s, name, ret, &ignored);
		if (r == 0)
			return 0;
		if (r != -ENOENT)
			return err_set(err, r, "%s", ignored.text);
	}
	return seal_in_memory(s, sequence, ret, err);
}

/* Written beside, on the disk, then named. */
static int write_sealed(struct spool *s, const char *beside, const char *sealed, struct text bytes, struct err *err)
{
	cleanup_fd int fd = openat(s->folder, beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int r = 0;

	if (fd < 0)
		return failed(s, "create", beside, -errno, err);
	r = write_all(fd, bytes);
	if (r == 0 && fdatasync(fd) < 0)
		r = -errno;
	if (r == 0 && renameat(s->folder, beside, s->folder, sealed) < 0)
		r = -errno;
	if (r < 0) {
		(void)unlinkat(s->folder, beside, 0);
		return failed(s, "write", sealed, r, err);
	}
	return 0;
}

static void unlink_counted(struct spool *s, const char *name)
{
	struct stat st;

	if (fstatat(s->folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || unlinkat(s->folder, name, 0) < 0)
		return;
	if (atomic_load(&s->bytes) >= (size_t)st.st_size)
		(void)atomic_fetch_sub(&s->bytes, (size_t)st.st_size);
}

int spool_seal_bytes(struct spool *s, uint32_t sequence, struct text open, struct err *err)
{
	char name[NAME_BYTES], sealed[NAME_BYTES], beside[NAME_BYTES];
	cleanup_buf struct buf bytes = { 0 };
	int r = segment_seal(open, SEAL_LEVEL, &bytes, err);

	if (r < 0)
		return r;
	name_of(name, sequence, "open");
	name_of(sealed, sequence, "seg");
	name_of(beside, sequence, "new");
	r = write_sealed(s, beside, sealed, buf_text(&bytes), err);
	if (r < 0)
		return r;
	(void)atomic_fetch_add(&s->bytes, bytes.len);
	if (fsync(s->folder) < 0 || (sequence == 1 && fsync(s->parent) < 0))
		return failed(s, "sync", sealed, -errno, err);
	unlink_counted(s, name);
	return 0;
}

int spool_seal(struct spool *s, uint32_t sequence, struct err *err)
{
	cleanup_buf struct buf open = { 0 };
	int r = spool_read_open(s, sequence, &open, err);

	return r < 0 ? r : spool_seal_bytes(s, sequence, buf_text(&open), err);
}

void spool_drop(struct spool *s, uint32_t sequence)
{
	static const char *const suffixes[] = { "open", "seg", "refused" }; /* never only an open one behind a sealed */
	char name[NAME_BYTES];

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		name_of(name, sequence, suffixes[i]);
		unlink_counted(s, name);
	}
}

void spool_set_aside(struct spool *s, uint32_t sequence)
{
	char name[NAME_BYTES], aside[NAME_BYTES];
	struct err ignored;

	name_of(name, sequence, "seg");
	name_of(aside, sequence, "refused");
	if (renameat(s->folder, name, s->folder, aside) < 0 && spool_seal(s, sequence, &ignored) == 0)
		(void)renameat(s->folder, name, s->folder, aside); /* else it stays as it is: open, or aside already */
}

/* ---- the list ---- */

/* "000012.seg" */
static bool segment_name(struct text name, struct spool_segment *ret)
{
	uint64_t sequence;

	if (!text_u64(&name, &sequence) || sequence == 0 || sequence > UINT32_MAX)
		return false;
	*ret = (struct spool_segment){
		.sequence = (uint32_t)sequence,
		.open = text_is(name, ".open"),
		.sealed = text_is(name, ".seg"),
		.refused = text_is(name, ".refused"),
	};
	return ret->open || ret->sealed || ret->refused;
}

static int by_sequence(const void *a, const void *b)
{
	uint32_t x = ((const struct spool_segment *)a)->sequence, y = ((const struct spool_segment *)b)->sequence;

	return x < y ? -1 : x > y;
}

static size_t merge(struct spool_segment *at, size_t count)
{
	size_t out = 0;

	qsort(at, count, sizeof(*at), by_sequence);
	for (size_t i = 0; i < count; i++) {
		if (out == 0 || at[out - 1].sequence != at[i].sequence) {
			at[out++] = at[i];
			continue;
		}
		at[out - 1].open |= at[i].open;
		at[out - 1].sealed |= at[i].sealed;
		at[out - 1].refused |= at[i].refused;
	}
	return out;
}

int spool_list(const struct spool *s, struct spool_segment **ret, size_t *count, struct err *err)
{
	int again = spool_open_folder(s->folder, ".");
	DIR *stream = again < 0 ? NULL : fdopendir(again);
	cleanup_free struct spool_segment *list = NULL;
	size_t used = 0, room = 0;

	if (!stream) {
		take_close_fd(&again);
		return err_set(err, -errno, "list the spool of run %s: %s", s->run.text, err_name(errno));
	}
	for (struct dirent *e; (e = readdir(stream));) {
		struct spool_segment one;

		if (!segment_name(text_of(e->d_name), &one))
			continue;
		if (used == room) {
			struct spool_segment *more = realloc(list, (room = room ? 2 * room : 16) * sizeof(*list));

			if (!more) {
				(void)closedir(stream);
				return err_set(err, -ENOMEM, "list the spool of run %s: no memory", s->run.text);
			}
			list = more;
		}
		list[used++] = one;
	}
	(void)closedir(stream);
	*count = used ? merge(list, used) : 0;
	*ret = take(&list);
	return 0;
}
