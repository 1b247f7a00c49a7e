/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "base/take.h"
#include "store/files.h"
#include "store/inside.h"

/* Stands between the reader of a segment and the listener: it tells a segment that is none (the next one is read) from
 * a listener that does not want to go on, and holds the header against the file's name. */
struct listening {
	const struct run_events *events;
	void *context;
	const struct ulid *run;
	uint32_t sequence;
	bool stopped;     /* the listener failed */
	uint64_t last_ns; /* of the last snapshot, mark or log: the time of our own log event */
};

static int passed(struct listening *l, int r)
{
	if (r < 0)
		l->stopped = true;
	return r;
}

static int on_header(void *context, const struct run_header *header, struct err *err)
{
	struct listening *l = context;

	if (strcmp(header->run.text, l->run->text) != 0 || header->sequence != l->sequence)
		return err_set(err, -EBADMSG, "its header says run %s, segment %u", header->run.text,
			       header->sequence);
	l->last_ns = header->monotonic_ns;
	return l->events->header ? passed(l, l->events->header(l->context, header, err)) : 0;
}

static int on_snapshot(void *context, const struct snapshot *snapshot, struct err *err)
{
	struct listening *l = context;

	l->last_ns = snapshot->monotonic_ns;
	return passed(l, l->events->snapshot(l->context, snapshot, err));
}

static int on_mark(void *context, const struct run_mark *mark, struct err *err)
{
	struct listening *l = context;

	return passed(l, l->events->mark(l->context, mark, err));
}

static int on_result(void *context, const struct run_result *result, struct err *err)
{
	struct listening *l = context;

	return passed(l, l->events->result(l->context, result, err));
}

static int on_output(void *context, const struct run_output *output, struct err *err)
{
	struct listening *l = context;

	return passed(l, l->events->output(l->context, output, err));
}

static int on_log(void *context, const struct run_log *log, struct err *err)
{
	struct listening *l = context;

	return passed(l, l->events->log(l->context, log, err));
}

static int on_facts(void *context, const struct pairs *axes, const struct pairs *facts, struct err *err)
{
	struct listening *l = context;

	return passed(l, l->events->facts(l->context, axes, facts, err));
}

static int on_end(void *context, const struct run_end *end, struct err *err)
{
	struct listening *l = context;

	return passed(l, l->events->end(l->context, end, err));
}

/* What the listener has no use for is not asked of the reader either, which may then skip it. */
static struct run_events between(const struct run_events *events)
{
	return (struct run_events){
		.header = on_header,
		.snapshot = events->snapshot ? on_snapshot : NULL,
		.mark = events->mark ? on_mark : NULL,
		.result = events->result ? on_result : NULL,
		.output = events->output ? on_output : NULL,
		.log = events->log ? on_log : NULL,
		.facts = events->facts ? on_facts : NULL,
		.end = events->end ? on_end : NULL,
	};
}

static int tell_unreadable(struct listening *l, struct err *why, struct err *err)
{
	struct run_log log = { .monotonic_ns = l->last_ns, .source = "store", .text = why->text };

	err_prefix(why, "segment %u cannot be read: ", l->sequence);
	return l->events->log ? l->events->log(l->context, &log, err) : 0;
}

static int read_one(struct store *s, int folder, struct listening *l, struct buf *bytes, struct err *err)
{
	const struct run_events events = between(l->events);
	char name[SEGMENT_NAME_SIZE];
	struct err why = { 0 };
	int r;

	files_segment_name(name, l->sequence);
	buf_clear(bytes);
	r = files_read(folder, name, s->segment_bytes, bytes, &why);
	if (r == 0)
		r = segment_read(buf_text(bytes), &s->limits, false, &events, l, NULL, &why);
	if (r == 0)
		return 0;
	if (l->stopped || r == -ENOMEM) { /* no fault of the segment */
		*err = why;
		return r;
	}
	return tell_unreadable(l, &why, err);
}

int store_read(struct store *store, const struct ulid *run, const struct run_events *events, void *context,
	       struct err *err)
{
	struct listening l = { .events = events, .context = context, .run = run };
	cleanup_buf struct buf bytes = { .ceiling = store->segment_bytes };
	cleanup_free uint32_t *sequences = NULL;
	cleanup_fd int folder = -1;
	size_t count = 0;
	int r = files_check_run(run, err);

	if (r < 0)
		return r;
	folder = files_run_folder(store->runs_fd, run, err);
	if (folder < 0)
		return folder;
	r = files_sequences(folder, run->text, &sequences, &count, err);
	if (r < 0)
		return r;
	if (count == 0)
		return err_set(err, -ENOENT, "run %s has no segment", run->text);
	store->read.run = *run;
	store->read.segments = count;
	for (size_t i = 0; i < count && r == 0; i++) {
		l.sequence = sequences[i];
		r = read_one(store, folder, &l, &bytes, err);
	}
	return r;
}

int store_get_segment(struct store *store, const struct ulid *run, uint32_t sequence, struct buf *ret, struct err *err)
{
	char name[SEGMENT_NAME_SIZE];
	cleanup_fd int folder = -1;
	int r = files_check_run(run, err);

	if (r < 0)
		return r;
	folder = files_run_folder(store->runs_fd, run, err);
	if (folder < 0)
		return folder;
	files_segment_name(name, sequence);
	if (!ret->ceiling)
		ret->ceiling = store->segment_bytes;
	r = files_read(folder, name, store->segment_bytes, ret, err);
	if (r == -ENOENT)
		return err_set(err, r, "run %s has no segment %u", run->text, sequence);
	return r < 0 ? err_prefix(err, "run %s: ", run->text) : 0;
}

int store_sequences(struct store *store, const struct ulid *run, uint32_t **ret, size_t *count, struct err *err)
{
	cleanup_fd int folder = -1;
	int r = files_check_run(run, err);

	if (r < 0)
		return r;
	folder = files_run_folder(store->runs_fd, run, err);
	return folder < 0 ? folder : files_sequences(folder, run->text, ret, count, err);
}
