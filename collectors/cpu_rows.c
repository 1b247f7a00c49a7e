/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/cpu_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/take.h"
#include "collectors/digits.h"
#include "host/cpulist.h"

/* A hexadecimal number that ends there, or NULL. Most are eight zeros: seen by one comparison. */
static const char *take_hex(const char *at, const char *end, uint64_t *ret)
{
	const char *begin = at;
	uint64_t value = 0;

	if (end - at > 8 && memcmp(at, "00000000", 8) == 0 && is_number_end(at + 8, end)) {
		*ret = 0;
		return at + 8;
	}
	for (; at < end && !is_number_end(at, end); at++) {
		unsigned char c = (unsigned char)*at;
		unsigned digit = c - '0';

		if (digit > 9) {
			digit = (c | 0x20) - 'a' + 10u;
			if (digit < 10 || digit > 15)
				return NULL;
		}
		if (value >> 60)
			return NULL;
		value = value << 4 | digit;
	}
	*ret = value;
	return at > begin ? at : NULL;
}

/* The numbers of the row at `at`; how many, or -1 where one is none. Those beyond `most` are not kept. */
static int take_row(const char *at, const char *end, uint64_t *values, int most, const char **behind)
{
	int count = 0;

	for (;;) {
		uint64_t value;
		const char *number;

		at = skip_blanks(at, end);
		*behind = at;
		if (at == end || *at == '\n' || *at == '\r')
			return count;
		number = take_hex(at, end, &value);
		if (!number)
			return -1;
		if (count < most)
			values[count++] = value;
		at = number;
	}
}

/* ---- open ---- */

static int no_memory(const struct cpu_rows *c, struct err *err)
{
	return err_set(err, -ENOMEM, "%s: no memory", c->collector->name);
}

static int learn_column(struct cpu_rows *c, struct text name, struct err *err)
{
	size_t column = c->column_count, count = c->columns.count;
	int row;

	if (column == CPU_ROWS_COLUMNS)
		return err_set(err, -E2BIG, "%s: more than %d columns", c->file.path, CPU_ROWS_COLUMNS);
	c->metric_of[c->column_count++] = -1;
	if (c->tells_cpu && column + 1 == c->format->cpu_column)
		return 0;
	row = names_add(&c->columns, name);
	if (row < 0)
		return no_memory(c, err);
	if ((size_t)row < count)
		return 0;
	c->metric_of[column] = row;
	c->metrics[row] = (struct metric){ .name = names_at(&c->columns, row) };
	hint_apply(c->collector->hints, &c->metrics[row]);
	return 0;
}

static int widest_row(struct text rest)
{
	uint64_t values[CPU_ROWS_COLUMNS + 1];
	struct text line;
	const char *behind;
	int widest = 0;

	while (text_line(&rest, &line)) {
		int count = take_row(line.at, line.end, values, CPU_ROWS_COLUMNS + 1, &behind);

		widest = count > widest ? count : widest;
	}
	return widest;
}

/* By the first line, or by the table as far as rows go. */
static int learn_columns(struct cpu_rows *c, struct text *rest, struct err *err)
{
	const char *const *names = c->format->names;
	struct text line = text_of(""), word;
	int r = 0, widest;

	if (!names && !text_line(rest, &line))
		return err_set(err, -EBADMSG, "%s: is empty", c->file.path);
	while (r == 0 && text_word(&line, &word))
		r = learn_column(c, word, err);
	widest = widest_row(*rest);
	c->tells_cpu = c->format->cpu_column > 0 && widest >= (int)c->format->cpu_column;
	while (r == 0 && (int)c->column_count < widest) {
		char field[32];

		(void)snprintf(field, sizeof(field), "field%zu", c->column_count + 1);
		r = learn_column(c, text_of(names && *names ? *names : field), err);
		if (names && *names)
			names++;
	}
	return r;
}

static int add_row(struct cpu_rows *c, uint64_t cpu)
{
	size_t room = c->row_room ? 2 * c->row_room : 64;
	uint64_t *cpus;

	if (c->rows == c->row_room) {
		cpus = realloc(c->cpus, room * sizeof(*cpus));
		if (!cpus)
			return -ENOMEM;
		c->cpus = cpus;
		c->row_room = room;
	}
	c->cpus[c->rows++] = cpu;
	return 0;
}

/* Every row, and by its column which CPU it is; a broken row's is not known. */
static int learn_rows(struct cpu_rows *c, struct text rest, struct err *err)
{
	uint64_t values[CPU_ROWS_COLUMNS];
	struct text line;
	const char *behind;
	char name[32];

	while (text_line(&rest, &line)) {
		int count = take_row(line.at, line.end, values, CPU_ROWS_COLUMNS, &behind);

		if (count == 0 || (c->tells_cpu && count < (int)c->format->cpu_column))
			continue;
		if (c->tells_cpu) {
			uint64_t cpu = values[c->format->cpu_column - 1];

			(void)snprintf(name, sizeof(name), "CPU%llu", (unsigned long long)cpu);
			if (names_find(&c->instances, text_of(name), -1) >= 0)
				continue;
			if (names_add(&c->instances, text_of(name)) < 0 || add_row(c, cpu) < 0)
				return no_memory(c, err);
		} else if (add_row(c, c->rows) < 0) {
			return no_memory(c, err);
		}
	}
	return 0;
}

/* The CPUs that proc/stat has a line of, which are those online. */
static int stat_cpus(struct cpu_rows *c, const struct host *host, struct err *err)
{
	struct procfile stat = { 0 };
	struct text rest, line, word;
	uint64_t cpu;
	int r = procfile_open(&stat, host, "proc/stat", err);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	rest = procfile_first(&stat);
	while (r == 0 && text_line(&rest, &line)) {
		if (!text_word(&line, &word) || !text_skip(&word, "cpu") || !text_u64(&word, &cpu))
			continue;
		r = add_row(c, cpu);
	}
	procfile_close(&stat);
	return r < 0 ? no_memory(c, err) : 0;
}

static int list_cpus(struct cpu_rows *c, struct err *err)
{
	struct cpulist list = { 0 };
	struct err unused;
	int r = 0;

	if (!c->list.is_open || cpulist_parse(text_trim(c->list.first), &list, &unused) < 0)
		return 0;
	for (size_t i = 0; i < list.count && r == 0; i++)
		r = add_row(c, list.at[i]);
	cpulist_free(&list);
	return r < 0 ? no_memory(c, err) : 0;
}

/* Names for `rows` rows by the order of a list. */
static int name_rows(struct cpu_rows *c, const struct host *host, size_t rows, struct err *err)
{
	bool any;
	char name[32];
	int r;

	c->rows = 0;
	r = list_cpus(c, err);
	any = c->rows > 0;
	if (r == 0 && c->rows != rows && c->format->online) {
		c->rows = 0;
		r = stat_cpus(c, host, err);
		any = any || c->rows > 0;
	}
	for (size_t i = 0; i < rows && r == 0; i++) {
		if (c->rows == rows || !any)
			(void)snprintf(name, sizeof(name), "CPU%llu", (unsigned long long)(any ? c->cpus[i] : i));
		else
			(void)snprintf(name, sizeof(name), "row%zu", i);
		if (names_add(&c->instances, text_of(name)) < 0)
			r = no_memory(c, err);
	}
	c->rows = rows;
	if (r == 0 && c->instances.count < rows)
		r = err_set(err, -EBADMSG, "%s: the list of CPUs for its rows has one twice", c->file.path);
	return r;
}

int cpu_rows_open(struct cpu_rows *c, const struct collector *self, const struct cpu_rows_format *format,
		  const struct host *host, struct err *err)
{
	struct text rest = text_of(self->source), word = { 0 };
	cleanup_free char *path = text_word(&rest, &word) ? text_copy(word) : NULL;
	int r;

	c->collector = self;
	c->format = format;
	if (!path)
		return no_memory(c, err);
	r = procfile_open(&c->file, host, path, err);
	if (r == 0)
		rest = procfile_first(&c->file);
	if (r == 0)
		r = learn_columns(c, &rest, err);
	if (r == 0)
		r = learn_rows(c, rest, err);
	if (r == 0 && !c->tells_cpu) {
		r = watch_open(&c->list, host, format->list, err);
		if (r == 0)
			r = name_rows(c, host, c->rows, err);
		if (!format->online)
			watch_close(&c->list); /* what is possible does not change */
	}
	c->shape = (struct shape){
		.collector = self->name,
		.metrics = c->metrics,
		.metric_count = c->columns.count,
		.instances = (const char *const *)c->instances.at,
		.instance_count = c->instances.count,
	};
	return r;
}

static const struct cpu_rows_format headed = { NULL, 0, CPU_ROWS_POSSIBLE, false };

int cpu_rows_open_headed(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return cpu_rows_open(state, self, &headed, host, err);
}

const struct shape *cpu_rows_shape(const void *state)
{
	return &((const struct cpu_rows *)state)->shape;
}

/* ---- sample ---- */

/* The instance of a row; -1: one that was not there. */
static long instance_of(const struct cpu_rows *c, size_t nth, const uint64_t *values)
{
	uint64_t cpu;

	if (!c->tells_cpu)
		return nth < c->rows ? (long)nth : -1;
	cpu = values[c->format->cpu_column - 1];
	if (nth < c->rows && c->cpus[nth] == cpu)
		return (long)nth;
	for (size_t i = 0; i < c->rows; i++)
		if (c->cpus[i] == cpu)
			return (long)i;
	return -1;
}

static void put_row(const struct cpu_rows *c, size_t instance, const uint64_t *values, int count, struct sample *out)
{
	for (int i = 0; i < count; i++) {
		if (c->metric_of[i] < 0 || sample_has(out, sample_slot(out, (size_t)c->metric_of[i], instance)))
			continue;
		sample_put(out, (size_t)c->metric_of[i], instance, values[i]);
	}
}

int cpu_rows_sample(void *state, struct sample *out, struct err *err)
{
	struct cpu_rows *c = state;
	struct text text, line;
	size_t nth = 0;
	int bad = 0, r = procfile_read(&c->file, &text, err);

	if (r == 0)
		r = watch_check(&c->list, err);
	if (r < 0)
		return r;
	if (!c->format->names && !text_line(&text, &line))
		return err_set(err, -EBADMSG, "%s: is empty", c->file.path);
	for (const char *at = text.at, *behind; at < text.end; at = next_line(behind, text.end)) {
		uint64_t values[CPU_ROWS_COLUMNS + 1];
		int count = take_row(at, text.end, values, CPU_ROWS_COLUMNS + 1, &behind);
		long instance;

		if (count == 0)
			continue;
		nth++;
		if (count < 0 || (c->tells_cpu && count < (int)c->format->cpu_column)) {
			bad = err_set(err, -EBADMSG, "%s: row %zu is not of hexadecimal numbers", c->file.path, nth);
			continue;
		}
		if (count > (int)c->column_count)
			return err_set(err, -ESTALE, "%s: new column", c->file.path);
		instance = instance_of(c, nth - 1, values);
		if (instance < 0)
			return err_set(err, -ESTALE, "%s: new row", c->file.path);
		put_row(c, (size_t)instance, values, count, out);
	}
	if (!c->tells_cpu && nth != c->rows)
		return err_set(err, -ESTALE, "%s: a row less", c->file.path);
	return bad;
}

void cpu_rows_close(void *state)
{
	struct cpu_rows *c = state;

	procfile_close(&c->file);
	watch_close(&c->list);
	names_free(&c->columns);
	names_free(&c->instances);
	free(c->cpus);
}
