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

static int take_key(struct lab_matrix *m, const char *path, const char *key, const json_t *values, struct err *err)
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

int lab_matrix_take(const json_t *file, const char *path, struct lab_matrix *ret, struct err *err)
{
	const char *key;
	json_t *values;
	int r = 0;

	*ret = (struct lab_matrix){ 0 };
	if (!json_is_object(file))
		return err_set(err, -EINVAL, "%s: is no object of lists of numbers", path);
	json_object_foreach((json_t *)file, key, values)
		if (json_array_size(values) > ret->runs)
			ret->runs = json_array_size(values);
	if (ret->runs == 0)
		return err_set(err, -EINVAL, "%s: has no run", path);
	if (ret->runs > LAB_RUNS_MAX) {
		size_t runs = ret->runs;

		ret->runs = 0;
		return err_set(err, -E2BIG, "%s: %zu runs, more than %d", path, runs, LAB_RUNS_MAX);
	}
	ret->stats = calloc(ret->runs, sizeof(*ret->stats));
	ret->when = calloc(ret->runs, sizeof(*ret->when));
	if (!ret->stats || !ret->when)
		return err_set(err, -ENOMEM, "%s: no memory", path);
	json_object_foreach((json_t *)file, key, values)
		if (r == 0)
			r = take_key(ret, path, key, values, err);
	for (size_t i = 0; i < ret->runs; i++)
		stats_sort(&ret->stats[i]);
	return r;
}

void lab_matrix_free(struct lab_matrix *m)
{
	for (size_t i = 0; m->stats && i < m->runs; i++)
		stats_free(&m->stats[i]);
	free(m->stats);
	free(m->when);
	*m = (struct lab_matrix){ 0 };
}

static int read_matrix(const char *name, struct lab_matrix *ret, struct err *err)
{
	cleanup_buf struct buf path = { 0 };
	json_error_t wrong;
	struct stat st;
	json_t *file;
	int r = path_of(name, &path);

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
	r = lab_matrix_take(file, path.data, ret, err);
	json_decref(file);
	return r;
}

static int compare_them(const struct lab_matrix *matrices, size_t count, const char *const *names, bool history,
			const struct lab_options *options, struct comparison *ret, struct err *err)
{
	struct pairs *axes = calloc(count, sizeof(*axes)); /* of a file */
	struct compare_options asked = options->compare;
	size_t runs = 0, past = 0;
	struct compare_run *all;
	int r = 0;

	for (size_t i = 0; i < count; i++)
		runs += matrices[i].runs;
	all = calloc(runs, sizeof(*all));
	for (size_t i = 0; i < count && axes && r == 0; i++) /* the history's is that of the base */
		r = pairs_set(&axes[i], "matrix", names[history && i + 1 == count ? 0 : i]);
	if (!all || !axes || r < 0) {
		r = err_set(err, -ENOMEM, "no memory to compare %zu runs", runs);
		goto out;
	}
	runs = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < matrices[i].runs; k++)
			all[runs++] = (struct compare_run){
				.stats = &matrices[i].stats[k],
				.axes = &axes[i],
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
out:
	for (size_t i = 0; axes && i < count; i++)
		pairs_free(&axes[i]);
	free(axes);
	free(all);
	return r;
}

int lab_compare_matrices(const char *const *names, size_t count, const char *history, const struct lab_options *options,
			 struct comparison *ret, struct err *err)
{
	size_t files = count + (history != NULL);
	struct lab_matrix *matrices = calloc(files, sizeof(*matrices));
	int r = 0;

	if (!matrices)
		return err_set(err, -ENOMEM, "no memory to compare %zu files", files);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i && r == 0; k++)
			if (strcmp(names[i], names[k]) == 0)
				r = err_set(err, -EINVAL, "%s is compared with itself", names[i]);
	for (size_t i = 0; i < files && r == 0; i++)
		r = read_matrix(i < count ? names[i] : history, &matrices[i], err);
	if (r == 0)
		r = compare_them(matrices, files, names, history != NULL, options, ret, err);
	for (size_t i = 0; i < files; i++)
		lab_matrix_free(&matrices[i]);
	free(matrices);
	return r;
}
