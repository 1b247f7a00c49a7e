/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static _Thread_local size_t count;
static _Thread_local size_t fail_at;

size_t alloc_count(void)
{
	return count;
}

void alloc_fail_at(size_t n)
{
	fail_at = n;
}

static bool may_go_on(void)
{
	count++;
	if (fail_at == 0 || --fail_at > 0)
		return true;
	errno = ENOMEM;
	return false;
}

/* The linker calls __wrap_malloc() where malloc() stands, and malloc() where __real_malloc() stands. */
#define WRAP(type, name, parameters, arguments, failure)   \
	type __real_##name parameters;                     \
	type __wrap_##name parameters;                     \
	type __wrap_##name parameters                      \
	{                                                  \
		return may_go_on() ? __real_##name arguments : failure; \
	}

WRAP(void *, malloc, (size_t size), (size), NULL)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), NULL)
WRAP(void *, realloc, (void *old, size_t size), (old, size), NULL)
WRAP(void *, reallocarray, (void *old, size_t n, size_t size), (old, n, size), NULL)
WRAP(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), NULL)
WRAP(int, posix_memalign, (void **ret, size_t alignment, size_t size), (ret, alignment, size), ENOMEM)
WRAP(char *, strdup, (const char *s), (s), NULL)
WRAP(char *, strndup, (const char *s, size_t n), (s, n), NULL)
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)
WRAP(DIR *, opendir, (const char *path), (path), NULL)
WRAP(DIR *, fdopendir, (int fd), (fd), NULL)
WRAP(int, vasprintf, (char **ret, const char *format, va_list args), (ret, format, args), -1)
WRAP(int, __vasprintf_chk, (char **ret, int flag, const char *format, va_list args), (ret, flag, format, args), -1)

int __wrap_asprintf(char **ret, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **ret, const char *format, ...)
{
	va_list args;
	int r;

	va_start(args, format);
	r = __wrap_vasprintf(ret, format, args);
	va_end(args);
	return r;
}

int __wrap___asprintf_chk(char **ret, int flag, const char *format, ...) __attribute__((format(printf, 3, 4)));
int __wrap___asprintf_chk(char **ret, int flag, const char *format, ...)
{
	va_list args;
	int r;

	va_start(args, format);
	r = __wrap___vasprintf_chk(ret, flag, format, args);
	va_end(args);
	return r;
}
