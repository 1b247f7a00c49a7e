/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/axes.h"
#include "base/take.h"
#include "store/batch.h"
#include "store/files.h"

uint64_t segment_hash(struct text bytes)
{
	return XXH3_64bits(bytes.at, text_len(bytes));
}

int incoming_make(struct store *s, const struct ulid *run, uint32_t sequence, struct text bytes,
		  char name[INCOMING_NAME_SIZE], struct err *err)
{
	cleanup_fd int fd = -1;
	int r;

	(void)snprintf(name, INCOMING_NAME_SIZE, "%s.%06u.%ld-%016" PRIx64 "-%" PRIx64, run->text, sequence,
		       (long)getpid(), s->random, s->names_made++);
	fd = openat(s->incoming_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_set(err, -errno, "make %s/incoming/%s: %s", s->path, name, err_name(errno));
	r = files_write(fd, bytes, name, err);
	if (r < 0) {
		(void)unlinkat(s->incoming_fd, name, 0); /* the room it took is given back */
		return r;
	}
	return take_fd(&fd);
}

/* Is the sequence there? 1 with `ret` told, 0 not, or -errno. */
static int already(struct store *s, const struct ulid *run, uint32_t sequence, struct text sealed, uint64_t hash,
		   enum put_result *ret, struct err *err)
{
	cleanup_fd int folder = files_run_folder(s->runs_fd, run, err);
	struct catalog_segment known;
	char name[SEGMENT_NAME_SIZE];
	int r;

	if (folder == -ENOENT)
		return 0;
	if (folder < 0)
		return folder;
	files_segment_name(name, sequence);
	if (faccessat(folder, name, F_OK, 0) < 0)
		return errno == ENOENT ? 0
				       : err_set(err, -errno, "run %s: look for %s: %s", run->text, name,
						 err_name(errno));
	/* The catalog spares reading the file where it can say no; a yes is what the bytes say. */
	if (catalog_segment(&s->catalog, run, sequence, &known, err) == 1 &&
	    (known.bytes != text_len(sealed) || known.hash != hash)) {
		*ret = PUT_CONFLICT;
		return 1;
	}
	r = files_same(folder, name, sealed, err);
	if (r < 0)
		return err_prefix(err, "run %s: ", run->text);
	*ret = r ? PUT_SAME : PUT_CONFLICT;
	return 1;
}

static int put(struct store *s, const struct ulid *run, uint32_t sequence, struct text sealed,
	       struct store_batch *batch, enum put_result *ret, struct err *err)
{
	struct pending *p;
	uint64_t hash;
	int r;

	if (s->read_only)
		return err_set(err, -EROFS, "%s was opened to be read only", s->path);
	r = files_check_run(run, err);
	if (r < 0)
		return r;
	if (sequence == 0)
		return err_set(err, -EBADMSG, "run %s: segments are counted from 1", run->text);
	if (text_len(sealed) > s->segment_bytes)
		return err_set(err, -EMSGSIZE, "run %s, segment %u: %zu bytes, more than %zu", run->text, sequence,
			       text_len(sealed), s->segment_bytes);
	hash = segment_hash(sealed);
	p = batch_find(batch, run, sequence);
	if (p && p->fd >= 0) { /* twice in one batch */
		bool same = p->hash == hash && p->bytes == text_len(sealed);

		if (same && !(p = batch_add(batch, s, run, sequence, err)))
			return err->code;
		if (same)
			p->ret = ret;
		*ret = same ? PUT_SAME : PUT_CONFLICT;
		return 0;
	}
	r = store_follow_catalog(s, err);
	if (r == 0)
		r = already(s, run, sequence, sealed, hash, ret, err);
	if (r < 0)
		return r;
	if (r && *ret == PUT_CONFLICT)
		return 0;
	p = batch_add(batch, s, run, sequence, err);
	if (!p)
		return err->code;
	if (r)
		return 0; /* the same is there; that its folder is on the disk is still to be made sure */
	p->ret = ret;
	p->hash = hash;
	p->bytes = text_len(sealed);
	r = gather(&p->gathered, &s->limits, run, sequence, sealed, err);
	if (r == 0 && axes_check(&p->gathered.axes, err) < 0)
		r = err->code = -EBADMSG;
	if (r < 0)
		err_prefix(err, "run %s, segment %u: ", run->text, sequence);
	if (r == 0) {
		r = incoming_make(s, run, sequence, sealed, p->name, err);
		p->fd = r;
	}
	if (r < 0) {
		batch_drop_last(batch);
		return r;
	}
	*ret = PUT_CREATED;
	return 0;
}

int store_put_segment(struct store *store, const struct ulid *run, uint32_t sequence, struct text sealed,
		      struct store_batch *batch, enum put_result *ret, struct err *err)
{
	struct store_batch *own;
	int r;

	if (batch)
		return put(store, run, sequence, sealed, batch, ret, err);
	own = store_batch_new();
	if (!own)
		return err_set(err, -ENOMEM, "run %s: no memory", run->text);
	r = put(store, run, sequence, sealed, own, ret, err);
	if (r == 0)
		r = store_sync(store, own, err);
	store_batch_free(own);
	return r;
}
