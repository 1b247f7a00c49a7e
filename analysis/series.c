/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/number.h"
#include "analysis/reduce.h"
#include "base/names.h"

/* Which line each slot of a collector's shape belongs to. */
struct series_binding {
	char *collector;
	const struct shape *shape; /* only compared; NULL: lay out anew */
	uint32_t generation;
	int *line_of; /* [slot]; -1: not asked for */
	size_t slots;
};

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "series: no memory");
}

int series_open(struct series *s, const char *const *globs, size_t glob_count, struct err *err)
{
	*s = (struct series){ .globs = globs, .glob_count = glob_count };
	s->index = calloc(1, sizeof(*s->index));
	return s->index ? 0 : no_memory(err);
}

void series_close(struct series *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->lines[i].key);
		free(s->lines[i].at);
	}
	for (size_t i = 0; i < s->binding_count; i++) {
		free(s->bindings[i].collector);
		free(s->bindings[i].line_of);
	}
	if (s->index)
		names_free(s->index);
	free(s->index);
	free(s->lines);
	free(s->bindings);
	*s = (struct series){ 0 };
}

static bool is_asked_for(const struct series *s, struct text key)
{
	for (size_t i = 0; i < s->glob_count; i++)
		if (text_glob(key, s->globs[i]))
			return true;
	return s->glob_count == 0;
}

/* The line of a key; -ENOMEM. */
static int line_of(struct series *s, struct text key, const struct metric *m)
{
	int row = names_find(s->index, key, -1);

	if (row >= 0)
		return row;
	if (s->count == s->room) {
		size_t room = s->room ? 2 * s->room : 16;
		struct series_line *lines = realloc(s->lines, room * sizeof(*lines));

		if (!lines)
			return -ENOMEM;
		s->lines = lines;
		s->room = room;
	}
	s->lines[s->count] = (struct series_line){ .key = text_copy(key), .kind = m->kind, .unit = m->unit };
	if (!s->lines[s->count].key)
		return -ENOMEM;
	s->count++;
	return names_add(s->index, key);
}

static int bind_slots(struct series *s, struct series_binding *b, const struct shape *shape)
{
	size_t slots = shape_slots(shape);
	int *lines = realloc(b->line_of, (slots ? slots : 1) * sizeof(*lines));
	cleanup_buf struct buf key = { 0 };

	if (!lines)
		return -ENOMEM;
	b->line_of = lines;
	b->shape = NULL;
	for (size_t slot = 0; slot < slots; slot++) {
		const struct metric *m = &shape->metrics[slot / shape->instance_count];

		buf_clear(&key);
		if (key_of(shape->collector, shape->instances[slot % shape->instance_count], m->name, &key) < 0)
			return -ENOMEM;
		lines[slot] = is_asked_for(s, buf_text(&key)) ? line_of(s, buf_text(&key), m) : -1;
		if (lines[slot] < -1)
			return -ENOMEM;
	}
	b->shape = shape;
	b->generation = shape->generation;
	b->slots = slots;
	return 0;
}

static struct series_binding *binding_of(struct series *s, const char *collector)
{
	struct series_binding *grown;

	for (size_t i = 0; i < s->binding_count; i++)
		if (strcmp(s->bindings[i].collector, collector) == 0)
			return &s->bindings[i];
	grown = realloc(s->bindings, (s->binding_count + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	s->bindings = grown;
	grown[s->binding_count] = (struct series_binding){ .collector = text_copy(text_of(collector)) };
	return grown[s->binding_count].collector ? &grown[s->binding_count++] : NULL;
}

static int put(struct series_line *line, uint64_t ns, double value)
{
	if (line->count == line->room) {
		size_t room = line->room ? 2 * line->room : 64;
		struct series_point *at = realloc(line->at, room * sizeof(*at));

		if (!at)
			return -ENOMEM;
		line->at = at;
		line->room = room;
	}
	line->at[line->count++] = (struct series_point){ ns, value };
	return 0;
}

static double value_of(const struct sample *sample, size_t slot)
{
	const struct metric *m = &sample->shape->metrics[slot / sample->shape->instance_count];
	int64_t raw = sample->values[slot];
	double value = m->kind == COUNTER || m->kind == COUNTER32 ? (double)(uint64_t)raw : (double)raw;

	return number_scale(value, m->exponent);
}

static int take_sample(struct series *s, const struct sample *sample)
{
	struct series_binding *b = binding_of(s, sample->shape->collector);

	if (!b)
		return -ENOMEM;
	if ((b->shape != sample->shape || b->generation != sample->shape->generation ||
	     b->slots != shape_slots(sample->shape)) &&
	    bind_slots(s, b, sample->shape) < 0)
		return -ENOMEM;
	for (size_t slot = 0; slot < b->slots; slot++)
		if (b->line_of[slot] >= 0 && sample_has(sample, slot) &&
		    put(&s->lines[b->line_of[slot]], sample->begin_ns, value_of(sample, slot)) < 0)
			return -ENOMEM;
	return 0;
}

/* A new segment may tell another shape at an old one's address. */
static int on_header(void *context, const struct run_header *header, struct err *err)
{
	struct series *s = context;

	for (size_t i = 0; i < s->binding_count; i++)
		s->bindings[i].shape = NULL;
	return 0;
}

static int on_snapshot(void *context, const struct snapshot *snapshot, struct err *err)
{
	for (size_t i = 0; i < snapshot->count; i++)
		if (take_sample(context, &snapshot->samples[i]) < 0)
			return no_memory(err);
	return 0;
}

static int on_mark(void *context, const struct run_mark *mark, struct err *err)
{
	struct series *s = context;

	if (strcmp(mark->name, MARK_COMMAND_START) == 0)
		s->start_ns = mark->monotonic_ns;
	else if (strcmp(mark->name, MARK_COMMAND_END) == 0)
		s->end_ns = mark->monotonic_ns;
	return 0;
}

const struct run_events series_events = {
	.header = on_header,
	.snapshot = on_snapshot,
	.mark = on_mark,
};
