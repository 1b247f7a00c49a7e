/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where benchmark files are, and which one a command is. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/benchmark.h"

#define FOLDERS	  4
#define PATH_SIZE 4096

#define BENCHMARKS_MAX 1024

struct folders {
	char path[FOLDERS][PATH_SIZE];
	size_t count;
};

static void add(struct folders *f, const char *first, const char *second)
{
	int n = snprintf(f->path[f->count], PATH_SIZE, "%s%s", first, second);

	if (n > 0 && n < PATH_SIZE)
		f->count++;
}

/* A program runs from the tree it was built in when its own file lies there: build/<preset>/... */
static bool runs_from_its_build_folder(void)
{
	char own[PATH_SIZE];
	ssize_t n = readlink("/proc/self/exe", own, sizeof(own) - 1);
	struct text source = text_of(ASSAY_BENCHMARKS_SOURCE), rest;

	if (n <= 0)
		return false;
	source.end -= strlen("benchmarks"); /* the tree above */
	rest = text_n(own, (size_t)n);
	return text_len(rest) > text_len(source) && memcmp(rest.at, source.at, text_len(source)) == 0;
}

static void look_up(struct folders *f)
{
	const char *own = getenv("ASSAY_BENCHMARKS"), *home = getenv("HOME");

	f->count = 0;
	if (own && *own)
		add(f, own, "");
	if (home && *home == '/')
		add(f, home, "/.config/assay/benchmarks");
	add(f, ASSAY_BENCHMARKS_INSTALLED, "");
	if (runs_from_its_build_folder())
		add(f, ASSAY_BENCHMARKS_SOURCE, "");
}

static bool path_of(char *ret, const char *folder, const char *name)
{
	int n = snprintf(ret, PATH_SIZE, "%s/%s.yaml", folder, name);

	return n > 0 && n < PATH_SIZE;
}

int benchmark_find(const char *name, struct benchmark *ret, struct err *err)
{
	char path[PATH_SIZE];
	struct folders f;

	look_up(&f);
	for (size_t i = 0; i < f.count && !strchr(name, '/') && *name; i++)
		if (path_of(path, f.path[i], name) && access(path, F_OK) == 0)
			return benchmark_read(path, ret, err);
	return err_set(err, -ENOENT, "no benchmark '%s': there is no %s.yaml in %s, ~/.config/assay/benchmarks or %s",
		       name, name, "$ASSAY_BENCHMARKS", ASSAY_BENCHMARKS_INSTALLED);
}

static int is_yaml(const struct dirent *entry)
{
	struct text name = text_of(entry->d_name);

	return text_ends(name, ".yaml") && entry->d_name[0] != '.';
}

/* "fio" is the base name of the command; "perf bench" also names the arguments that must follow. */
static bool is_program(const char *program, const char *base, char *const *arguments)
{
	struct text rest = text_of(program), word;

	if (!text_word(&rest, &word) || !text_is(word, base))
		return false;
	for (; text_word(&rest, &word); arguments++)
		if (!*arguments || !text_is(word, *arguments))
			return false;
	return true;
}

static bool has_program(const struct benchmark *b, const char *base, char *const *arguments)
{
	for (char *const *p = b->programs; *p; p++)
		if (is_program(*p, base, arguments))
			return true;
	return false;
}

/* The user's file of a name stands for the installed one. */
static bool is_hidden(const struct folders *f, size_t folder, const char *file)
{
	char path[2 * PATH_SIZE];

	for (size_t i = 0; i < folder; i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", f->path[i], file);
		if (access(path, F_OK) == 0)
			return true;
	}
	return false;
}

static int recognise_in(const struct folders *f, size_t folder, const char *program, char *const *arguments,
			struct benchmark *ret, struct err *err)
{
	struct dirent **files = NULL;
	int count = scandir(f->path[folder], &files, is_yaml, alphasort), r = -ENOENT;

	for (int i = 0; i < count; i++) {
		char path[2 * PATH_SIZE];
		struct benchmark b = { 0 };

		(void)snprintf(path, sizeof(path), "%s/%s", f->path[folder], files[i]->d_name);
		if (r == -ENOENT && !is_hidden(f, folder, files[i]->d_name)) {
			int read = benchmark_read_naming(path, program, &b, err);

			if (read < 0)
				r = read; /* -ENOENT: it is not this one */
			else if (has_program(&b, program, arguments))
				r = 0;
			if (read == 0 && r == 0)
				*ret = b;
			else
				benchmark_free(&b);
		}
		free(files[i]);
	}
	free(files);
	return r;
}

int benchmark_recognise(char *const *argv, struct benchmark *ret, struct err *err)
{
	const char *slash, *program;
	struct folders f;

	if (!argv[0])
		return err_set(err, -ENOENT, "no command");
	slash = strrchr(argv[0], '/');
	program = slash ? slash + 1 : argv[0];
	look_up(&f);
	for (size_t i = 0; i < f.count; i++) {
		int r = recognise_in(&f, i, program, argv + 1, ret, err);

		if (r != -ENOENT)
			return r;
	}
	return err_set(err, -ENOENT, "%s: no benchmark that is known", program);
}

static int by_name(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(strrchr(*x, '/'), strrchr(*y, '/'));
}

static int list_folder(const struct folders *f, size_t folder, char **paths, size_t *count)
{
	struct dirent **files = NULL;
	int found = scandir(f->path[folder], &files, is_yaml, alphasort), r = 0;

	for (int i = 0; i < found; i++) {
		char path[2 * PATH_SIZE];

		(void)snprintf(path, sizeof(path), "%s/%s", f->path[folder], files[i]->d_name);
		if (*count < BENCHMARKS_MAX && !is_hidden(f, folder, files[i]->d_name)) {
			paths[*count] = text_copy(text_of(path));
			r = paths[*count] ? r : -ENOMEM;
			*count += paths[*count] != NULL;
		}
		free(files[i]);
	}
	free(files);
	return r;
}

int benchmark_paths(char ***ret, struct err *err)
{
	char **paths = calloc(BENCHMARKS_MAX + 1, sizeof(*paths));
	struct folders f;
	size_t count = 0;
	int r = paths ? 0 : -ENOMEM;

	look_up(&f);
	for (size_t i = 0; i < f.count && r == 0; i++)
		r = list_folder(&f, i, paths, &count);
	if (r < 0) {
		benchmark_paths_free(paths);
		return err_set(err, r, "no memory");
	}
	qsort(paths, count, sizeof(*paths), by_name);
	*ret = paths;
	return 0;
}

void benchmark_paths_free(char **paths)
{
	for (char **p = paths; p && *p; p++)
		free(*p);
	free(paths);
}
