/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A benchmark file (benchmarks/NAME.yaml): how it is recognised, and how its results are read.
 * docs/add-a-benchmark.md describes the form. Errors carry file, line and column.
 */
#ifndef ASSAY_BENCHMARKS_BENCHMARK_H
#define ASSAY_BENCHMARKS_BENCHMARK_H

#include "base/buf.h"
#include "base/pairs.h"

struct benchmark {
	char *name;         /* the testcase and the prefix of its results */
	char *description;
	char *path;         /* where it was read */
	char *results_json; /* the rules, in the form of analysis/results.h */
	char **programs;    /* names by which a command is recognised, "fio", "perf bench"; NULL-terminated */
	struct pairs axes;  /* parameter -> the options of the command that carry it: "nr_threads" -> "-g --groups" */
};

/* -EINVAL: "benchmarks/x.yaml:7:3: ..."; -errno of the file; -ENOMEM. `ret` is the caller's to free on success. */
int benchmark_read(const char *path, struct benchmark *ret, struct err *err);
/* The same of one that holds `program` somewhere; -ENOENT: it does not, and is not looked at any closer. */
int benchmark_read_naming(const char *path, const char *program, struct benchmark *ret, struct err *err);
/* The same of a text that is there already; `path` is only named. */
int benchmark_parse(const char *path, struct text text, struct benchmark *ret, struct err *err);
void benchmark_free(struct benchmark *b);

/* Folders looked into, first to last: $ASSAY_BENCHMARKS, ~/.config/assay/benchmarks, the installed ones, and - for a
 * program that runs from its build folder - the source tree's. -ENOENT: no such benchmark. */
int benchmark_find(const char *name, struct benchmark *ret, struct err *err);

/* The files of all benchmarks that benchmark_find() finds, by name; ends at NULL. Beyond 1024 they are left out. */
int benchmark_paths(char ***ret, struct err *err);
void benchmark_paths_free(char **paths);

/* The one whose `programs` hold the base name of argv[0]; -ENOENT: none, which is no fault. A file that does not hold that
 * name may be broken: it is not the one. */
int benchmark_recognise(char *const *argv, struct benchmark *ret, struct err *err);

/* Axes that the command line itself tells ("-g 50"), for those that the user did not give. */
int benchmark_axes(const struct benchmark *b, char *const *argv, struct pairs *axes, struct err *err);

#endif
