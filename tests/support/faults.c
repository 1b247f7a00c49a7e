/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static struct fault *faults;
static size_t fault_count;
static unsigned now;
static char root[PATH_MAX];

ssize_t __real_pread(int fd, void *buf, size_t size, off_t at);
ssize_t __real_read(int fd, void *buf, size_t size);
int __real_openat(int fd, const char *path, int flags, ...);
long __real_syscall(long number, ...);
ssize_t __wrap_pread(int fd, void *buf, size_t size, off_t at);
ssize_t __wrap_read(int fd, void *buf, size_t size);
int __wrap_openat(int fd, const char *path, int flags, ...);
long __wrap_syscall(long number, ...);

void faults_set(const char *tree, struct fault *list, size_t count)
{
	if (!realpath(tree, root))
		root[0] = '\0';
	faults = list;
	fault_count = count;
	now = 0;
}

void faults_sample(unsigned sample)
{
	now = sample;
}

/* The fault that a call on this descriptor meets, or NULL. */
static struct fault *fault_of(int fd, enum fault_call call)
{
	char link[64], path[PATH_MAX];
	size_t length = strlen(root);
	ssize_t n;

	if (fault_count == 0 || fd < 0)
		return NULL;
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < (ssize_t)length || memcmp(path, root, length) != 0)
		return NULL;
	path[n] = '\0';
	for (struct fault *f = faults; f < faults + fault_count; f++)
		if (f->call == call && strcmp(f->path, path + length) == 0 && now >= f->from &&
		    (f->to == 0 || now <= f->to) && (f->times == 0 || f->calls < f->times))
			return f;
	return NULL;
}

static size_t chunk_of(const struct fault *f, size_t size)
{
	size_t count = 0, chunk;

	while (count < sizeof(f->chunks) / sizeof(*f->chunks) && f->chunks[count])
		count++;
	if (count == 0)
		return size;
	chunk = f->chunks[(f->calls - 1) % count];
	return chunk < size ? chunk : size;
}

/* How much of a read there is; -1 and errno when it fails. */
static ssize_t allowed(int fd, size_t size)
{
	struct fault *f = fault_of(fd, FAULT_READ);

	if (!f)
		return (ssize_t)size;
	f->calls++;
	if (f->error) {
		errno = f->error;
		return -1;
	}
	return (ssize_t)chunk_of(f, size);
}

ssize_t __wrap_pread(int fd, void *buf, size_t size, off_t at)
{
	ssize_t n = allowed(fd, size);

	return n < 0 ? n : __real_pread(fd, buf, (size_t)n, at);
}

ssize_t __wrap_read(int fd, void *buf, size_t size)
{
	ssize_t n = allowed(fd, size);

	return n < 0 ? n : __real_read(fd, buf, (size_t)n);
}

static int opened(int fd, bool for_reading)
{
	struct fault *f = for_reading ? fault_of(fd, FAULT_OPEN) : NULL;

	if (!f)
		return fd;
	f->calls++;
	(void)close(fd);
	errno = f->error;
	return -1;
}

int __wrap_openat(int fd, const char *path, int flags, ...)
{
	va_list arguments;
	int mode;

	va_start(arguments, flags);
	mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
	va_end(arguments);
	return opened(__real_openat(fd, path, flags, mode), !(flags & O_PATH));
}

long __wrap_syscall(long number, ...)
{
	long a[6];
	va_list arguments;
	long r;

	va_start(arguments, number);
	for (size_t i = 0; i < 6; i++)
		a[i] = va_arg(arguments, long);
	va_end(arguments);
	r = __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (number == SYS_openat2)
		return opened((int)r, !(((const struct open_how *)a[2])->flags & O_PATH));
	return r;
}
