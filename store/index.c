/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalog follows the folders: what is on the disk and not in the catalog is read, what is gone is forgotten. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/take.h"
#include "store/files.h"
#include "store/inside.h"

/* One run's folder against its rows. */
struct indexing {
	struct store *store;
	const struct ulid *run;
	int folder;
	uint32_t *sequences;
	size_t count;
	struct catalog_segment *known;
	size_t known_count;
	struct store_rebuilt *told;
};

static void refuse(struct indexing *x, const struct err *why)
{
	if (!x->told)
		return;
	if (x->told->refused++ == 0)
		x->told->first = *why;
}

/* -EBADMSG and -EMSGSIZE are the file's fault and kept as a refused row; all else ends the indexing. */
static int index_segment(struct indexing *x, uint32_t sequence, struct err *err)
{
	struct store *s = x->store;
	struct catalog_segment segment = { .sequence = sequence };
	cleanup_buf struct buf bytes = { .ceiling = s->segment_bytes };
	struct gathered gathered = { 0 };
	char name[SEGMENT_NAME_SIZE];
	struct err why = { 0 };
	struct stat st;
	int r;

	files_segment_name(name, sequence);
	r = files_read(x->folder, name, s->segment_bytes, &bytes, &why);
	if (r == 0)
		r = gather(&gathered, &s->limits, x->run, sequence, buf_text(&bytes), &why);
	if (r < 0)
		err_prefix(&why, "runs/%s/%s: ", x->run->text, name);
	if (r == -EBADMSG || r == -EMSGSIZE) {
		segment.refused = true;
		segment.bytes = fstatat(x->folder, name, &st, 0) == 0 ? (uint64_t)st.st_size : 0;
		refuse(x, &why);
		r = catalog_learn(&s->catalog, x->run, &segment, NULL, err);
	} else if (r == 0) {
		segment.bytes = bytes.len;
		segment.hash = segment_hash(buf_text(&bytes));
		r = catalog_learn(&s->catalog, x->run, &segment, &gathered, err);
		if (r == 0 && x->told)
			x->told->segments++;
	} else {
		*err = why;
	}
	gathered_free(&gathered);
	return r;
}

/* After a catalog_forget(): which derived files lie there. */
static int index_derived(struct indexing *x, struct err *err)
{
	int own = openat(x->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = own < 0 ? NULL : fdopendir(own);
	int r = 0;

	if (!dir) {
		err_set(err, -errno, "list runs/%s: %s", x->run->text, err_name(errno));
		if (own >= 0)
			(void)close(own);
		return err->code;
	}
	for (struct dirent *e; r == 0 && (e = readdir(dir));) {
		sqlite3_stmt *statement;

		if (!derived_name_is(e->d_name))
			continue;
		statement = catalog_prepare(&x->store->catalog, CATALOG_DERIVED_ADD, err);
		if (!statement) {
			r = err->code;
			break;
		}
		(void)sqlite3_bind_text(statement, 1, x->run->text, -1, SQLITE_STATIC);
		(void)sqlite3_bind_text(statement, 2, e->d_name, -1, SQLITE_STATIC);
		r = catalog_run(&x->store->catalog, statement, err);
	}
	(void)closedir(dir);
	return r;
}

/* Does each row still have its file, of the size it was? `missing` counts the files without a row. */
static bool rows_hold(const struct indexing *x, size_t *missing)
{
	size_t row = 0;

	*missing = 0;
	for (size_t i = 0; i < x->count; i++) {
		char name[SEGMENT_NAME_SIZE];
		struct stat st;

		if (row == x->known_count || x->sequences[i] < x->known[row].sequence) {
			++*missing;
			continue;
		}
		if (x->sequences[i] > x->known[row].sequence)
			return false; /* a row without a file */
		files_segment_name(name, x->sequences[i]);
		if (fstatat(x->folder, name, &st, 0) < 0 || (uint64_t)st.st_size != x->known[row].bytes)
			return false;
		row++;
	}
	return row == x->known_count;
}

static bool row_of(const struct indexing *x, uint32_t sequence)
{
	for (size_t i = 0; i < x->known_count; i++)
		if (x->known[i].sequence == sequence)
			return true;
	return false;
}

static int index_write(struct indexing *x, bool anew, struct err *err)
{
	struct store *s = x->store;
	int r = catalog_begin(&s->catalog, err);

	if (r < 0)
		return r;
	if (anew) {
		r = catalog_forget(&s->catalog, x->run, err);
		x->known_count = 0;
		if (r == 0 && x->count)
			r = index_derived(x, err);
	}
	for (size_t i = 0; i < x->count && r == 0; i++)
		if (!row_of(x, x->sequences[i]))
			r = index_segment(x, x->sequences[i], err);
	if (r == 0 && !anew && !s->read_only)
		r = derived_drop(s, x->run, x->folder, err);
	if (r == 0)
		return catalog_commit(&s->catalog, err);
	catalog_rollback(&s->catalog);
	return r;
}

int index_run(struct store *s, const struct ulid *run, bool anew, struct store_rebuilt *ret, struct err *err)
{
	struct indexing x = { .store = s, .run = run, .folder = -1, .told = ret };
	size_t missing;
	bool hold;
	int r = 0;

	x.folder = files_run_folder(s->runs_fd, run, err);
	if (x.folder < 0 && x.folder != -ENOENT)
		return x.folder;
	if (x.folder >= 0)
		r = files_sequences(x.folder, run->text, &x.sequences, &x.count, err);
	if (r == 0)
		r = catalog_segments(&s->catalog, run, &x.known, &x.known_count, err);
	if (r == 0) {
		hold = rows_hold(&x, &missing);
		if (anew || !hold || missing)
			r = index_write(&x, anew || !hold || x.known_count == 0, err);
	}
	if (r == 0 && ret && x.count)
		ret->runs++;
	free(x.sequences);
	free(x.known);
	if (x.folder >= 0)
		(void)close(x.folder);
	return r;
}

int index_all(struct store *s, bool only_unknown, bool anew, struct store_rebuilt *ret, struct err *err)
{
	cleanup_free struct ulid *folders = NULL, *rows = NULL;
	size_t folder_count = 0, row_count = 0, f = 0, row = 0;
	int r = files_runs(s->runs_fd, &folders, &folder_count, err);

	if (r == 0)
		r = catalog_run_ids(&s->catalog, &rows, &row_count, err);
	while (r == 0 && (f < folder_count || row < row_count)) { /* both ascend */
		int c = f == folder_count ? 1 : row == row_count ? -1 : strcmp(folders[f].text, rows[row].text);

		if (c > 0) { /* the folder went: forgotten */
			r = index_run(s, &rows[row++], true, NULL, err);
			continue;
		}
		if (c < 0 || !only_unknown)
			r = index_run(s, &folders[f], anew, ret, err);
		f++;
		row += c == 0;
	}
	return r;
}

int store_rebuild(struct store *store, struct store_rebuilt *ret, struct err *err)
{
	int r;

	*ret = (struct store_rebuilt){ 0 };
	if (!store_can_learn(store))
		return err_set(err, -EROFS, "%s was opened to be read only", store->path);
	r = store_follow_catalog(store, err);
	if (r == 0)
		r = incoming_look(store, true, err);
	return r < 0 ? r : index_all(store, false, true, ret, err);
}

/* "<ulid>.<seq>.<...>" */
static bool incoming_name(const char *name, struct ulid *run, uint32_t *sequence)
{
	struct text t = text_of(name), id;
	uint64_t number;

	if (!text_cut(&t, ".", &id) || !ulid_is(id) || !text_u64(&t, &number) || number > UINT32_MAX)
		return false;
	memcpy(run->text, id.at, ULID_LENGTH);
	run->text[ULID_LENGTH] = '\0';
	*sequence = (uint32_t)number;
	return true;
}

static int incoming_one(struct store *s, const char *name, bool all, const struct timespec *now, struct err *err)
{
	struct catalog_segment known;
	struct ulid run;
	uint32_t sequence;
	struct stat st;
	int r;

	if (!incoming_name(name, &run, &sequence) || fstatat(s->incoming_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(st.st_mode))
		return 0; /* nothing of ours, or just taken away */
	if (st.st_nlink > 1) { /* it has its name in the run's folder */
		if (!all && now->tv_sec - st.st_ctime < INCOMING_SECONDS)
			return 0;
		r = catalog_segment(&s->catalog, &run, sequence, &known, err);
		if (r == 0 && store_can_learn(s))
			r = index_run(s, &run, false, NULL, err);
		if (r < 0)
			return r;
	} else if (now->tv_sec - st.st_mtime < INCOMING_MINUTES * 60) {
		return 0; /* someone may be writing it */
	}
	if (!s->read_only)
		(void)unlinkat(s->incoming_fd, name, 0);
	return 0;
}

int incoming_look(struct store *s, bool all, struct err *err)
{
	int own = s->incoming_fd < 0 ? -1 : openat(s->incoming_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = own < 0 ? NULL : fdopendir(own);
	struct timespec now;
	int r = 0;

	if (s->incoming_fd < 0)
		return 0;
	if (!dir) {
		err_set(err, -errno, "list %s/incoming: %s", s->path, err_name(errno));
		if (own >= 0)
			(void)close(own);
		return err->code;
	}
	(void)clock_gettime(CLOCK_REALTIME, &now);
	for (struct dirent *e; r == 0 && (e = readdir(dir));)
		r = incoming_one(s, e->d_name, all, &now, err);
	(void)closedir(dir);
	return r;
}
