/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/take.h"
#include "store/files.h"

/* The segments are durable by then: rather a catalog that is behind than an answer that is late. */
#define BATCH_PATIENCE_MS 1000

struct store_batch *store_batch_new(void)
{
	struct store_batch *b = calloc(1, sizeof(*b));

	if (b && !(b->at = calloc(STORE_BATCH_MAX, sizeof(*b->at)))) {
		free(b);
		b = NULL;
	}
	return b;
}

struct pending *batch_find(struct store_batch *b, const struct ulid *run, uint32_t sequence)
{
	for (size_t i = 0; i < b->count; i++)
		if (b->at[i].sequence == sequence && strcmp(b->at[i].run.text, run->text) == 0)
			return &b->at[i];
	return NULL;
}

struct pending *batch_add(struct store_batch *b, struct store *s, const struct ulid *run, uint32_t sequence,
			  struct err *err)
{
	struct pending *p = &b->at[b->count];

	if (b->store && b->store != s) {
		err_set(err, -EINVAL, "a batch of %s is used for %s", b->store->path, s->path);
		return NULL;
	}
	if (b->count == STORE_BATCH_MAX) {
		err_set(err, -ENOBUFS, "a batch holds %d puts; sync it first", STORE_BATCH_MAX);
		return NULL;
	}
	*p = (struct pending){ .run = *run, .sequence = sequence, .fd = -1, .folder = -1 };
	b->store = s;
	b->count++;
	return p;
}

static void pending_end(struct pending *p)
{
	if (p->fd >= 0)
		(void)close(p->fd);
	if (p->folder >= 0)
		(void)close(p->folder);
	p->fd = p->folder = -1;
	gathered_free(&p->gathered);
}

void batch_drop_last(struct store_batch *b)
{
	pending_end(&b->at[--b->count]);
}

/* Take the names in incoming/ away. `keep_linked`: those that the catalog must still learn of. */
static void batch_empty(struct store_batch *b, bool keep_linked)
{
	for (size_t i = 0; i < b->count; i++) {
		struct pending *p = &b->at[i];

		if (p->fd >= 0 && !(p->linked && keep_linked))
			(void)unlinkat(b->store->incoming_fd, p->name, 0);
		pending_end(p);
	}
	b->count = 0;
	b->store = NULL;
}

void store_batch_free(struct store_batch *batch)
{
	if (!batch)
		return;
	batch_empty(batch, false);
	free(batch->at);
	free(batch);
}

/* A file's own write error is told on its own descriptor, which syncfs() of older kernels does not promise. All writing
 * is begun first, so that the first fdatasync() commits for all of them. */
static int sync_files(struct store_batch *b, struct err *err)
{
	for (size_t i = 0; i < b->count; i++)
		if (b->at[i].fd >= 0)
			(void)sync_file_range(b->at[i].fd, 0, 0, SYNC_FILE_RANGE_WRITE);
	for (size_t i = 0; i < b->count; i++)
		if (b->at[i].fd >= 0 && fdatasync(b->at[i].fd) < 0)
			return err_set(err, -errno, "sync %s/incoming/%s: %s", b->store->path, b->at[i].name,
				       err_name(errno));
	return 0;
}

static struct pending *first_of_run(struct store_batch *b, const struct pending *p)
{
	struct pending *first = b->at;

	while (strcmp(first->run.text, p->run.text) != 0)
		first++;
	return first;
}

static int link_one(struct store_batch *b, struct pending *p, int folder, struct err *err)
{
	const struct store *s = b->store;
	char name[SEGMENT_NAME_SIZE];
	cleanup_buf struct buf mine = { .ceiling = s->segment_bytes };
	int r;

	files_segment_name(name, p->sequence);
	if (linkat(s->incoming_fd, p->name, folder, name, 0) == 0) {
		p->linked = true;
		return 0;
	}
	if (errno != EEXIST)
		return err_set(err, -errno, "link runs/%s/%s: %s", p->run.text, name, err_name(errno));
	/* another process was faster */
	r = files_read(s->incoming_fd, p->name, s->segment_bytes, &mine, err);
	if (r == 0)
		r = files_same(folder, name, buf_text(&mine), err);
	if (r < 0)
		return err_prefix(err, "run %s: ", p->run.text);
	for (struct pending *q = b->at; q < b->at + b->count; q++) /* also the repeats of it within the batch */
		if (q->ret && q->sequence == p->sequence && strcmp(q->run.text, p->run.text) == 0)
			*q->ret = r ? PUT_SAME : PUT_CONFLICT;
	return 0;
}

static int open_folder(struct store *s, struct pending *p, struct err *err)
{
	if (mkdirat(s->runs_fd, p->run.text, 0777) < 0 && errno != EEXIST)
		return err_set(err, -errno, "make %s/runs/%s: %s", s->path, p->run.text, err_name(errno));
	p->folder = files_run_folder(s->runs_fd, &p->run, err);
	return p->folder < 0 ? p->folder : 0;
}

static int link_files(struct store_batch *b, struct err *err)
{
	int r = 0;

	for (size_t i = 0; i < b->count && r == 0; i++) {
		struct pending *p = &b->at[i], *first = first_of_run(b, p);

		if (p == first)
			r = open_folder(b->store, p, err);
		if (r == 0 && p->fd >= 0)
			r = link_one(b, p, first->folder, err);
	}
	return r;
}

static int sync_folders(struct store_batch *b, struct err *err)
{
	for (size_t i = 0; i < b->count; i++) {
		const struct pending *p = &b->at[i];

		if (p->folder >= 0 && fsync(p->folder) < 0)
			return err_set(err, -errno, "sync %s/runs/%s: %s", b->store->path, p->run.text,
				       err_name(errno));
	}
	/* always: the folder may be one that another process made and has not synced */
	if (fsync(b->store->runs_fd) < 0)
		return err_set(err, -errno, "sync %s/runs: %s", b->store->path, err_name(errno));
	return 0;
}

static int tell_catalog(struct store_batch *b, struct err *err)
{
	struct store *s = b->store;
	int r = store_follow_catalog(s, err);

	if (r < 0)
		return r;
	catalog_patience(&s->catalog, BATCH_PATIENCE_MS);
	r = catalog_begin(&s->catalog, err);
	catalog_patience(&s->catalog, CATALOG_PATIENCE_MS);
	if (r < 0)
		return r;
	for (size_t i = 0; i < b->count && r == 0; i++) {
		struct pending *p = &b->at[i];
		struct catalog_segment segment = { p->sequence, p->bytes, p->hash, false };

		if (p->linked)
			r = catalog_learn(&s->catalog, &p->run, &segment, &p->gathered, err);
		if (r == 0 && p->linked)
			r = derived_drop(s, &p->run, first_of_run(b, p)->folder, err);
	}
	if (r == 0)
		return catalog_commit(&s->catalog, err);
	catalog_rollback(&s->catalog);
	return r;
}

int store_sync(struct store *store, struct store_batch *batch, struct err *err)
{
	struct err behind;
	int r;

	if (batch->count == 0)
		return 0;
	if (batch->store != store)
		return err_set(err, -EINVAL, "a batch of %s is synced for %s", batch->store->path, store->path);
	r = sync_files(batch, err);
	if (r == 0)
		r = link_files(batch, err);
	if (r == 0)
		r = sync_folders(batch, err);
	if (r < 0) {
		batch_empty(batch, true);
		return r;
	}
	/* The segments are durable; a catalog that cannot be written now (busy, full) is only behind, and the names
	 * that stay in incoming/ say of which runs. */
	batch_empty(batch, tell_catalog(batch, &behind) < 0);
	return 0;
}
