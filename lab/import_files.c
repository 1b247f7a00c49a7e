/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include "base/names.h"
#include "lab/import_run.h"
#include "lab/matrix.h"

#define FIELDS_MOST 200000

/* When a file was written; a run for each of its columns, one millisecond apart so that they keep their order. */
static uint64_t written_ms(const char *path, size_t column)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return column;
	return (uint64_t)st.st_mtim.tv_sec * 1000 + (uint64_t)st.st_mtim.tv_nsec / 1000000 + column;
}

/* ---- JSON ---- */

/* Places of a list of numbers that hold none, or are not there; a list without any number is no key. */
static size_t count_missing(const json_t *values, size_t runs)
{
	size_t numbers = 0;

	for (size_t i = 0; i < json_array_size(values); i++)
		numbers += json_is_number(json_array_get(values, i));
	return numbers ? runs - numbers : 0;
}

static int import_matrix(struct import *in, const char *path, json_t *file, const struct pairs *axes, struct err *err)
{
	struct lab_matrix matrix;
	int r = lab_matrix_take(file, path, &matrix, err);
	const char *key;
	size_t taken = 0;
	json_t *values;

	json_object_foreach(file, key, values) in->count->missing += r == 0 ? count_missing(values, matrix.runs) : 0;
	for (size_t i = 0; i < matrix.runs && r == 0; i++) {
		bool known = matrix.when[i] > 0;
		struct import_moment moment = { known ? (uint64_t)(matrix.when[i] * 1000) : written_ms(path, i),
						known };

		if (matrix.stats[i].count == 0) /* a column of nothing is no run */
			continue;
		r = in->take(in, path, axes, &matrix.stats[i], moment, err);
		taken++;
	}
	if (r == 0 && taken == 0)
		r = err_set(err, -EINVAL, "%s: has no number", path);
	lab_matrix_free(&matrix);
	return r;
}

static int import_stats(struct import *in, const char *path, json_t *file, const struct pairs *axes, struct err *err)
{
	struct stats stats = { 0 };
	const char *key;
	json_t *value;
	int r = 0;

	json_object_foreach(file, key, value)
	{
		if (!json_is_number(value) || !isfinite(json_number_value(value)))
			in->count->missing++;
		else if (r == 0)
			r = stats_set(&stats, key, json_number_value(value));
	}
	stats_sort(&stats);
	if (r < 0)
		r = err_set(err, r, "%s: no memory", path);
	else if (stats.count == 0)
		r = err_set(err, -EINVAL, "%s: has no number", path);
	else
		r = in->take(in, path, axes, &stats, (struct import_moment){ written_ms(path, 0), false }, err);
	stats_free(&stats);
	return r;
}

static bool is_counter(const char *name)
{
	struct text t = text_of(name);

	return text_ends(t, "_total") || text_ends(t, "_count") || text_ends(t, "_sum") || text_ends(t, "_bucket");
}

/* "node_load1{instance=\"a\",job=\"b\"}": labels sorted, blanks as '-'. */
static int series_key(json_t *metric, struct buf *ret)
{
	const char *name = json_string_value(json_object_get(metric, "__name__")), *label;
	struct pairs labels = { 0 };
	json_t *value;
	int r = 0;

	json_object_foreach(metric, label, value) if (r == 0 && strcmp(label, "__name__") != 0) r =
		pairs_set(&labels, label, json_string_value(value) ? json_string_value(value) : "");
	pairs_sort(&labels);
	buf_clear(ret);
	(void)buf_puts(ret, name ? name : "series");
	for (size_t i = 0; i < labels.count; i++)
		(void)buf_printf(ret, "%s%s=\"%s\"", i ? "," : "{", labels.at[i].name, labels.at[i].value);
	if (labels.count)
		(void)buf_putc(ret, '}');
	pairs_free(&labels);
	return r < 0 ? r : ret->failed;
}

/* The mean of a gauge; of a counter by how much it grew, from 0 after each step back. NAN: no value. */
static double series_value(const json_t *values, bool counter, double *first_s)
{
	double sum = 0, grown = 0, last = 0;
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(values); i++) {
		const json_t *pair = json_array_get(values, i);
		const char *text = json_string_value(json_array_get(pair, 1));
		double at = json_number_value(json_array_get(pair, 0)), v;
		char *end;

		if (!text)
			continue;
		v = strtod(text, &end);
		if (end == text || *end != '\0' || !isfinite(v))
			continue;
		if (n++)
			grown += v >= last ? v - last : v;
		last = v;
		sum += v;
		*first_s = fmin(*first_s, at);
	}
	if (n == 0 || (counter && n < 2))
		return NAN;
	return counter ? grown : sum / (double)n;
}

static int import_series(struct import *in, const char *path, const json_t *data, const struct pairs *axes,
			 struct err *err)
{
	const json_t *list = json_object_get(data, "result");
	const char *type = json_string_value(json_object_get(data, "resultType"));
	struct stats stats = { 0 };
	struct buf key = { 0 };
	double first_s = HUGE_VAL;
	int r = 0;

	if (!type || strcmp(type, "matrix") != 0 || !json_is_array(list))
		return err_set(err, -EINVAL, "%s: data.resultType is '%.32s'; only the matrix of a range query is read",
			       path, type ? type : "nothing");
	for (size_t i = 0; i < json_array_size(list) && r == 0; i++) {
		json_t *series = json_array_get(list, i), *metric = json_object_get(series, "metric");
		const char *name = json_string_value(json_object_get(metric, "__name__"));
		double value = series_value(json_object_get(series, "values"), name && is_counter(name), &first_s);

		r = series_key(metric, &key);
		if (r == 0 && isnan(value))
			in->count->missing++;
		else if (r == 0)
			r = stats_set(&stats, key.data, value);
	}
	stats_sort(&stats);
	if (r < 0)
		r = err_set(err, r, "%s: no memory", path);
	else if (stats.count == 0)
		r = err_set(err, -EINVAL, "%s: has no series with a value", path);
	else
		r = in->take(in, path, axes, &stats,
			     (struct import_moment){ (uint64_t)(fmax(0, first_s) * 1000), first_s > 0 }, err);
	stats_free(&stats);
	buf_free(&key);
	return r;
}

static int import_json(struct import *in, const char *path, const struct pairs *axes, struct err *err)
{
	json_error_t wrong;
	json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &wrong), *data;
	bool lists = false;
	const char *key;
	json_t *value;
	int r;

	if (!file)
		return err_set(err, -EINVAL, "%s:%d:%d: %s", path, wrong.line, wrong.column, wrong.text);
	data = json_object_get(file, "data");
	json_object_foreach(file, key, value) lists |= json_is_array(value);
	if (json_is_object(data) && json_is_string(json_object_get(file, "status")))
		r = import_series(in, path, data, axes, err);
	else if (lists)
		r = import_matrix(in, path, file, axes, err);
	else if (json_is_object(file))
		r = import_stats(in, path, file, axes, err);
	else
		r = err_set(err, -EINVAL, "%s: is no object", path);
	json_decref(file);
	return r;
}

/* ---- CSV ---- */

/* The next field of a line (RFC 4180), unquoted into `ret`. False at the line's end; *bad: a quote is not closed. */
static bool next_field(struct text *rest, bool *more, struct buf *ret, bool *bad)
{
	bool quoted;

	buf_clear(ret);
	(void)buf_puts(ret, "");
	if (!*more)
		return false;
	quoted = text_skip(rest, "\"");
	while (rest->at < rest->end) {
		char c = *rest->at++;

		if (quoted && c == '"') {
			if (!text_skip(rest, "\"")) {
				quoted = false;
				continue;
			}
		} else if (!quoted && c == ',') {
			return true;
		}
		(void)buf_putc(ret, c);
	}
	*more = false;
	*bad |= quoted;
	return true;
}

struct csv {
	const char *path;
	char **heads;
	size_t head_count, line;
};

static int read_heads(struct csv *csv, struct text line, struct err *err)
{
	struct buf field = { 0 };
	bool more = true, bad = false;
	int r = 0;

	while (r == 0 && next_field(&line, &more, &field, &bad)) {
		char **heads = realloc(csv->heads, (csv->head_count + 1) * sizeof(*heads));

		if (heads)
			csv->heads = heads;
		if (!heads || !(heads[csv->head_count] = strdup(field.data ? field.data : "")))
			r = err_set(err, -ENOMEM, "%s: no memory", csv->path);
		else if (++csv->head_count > FIELDS_MOST)
			r = err_set(err, -EINVAL, "%s:1: more than %d columns", csv->path, FIELDS_MOST);
	}
	if (r == 0 && bad)
		r = err_set(err, -EINVAL, "%s:1: a quote is not closed", csv->path);
	buf_free(&field);
	return r;
}

static int take_field(struct csv *csv, size_t column, const char *text, struct pairs *axes, struct stats *stats,
		      struct import_moment *moment, size_t *missing, struct err *err)
{
	const char *head = csv->heads[column];
	char *end;
	double v;

	if (*text == '\0') {
		*missing += strncmp(head, "axis.", 5) != 0;
		return 0;
	}
	if (strncmp(head, "axis.", 5) == 0)
		return pairs_set(axes, head + 5, text) < 0 ? err_set(err, -ENOMEM, "no memory") : 0;
	v = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(v))
		return err_set(err, -EINVAL, "%s:%zu: column %zu (%.40s): '%.40s' is no number", csv->path, csv->line,
			       column + 1, head, text);
	if (strcmp(head, "time") == 0) {
		if (!(v >= 0 && v < 1e11))
			return err_set(err, -EINVAL, "%s:%zu: time: '%.40s' is no number of seconds since 1970",
				       csv->path, csv->line, text);
		*moment = (struct import_moment){ (uint64_t)(v * 1000), true };
		return 0;
	}
	return stats_set(stats, head, v) < 0 ? err_set(err, -ENOMEM, "no memory") : 0;
}

static int import_row(struct import *in, struct csv *csv, struct text line, const struct pairs *given, struct err *err)
{
	struct import_moment moment = { written_ms(csv->path, csv->line), false };
	struct buf field = { 0 };
	struct pairs axes = { 0 };
	struct stats stats = { 0 };
	bool more = true, bad = false;
	size_t column = 0;
	int r = 0;

	while (r == 0 && next_field(&line, &more, &field, &bad)) {
		if (column >= csv->head_count)
			r = err_set(err, -EINVAL, "%s:%zu: more fields than the head has (%zu)", csv->path, csv->line,
				    csv->head_count);
		else
			r = take_field(csv, column, field.data ? field.data : "", &axes, &stats, &moment,
				       &in->count->missing, err);
		column++;
	}
	if (r == 0 && (bad || column < csv->head_count))
		r = err_set(err, -EINVAL, "%s:%zu: %s", csv->path, csv->line,
			    bad ? "a quote is not closed" : "fewer fields than the head has");
	if (r == 0 && pairs_copy(&axes, given) < 0)
		r = err_set(err, -ENOMEM, "no memory");
	stats_sort(&stats);
	if (r == 0 && stats.count == 0)
		r = err_set(err, -EINVAL, "%s:%zu: no number", csv->path, csv->line);
	if (r == 0)
		r = in->take(in, csv->path, &axes, &stats, moment, err);
	buf_free(&field);
	pairs_free(&axes);
	stats_free(&stats);
	return r;
}

static int read_file(const char *path, struct buf *ret, struct err *err)
{
	FILE *f = fopen(path, "re");
	size_t n;

	if (!f)
		return err_set(err, -errno, "%s: %s", path, strerror(errno));
	do {
		n = buf_reserve(ret, 1 << 16) == 0 ? fread(ret->data + ret->len, 1, 1 << 16, f) : 0;
		ret->len += n;
	} while (n > 0);
	n = (size_t)ferror(f);
	(void)fclose(f);
	if (n)
		return err_set(err, -EIO, "%s: cannot be read", path);
	return ret->failed ? err_set(err, -EFBIG, "%s: is too large", path) : 0;
}

static int import_csv(struct import *in, const char *path, const struct pairs *axes, struct err *err)
{
	struct csv csv = { .path = path };
	struct buf whole = { 0 };
	struct text rest, line;
	int r = read_file(path, &whole, err);

	rest = buf_text(&whole);
	while (r == 0 && text_line(&rest, &line)) {
		if (line.end > line.at && line.end[-1] == '\r')
			line.end--;
		csv.line++;
		if (csv.line == 1)
			r = read_heads(&csv, line, err);
		else if (line.end > line.at)
			r = import_row(in, &csv, line, axes, err);
	}
	if (r == 0 && csv.line < 2)
		r = err_set(err, -EINVAL, "%s: has no row below its head", path);
	for (size_t i = 0; i < csv.head_count; i++)
		free(csv.heads[i]);
	free(csv.heads);
	buf_free(&whole);
	return r;
}

int import_file(struct import *in, const char *path, const struct pairs *axes, struct err *err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return err_set(err, -errno, "%s: %s", path, strerror(errno));
	if (st.st_size > LAB_MATRIX_BYTES)
		return err_set(err, -EFBIG, "%s: %lld bytes, more than %d are not read", path, (long long)st.st_size,
			       LAB_MATRIX_BYTES);
	return text_ends(text_of(path), ".csv") ? import_csv(in, path, axes, err) : import_json(in, path, axes, err);
}
