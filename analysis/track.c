/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/track.h"

#include <errno.h>
#include <stdlib.h>

/* Names that come and go with every generation would make the product grow without end. */
#define SLOTS_MAX ((size_t)4 << 20)
#define RANGE_32  (UINT64_C(1) << 32)

void level_add(struct level *l, enum phase phase, double value)
{
	if (phase < l->phase)
		return;
	if (phase > l->phase || phase == PHASE_AFTER)
		*l = (struct level){ .phase = phase };
	l->max = l->count == 0 || value > l->max ? value : l->max;
	l->sum += value;
	l->count++;
}

int track_open(struct track *t, const char *collector, struct err *err)
{
	*t = (struct track){ .collector = text_copy(text_of(collector)) };
	return t->collector ? 0 : err_set(err, -ENOMEM, "%s: no memory", collector);
}

void track_close(struct track *t)
{
	free(t->collector);
	names_free(&t->metrics);
	names_free(&t->instances);
	free(t->meaning);
	free(t->slots);
	free(t->row_of);
	free(t->column_of);
	free(t->metric_at);
	free(t->instance_at);
	*t = (struct track){ 0 };
}

static size_t room_for(size_t room, size_t need)
{
	if (need <= room)
		return room;
	/* The first shape is mostly the only one: exactly; then with some to spare. */
	return room ? need + need / 4 : need;
}

static int make_room(struct track *t, struct err *err)
{
	size_t rows = room_for(t->rows_room, t->metrics.count);
	size_t columns = room_for(t->columns_room, t->instances.count);
	struct metric *meaning;
	struct slot *slots;

	if (rows == t->rows_room && columns == t->columns_room)
		return 0;
	if (columns && rows > SLOTS_MAX / columns)
		return err_set(err, -EMSGSIZE, "%s: %zu metrics of %zu instances are too many", t->collector, rows,
			       columns);
	meaning = realloc(t->meaning, rows * sizeof(*meaning));
	if (!meaning)
		return err_set(err, -ENOMEM, "%s: no memory", t->collector);
	t->meaning = meaning;
	slots = calloc(rows * columns, sizeof(*slots));
	if (!slots)
		return err_set(err, -ENOMEM, "%s: no memory", t->collector);
	for (size_t row = 0; row < t->rows_room; row++)
		memcpy(slots + row * columns, t->slots + row * t->columns_room, t->columns_room * sizeof(*slots));
	free(t->slots);
	t->slots = slots;
	t->rows_room = rows;
	t->columns_room = columns;
	return 0;
}

static int *fresh_map(int **map, size_t count)
{
	free(*map);
	*map = malloc((count ? count : 1) * sizeof(**map));
	for (size_t i = 0; *map && i < count; i++)
		(*map)[i] = -1;
	return *map;
}

static bool same_meaning(const struct metric *a, const struct metric *b)
{
	return a->kind == b->kind && a->exponent == b->exponent;
}

static int bind_metrics(struct track *t, const struct shape *shape, size_t known)
{
	for (size_t i = 0; i < shape->metric_count; i++) {
		const struct metric *m = &shape->metrics[i];
		int row = names_find(&t->metrics, text_of(m->name), (int)i);

		if ((size_t)row >= known) {
			t->meaning[row] = *m;
			t->meaning[row].name = names_at(&t->metrics, row);
			known = (size_t)row + 1;
		}
		if (!same_meaning(&t->meaning[row], m) || t->metric_at[row] >= 0)
			continue;
		t->row_of[i] = row;
		t->metric_at[row] = (int)i;
	}
	return 0;
}

int track_bind(struct track *t, const struct shape *shape, struct err *err)
{
	size_t known = t->metrics.count;

	t->shape = NULL;
	for (size_t i = 0; i < shape->metric_count; i++)
		if (names_add(&t->metrics, text_of(shape->metrics[i].name)) < 0)
			return err_set(err, -ENOMEM, "%s: no memory", t->collector);
	for (size_t i = 0; i < shape->instance_count; i++)
		if (names_add(&t->instances, text_of(shape->instances[i])) < 0)
			return err_set(err, -ENOMEM, "%s: no memory", t->collector);
	if (make_room(t, err) < 0)
		return err->code;
	if (!fresh_map(&t->row_of, shape->metric_count) || !fresh_map(&t->column_of, shape->instance_count) ||
	    !fresh_map(&t->metric_at, t->metrics.count) || !fresh_map(&t->instance_at, t->instances.count))
		return err_set(err, -ENOMEM, "%s: no memory", t->collector);
	(void)bind_metrics(t, shape, known);
	for (size_t i = 0; i < shape->instance_count; i++) {
		int column = names_find(&t->instances, text_of(shape->instances[i]), (int)i);

		if (t->instance_at[column] >= 0)
			continue; /* the same name twice: the first one has it */
		t->column_of[i] = column;
		t->instance_at[column] = (int)i;
	}
	if (t->generation != shape->generation || t->samples == 0)
		t->since = t->samples + 1;
	t->generation = shape->generation;
	t->metric_count = shape->metric_count;
	t->instance_count = shape->instance_count;
	t->shape = shape;
	return 0;
}

/* Where the value stands to the one before it. */
enum gap { NEXT, NEXT_GENERATION, AWAY };

/* False: it began anew, there is no step. */
static bool step_of(const struct metric *m, uint64_t last, uint64_t value, enum gap gap, uint64_t *ret)
{
	uint64_t back = last - value;

	if (value >= last) {
		*ret = value - last;
		return true;
	}
	if (gap == AWAY)
		return false;
	if (m->kind == COUNTER32 && back <= RANGE_32 && RANGE_32 - back < RANGE_32 / 2)
		*ret = RANGE_32 - back; /* also of a sum whose part wrapped: `last` may be larger */
	else if (back <= last / 8)
		*ret = 0;
	else if (gap == NEXT)
		*ret = value;
	else
		return false;
	return true;
}

bool track_value(const struct track *t, const struct sample *sample, int row, int column, uint64_t *ret)
{
	size_t slot;

	if (row < 0 || column < 0 || t->metric_at[row] < 0 || t->instance_at[column] < 0)
		return false;
	slot = sample_slot(sample, (size_t)t->metric_at[row], (size_t)t->instance_at[column]);
	if (!sample_has(sample, slot))
		return false;
	*ret = (uint64_t)sample->values[slot];
	return true;
}

bool track_step(const struct track *t, const struct sample *sample, int row, int column, uint64_t *ret)
{
	const struct slot *s;
	uint64_t value;

	if (!track_value(t, sample, row, column, &value))
		return false;
	s = track_slot(t, row, column);
	return t->samples > 0 && s->seen == t->samples &&
	       step_of(&t->meaning[row], s->last, value, t->since > t->samples ? NEXT_GENERATION : NEXT, ret);
}

static void take_value(struct track *t, int row, int column, int64_t value, enum phase phase)
{
	struct slot *s = track_slot(t, row, column);
	const struct metric *m = &t->meaning[row];
	uint64_t step;

	if (!is_counter(m)) {
		level_add(&s->level, phase, (double)value);
	} else if (s->seen) {
		enum gap gap = s->seen + 1 != t->samples ? AWAY : s->seen < t->since ? NEXT_GENERATION : NEXT;

		if (step_of(m, s->last, (uint64_t)value, gap, &step))
			s->steps += step;
	}
	s->last = (uint64_t)value;
	s->seen = t->samples;
	s->count++;
	s->moved = s->moved || value != 0;
}

static bool is_empty(const struct sample *sample)
{
	size_t slots = shape_slots(sample->shape);

	for (size_t i = 0; i < (slots + 63) / 64; i++)
		if (sample->present[i])
			return false;
	return true;
}

void track_sample(struct track *t, const struct sample *sample, enum phase phase)
{
	if (is_empty(sample))
		return;
	if (t->samples++ == 0)
		t->first_ns = sample->begin_ns;
	for (size_t i = 0; i < t->metric_count; i++) {
		size_t slot = i * t->instance_count;

		for (size_t k = 0; k < t->instance_count && t->row_of[i] >= 0; k++)
			if (sample_has(sample, slot + k) && t->column_of[k] >= 0)
				take_value(t, t->row_of[i], t->column_of[k], sample->values[slot + k], phase);
	}
	t->last_ns = sample->begin_ns;
}
