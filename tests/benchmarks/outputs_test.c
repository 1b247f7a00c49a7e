/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shipped benchmarks over recorded outputs: data/outputs, data/outputs-real. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/number.h"
#include "analysis/results.h"
#include "benchmarks/benchmark.h"
#include "tests/support/shared.h"

static struct stats stats_of(const struct benchmark *b, struct text out)
{
	struct results_rules *rules = NULL;
	struct stats s = { 0 };
	struct err err = { 0 };
	size_t count;

	assert_int_equal(results_compile(text_of(b->results_json), &rules, &err), 0);
	assert_int_equal(results_apply(rules, b->name, out, text_of(""), &s, &count, &err), 0);
	results_free(rules);
	stats_sort(&s);
	return s;
}

/* "key: number" lines, all of which must be there, and nothing else. */
static void compare(const char *file, const struct benchmark *b, const struct stats *s, struct text expected)
{
	struct text line, key;
	size_t wanted = 0;

	while (text_line(&expected, &line)) {
		char name[256];
		double want, have;

		if (!text_cut(&line, ": ", &key) || !number_read(text_trim(line), &want))
			continue;
		(void)snprintf(name, sizeof(name), "%s.%.*s", b->name, TEXT_ARGS(key));
		wanted++;
		if (!stats_get(s, name, &have))
			fail_msg("%s: no %s", file, name);
		if (have < want * (1 - 1e-12) || have > want * (1 + 1e-12))
			fail_msg("%s: %s is %.17g, should be %.17g", file, name, have, want);
	}
	if (s->count != wanted)
		fail_msg("%s: %zu results, should be %zu", file, s->count, wanted);
}

static size_t each_file(const char *name, const char *folder)
{
	struct benchmark b = { 0 };
	struct err err = { 0 };
	char path[4096];
	size_t files = 0;
	DIR *dir;

	if (!shared_path(path, sizeof(path), folder))
		skip();
	assert_int_equal(benchmark_find(name, &b, &err), 0);
	dir = opendir(path);
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		char whole[8192];
		struct buf out, expected;
		struct stats s;
		int stem = (int)strlen(e->d_name) - 4;

		if (!text_ends(text_of(e->d_name), ".txt"))
			continue;
		(void)snprintf(whole, sizeof(whole), "%s/%s", path, e->d_name);
		out = read_whole(whole);
		(void)snprintf(whole, sizeof(whole), "%s/%.*s.expected.yaml", path, stem, e->d_name);
		expected = read_whole(whole);
		s = stats_of(&b, buf_text(&out));
		compare(e->d_name, &b, &s, buf_text(&expected));
		stats_free(&s);
		buf_free(&out);
		buf_free(&expected);
		files++;
	}
	(void)closedir(dir);
	benchmark_free(&b);
	return files;
}

static void reads_hackbench(void **state)
{
	assert_int_equal(each_file("hackbench", "outputs/hackbench"), 1);
	assert_int_equal(each_file("hackbench", "outputs-real/hackbench"), 10);
}

static void reads_fsmark(void **state)
{
	assert_int_equal(each_file("fsmark", "outputs/fsmark"), 1);
	assert_int_equal(each_file("fsmark", "outputs-real/fsmark"), 7);
}

static void expect(const struct stats *s, const char *key, double want)
{
	double have = -1;

	if (!stats_get(s, key, &have) || have != want)
		fail_msg("%s is %.17g, should be %.17g", key, have, want);
}

static void hackbench_counts_a_nominal_volume(void **state)
{
	static const char out[] =
		"Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)\n"
		"Each sender will pass 100 messages of 100 bytes\n"
		"Time: 0.5\n"
		"Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)\n"
		"Each sender will pass 100 messages of 100 bytes\n"
		"Time: 0.7\n"
		"Time: 0.1"; /* torn */
	struct benchmark b = { 0 };
	struct err err = { 0 };
	struct stats s;

	assert_int_equal(benchmark_find("hackbench", &b, &err), 0);
	s = stats_of(&b, text_of(out));
	assert_int_equal(s.count, 4);
	expect(&s, "hackbench.throughput", 3906 / 0.5); /* 4,000,000 bytes are 3906 kB and a bit */
	expect(&s, "hackbench.throughput_best", 3906 / 0.5);
	expect(&s, "hackbench.throughput_avg", 6510);
	expect(&s, "hackbench.throughput_worst", 3906 / 0.7);
	stats_free(&s);
	s = stats_of(&b, text_of("Time: 0.5\n")); /* of what? */
	assert_int_equal(s.count, 0);
	stats_free(&s);
	benchmark_free(&b);
}

static void fsmark_means_its_iterations(void **state)
{
	static const char out[] = "FSUse%        Count         Size    Files/sec     App Overhead\n"
				  "     5        51200         8192       8324.5           390190\n"
				  "     7       102400         8192       8325.5           390200\n"
				  "Average Files/sec:       8325.0\n"
				  "     9       102400         8192       1.5           1\n";
	struct benchmark b = { 0 };
	struct err err = { 0 };
	struct stats s;

	assert_int_equal(benchmark_find("fsmark", &b, &err), 0);
	s = stats_of(&b, text_of(out));
	assert_int_equal(s.count, 2);
	expect(&s, "fsmark.files_per_sec", 8325);
	expect(&s, "fsmark.app_overhead", 390195);
	stats_free(&s);
	benchmark_free(&b);
}

static int without_own_files(void **state)
{
	(void)unsetenv("ASSAY_BENCHMARKS");
	(void)unsetenv("HOME");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_hackbench),
		cmocka_unit_test(reads_fsmark),
		cmocka_unit_test(hackbench_counts_a_nominal_volume),
		cmocka_unit_test(fsmark_means_its_iterations),
	};

	return cmocka_run_group_tests(tests, without_own_files, NULL);
}
