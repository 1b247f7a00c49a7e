/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/columns.h"

#include <errno.h>
#include <stdlib.h>

#include "collectors/digits.h"

/* ---- open ---- */

static int learn_line(struct columns *c, struct text line, struct err *err)
{
	uint64_t values[COLUMNS_MAX];
	uint32_t present = 0;
	size_t count = c->instances.count;
	struct text name;
	const char *numbers;
	struct columns_row *rows;
	int row;

	if (!c->format->head(line.at, line.end, &name, &numbers))
		return 0;
	row = names_add(&c->instances, name);
	if (row >= 0 && (size_t)row < count)
		return 0;
	if (row >= 0 && count == c->row_room) {
		size_t room = count ? 2 * count : 64;

		rows = realloc(c->rows, room * sizeof(*rows));
		if (!rows)
			return err_set(err, -ENOMEM, "%s: no memory", c->collector->name);
		c->rows = rows;
		c->row_room = room;
	}
	if (row < 0)
		return err_set(err, -ENOMEM, "%s: no memory", c->collector->name);
	c->rows[row] = (struct columns_row){ .head_length = (size_t)(numbers - line.at) };
	c->rows[row].head = text_copy((struct text){ line.at, numbers });
	if (!c->rows[row].head)
		return err_set(err, -ENOMEM, "%s: no memory", c->collector->name);
	if (c->format->numbers(numbers, line.end, values, &present))
		c->present |= present;
	return 0;
}

int columns_open(struct columns *c, const struct collector *self, const struct columns_format *format,
		 const struct host *host, struct err *err)
{
	struct text rest = { 0 }, line;
	size_t metrics = 0;
	int r;

	c->collector = self;
	c->format = format;
	r = procfile_open(&c->file, host, self->source, err);
	if (r == 0)
		rest = procfile_first(&c->file);
	while (r == 0 && text_line(&rest, &line))
		r = learn_line(c, line, err);
	for (size_t i = 0; format->names[i]; i++) {
		if (!(c->present >> i & 1))
			continue;
		c->metrics[metrics].name = format->names[i];
		hint_apply(self->hints, &c->metrics[metrics]);
		c->metric_of[i] = metrics++;
	}
	c->shape = (struct shape){
		.collector = self->name,
		.metrics = c->metrics,
		.metric_count = metrics,
		.instances = (const char *const *)c->instances.at,
		.instance_count = c->instances.count,
	};
	return r;
}

const struct shape *columns_shape(const void *state)
{
	return &((const struct columns *)state)->shape;
}

/* ---- sample ---- */

struct line {
	const char *behind; /* the numbers; NULL: they are none */
	uint64_t values[COLUMNS_MAX];
	uint32_t present;
};

/* The row of the line at `at`, with its numbers. -1: not a line of that shape. -2: a name that is new. */
static int row_of(const struct columns *c, const char *at, const char *end, size_t guess, struct line *ret)
{
	const char *newline, *numbers;
	struct text name;
	int row;

	ret->present = 0;
	if (guess < c->instances.count) {
		const struct columns_row *guessed = &c->rows[guess];

		if ((size_t)(end - at) > guessed->head_length && memcmp(at, guessed->head, guessed->head_length) == 0) {
			ret->behind = c->format->numbers(at + guessed->head_length, end, ret->values, &ret->present);
			if (ret->behind)
				return (int)guess;
			ret->present = 0; /* "odd cache" and now "odd cache 12", perhaps */
		}
	}
	newline = memchr(at, '\n', (size_t)(end - at));
	if (!c->format->head(at, newline ? newline : end, &name, &numbers))
		return -1;
	row = names_find(&c->instances, name, -1);
	if (row < 0)
		return -2;
	ret->behind = c->format->numbers(numbers, end, ret->values, &ret->present);
	return row;
}

int columns_sample(void *state, struct sample *out, struct err *err)
{
	struct columns *c = state;
	struct text text;
	size_t next = 0; /* the kernel's order rarely changes: guess the row after the last */
	int bad = 0;
	int r = procfile_read(&c->file, &text, err);

	if (r < 0)
		return r;
	c->samples++;
	for (const char *at = text.at; at < text.end;) {
		struct line line;
		int row = row_of(c, at, text.end, next, &line);

		if (row == -2)
			return err_set(err, -ESTALE, "%s: new line", c->file.path);
		if (row < 0) {
			at = next_line(at, text.end);
			continue;
		}
		at = next_line(line.behind ? line.behind : at, text.end);
		if (c->rows[row].taken_in == c->samples)
			continue;
		c->rows[row].taken_in = c->samples;
		next = (size_t)row + 1;
		if (!line.behind) {
			bad = err_set(err, -EBADMSG, "%s: the numbers of %s are not what they must be", c->file.path,
				      names_at(&c->instances, row));
			continue;
		}
		if (line.present & ~c->present)
			return err_set(err, -ESTALE, "%s: new column", c->file.path);
		for (uint32_t left = line.present; left; left &= left - 1) {
			int i = __builtin_ctz(left);

			sample_put(out, c->metric_of[i], (size_t)row, line.values[i]);
		}
	}
	return bad;
}

void columns_close(void *state)
{
	struct columns *c = state;

	for (size_t i = 0; i < c->instances.count && i < c->row_room; i++)
		free(c->rows[i].head);
	free(c->rows);
	names_free(&c->instances);
	procfile_close(&c->file);
}
