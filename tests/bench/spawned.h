/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program costs as a whole: for the benchmarks that set one command beside another. */
#ifndef ASSAY_TESTS_BENCH_SPAWNED_H
#define ASSAY_TESTS_BENCH_SPAWNED_H

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/clock.h"

extern char **environ;

struct cost {
	double wall_ms, cpu_ms; /* of it and of all that it waited for */
	long rss_kib;           /* the largest of these processes */
};

static inline double spawned_ms(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

/* Run it with its output thrown away; a failure ends the benchmark. */
static inline struct cost spawned(char **argv)
{
	posix_spawn_file_actions_t actions;
	uint64_t begin = clock_monotonic();
	struct cost cost = { 0 };
	struct rusage usage;
	int status = 1;
	pid_t pid;

	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	(void)posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) != 0 || wait4(pid, &status, 0, &usage) != pid ||
	    status != 0) {
		fprintf(stderr, "%s did not run\n", argv[0]);
		exit(1);
	}
	(void)posix_spawn_file_actions_destroy(&actions);
	cost.wall_ms = (double)(clock_monotonic() - begin) / 1e6;
	cost.cpu_ms = spawned_ms(usage.ru_utime) + spawned_ms(usage.ru_stime);
	cost.rss_kib = usage.ru_maxrss;
	return cost;
}

static inline int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static inline double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

#endif
