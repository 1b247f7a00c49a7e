/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proto/packer.h"

#include <errno.h>
#include <stdlib.h>

#include "proto/message.h"
#include "proto/shape.h"

#define WINDOW_WORDS   ((size_t)1 << 20)   /* 8 MiB of values: a Block of them is well within SEGMENT_FRAME_MAX */
#define PACKED_CEILING ((size_t)256 << 20) /* what readers take by default */

struct segment_packer {
	struct buf open;   /* the segment so far, as far as windows are closed */
	struct buf frames; /* the other frames of the window */
	struct window window;
	uint32_t next_id;
	size_t guess; /* where the last sample's shape was found */
	bool begun;
};

int segment_packer_open(struct segment_packer **ret, struct err *err)
{
	struct segment_packer *p = calloc(1, sizeof(*p));

	if (!p)
		return err_set(err, -ENOMEM, "no memory to pack a run");
	p->open.ceiling = PACKED_CEILING;
	p->frames.ceiling = PACKED_CEILING;
	p->next_id = 1;
	*ret = p;
	return 0;
}

void segment_packer_close(struct segment_packer *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->window.rows_count; i++) {
		row_close(&p->window.rows[i]->before);
		free(p->window.rows[i]->memory);
		free(p->window.rows[i]);
	}
	free(p->window.rows);
	free(p->window.memory);
	buf_free(&p->window.pause);
	buf_free(&p->open);
	buf_free(&p->frames);
	free(p);
}

/* ---- windows ---- */

static int close_window(struct segment_packer *p, struct err *err)
{
	int r = 0;

	if (p->window.count)
		r = window_put(&p->window, &p->next_id, &p->open, err);
	buf_clear(&p->window.pause);
	if (r == 0 && p->frames.len && buf_add_text(&p->open, buf_text(&p->frames)) < 0)
		r = err_set(err, p->open.failed, "the run does not fit in a packed segment of %zu bytes",
			    p->open.ceiling);
	buf_clear(&p->frames);
	return r;
}

/* Room for another sample's row, in words of window.memory. */
static int take_words(struct window *w, size_t words, size_t *ret, struct err *err)
{
	if (words > w->room - w->used) {
		size_t room = w->used + words + w->room / 2;
		uint64_t *more = realloc(w->memory, room * sizeof(*more));

		if (!more)
			return err_set(err, -ENOMEM, "no memory for %zu values to pack", room);
		w->memory = more;
		w->room = room;
	}
	*ret = w->used;
	w->used += words;
	return 0;
}

static int learn(struct segment_packer *p, const struct shape *shape, struct rows **ret, struct err *err)
{
	struct window *w = &p->window;
	struct rows *rows;
	int r = shape_check(shape, err);

	if (r < 0)
		return r;
	if (w->rows_count == w->rows_room) {
		size_t room = w->rows_room ? 2 * w->rows_room : 32;
		struct rows **more = realloc(w->rows, room * sizeof(*more));

		if (!more)
			return err_set(err, -ENOMEM, "no memory for %zu shapes", room);
		w->rows = more;
		w->rows_room = room;
	}
	rows = calloc(1, sizeof(*rows));
	if (!rows)
		return err_set(err, -ENOMEM, "no memory for a shape");
	r = shape_copy(shape, &rows->shape, &rows->memory, err);
	if (r == 0)
		r = row_open(&rows->before, shape_slots(shape), err);
	if (r < 0) {
		free(rows->memory);
		free(rows);
		return r;
	}
	*ret = w->rows[w->rows_count++] = rows;
	return 0;
}

/* A shape's address tells nothing from one event to the next; its content does. */
static struct rows *find(struct segment_packer *p, const struct shape *shape)
{
	struct window *w = &p->window;

	for (size_t i = 0; i < w->rows_count; i++) {
		size_t at = (p->guess + 1 + i) % w->rows_count;

		if (shape_same(&w->rows[at]->shape, shape)) {
			p->guess = at;
			return w->rows[at];
		}
	}
	return NULL;
}

static int add_sample(struct segment_packer *p, const struct sample *sample, struct err *err)
{
	struct window *w = &p->window;
	struct rows *rows = find(p, sample->shape);
	size_t slots = shape_slots(sample->shape), words = (slots + 63) / 64, at = 0;
	int r = 0;

	if (!rows)
		r = learn(p, sample->shape, &rows, err);
	if (r == 0 && rows->has >> w->count & 1)
		r = err_set(err, -EINVAL, "%s: two samples in a snapshot", sample->shape->collector);
	if (r == 0)
		r = take_words(w, slots + words, &at, err);
	if (r < 0)
		return r;
	memcpy(w->memory + at, sample->values, slots * sizeof(*w->memory));
	memcpy(w->memory + at + slots, sample->present, words * sizeof(*w->memory));
	rows->at[w->count] = at;
	rows->has |= UINT64_C(1) << w->count;
	rows->begin_ns[w->count] = sample->begin_ns;
	rows->cost_ns[w->count] = sample->cost_ns;
	return 0;
}

static size_t words_of(const struct snapshot *snapshot)
{
	size_t words = 0;

	for (size_t i = 0; i < snapshot->count; i++)
		words += shape_slots(snapshot->samples[i].shape) * 65 / 64 + 1;
	return words;
}

/* ---- the listener ---- */

static int begun(const struct segment_packer *p, struct err *err)
{
	return p->begun ? 0 : err_set(err, -EINVAL, "a run to pack that does not begin with a header");
}

static int on_snapshot(void *context, const struct snapshot *snapshot, struct err *err)
{
	struct segment_packer *p = context;
	struct window *w = &p->window;
	int r = begun(p, err);

	if (r == 0 && (w->count == SEGMENT_BLOCK_SNAPSHOTS ||
		       (w->count && w->used + words_of(snapshot) > WINDOW_WORDS)))
		r = close_window(p, err);
	if (r < 0)
		return r;
	w->tick[w->count] = snapshot->tick;
	w->monotonic[w->count] = snapshot->monotonic_ns;
	w->lateness[w->count] = snapshot->lateness_ns;
	for (size_t i = 0; i < snapshot->count && r == 0; i++)
		r = add_sample(p, &snapshot->samples[i], err);
	w->count += r == 0;
	return r;
}

/* Another frame is about to be put behind the snapshots so far. */
static int pause_here(struct segment_packer *p, struct err *err)
{
	struct window *w = &p->window;
	uint8_t bytes[WIRE_VARINT_MAX];
	uint8_t *end = wire_put_varint(bytes, w->count - w->paused);
	int r = begun(p, err);

	if (r < 0)
		return r;
	w->paused = w->count;
	if (buf_add(&w->pause, bytes, (size_t)(end - bytes)) < 0)
		return err_set(err, w->pause.failed, "no memory for a run's frames");
	return 0;
}

static int on_header(void *context, const struct run_header *header, struct err *err)
{
	struct segment_packer *p = context;
	int r;

	if (!p->begun) {
		p->begun = true;
		if (buf_add(&p->open, SEGMENT_MAGIC, SEGMENT_MAGIC_BYTES) < 0)
			return err_set(err, p->open.failed, "no memory for a packed run");
		return message_put_header(header, &p->open, err);
	}
	r = pause_here(p, err);
	return r ? r : message_put_header(header, &p->frames, err);
}

static int on_mark(void *context, const struct run_mark *mark, struct err *err)
{
	struct segment_packer *p = context;
	int r = pause_here(p, err);

	return r ? r : segment_put_mark(NULL, mark, &p->frames, err);
}

static int on_result(void *context, const struct run_result *result, struct err *err)
{
	struct segment_packer *p = context;
	int r = pause_here(p, err);

	return r ? r : segment_put_result(NULL, result, &p->frames, err);
}

static int on_output(void *context, const struct run_output *output, struct err *err)
{
	struct segment_packer *p = context;
	int r = pause_here(p, err);

	return r ? r : segment_put_output(NULL, output, &p->frames, err);
}

static int on_log(void *context, const struct run_log *log, struct err *err)
{
	struct segment_packer *p = context;
	int r = pause_here(p, err);

	return r ? r : segment_put_log(NULL, log, &p->frames, err);
}

static int on_facts(void *context, const struct pairs *axes, const struct pairs *facts, struct err *err)
{
	struct segment_packer *p = context;
	int r = pause_here(p, err);

	return r ? r : segment_put_facts(NULL, axes, facts, &p->frames, err);
}

static int on_end(void *context, const struct run_end *end, struct err *err)
{
	struct segment_packer *p = context;
	int r = pause_here(p, err);

	return r ? r : segment_put_end(NULL, end, &p->frames, err);
}

const struct run_events segment_packer_events = {
	.header = on_header,
	.snapshot = on_snapshot,
	.mark = on_mark,
	.result = on_result,
	.output = on_output,
	.log = on_log,
	.facts = on_facts,
	.end = on_end,
};

int segment_packer_finish(struct segment_packer *p, int level, struct buf *out, struct err *err)
{
	int r = begun(p, err);

	if (r == 0)
		r = close_window(p, err);
	return r ? r : segment_seal(buf_text(&p->open), level, out, err);
}
