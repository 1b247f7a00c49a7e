/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/shared.h"

#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

bool shared_path(char *ret, size_t size, const char *path)
{
	const char *shared = getenv("ASSAY_SHARED");

	if (!shared || snprintf(ret, size, "%s/data/%s", shared, path) >= (int)size)
		return false;
	return access(ret, R_OK) == 0;
}

struct buf read_whole(const char *path)
{
	struct buf b = { 0 };
	FILE *file = fopen(path, "rb");
	char part[65536];
	size_t n;

	if (!file)
		fail_msg("%s: %s", path, strerror(errno));
	while ((n = fread(part, 1, sizeof(part), file)) > 0)
		assert_int_equal(buf_add(&b, part, n), 0);
	(void)fclose(file);
	return b;
}

void fresh_folder(char *ret, size_t size)
{
	const char *tmp = getenv("TMPDIR");

	assert_true(snprintf(ret, size, "%s/assay-test.XXXXXX", tmp ? tmp : "/tmp") < (int)size);
	assert_non_null(mkdtemp(ret));
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	return remove(path);
}

void remove_tree(const char *path)
{
	(void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void write_file(const char *folder, const char *path, const char *content, size_t length)
{
	char whole[4096];
	FILE *file;

	assert_true(snprintf(whole, sizeof(whole), "%s/%s", folder, path) < (int)sizeof(whole));
	for (char *slash = whole + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		(void)mkdir(whole, 0777);
		*slash = '/';
	}
	file = fopen(whole, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(content, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}
