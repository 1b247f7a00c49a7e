/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/take.h"
#include "store/files.h"
#include "store/inside.h"

#define SEGMENT_BYTES  ((size_t)32 << 20)
#define UNPACKED_BYTES ((size_t)256 << 20)

static char *joined(const char *a, const char *b)
{
	char *ret;

	return asprintf(&ret, "%s%s", a, b) < 0 ? NULL : ret;
}

char *store_default_path(void)
{
	const char *path = getenv("ASSAY_STORE");

	if (path && *path)
		return text_copy(text_of(path));
	path = getenv("XDG_DATA_HOME");
	if (path && *path == '/') /* a relative one is to be ignored, says the specification of it */
		return joined(path, "/assay");
	path = getenv("HOME");
	return path && *path ? joined(path, "/.local/share/assay") : NULL;
}

/* The folder that holds `path` keeps its name over a power cut only when it was synced. */
static int sync_parent(const char *path)
{
	cleanup_free char *parent = joined(path, "/..");
	cleanup_fd int fd = parent ? open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

static int make_folder(const char *path, struct err *err)
{
	int r;

	if (mkdir(path, 0777) < 0)
		return errno == EEXIST ? 0 : err_set(err, -errno, "make %s: %s", path, err_name(errno));
	r = sync_parent(path);
	return r < 0 ? err_set(err, r, "sync the folder of %s: %s", path, err_name(r)) : 0;
}

static int make_folders(const char *path, struct err *err)
{
	cleanup_free char *whole = text_copy(text_of(path));
	int r = 0;

	if (!whole)
		return err_set(err, -ENOMEM, "%s: no memory", path);
	for (char *slash = whole; r == 0 && *slash && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		if (access(whole, F_OK) < 0)
			r = make_folder(whole, err);
		*slash = '/';
	}
	return r == 0 ? make_folder(whole, err) : r;
}

/* DIR/name, made when it may be. */
static int open_folder(const struct store *s, const char *name, int *ret, struct err *err)
{
	cleanup_free char *path = joined(s->path, name);
	int r;

	if (!path)
		return err_set(err, -ENOMEM, "%s: no memory", s->path);
	if (!s->read_only && (r = make_folder(path, err)) < 0)
		return r;
	*ret = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *ret < 0 ? err_set(err, -errno, "open %s: %s", path, err_name(errno)) : 0;
}

static uint64_t inode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (uint64_t)st.st_ino : 0;
}

/* What the folders looked like when the catalog was last held against them all: the boot, since a power cut may take
 * the catalog's last rows, and the time of runs/, since a run that comes or goes by hand changes it. */
struct looked {
	char boot[40];
	char runs[32];
};

static void looked_now(const struct store *s, struct looked *ret)
{
	cleanup_fd int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, ret->boot, 36);
	struct stat st;

	ret->boot[n > 0 ? n : 0] = '\0';
	ret->runs[0] = '\0';
	if (fstat(s->runs_fd, &st) == 0)
		(void)snprintf(ret->runs, sizeof(ret->runs), "%lld.%09ld", (long long)st.st_mtim.tv_sec,
			       st.st_mtim.tv_nsec);
}

static int meta_is(struct store *s, const char *name, const char *value, struct err *err)
{
	sqlite3_stmt *statement = catalog_prepare(&s->catalog, CATALOG_META_GET, err);
	int r;

	if (!statement)
		return err->code;
	(void)sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
	r = sqlite3_step(statement);
	if (r == SQLITE_ROW)
		r = strcmp(catalog_text(statement, 0), value) == 0;
	else
		r = r == SQLITE_DONE ? 0 : catalog_failed(&s->catalog, err);
	(void)sqlite3_reset(statement);
	return r;
}

static int meta_set(struct store *s, const char *name, const char *value, struct err *err)
{
	sqlite3_stmt *statement = catalog_prepare(&s->catalog, CATALOG_META_SET, err);

	if (!statement)
		return err->code;
	(void)sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(statement, 2, value, -1, SQLITE_STATIC);
	return catalog_run(&s->catalog, statement, err);
}

static int look_at_folders(struct store *s, struct err *err)
{
	struct looked now;
	int same_boot, same_runs, r;

	looked_now(s, &now);
	same_boot = meta_is(s, "boot", now.boot, err);
	same_runs = same_boot < 0 ? same_boot : meta_is(s, "runs", now.runs, err);
	if (same_runs < 0)
		return same_runs;
	if (same_boot && same_runs)
		return 0;
	r = index_all(s, same_boot, false, NULL, err);
	if (r == 0)
		r = meta_set(s, "boot", now.boot, err);
	return r < 0 ? r : meta_set(s, "runs", now.runs, err);
}

static void remove_catalog(const char *path)
{
	static const char *const ends[] = { "", "-wal", "-shm" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		cleanup_free char *file = joined(path, ends[i]);

		if (file)
			(void)unlink(file);
	}
}

static int open_writable(struct store *s, struct err *err)
{
	int r = catalog_open(&s->catalog, s->catalog_path, false, err);

	if (r == -EUCLEAN) { /* damaged: nothing is lost with it */
		catalog_close(&s->catalog);
		remove_catalog(s->catalog_path);
		r = catalog_open(&s->catalog, s->catalog_path, false, err);
	}
	s->catalog_inode = inode_of(s->catalog_path);
	if (r < 0)
		return r;
	r = incoming_look(s, true, err);
	if (r == 0)
		r = look_at_folders(s, err);
	return catalog_is_behind(r) ? 0 : r; /* a full store can be looked into */
}

/* Nothing may be written: the catalog as it is if it lists the runs that are here, else one in memory. */
static int open_frozen(struct store *s, struct err *err)
{
	cleanup_free struct ulid *folders = NULL, *rows = NULL;
	size_t folder_count = 0, row_count = 0;
	int r = catalog_open(&s->catalog, s->catalog_path, true, err);

	s->catalog_inode = inode_of(s->catalog_path);
	if (r == 0)
		r = catalog_run_ids(&s->catalog, &rows, &row_count, err);
	if (r == 0)
		r = files_runs(s->runs_fd, &folders, &folder_count, err);
	if (r == 0 && folder_count == row_count &&
	    (!row_count || memcmp(folders, rows, row_count * sizeof(*rows)) == 0))
		return 0;
	catalog_close(&s->catalog);
	s->catalog_inode = CATALOG_IN_MEMORY;
	r = catalog_open(&s->catalog, NULL, false, err);
	return r < 0 ? r : index_all(s, false, false, NULL, err);
}

static int open_catalog(struct store *s, struct err *err)
{
	int r = s->read_only ? open_frozen(s, err) : open_writable(s, err);

	if (r < 0) {
		catalog_close(&s->catalog);
		s->catalog_inode = CATALOG_CLOSED;
	}
	return r;
}

int store_follow_catalog(struct store *s, struct err *err)
{
	if (s->catalog_inode == CATALOG_IN_MEMORY || inode_of(s->catalog_path) == s->catalog_inode)
		return 0;
	catalog_close(&s->catalog);
	return open_catalog(s, err);
}

int store_open(struct store **ret, const struct store_options *options, struct err *err)
{
	struct store *s = calloc(1, sizeof(*s));
	int r = 0;

	if (!s)
		return err_set(err, -ENOMEM, "%s: no memory", options->path);
	s->runs_fd = s->incoming_fd = -1;
	s->path = text_copy(text_of(options->path));
	s->catalog_path = joined(options->path, "/catalog.sqlite");
	if (!s->path || !s->catalog_path) {
		store_close(s);
		return err_set(err, -ENOMEM, "%s: no memory", options->path);
	}
	s->read_only = options->read_only;
	s->segment_bytes = options->segment_bytes ? options->segment_bytes : SEGMENT_BYTES;
	s->limits.unpacked = options->unpacked_bytes ? options->unpacked_bytes : UNPACKED_BYTES;
	if (getrandom(&s->random, sizeof(s->random), 0) != (ssize_t)sizeof(s->random))
		r = err_set(err, -EIO, "no random numbers: %s", err_name(errno));
	if (r == 0 && !s->read_only)
		r = make_folders(s->path, err);
	if (r == 0)
		r = open_folder(s, "/runs", &s->runs_fd, err);
	if (r == 0 && !s->read_only)
		r = open_folder(s, "/incoming", &s->incoming_fd, err);
	if (r == 0)
		r = open_catalog(s, err);
	if (r < 0) {
		store_close(s);
		return r;
	}
	*ret = s;
	return 0;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	catalog_close(&store->catalog);
	if (store->runs_fd >= 0)
		(void)close(store->runs_fd);
	if (store->incoming_fd >= 0)
		(void)close(store->incoming_fd);
	free(store->path);
	free(store->catalog_path);
	free(store);
}
