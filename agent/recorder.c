/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/take.h"
#include "host/clock.h"

#define SECOND       UINT64_C(1000000000)
#define SEGMENT_BYTES ((size_t)8 << 20) /* an open segment that is larger is turned at once */
#define RETRY_NS     SECOND             /* a full disk is looked at so often */

/* ---- the open segment; the lock is held ---- */

static void complain(struct recorder *r, const char *text)
{
	if (!r->complained && r->notice)
		r->notice(r->notice_context, text);
	r->complained = true;
}

/* A segment begins in `fd`, which is empty; r->fd is the caller's again. */
static int begin(struct recorder *r, int fd, uint32_t sequence, struct err *err)
{
	struct run_header header = r->header;
	int code;

	header.sequence = sequence;
	header.realtime_ns = clock_realtime();
	header.monotonic_ns = clock_monotonic();
	buf_clear(&r->out);
	if (r->writer)
		code = segment_writer_next(r->writer, &header, &r->out, err);
	else
		code = segment_writer_open(&r->writer, &header, &r->out, err);
	if (code == 0)
		code = spool_append(r->spool, fd, buf_text(&r->out), err);
	if (code < 0)
		return code;
	r->header = header;
	r->fd = fd;
	r->begun_ns = header.monotonic_ns;
	r->written = r->out.len;
	r->content = r->broken = false;
	r->not_before_ns = r->begun_ns + RETRY_NS; /* also where each new one is broken at once, by the ceiling */
	return 0;
}

/* What stands in r->out goes to the file, whole or not at all. */
static bool store(struct recorder *r, bool may_be_dropped, int code, struct err *err)
{
	size_t length = r->out.len;

	if (code == 0 && r->written == 0)
		code = err_set(err, -ENOSPC, "the open segment could not be begun");
	if (code == 0 && may_be_dropped && atomic_load(&r->spool->bytes) + length > r->spool->ceiling)
		code = err_set(err, -ENOSPC, "the spool is full (%zu bytes)", r->spool->ceiling);
	if (code == 0)
		code = spool_append(r->spool, r->fd, buf_text(&r->out), err);
	if (code < 0) {
		r->bytes_dropped += length;
		complain(r, err->text);
		return false;
	}
	r->written += length;
	/* The recorder's thread does not wake for a segment without content: its time begins to count with some. */
	if (!r->content || r->written > SEGMENT_BYTES)
		(void)pthread_cond_signal(&r->wake);
	r->content = true;
	return true;
}

static void tell_drops(struct recorder *r)
{
	char count[32], text[96];
	struct run_mark mark = { clock_monotonic(), MARK_DROPPED, count };
	struct run_log line = { mark.monotonic_ns, "agent", text };
	struct err err;

	(void)snprintf(count, sizeof(count), "%" PRIu64, r->untold_snapshots);
	(void)snprintf(text, sizeof(text), "%" PRIu64 " snapshots found no place in the spool", r->untold_snapshots);
	buf_clear(&r->out);
	if (segment_put_mark(r->writer, &mark, &r->out, &err) == 0 &&
	    segment_put_log(r->writer, &line, &r->out, &err) == 0 && store(r, false, 0, &err)) {
		r->untold_snapshots = 0;
		r->complained = false;
	}
}

/* ---- recording ---- */

void recorder_snapshot(struct recorder *r, const struct snapshot *snapshot)
{
	struct err err;
	int code;

	(void)pthread_mutex_lock(&r->mutex);
	buf_clear(&r->out);
	code = segment_put_snapshot(r->writer, snapshot, &r->out, &err);
	if (code == 0 && r->broken) {
		r->bytes_dropped += r->out.len;
		r->untold_snapshots++;
	} else if (!store(r, true, code, &err)) {
		r->broken = true;
		r->untold_snapshots++;
		(void)pthread_cond_signal(&r->wake);
	} else if (r->untold_snapshots) {
		tell_drops(r);
	}
	(void)pthread_mutex_unlock(&r->mutex);
}

/* Frames that stand alone are put between these two. */
static void put_begin(struct recorder *r)
{
	(void)pthread_mutex_lock(&r->mutex);
	buf_clear(&r->out);
}

static bool put_end(struct recorder *r, bool may_be_dropped, int code, struct err *err)
{
	bool stored = store(r, may_be_dropped, code, err);

	(void)pthread_mutex_unlock(&r->mutex);
	return stored;
}

static bool put_mark(struct recorder *r, const struct run_mark *mark)
{
	struct err err;

	put_begin(r);
	return put_end(r, false, segment_put_mark(r->writer, mark, &r->out, &err), &err);
}

void recorder_mark(struct recorder *r, const char *name, const char *value)
{
	(void)put_mark(r, &(struct run_mark){ clock_monotonic(), name, value });
}

bool recorder_mark_at(struct recorder *r, uint64_t monotonic_ns, const char *name)
{
	return put_mark(r, &(struct run_mark){ monotonic_ns, name, "" });
}

void recorder_result(struct recorder *r, const struct run_result *result)
{
	struct err err;

	put_begin(r);
	(void)put_end(r, false, segment_put_result(r->writer, result, &r->out, &err), &err);
}

void recorder_output(struct recorder *r, const struct run_output *output)
{
	struct err err;

	put_begin(r);
	(void)put_end(r, true, segment_put_output(r->writer, output, &r->out, &err), &err);
}

void recorder_log(struct recorder *r, const char *source, const char *text)
{
	const struct run_log line = { clock_monotonic(), source, text };
	struct err err;

	put_begin(r);
	(void)put_end(r, false, segment_put_log(r->writer, &line, &r->out, &err), &err);
}

void recorder_facts(struct recorder *r, const struct pairs *axes, const struct pairs *facts)
{
	struct err err;

	put_begin(r);
	(void)put_end(r, false, segment_put_facts(r->writer, axes, facts, &r->out, &err), &err);
}

uint64_t recorder_dropped(struct recorder *r)
{
	uint64_t bytes;

	(void)pthread_mutex_lock(&r->mutex);
	bytes = r->bytes_dropped;
	(void)pthread_mutex_unlock(&r->mutex);
	return bytes;
}

/* ---- turning and sealing, by the recorder's thread; the lock is held on entry and exit ---- */

/* A fresh file is made while others may record; the turn itself is a header and a few numbers. */
static void turn(struct recorder *r)
{
	uint32_t sequence = r->header.sequence + 1;
	struct err err;
	int fd, old = r->fd;

	(void)pthread_mutex_unlock(&r->mutex);
	fd = spool_create(r->spool, sequence, &err);
	(void)pthread_mutex_lock(&r->mutex);
	if (fd >= 0 && begin(r, fd, sequence, &err) == 0) {
		(void)close(old);
		return;
	}
	complain(r, err.text);
	r->not_before_ns = clock_monotonic() + RETRY_NS;
	if (fd < 0)
		return; /* nothing has changed: the old one goes on */
	r->broken = true; /* the writer had begun anew */
	(void)close(fd);
	spool_drop(r->spool, sequence);
}

/* A broken segment that holds nothing is begun again in its place: no number is used up while the disk is full. */
static void begin_again(struct recorder *r)
{
	struct err err;

	r->not_before_ns = clock_monotonic() + RETRY_NS;
	if (ftruncate(r->fd, 0) < 0)
		return;
	(void)atomic_fetch_sub(&r->spool->bytes, r->written);
	r->written = 0; /* until begin() succeeds nothing may be put behind a header that is not there */
	(void)begin(r, r->fd, r->header.sequence, &err);
}

static uint64_t turn_time(const struct recorder *r)
{
	uint64_t time = UINT64_MAX;

	if (r->broken || r->written > SEGMENT_BYTES)
		time = 0;
	else if (r->content)
		time = r->begun_ns + r->seal_ns;
	return time > r->not_before_ns ? time : r->not_before_ns;
}

static void seal_next(struct recorder *r)
{
	uint32_t sequence = r->sealed + 1;
	struct err err;
	int code;

	(void)pthread_mutex_unlock(&r->mutex);
	/* One that could not be sealed stays open, whole: it is delivered from there. */
	code = spool_seal(r->spool, sequence, &err);
	if (r->ready)
		r->ready(r->ready_context, sequence);
	(void)pthread_mutex_lock(&r->mutex);
	if (code < 0)
		complain(r, err.text);
	r->sealed = sequence;
}

static void wait_for_turn(struct recorder *r, uint64_t until_ns)
{
	const struct timespec at = { (time_t)(until_ns / SECOND), (long)(until_ns % SECOND) };

	if (until_ns == UINT64_MAX)
		(void)pthread_cond_wait(&r->wake, &r->mutex);
	else
		(void)pthread_cond_timedwait(&r->wake, &r->mutex, &at);
}

static void *work(void *context)
{
	struct recorder *r = context;

	(void)pthread_mutex_lock(&r->mutex);
	for (;;) {
		uint64_t time = turn_time(r);

		if (r->sealed + 1 < r->header.sequence)
			seal_next(r);
		else if (r->closing)
			break;
		else if (clock_monotonic() < time)
			wait_for_turn(r, time);
		else if (r->broken && !r->content)
			begin_again(r);
		else
			turn(r);
	}
	(void)pthread_mutex_unlock(&r->mutex);
	return NULL;
}

static void release(struct recorder *r)
{
	take_close_fd(&r->fd);
	r->fd = -1;
	segment_writer_close(r->writer);
	r->writer = NULL;
	buf_free(&r->out);
	(void)pthread_cond_destroy(&r->wake);
	(void)pthread_mutex_destroy(&r->mutex);
}

int recorder_start(struct recorder *r, struct err *err)
{
	pthread_condattr_t attributes;
	int fd, code;

	r->fd = -1;
	(void)pthread_mutex_init(&r->mutex, NULL);
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&r->wake, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	fd = code = spool_create(r->spool, 1, err);
	if (fd >= 0)
		code = begin(r, fd, 1, err);
	if (code == 0) {
		code = -pthread_create(&r->thread, NULL, work, r);
		if (code == 0)
			return 0;
		(void)err_set(err, code, "no thread to seal segments: %s", err_name(code));
	}
	r->fd = fd;
	release(r);
	spool_drop(r->spool, 1);
	return code;
}

uint32_t recorder_finish(struct recorder *r, const struct run_end *end)
{
	struct err err;
	uint32_t last;

	(void)pthread_mutex_lock(&r->mutex);
	if (r->written == 0)
		begin_again(r);
	if (r->untold_snapshots)
		tell_drops(r);
	buf_clear(&r->out);
	(void)store(r, false, segment_put_end(r->writer, end, &r->out, &err), &err);
	last = r->header.sequence;
	r->closing = true;
	(void)pthread_cond_signal(&r->wake);
	(void)pthread_mutex_unlock(&r->mutex);
	(void)pthread_join(r->thread, NULL);
	if (r->written == 0)
		spool_drop(r->spool, last--); /* not even its header found place */
	else if (r->ready)
		r->ready(r->ready_context, last);
	release(r);
	return last;
}
