/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/files.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/take.h"
#include "collectors/digits.h"

#define DECIMALS 2 /* behind the point, where a file has one and no hint tells */

/* A line on the way to its numbers. */
struct line {
	struct text rest;
	struct text head, last; /* the words before the number; the last of these, or the first key: "total=12 N0=12" */
	bool any;		/* the head has given a number: the next word begins another one */
};

struct item {
	struct text head, key; /* either may be empty */
	struct text number;
};

static bool cut_item(struct line *l, struct item *ret)
{
	struct text word, after;

	while (text_word(&l->rest, &word)) {
		const char *equals = memchr(word.at, '=', text_len(word));

		after = l->rest;
		if (equals && equals > word.at) {
			*ret = (struct item){ l->last, { word.at, equals }, { equals + 1, word.end } };
			if (text_len(l->last) == 0)
				l->last = ret->key;
			l->any = true;
			return true;
		}
		if (!text_word(&after, &(struct text){ 0 })) {
			*ret = (struct item){ l->head, text_n(word.at, 0), word };
			return true;
		}
		l->head = l->any || text_len(l->head) == 0 ? word : (struct text){ l->head.at, word.end };
		l->last = word;
		l->any = false;
	}
	return false;
}

/* "254:0", which io.stat prints alone while the device has done nothing. */
static bool is_device(struct text word)
{
	uint64_t number;

	return text_u64(&word, &number) && text_skip(&word, ":") && text_u64(&word, &number) && text_len(word) == 0;
}

/* How the kernel says that there is no number. */
static bool is_no_number(struct text number)
{
	return text_len(number) == 0 || *number.at == '<' || text_is(number, "max") || is_device(number);
}

/* "1.23" in units of 10^-exponent; what has no point is taken as it is. */
static bool read_number(struct text number, int exponent, uint64_t *ret)
{
	bool negative = number.at < number.end && *number.at == '-';
	int64_t decimal;

	if (memchr(number.at, '.', text_len(number))) {
		if (!text_decimal(&number, exponent, &decimal) || text_len(number) > 0)
			return false;
		*ret = (uint64_t)decimal;
		return true;
	}
	if (digits_u64(number.at + negative, number.end, ret) != number.end)
		return false;
	if (negative)
		*ret = 0 - *ret;
	return true;
}

/* A sensor that has nothing to say now. */
static bool is_asleep(int r)
{
	return r == -ENODATA || r == -EAGAIN;
}

/* ---- open ---- */

static int no_memory(const struct files *f, struct err *err)
{
	return err_set(err, -ENOMEM, "%s: no memory", f->collector->name);
}

/* Three quarters of what the process may have: the others need some, too. */
static int most_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur > 1 << 20)
		return 1 << 20;
	return (int)(limit.rlim_cur / 4 * 3);
}

void files_begin(struct files *f, const struct collector *self, const struct host *host)
{
	f->collector = self;
	f->host = host;
	f->descriptors = most_descriptors();
}

static int learn_metric(struct files *f, const char *name, const struct item *item, struct err *err)
{
	cleanup_buf struct buf whole = { 0 };
	size_t count = f->names.count;
	struct metric *metrics;
	int row;

	(void)buf_puts(&whole, name);
	if (text_len(item->head) > 0)
		(void)buf_printf(&whole, ".%.*s", TEXT_ARGS(item->head));
	if (text_len(item->key) > 0)
		(void)buf_printf(&whole, ".%.*s", TEXT_ARGS(item->key));
	row = whole.failed ? -1 : names_add(&f->names, buf_text(&whole));
	if (row < 0)
		return no_memory(f, err);
	if ((size_t)row < count)
		return row;
	metrics = realloc(f->metrics, f->names.room * sizeof(*metrics));
	if (!metrics)
		return no_memory(f, err);
	f->metrics = metrics;
	metrics[row] = (struct metric){ .name = names_at(&f->names, row) };
	hint_apply(f->collector->hints, &metrics[row]);
	if (metrics[row].exponent == 0 && text_len(item->number) > 0 &&
	    memchr(item->number.at, '.', text_len(item->number)))
		metrics[row].exponent = DECIMALS;
	return row;
}

/* The row of the file's first metric; -ENODATA: it has none. */
static int learn_lines(struct files *f, struct text rest, const char *name, struct err *err)
{
	int first = -ENODATA;
	struct text line;
	struct item item;
	uint64_t value;

	while (text_line(&rest, &line)) {
		struct line l = { .rest = text_trim(line) };

		while (cut_item(&l, &item)) {
			int row = 0;

			if (!read_number(item.number, DECIMALS, &value))
				continue;
			row = learn_metric(f, name, &item, err);
			if (row < 0)
				return row;
			if (first < 0)
				first = row;
		}
	}
	return first;
}

static int make_room(struct files *f, struct err *err)
{
	size_t room = f->room ? 2 * f->room : 32;
	struct files_one *at;

	if (f->count < f->room)
		return 0;
	at = realloc(f->at, room * sizeof(*at));
	if (!at)
		return no_memory(f, err);
	f->at = at;
	f->room = room;
	return 0;
}

/* Opens the next one. 1; 0: it is not taken; -ENOMEM, -EMFILE. */
static int begin_file(struct files *f, const char *path, struct err *err)
{
	struct procfile *file;
	int r = make_room(f, err);

	if (r < 0)
		return r;
	file = &f->at[f->count].file;
	r = procfile_open(file, f->host, path, &f->denied);
	if (procfile_passes(r))
		r = procfile_open_unread(file, f->host, path, &f->denied);
	if (r == -ENOMEM || r == -EMFILE || r == -ENFILE)
		return err_set(err, r, "%s", f->denied.text);
	if (r < 0)
		return 0;
	f->at[f->count++] = (struct files_one){ .file = *file }; /* close finds it from here on */
	return 1;
}

static int end_file(struct files *f, int row, const char *instance, struct err *err)
{
	struct files_one *one = &f->at[f->count - 1];
	int column = row < 0 ? row : names_add(&f->instances, text_of(instance));

	if (column < 0)
		return row < 0 ? row : no_memory(f, err);
	one->instance = (size_t)column;
	one->row = (size_t)row;
	if (one->file.fd > f->descriptors) {
		(void)close(one->file.fd);
		one->file.fd = -1;
		one->file.reopen = true;
	}
	return 0;
}

int files_add(struct files *f, const char *path, const char *name, const char *instance, struct err *err)
{
	struct files_one *one;
	int row, r = begin_file(f, path, err);

	if (r <= 0)
		return r;
	one = &f->at[f->count - 1];
	one->name_length = strlen(name);
	row = learn_lines(f, procfile_first(&one->file), name, err);
	if (row == -ENODATA) /* asleep now, and may wake up */
		row = learn_metric(f, name, &(struct item){ 0 }, err);
	return end_file(f, row, instance, err);
}

int files_add_columns(struct files *f, const char *path, const char *const *columns, const char *instance,
		      struct err *err)
{
	struct text line = { 0 }, word, rest;
	struct files_one *one;
	bool any;
	int first = -ENODATA, row, r = begin_file(f, path, err);

	if (r <= 0)
		return r;
	one = &f->at[f->count - 1];
	rest = procfile_first(&one->file);
	any = text_line(&rest, &line); /* not: all columns may come */
	for (; columns[one->columns] && (!any || text_word(&line, &word)); one->columns++) {
		row = learn_metric(f, columns[one->columns], &(struct item){ 0 }, err);
		if (row < 0)
			return row;
		first = first < 0 ? row : first;
		if ((size_t)row != (size_t)first + one->columns)
			break; /* other instances had fewer: cannot be told by place */
	}
	if (first >= 0)
		return end_file(f, first, instance, err);
	procfile_close(&f->at[--f->count].file);
	return 0;
}

int files_end(struct files *f, struct err *err)
{
	f->shape = (struct shape){
		.collector = f->collector->name,
		.metrics = f->metrics,
		.metric_count = f->names.count,
		.instances = (const char *const *)f->instances.at,
		.instance_count = f->instances.count,
	};
	if (f->count > 0)
		return 0;
	if (f->denied.code < 0) {
		*err = f->denied;
		return err->code;
	}
	return err_set(err, -ENOENT, "%s: no such file", f->collector->source);
}

const struct shape *files_shape(const void *state)
{
	return &((const struct files *)state)->shape;
}

/* ---- sample ---- */

static bool is_name(const struct files *f, const struct files_one *one, size_t row, const struct item *item)
{
	size_t head = text_len(item->head), key = text_len(item->key), length = one->name_length;
	const char *name;

	if (row >= f->names.count)
		return false;
	name = f->names.at[row] + length;
	length += (head ? head + 1 : 0) + (key ? key + 1 : 0);
	if (f->names.length[row] != length || (head && memcmp(name + 1, item->head.at, head) != 0))
		return false;
	name += head ? head + 1 : 0;
	return (!key || memcmp(name + 1, item->key.at, key) == 0) &&
	       memcmp(f->names.at[row], f->names.at[one->row], one->name_length) == 0;
}

/* The rows of a file follow each other, as long as another file of that name did not know some of them before. */
static size_t find_row(const struct files *f, const struct files_one *one, size_t guess, const struct item *item)
{
	if (is_name(f, one, guess, item))
		return guess;
	for (size_t row = 0; row < f->names.count; row++)
		if (is_name(f, one, row, item))
			return row;
	return f->names.count;
}

static int take_line(struct files *f, const struct files_one *one, struct text line, size_t *next, struct sample *out,
		     struct err *err)
{
	struct line l = { .rest = text_trim(line) };
	struct item item;
	int r = 0;

	while (cut_item(&l, &item)) {
		uint64_t value;
		size_t row;

		if (is_no_number(item.number))
			continue;
		row = find_row(f, one, *next, &item);
		if (!read_number(item.number, row < f->names.count ? f->metrics[row].exponent : DECIMALS, &value)) {
			r = err_set(err, -EBADMSG, "%s: no number", one->file.path);
			continue;
		}
		if (row == f->names.count)
			return err_set(err, -ESTALE, "%s: new line", one->file.path);
		sample_put(out, row, one->instance, value);
		*next = row + 1;
	}
	return r;
}

static int take_columns(struct files *f, const struct files_one *one, struct text rest, struct sample *out,
			struct err *err)
{
	struct text line = rest, word;
	uint64_t value;
	int r = 0;

	(void)text_line(&rest, &line);
	for (size_t i = 0; i < one->columns && text_word(&line, &word); i++) {
		if (read_number(word, f->metrics[one->row + i].exponent, &value))
			sample_put(out, one->row + i, one->instance, value);
		else
			r = err_set(err, -EBADMSG, "%s: no number", one->file.path);
	}
	return r;
}

static int take_file(struct files *f, const struct files_one *one, struct text rest, struct sample *out,
		     struct err *err)
{
	size_t next = one->row;
	struct text line;
	int failed = 0;

	if (one->columns > 0)
		return take_columns(f, one, rest, out, err);
	while (text_line(&rest, &line) && failed != -ESTALE) {
		int r = take_line(f, one, line, &next, out, err);

		failed = r < 0 ? r : failed;
	}
	return failed;
}

int files_sample(void *state, struct sample *out, struct err *err)
{
	struct files *f = state;
	int failed = 0;

	for (size_t i = 0; i < f->count && failed != -ESTALE; i++) {
		struct files_one *one = &f->at[i];
		struct text text;
		int r = procfile_read(&one->file, &text, err);

		if (is_asleep(r))
			continue;
		if (r == -ENODEV || r == -ENOENT)
			r = -ESTALE;
		if (r == 0)
			r = take_file(f, one, text, out, err);
		if (r < 0)
			failed = err->code = r;
	}
	return failed;
}

void files_close(void *state)
{
	struct files *f = state;

	for (size_t i = 0; i < f->count; i++)
		procfile_close(&f->at[i].file);
	free(f->at);
	free(f->metrics);
	names_free(&f->names);
	names_free(&f->instances);
}
