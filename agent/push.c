/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What dead agents, and agents that could not wait, left in the spool. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/courier.h"
#include "base/take.h"
#include "host/clock.h"
#include "proto/segment.h"

/* Of the last header that was seen: what an End frame's segment needs. */
struct heading {
	struct run_header header;
	char host[256], boot_id[64], agent_version[64];
};

struct push {
	const struct push_plan *plan;
	struct push_report *report;
	struct destination destination;
	char *url; /* of the shipper, which is kept from run to run */
	uint64_t progress_ns;
};

static void note(struct push *p, size_t left, const struct err *err)
{
	p->report->left += left;
	p->report->last = *err;
}

/* ---- what a dead agent left open ---- */

static int on_header(void *context, const struct run_header *header, struct err *err)
{
	struct heading *h = context;

	h->header = *header;
	(void)snprintf(h->host, sizeof(h->host), "%s", header->host);
	(void)snprintf(h->boot_id, sizeof(h->boot_id), "%s", header->boot_id);
	(void)snprintf(h->agent_version, sizeof(h->agent_version), "%s", header->agent_version);
	h->header.host = h->host;
	h->header.boot_id = h->boot_id;
	h->header.agent_version = h->agent_version;
	return 0;
}

static const struct run_events header_only = { .header = on_header };

/* Frames that say: the agent never saw the end. Without `alone` they continue a segment that has a header. */
static int put_end(const struct heading *heading, uint32_t sequence, bool alone, struct buf *out, struct err *err)
{
	const struct run_end unknown = { .exited = false };
	struct segment_writer *writer;
	cleanup_buf struct buf begin = { 0 };
	struct run_header header = heading->header;
	int r;

	header.sequence = sequence;
	r = segment_writer_open(&writer, &header, &begin, err);
	if (r < 0)
		return r;
	r = segment_put_end(writer, &unknown, alone ? &begin : out, err);
	segment_writer_close(writer);
	if (r == 0 && alone && buf_add_text(out, buf_text(&begin)) < 0)
		r = err_set(err, out->failed, "no memory for a segment");
	return r;
}

/* One that is open still: cut at its last whole frame, ended when it is the last, sealed. `heading` in and out. */
static int recover(struct push *p, struct spool *spool, uint32_t sequence, bool last, struct heading *heading,
		   struct err *err)
{
	cleanup_buf struct buf bytes = { .ceiling = SIZE_MAX / 2 };
	struct segment_report report = { 0 };
	struct err torn;
	size_t whole = 0;
	int r = spool_read_open(spool, sequence, &bytes, err);

	if (r < 0)
		return r;
	if (segment_whole(buf_text(&bytes), &whole, &torn) < 0)
		whole = 0; /* killed before its header was written */
	p->report->lost_bytes += bytes.len - whole;
	bytes.len = whole;
	if (whole)
		r = segment_read(buf_text(&bytes), NULL, true, &header_only, heading, &report, err);
	if (r == 0 && last && !report.has_end)
		r = put_end(heading, sequence, whole == 0, &bytes, err);
	if (r < 0)
		return r;
	if (bytes.len == 0) {
		spool_drop(spool, sequence); /* nothing was in it */
		return 0;
	}
	p->report->recovered++;
	return spool_seal_bytes(spool, sequence, buf_text(&bytes), err);
}

/* Its header into `heading`. When it is the last and holds no End, one is put into a segment behind it: 1. */
static int learn(struct spool *spool, uint32_t sequence, struct heading *heading, bool last, struct err *err)
{
	cleanup_buf struct buf sealed = { .ceiling = SIZE_MAX / 2 }, end = { 0 };
	struct segment_report report = { 0 };
	int r = spool_read(spool, sequence, &sealed, err);

	if (r == 0)
		r = segment_read(buf_text(&sealed), NULL, false, &header_only, heading, &report, err);
	if (r < 0 || !last || report.has_end)
		return r;
	r = put_end(heading, sequence + 1, true, &end, err);
	if (r == 0)
		r = spool_seal_bytes(spool, sequence + 1, buf_text(&end), err);
	return r < 0 ? r : 1;
}

/* ---- delivery ---- */

static bool is_later(int r)
{
	return r < 0 && r != -EEXIST && r != -EBADMSG && r != -EMSGSIZE && r != -ENOENT;
}

/* 0: it is away; else why not. */
static int deliver(struct push *p, struct spool *spool, uint32_t sequence, struct err *err)
{
	struct pause pause = { 0 };
	uint64_t retry_ns, wait;
	int r;

	for (;;) {
		r = destination_take(&p->destination, spool, sequence, &p->report->bytes, &retry_ns, err);
		if (!is_later(r))
			break;
		wait = pause_next(&pause, retry_ns, pause_random());
		if (clock_monotonic() + wait > p->progress_ns + p->plan->patience_ns)
			return r;
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0,
				      &(struct timespec){ (time_t)(wait / 1000000000), (long)(wait % 1000000000) }, NULL);
	}
	if (r == 0) {
		p->report->segments++;
		p->progress_ns = clock_monotonic();
		if (p->plan->progress)
			p->plan->progress(p->plan->progress_context, p->report);
	}
	return r == -ENOENT ? 0 : r;
}

/* Where this run goes. */
static int choose(struct push *p, struct spool *spool, struct err *err)
{
	cleanup_buf struct buf own = { .ceiling = 65536 };
	const char *url = p->plan->url;
	int r = url ? 0 : spool_to(spool, &own, err);

	if (r < 0)
		return r;
	if (!url)
		url = own.data ? own.data : "";
	p->destination.deliver = p->plan->deliver;
	p->destination.context = p->plan->deliver_context;
	if (text_is(text_of(url), "local") || text_starts(text_of(url), "local:")) {
		const char *folder = url[strlen("local")] ? url + strlen("local:") : "";

		shipper_close(p->destination.shipper);
		p->destination.shipper = NULL;
		if (!p->plan->deliver)
			return err_set(err, -EINVAL, "run %s belongs to the local store, and there is none",
				       spool->run.text);
		return p->plan->turn_to ? p->plan->turn_to(p->plan->deliver_context, folder, err) : 0;
	}
	if (p->destination.shipper && strcmp(p->url, url) == 0)
		return 0;
	shipper_close(p->destination.shipper);
	p->destination.shipper = NULL;
	free(p->url);
	p->url = text_copy(text_of(url));
	if (!p->url)
		return err_set(err, -ENOMEM, "%s: no memory", url);
	return shipper_open(&p->destination.shipper, url, err);
}

/* Ready to be delivered. 1: a segment that holds the End was added behind it. */
static int prepare(struct push *p, struct spool *spool, const struct spool_segment *segment, size_t behind,
		   struct heading *heading, struct err *err)
{
	struct err ignored;
	int r;

	if (!segment->sealed && !segment->refused)
		return recover(p, spool, segment->sequence, behind == 0, heading, err);
	if (behind > 1)
		return 0;
	/* The last one; or the one before, whose header the last may need. */
	r = learn(spool, segment->sequence, heading, behind == 0, &ignored);
	return r < 0 ? 0 : r; /* what cannot be read is for the other side to refuse */
}

static void push_segments(struct push *p, struct spool *spool, const struct spool_segment *at, size_t count)
{
	struct heading heading = { .header = { .run = spool->run, .host = "", .boot_id = "", .agent_version = "" } };

	for (size_t i = 0; i < count; i++) {
		struct err err;
		int added = prepare(p, spool, &at[i], count - i - 1, &heading, &err);
		int r = added < 0 ? added : deliver(p, spool, at[i].sequence, &err);

		if (r == 0 && added == 1)
			r = deliver(p, spool, at[i].sequence + 1, &err);
		if (r < 0 && added >= 0 && is_later(r)) {
			note(p, count - i, &err); /* those behind it would fare no better */
			return;
		}
		if (r < 0)
			note(p, 1, &err);
	}
}

static void push_run(struct push *p, int parent, const struct ulid *run)
{
	struct spool_segment *segments = NULL;
	struct spool spool;
	struct err err;
	size_t count = 0;
	int r = spool_adopt(&spool, parent, run, &err);

	if (r == -EBUSY)
		p->report->busy++;
	if (r < 0) {
		if (r != -EBUSY && r != -ENOENT)
			note(p, 0, &err);
		return;
	}
	r = spool_list(&spool, &segments, &count, &err);
	if (r == 0 && count)
		r = choose(p, &spool, &err);
	if (r == 0)
		push_segments(p, &spool, segments, count);
	else
		note(p, count, &err);
	free(segments);
	spool_close(&spool);
}

/* ---- all runs ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct ulid *)a)->text, ((const struct ulid *)b)->text);
}

static int list_runs(int parent, struct ulid **ret, size_t *count, struct err *err)
{
	int again = spool_open_folder(parent, ".");
	DIR *stream = again < 0 ? NULL : fdopendir(again);
	size_t room = 0;
	int r = 0;

	if (!stream) {
		take_close_fd(&again);
		return err_set(err, -errno, "list the spool: %s", err_name(errno));
	}
	for (struct dirent *e; r == 0 && (e = readdir(stream));) {
		if (!ulid_is(text_of(e->d_name)))
			continue;
		if (*count == room) {
			struct ulid *more = realloc(*ret, (room = room ? 2 * room : 64) * sizeof(**ret));

			if (!more) {
				r = err_set(err, -ENOMEM, "list the spool: no memory");
				break;
			}
			*ret = more;
		}
		memcpy((*ret)[(*count)++].text, e->d_name, ULID_LENGTH + 1);
	}
	(void)closedir(stream);
	if (*count)
		qsort(*ret, *count, sizeof(**ret), by_name);
	return r;
}

int agent_push(const struct push_plan *plan, struct push_report *ret, struct err *err)
{
	cleanup_free struct ulid *runs = NULL;
	struct push push = { .plan = plan, .report = ret, .progress_ns = clock_monotonic() };
	cleanup_fd int parent = spool_open_folder(AT_FDCWD, plan->spool);
	size_t count = 0;
	int r;

	*ret = (struct push_report){ 0 };
	if (parent == -ENOENT)
		return 0; /* nothing was ever spooled */
	if (parent < 0)
		return err_set(err, parent, "spool %s: %s", plan->spool, err_name(parent));
	r = list_runs(parent, &runs, &count, err);
	for (size_t i = 0; r == 0 && i < count; i++)
		push_run(&push, parent, &runs[i]);
	shipper_close(push.destination.shipper);
	free(push.url);
	return r;
}
