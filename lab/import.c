/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files and folders; import_files.c reads what is in a file, import_run.c writes a run. */
#include "lab/import.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lab/import_run.h"

#define DEPTH_MOST 16

static const char *const path_axes[] = { "testcase", "params",	 "tbox_group", "rootfs",
					 "kconfig",  "compiler", "commit",     "run" };
#define PATH_AXES 7 /* without the run */

/* Of "a/b/c/matrix.json" below the folder that was named; other depths tell nothing. */
static int axes_of_path(const char *below, struct pairs *ret)
{
	struct text rest = text_of(below), part;
	size_t parts = 0;

	for (const char *at = below; *at; at++)
		parts += *at == '/';
	if (parts != PATH_AXES && parts != PATH_AXES + 1)
		return 0;
	for (size_t i = 0; text_cut(&rest, "/", &part); i++)
		if (pairs_set_text(ret, text_of(path_axes[i]), part) < 0)
			return -ENOMEM;
	return 0;
}

static int import_one(struct import *in, const char *path, const char *below, struct err *err)
{
	struct pairs axes = { 0 };
	int r = axes_of_path(below, &axes);

	if (r == 0)
		r = pairs_copy(&axes, in->given);
	if (r < 0)
		r = err_set(err, -ENOMEM, "%s: no memory", path);
	else
		r = import_file(in, path, &axes, err);
	pairs_free(&axes);
	in->count->files += r == 0;
	return r;
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* `path` is a folder, in a buffer that grows and shrinks with the depth; `below` where the part begins that tells axes.
 */
static int search(struct import *in, struct buf *path, size_t below, int depth, struct err *err)
{
	static const char *const files[] = { "/matrix.json", "/stats.json" };
	struct dirent **entries = NULL;
	size_t length = path->len;
	int count, r = 0;

	for (size_t i = 0; i < 2; i++) {
		bool found;

		(void)buf_puts(path, files[i]);
		found = path->failed == 0 && is_file(path->data);
		if (found)
			r = import_one(in, path->data, path->data + below, err);
		path->len = length;
		if (found)
			break;
	}
	if (r < 0 || depth == DEPTH_MOST)
		return r;
	path->data[length] = '\0';
	count = scandir(path->data, &entries, NULL, by_name);
	if (count < 0)
		return err_set(err, -errno, "%s: %s", path->data, strerror(errno));
	for (int i = 0; i < count; i++) {
		struct stat st;

		if (r == 0 && entries[i]->d_name[0] != '.') {
			(void)buf_printf(path, "/%s", entries[i]->d_name);
			if (path->failed)
				r = err_set(err, -ENOMEM, "no memory for a path");
			else if (lstat(path->data, &st) == 0 && S_ISDIR(st.st_mode))
				r = search(in, path, below, depth + 1, err);
			path->len = length;
		}
		free(entries[i]);
	}
	free(entries);
	return r;
}

int lab_import(struct store *store, const char *path, const struct pairs *axes, struct import_count *ret,
	       struct err *err)
{
	struct import in = { .store = store, .given = axes, .count = ret, .take = import_run };
	struct buf folder = { 0 };
	struct stat st;
	int r;

	if (stat(path, &st) < 0)
		return err_set(err, -errno, "%s: %s", path, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return import_one(&in, path, "", err);
	if (buf_puts(&folder, path) < 0)
		return err_set(err, -ENOMEM, "%s: no memory", path);
	while (folder.len > 1 && folder.data[folder.len - 1] == '/')
		folder.data[--folder.len] = '\0';
	r = search(&in, &folder, folder.len + 1, 0, err);
	buf_free(&folder);
	if (r == 0 && ret->files == 0)
		r = err_set(err, -ENOENT, "%s: has no matrix.json and no stats.json", path);
	return r;
}
