/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/keep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int keep_open(struct keep *keep, enum output_stream stream, size_t limit,
	      void (*put)(void *context, const struct run_output *output), void *context, struct err *err)
{
	*keep = (struct keep){
		.stream = stream,
		.head_limit = limit - limit / 2,
		.tail_limit = limit / 2,
		.put = put,
		.context = context,
		.pending = malloc(KEEP_PENDING),
	};
	if (!keep->pending)
		return err_set(err, -ENOMEM, "no memory to keep the command's output");
	return 0;
}

static void tell(struct keep *keep, uint64_t offset, const char *data, size_t length)
{
	const struct run_output output = { keep->stream, offset, data, length };

	if (length)
		keep->put(keep->context, &output);
}

void keep_flush(struct keep *keep)
{
	tell(keep, keep->head_put, keep->pending, keep->pending_length);
	keep->head_put += keep->pending_length;
	keep->pending_length = 0;
}

static size_t add_to_head(struct keep *keep, const char *data, size_t length)
{
	size_t taken = 0;

	while (taken < length) {
		size_t room = KEEP_PENDING - keep->pending_length;
		size_t left = keep->head_limit - (size_t)keep->head_put - keep->pending_length;
		size_t n = length - taken;

		n = n < room ? n : room;
		n = n < left ? n : left;
		if (n == 0)
			break; /* the head is full */
		memcpy(keep->pending + keep->pending_length, data + taken, n);
		keep->pending_length += n;
		taken += n;
		if (keep->pending_length == KEEP_PENDING)
			keep_flush(keep);
	}
	return taken;
}

static void add_to_tail(struct keep *keep, const char *data, size_t length)
{
	if (!keep->ring && keep->tail_limit)
		keep->ring = malloc(keep->tail_limit);
	if (!keep->ring)
		keep->tail_limit = 0; /* no memory: all of the tail counts as dropped */
	if (length > keep->tail_limit) {
		keep->tail_total += length - keep->tail_limit;
		data += length - keep->tail_limit;
		length = keep->tail_limit;
	}
	while (length) {
		size_t at = (size_t)(keep->tail_total % keep->tail_limit);
		size_t n = keep->tail_limit - at;

		n = n < length ? n : length;
		memcpy(keep->ring + at, data, n);
		keep->tail_total += n;
		data += n;
		length -= n;
	}
}

void keep_add(struct keep *keep, const char *data, size_t length)
{
	size_t taken = add_to_head(keep, data, length);

	keep->total += length;
	if (taken < length)
		add_to_tail(keep, data + taken, length - taken);
}

void keep_add_terminal(struct keep *keep, const char *data, size_t length)
{
	const char *end = data + length;

	while (data < end) {
		const char *back = memchr(data, '\r', (size_t)(end - data));
		const char *stop = back ? back : end;

		if (keep->return_waits && *data != '\n')
			keep_add(keep, "\r", 1);
		keep->return_waits = back != NULL;
		keep_add(keep, data, (size_t)(stop - data));
		data = back ? back + 1 : end;
	}
}

static size_t tail_length(const struct keep *keep)
{
	return keep->tail_total < keep->tail_limit ? (size_t)keep->tail_total : keep->tail_limit;
}

void keep_finish(struct keep *keep)
{
	size_t length;
	uint64_t offset;

	if (keep->return_waits)
		keep_add(keep, "\r", 1);
	keep->return_waits = false;
	keep_flush(keep);
	length = tail_length(keep);
	offset = keep->total - length;
	while (length) {
		size_t at = (size_t)((keep->tail_total - length) % keep->tail_limit);
		size_t n = keep->tail_limit - at;

		n = n < length ? n : length;
		n = n < KEEP_PENDING ? n : KEEP_PENDING;
		tell(keep, offset, keep->ring + at, n);
		offset += n;
		length -= n;
	}
}

uint64_t keep_dropped(const struct keep *keep)
{
	return keep->tail_total - tail_length(keep);
}

void keep_close(struct keep *keep)
{
	free(keep->pending);
	free(keep->ring);
	keep->pending = keep->ring = NULL;
}
