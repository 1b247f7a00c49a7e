/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/matrix.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "collectors/digits.h"

/* ---- open ---- */

static int no_memory(const struct matrix *m, struct err *err)
{
	return err_set(err, -ENOMEM, "%s: no memory", m->collector->name);
}

/* The first line: one word a CPU. */
static int learn_header(struct matrix *m, struct text line, struct err *err)
{
	struct text rest = line, word;
	size_t words = 0;

	while (text_word(&rest, &word))
		words++;
	if (words == 0 || memchr(line.at, ':', text_len(line)))
		return err_set(err, -EBADMSG, "%s: does not begin with a line of CPUs", m->file.path);
	m->header = text_copy(line);
	m->instance_of = calloc(words, sizeof(*m->instance_of));
	if (!m->header || !m->instance_of)
		return no_memory(m, err);
	m->header_length = text_len(line);
	m->column_room = words;
	while (text_word(&line, &word)) {
		int instance = names_add(&m->instances, word);

		if (instance < 0)
			return no_memory(m, err);
		m->instance_of[m->columns++] = (uint32_t)instance;
	}
	return 0;
}

/*
 * "NMI" + "Non-maskable interrupts"           -> NMI:Non-maskable_interrupts
 * "16" + "IO-APIC  16-fasteoi  usb1, eth0"    -> 16:IO-APIC.16-fasteoi.usb1,eth0
 * "ERR" + ""                                  -> ERR
 */
static int metric_name(struct text label, struct text text, struct buf *ret)
{
	bool numbered = *label.at >= '0' && *label.at <= '9';
	char joint = ':';
	struct text word;

	(void)buf_add_text(ret, label);
	while (text_word(&text, &word)) {
		if (joint != '.' || ret->data[ret->len - 1] != ',')
			(void)buf_putc(ret, joint);
		(void)buf_add_text(ret, word);
		joint = numbered ? '.' : '_';
	}
	return ret->failed;
}

static int learn_metric(struct matrix *m, struct text label, struct text text, struct err *err)
{
	cleanup_buf struct buf name = { 0 };
	struct metric *metrics;
	size_t count = m->names.count;
	int row;

	if (metric_name(label, m->texts ? text : text_of(""), &name) < 0)
		return no_memory(m, err);
	row = names_add(&m->names, buf_text(&name));
	if (row < 0)
		return no_memory(m, err);
	if ((size_t)row < count)
		return row;
	metrics = realloc(m->metrics, m->names.room * sizeof(*metrics));
	if (!metrics)
		return no_memory(m, err);
	m->metrics = metrics;
	metrics[row] = (struct metric){ .name = names_at(&m->names, row) };
	hint_apply(m->collector->hints, &metrics[row]);
	return row;
}

static int learn_line(struct matrix *m, struct text line, struct err *err)
{
	const char *colon = memchr(line.at, ':', text_len(line));
	const char *at, *number;
	size_t rows = m->labels.count;
	struct matrix_row *row;
	struct text label;
	uint32_t numbers = 0;
	uint64_t ignored;
	int index;

	if (!colon)
		return 0;
	label = text_trim((struct text){ line.at, colon });
	if (text_len(label) == 0)
		return 0;
	index = names_add(&m->labels, label);
	if (index < 0)
		return no_memory(m, err);
	if ((size_t)index < rows)
		return 0;
	if (rows == m->row_room) {
		size_t room = rows ? 2 * rows : 64;

		row = realloc(m->rows, room * sizeof(*row));
		if (!row)
			return no_memory(m, err);
		m->rows = row;
		m->row_room = room;
	}
	for (at = colon + 1; numbers < m->columns; at = number, numbers++) {
		number = number_u64(at, line.end, &ignored);
		if (!number || !is_number_end(number, line.end))
			break;
	}
	row = &m->rows[index];
	*row = (struct matrix_row){ .metric = -1, .numbers = numbers, .tail_length = (size_t)(line.end - at) };
	row->tail = text_copy((struct text){ at, line.end });
	if (!row->tail)
		return no_memory(m, err);
	if (numbers == 0)
		return 0;
	/* Where there is but one CPU, only a name without a text behind its number tells the machine's lines. */
	if (numbers == m->columns && (numbers > 1 || (*label.at >= '0' && *label.at <= '9') || !m->texts ||
				      text_len(text_trim((struct text){ at, line.end })) > 0))
		row->numbers = MATRIX_ALL;
	row->metric = learn_metric(m, label, (struct text){ at, line.end }, err);
	return row->metric < 0 ? row->metric : 0;
}

/* The machine's own lines are of an instance of their own, the last one. */
static int learn_whole(struct matrix *m, struct err *err)
{
	for (size_t i = 0; i < m->labels.count; i++)
		if (m->rows[i].metric >= 0 && m->rows[i].numbers == 1)
			return names_add(&m->instances, text_of("")) < 0 ? no_memory(m, err) : 0;
	return 0;
}

static bool is_straight(const struct matrix *m)
{
	for (size_t i = 0; i < m->columns; i++)
		if (m->instance_of[i] != i)
			return false;
	return true;
}

int matrix_open(struct matrix *m, const struct collector *self, bool texts, const struct host *host, struct err *err)
{
	struct text rest, line = { 0 };
	int r;

	m->collector = self;
	m->texts = texts;
	r = procfile_open(&m->file, host, self->source, err);
	if (r < 0)
		return r;
	rest = procfile_first(&m->file);
	r = text_line(&rest, &line) ? learn_header(m, line, err) :
				      err_set(err, -EBADMSG, "%s: is empty", self->source);
	while (r == 0 && text_line(&rest, &line))
		r = learn_line(m, line, err);
	if (r == 0)
		r = learn_whole(m, err);
	m->straight = is_straight(m);
	m->shape = (struct shape){
		.collector = self->name,
		.metrics = m->metrics,
		.metric_count = m->names.count,
		.instances = (const char *const *)m->instances.at,
		.instance_count = m->instances.count,
	};
	return r;
}

const struct shape *matrix_shape(const void *state)
{
	return &((const struct matrix *)state)->shape;
}

/* ---- sample ---- */

/* The columns may be fewer than at open: each finds its CPU by name. */
static int take_header(struct matrix *m, const char *at, const char *end, const char **behind, struct err *err)
{
	const char *next = next_line(at, end);
	struct text line = { at, next > at && next[-1] == '\n' ? next - 1 : next };
	struct text word;

	*behind = next;
	if (text_len(line) == m->header_length && memcmp(at, m->header, m->header_length) == 0 &&
	    m->columns == m->column_room)
		return 0;
	m->columns = 0;
	while (text_word(&line, &word)) {
		int instance = names_find(&m->instances, word, (int)m->columns);

		if (instance < 0 || m->columns == m->column_room)
			return err_set(err, -ESTALE, "%s: new CPU", m->file.path);
		m->instance_of[m->columns++] = (uint32_t)instance;
	}
	m->straight = is_straight(m);
	return 0;
}

/* The row of the line at `at`; `behind` its colon. -1: not a line of that shape. -2: a label that is new. */
static int row_of(const struct matrix *m, const char *at, const char *end, size_t guess, const char **behind)
{
	const char *line_end, *colon;
	int row;

	at = skip_blanks(at, end);
	if (guess < m->labels.count) {
		size_t length = m->labels.length[guess];

		if ((size_t)(end - at) > length && at[length] == ':' && memcmp(at, m->labels.at[guess], length) == 0) {
			*behind = at + length + 1;
			return (int)guess;
		}
	}
	line_end = memchr(at, '\n', (size_t)(end - at));
	colon = memchr(at, ':', (size_t)((line_end ? line_end : end) - at));
	if (!colon || colon == at)
		return -1;
	*behind = colon + 1;
	row = names_find(&m->labels, text_trim((struct text){ at, colon }), -1);
	return row < 0 ? -2 : row;
}

/* The kernel prints "%10u " columns, and most of them are "         0": seen by two comparisons. */
static inline const char *take_number(const char *at, const char *end, uint64_t *ret)
{
	if (end - at > 11 && memcmp(at, "        ", 8) == 0 && memcmp(at + 3, "       0", 8) == 0 &&
	    (unsigned char)at[11] <= ' ') {
		*ret = 0;
		return at + 11;
	}
	at = number_u64(at, end, ret);
	return at && is_number_end(at, end) ? at : NULL;
}

static void mark_present(struct sample *out, size_t slot, size_t count)
{
	while (count > 0) {
		size_t bit = slot % 64, here = 64 - bit < count ? 64 - bit : count;

		out->present[slot / 64] |= (here == 64 ? ~UINT64_C(0) : (UINT64_C(1) << here) - 1) << bit;
		slot += here;
		count -= here;
	}
}

/* A number for each column. NULL, and nothing present, when there are fewer. */
static const char *take_all(const struct matrix *m, int metric, const char *at, const char *end, struct sample *out)
{
	size_t slot = (size_t)metric * m->shape.instance_count;
	int64_t *values = out->values + slot;
	uint64_t value;

	if (!m->straight) {
		for (size_t i = 0; i < m->columns; i++) {
			at = take_number(at, end, &value);
			if (!at)
				return NULL;
			sample_put(out, (size_t)metric, m->instance_of[i], value);
		}
		return at;
	}
	for (size_t i = 0; i < m->columns; i++) {
		at = take_number(at, end, &value);
		if (!at)
			return NULL;
		values[i] = (int64_t)value;
	}
	mark_present(out, slot, m->columns);
	return at;
}

/* One number is the machine's; a few are of the first CPUs. */
static const char *take_few(const struct matrix *m, const struct matrix_row *row, const char *at, const char *end,
			    struct sample *out)
{
	uint64_t value;

	for (uint32_t i = 0; i < row->numbers; i++) {
		at = take_number(at, end, &value);
		if (!at)
			return NULL;
		if (row->numbers == 1)
			sample_put(out, (size_t)row->metric, m->shape.instance_count - 1, value);
		else if (i < m->columns)
			sample_put(out, (size_t)row->metric, m->instance_of[i], value);
	}
	return at;
}

static bool is_tail(const struct matrix_row *row, const char *at, const char *end)
{
	return (size_t)(end - at) >= row->tail_length && memcmp(at, row->tail, row->tail_length) == 0 &&
	       (at + row->tail_length == end || at[row->tail_length] == '\n');
}

int matrix_sample(void *state, struct sample *out, struct err *err)
{
	struct matrix *m = state;
	struct text text;
	const char *at = NULL, *behind;
	size_t next = 0; /* the kernel's order rarely changes: guess the row after the last */
	int bad = 0, r;

	r = procfile_read(&m->file, &text, err);
	if (r == 0)
		r = take_header(m, text.at, text.end, &at, err);
	if (r < 0)
		return r;
	m->samples++;
	for (; at < text.end; at = next_line(behind, text.end)) {
		int index = row_of(m, at, text.end, next, &behind);
		struct matrix_row *row;

		if (index == -2)
			return err_set(err, -ESTALE, "%s: new line", m->file.path);
		if (index < 0) {
			behind = at;
			continue;
		}
		row = &m->rows[index];
		if (row->taken_in == m->samples)
			continue;
		row->taken_in = m->samples;
		next = (size_t)index + 1;
		at = behind;
		if (row->metric >= 0) {
			at = row->numbers == MATRIX_ALL ? take_all(m, row->metric, at, text.end, out) :
							  take_few(m, row, at, text.end, out);
			if (!at) {
				bad = err_set(err, -EBADMSG, "%s: too few numbers after %s", m->file.path,
					      names_at(&m->labels, index));
				continue;
			}
		}
		if (m->texts && !is_tail(row, at, text.end))
			return err_set(err, -ESTALE, "%s: %s is something else now", m->file.path,
				       names_at(&m->labels, index));
		behind = at;
	}
	return bad;
}

void matrix_close(void *state)
{
	struct matrix *m = state;

	for (size_t i = 0; i < m->labels.count && i < m->row_room; i++)
		free(m->rows[i].tail);
	free(m->rows);
	free(m->metrics);
	free(m->header);
	free(m->instance_of);
	names_free(&m->labels);
	names_free(&m->names);
	names_free(&m->instances);
	procfile_close(&m->file);
}
