/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/take.h"
#include "store/files.h"
#include "store/inside.h"

bool derived_name_is(const char *name)
{
	size_t n = strlen(name);

	return n > 0 && n <= 64 && strspn(name, "abcdefghijklmnopqrstuvwxyz.-") == n && name[0] != '.' &&
	       !text_ends(text_of(name), ".seg");
}

static int check(const struct ulid *run, const char *name, struct err *err)
{
	if (!derived_name_is(name))
		return err_set(err, -EINVAL, "'%s' cannot name a derived file: up to 64 of a-z, '.' and '-'", name);
	return files_check_run(run, err);
}

/* Told before the file is there, so that whoever links a segment finds it. */
static int announce(struct store *s, const struct ulid *run, const char *name, struct err *err)
{
	sqlite3_stmt *statement;
	int r = store_follow_catalog(s, err);

	if (r < 0)
		return r;
	statement = catalog_prepare(&s->catalog, CATALOG_DERIVED_ADD, err);
	if (!statement)
		return err->code;
	(void)sqlite3_bind_text(statement, 1, run->text, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC);
	return catalog_run(&s->catalog, statement, err);
}

/* -ESTALE: segments came since this handle read the run. */
static int check_count(struct store *s, const struct ulid *run, int folder, struct err *err)
{
	cleanup_free uint32_t *sequences = NULL;
	size_t count = 0;
	int r;

	if (strcmp(s->read.run.text, run->text) != 0)
		return 0;
	r = files_sequences(folder, run->text, &sequences, &count, err);
	if (r == 0 && count != s->read.segments)
		r = err_set(err, -ESTALE, "run %s: %zu segments now, %zu when it was read; read it again", run->text,
			    count, s->read.segments);
	return r;
}

int store_put_derived(struct store *store, const struct ulid *run, const char *name, struct text bytes, struct err *err)
{
	cleanup_fd int folder = -1, fd = -1;
	char incoming[INCOMING_NAME_SIZE];
	int r = check(run, name, err);

	if (r < 0)
		return r;
	if (store->read_only)
		return err_set(err, -EROFS, "%s was opened to be read only", store->path);
	folder = files_run_folder(store->runs_fd, run, err);
	if (folder < 0)
		return folder;
	r = announce(store, run, name, err);
	if (r < 0)
		return r;
	fd = incoming_make(store, run, 0, bytes, incoming, err);
	if (fd < 0)
		return fd;
	if (fdatasync(fd) < 0) /* or a power cut could leave the new name with no bytes */
		r = err_set(err, -errno, "sync %s: %s", name, err_name(errno));
	if (r == 0)
		r = check_count(store, run, folder, err);
	if (r == 0 && renameat(store->incoming_fd, incoming, folder, name) < 0)
		r = err_set(err, -errno, "rename runs/%s/%s: %s", run->text, name, err_name(errno));
	if (r < 0) {
		(void)unlinkat(store->incoming_fd, incoming, 0);
		return r;
	}
	/* Whoever links a segment drops the derived files after it; looking again after ours is there leaves no gap. */
	r = check_count(store, run, folder, err);
	if (r < 0)
		(void)unlinkat(folder, name, 0);
	return r;
}

int store_get_derived(struct store *store, const struct ulid *run, const char *name, struct buf *ret, struct err *err)
{
	cleanup_fd int folder = -1;
	int r = check(run, name, err);

	if (r < 0)
		return r;
	folder = files_run_folder(store->runs_fd, run, err);
	if (folder < 0)
		return folder;
	r = files_read(folder, name, ret->ceiling ? ret->ceiling : BUF_CEILING, ret, err);
	return r < 0 ? err_prefix(err, "run %s: ", run->text) : 0;
}

int derived_drop(struct store *s, const struct ulid *run, int folder_fd, struct err *err)
{
	sqlite3_stmt *list = catalog_prepare(&s->catalog, CATALOG_DERIVED, err);
	sqlite3_stmt *drop;
	int r, n = 0;

	if (!list)
		return err->code;
	(void)sqlite3_bind_text(list, 1, run->text, -1, SQLITE_STATIC);
	for (; (r = sqlite3_step(list)) == SQLITE_ROW; n++)
		if (derived_name_is(catalog_text(list, 0)))
			(void)unlinkat(folder_fd, catalog_text(list, 0), 0);
	r = r == SQLITE_DONE ? 0 : catalog_failed(&s->catalog, err);
	(void)sqlite3_reset(list);
	if (r < 0 || n == 0)
		return r;
	drop = catalog_prepare(&s->catalog, CATALOG_DERIVED_DROP, err);
	if (!drop)
		return err->code;
	(void)sqlite3_bind_text(drop, 1, run->text, -1, SQLITE_STATIC);
	return catalog_run(&s->catalog, drop, err);
}
