/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab/matrix.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#define FILE_NAME "matrix.json"
#define WHEN_KEY  "assay.when"

/* One file: its runs, and what they point to. */
struct matrix {
	struct stats *stats; /* [run] */
	double *when;	     /* [run] 0: not known */
	size_t runs;
	struct pairs axes;
};

static int path_of(const char *name, struct buf *ret)
{
	struct stat st;

	(void)buf_puts(ret, name);
	if (stat(name, &st) == 0 && S_ISDIR(st.st_mode))
		(void)buf_puts(ret, "/" FILE_NAME);
	return ret->failed;
}

bool lab_is_matrix(const char *name)
{
	cleanup_buf struct buf path = { 0 };
	struct stat st;

	return path_of(name, &path) == 0 && text_ends(buf_text(&path), ".json") && stat(path.data, &st) == 0 &&
	       S_ISREG(st.st_mode);
}

static int take_key(struct matrix *m, const char *path, const char *key, const json_t *values, struct err *err)
{
	if (!json_is_array(values))
		return err_set(err, -EINVAL, "%s: '%.64s' is no list of numbers", path, key);
	if (*key == '\0' || strpbrk(key, " \t\n"))
		return err_set(err, -EINVAL, "%s: '%.64s' is no key: it is empty or has a blank", path, key);
	for (size_t i = 0; i < json_array_size(values); i++) {
		const json_t *value = json_array_get(values, i);
		double number = json_number_value(value);

		if (strcmp(key, WHEN_KEY) == 0)
			m->when[i] = number;
		else if (json_is_number(value) && isfinite(number) && stats_set(&m->stats[i], key, number) < 0)
			return err_set(err, -ENOMEM, "%s: no memory", path);
	}
	return 0;
}

static int read_matrix(const char *name, const char *column, struct matrix *ret, struct err *err)
{
	cleanup_buf struct buf path = { 0 };
	const char *key;
	json_t *file, *values;
	json_error_t wrong;
	struct stat st;
	int r = path_of(name, &path);

	*ret = (struct matrix){ 0 };
	if (r < 0)
		return err_set(err, r, "%.64s: no memory", name);
	if (stat(path.data, &st) < 0)
		return err_set(err, -errno, "%s: %s", path.data, strerror(errno));
	if (st.st_size > LAB_MATRIX_BYTES)
		return err_set(err, -EFBIG, "%s: %lld bytes, more than %d are not read", path.data,
			       (long long)st.st_size, LAB_MATRIX_BYTES);
	file = json_load_file(path.data, JSON_REJECT_DUPLICATES, &wrong);
	if (!file)
		return err_set(err, -EINVAL, "%s:%d:%d: %s", path.data, wrong.line, wrong.column, wrong.text);
	if (!json_is_object(file)) {
		json_decref(file);
		return err_set(err, -EINVAL, "%s: is no object of lists of numbers", path.data);
	}
	json_object_foreach(file, key, values) if (json_array_size(values) > ret->runs) ret->runs =
		json_array_size(values);
	if (ret->runs > LAB_RUNS_MAX)
		r = err_set(err, -E2BIG, "%s: %zu runs, more than %d", path.data, ret->runs, LAB_RUNS_MAX);
	if (r == 0 && ret->runs == 0)
		r = err_set(err, -EINVAL, "%s: has no run", path.data);
	if (r == 0) {
		ret->stats = calloc(ret->runs, sizeof(*ret->stats));
		ret->when = calloc(ret->runs, sizeof(*ret->when));
	}
	if (r == 0 && (!ret->stats || !ret->when || pairs_set(&ret->axes, "matrix", column) < 0))
		r = err_set(err, -ENOMEM, "%s: no memory", path.data);
	if (r == 0)
		json_object_foreach(file, key, values) if (r == 0) r = take_key(ret, path.data, key, values, err);
	json_decref(file);
	for (size_t i = 0; ret->stats && i < ret->runs; i++)
		stats_sort(&ret->stats[i]);
	return r;
}

static void matrix_free(struct matrix *m)
{
	for (size_t i = 0; m->stats && i < m->runs; i++)
		stats_free(&m->stats[i]);
	free(m->stats);
	free(m->when);
	pairs_free(&m->axes);
}

static int compare_them(struct matrix *matrices, size_t count, const char *const *names, bool history,
			const struct lab_options *options, struct comparison *ret, struct err *err)
{
	struct compare_options asked = options->compare;
	size_t runs = 0, past = 0;
	struct compare_run *all;
	int r;

	for (size_t i = 0; i < count; i++)
		runs += matrices[i].runs;
	all = calloc(runs, sizeof(*all));
	if (!all)
		return err_set(err, -ENOMEM, "no memory to compare %zu runs", runs);
	runs = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < matrices[i].runs; k++)
			all[runs++] = (struct compare_run){
				.stats = &matrices[i].stats[k],
				.axes = &matrices[i].axes,
				.when = matrices[i].when[k],
			};
	if (history)
		past = matrices[count - 1].runs;
	asked.axis = "matrix";
	asked.columns = names;
	asked.column_count = history ? count - 1 : count;
	asked.history = all + runs - past;
	asked.history_count = past;
	r = compare(all, runs - past, &asked, ret, err);
	free(all);
	return r;
}

int lab_compare_matrices(const char *const *names, size_t count, const char *history, const struct lab_options *options,
			 struct comparison *ret, struct err *err)
{
	size_t files = count + (history != NULL);
	struct matrix *matrices = calloc(files, sizeof(*matrices));
	int r = 0;

	if (!matrices)
		return err_set(err, -ENOMEM, "no memory to compare %zu files", files);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i && r == 0; k++)
			if (strcmp(names[i], names[k]) == 0)
				r = err_set(err, -EINVAL, "%s is compared with itself", names[i]);
	for (size_t i = 0; i < files && r == 0; i++)
		r = read_matrix(i < count ? names[i] : history, names[i < count ? i : 0], &matrices[i], err);
	if (r == 0)
		r = compare_them(matrices, files, names, history != NULL, options, ret, err);
	for (size_t i = 0; i < files; i++)
		matrix_free(&matrices[i]);
	free(matrices);
	return r;
}
