/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of other programs as runs, and runs as their numbers. */
#include "lab/export.h"
#include "lab/import.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/support/shared.h"

struct rig {
	char folder[32];
	struct store *store;
	struct import_count count;
	struct pairs axes;
	struct buf out;
	struct err err;
};

static int open_rig(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));
	struct store_options options = { 0 };
	char path[64];

	if (!rig)
		return -1;
	*state = rig;
	(void)snprintf(rig->folder, sizeof(rig->folder), "/tmp/assay-import.XXXXXX");
	assert_non_null(mkdtemp(rig->folder));
	(void)snprintf(path, sizeof(path), "%s/store", rig->folder);
	options.path = path;
	return store_open(&rig->store, &options, &rig->err);
}

static int close_rig(void **state)
{
	struct rig *rig = *state;

	store_close(rig->store);
	pairs_free(&rig->axes);
	buf_free(&rig->out);
	remove_tree(rig->folder);
	free(rig);
	return 0;
}

static const char *file(struct rig *rig, const char *name, const char *text)
{
	static char path[4096];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", rig->folder, name);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	return path;
}

static int import(struct rig *rig, const char *name, const char *text)
{
	const char *path = file(rig, name, text);

	rig->count = (struct import_count){ 0 };
	return lab_import(rig->store, path, &rig->axes, &rig->count, &rig->err);
}

static const char *exported(struct rig *rig, const char *name, const char *form, const char *filter)
{
	buf_clear(&rig->out);
	assert_int_equal(lab_export(rig->store, name, form, filter, &rig->out, &rig->err), 0);
	return rig->out.data;
}

#define assert_has(text, part)                                     \
	do {                                                       \
		if (!strstr(text, part))                           \
			fail_msg("no \"%s\" in:\n%s", part, text); \
	} while (0)

static void a_matrix_is_a_run_a_column(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(pairs_set(&rig->axes, "commit", "v1"), 0);
	assert_int_equal(import(rig, "matrix.json", "{\"a.x\":[1,2.5,3],\"a.y\":[7,null],\"source\":[\"a\"]}"), 0);
	assert_int_equal(rig->count.runs, 3);
	assert_int_equal(rig->count.values, 4);
	assert_int_equal(rig->count.missing, 2);
	assert_string_equal(exported(rig, "v1", "matrix", NULL), "{\"assay.when\":[0.000,0.000,0.000],\n"
								 " \"a.x\":[1,2.5,3],\n \"a.y\":[7,null,null]}\n");
}

static void the_same_file_twice_is_the_same_runs(void **state)
{
	struct rig *rig = *state;
	const char *path = file(rig, "matrix.json", "{\"a.x\":[1,2]}");

	assert_int_equal(lab_import(rig->store, path, &rig->axes, &rig->count, &rig->err), 0);
	assert_int_equal(lab_import(rig->store, path, &rig->axes, &rig->count, &rig->err), 0);
	assert_int_equal(rig->count.runs, 2);
	assert_int_equal(rig->count.known, 2);
}

static void stats_are_one_run_and_zero_is_a_number(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(import(rig, "stats.json", "{\"hackbench.throughput\":12000,\"a.zero\":0,\"a.text\":\"x\"}"),
			 0);
	assert_int_equal(rig->count.runs, 1);
	assert_int_equal(rig->count.missing, 1);
	assert_has(exported(rig, "@0", "json", NULL), "\"stats\":{\"a.zero\":0,\"hackbench.throughput\":12000}");
}

static void a_range_query_is_means_and_growth(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(
		import(rig, "query.json",
		       "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
		       "{\"metric\":{\"__name__\":\"cs_total\",\"job\":\"b\",\"cpu\":\"0\"},"
		       "\"values\":[[1700000000,\"5\"],[1700000001,\"9\"],[1700000002,\"2\"]]},"
		       "{\"metric\":{\"__name__\":\"load1\"},\"values\":[[1700000000,\"0.5\"],[1700000001,\"NaN\"],"
		       "[1700000002,\"1.5\"]]}]}}"),
		0);
	assert_has(
		exported(rig, "@0", "json", NULL),
		"\"time_ns\":1700000000000000000,\"stats\":{\"cs_total{cpu=\\\"0\\\",job=\\\"b\\\"}\":6,\"load1\":1}");
}

static void csv_goes_out_and_in_unchanged(void **state)
{
	static const char text[] = "axis.commit,axis.testcase,time,a.x,\"a.\"\"q\"\",\"\r\n"
				   "v1,t,1700000000.000,1,\r\n"
				   "v1,t,1700000060.500,2.5,-3\r\n";
	struct rig *rig = *state;

	assert_int_equal(import(rig, "runs.csv", text), 0);
	assert_int_equal(rig->count.runs, 2);
	assert_int_equal(rig->count.missing, 1);
	assert_string_equal(exported(rig, "v1", "csv", NULL), text);
}

static void the_path_of_a_result_tells_its_axes(void **state)
{
	static const char *const parts[] = { "lkp", "hackbench", "50%", "csl", "debian", "rhel", "gcc-12", "v6.12" };
	struct rig *rig = *state;
	char path[512];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s", rig->folder);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		(void)snprintf(path + strlen(path), sizeof(path) - strlen(path), "/%s", parts[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	(void)snprintf(path + strlen(path), sizeof(path) - strlen(path), "/matrix.json");
	f = fopen(path, "we");
	assert_non_null(f);
	assert_true(fputs("{\"a.x\":[1]}", f) >= 0);
	assert_int_equal(fclose(f), 0);
	(void)snprintf(path, sizeof(path), "%s/lkp/", rig->folder);
	assert_int_equal(lab_import(rig->store, path, &rig->axes, &rig->count, &rig->err), 0);
	assert_has(exported(rig, "commit=v6.12,testcase=hackbench,tbox_group=csl,compiler=gcc-12,rootfs=debian", "json",
			    NULL),
		   "\"params\":\"50%\"");
}

static void what_is_no_such_file_is_refused_with_the_place(void **state)
{
	static const struct {
		const char *name, *text, *says;
	} bad[] = {
		{ "a.json", "{\"a\":[1,", "a.json:1:" },
		{ "a.json", "{\"a\":[null]}", "has no number" },
		{ "a.json", "[1,2]", "no object" },
		{ "a.json", "{\"a\":[1],\"b\":2}", "'b' is no list" },
		{ "a.json", "{\"a b\":[1]}", "is no key" },
		{ "a.json", "{\"a\":\"x\"}", "has no number" },
		{ "a.json", "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}",
		  "range query" },
		{ "a.csv", "a.x,a.y\n1\n", "a.csv:2: fewer fields" },
		{ "a.csv", "a.x\n1,2\n", "a.csv:2: more fields" },
		{ "a.csv", "a.x\nseven\n", "column 1 (a.x): 'seven' is no number" },
		{ "a.csv", "a.x,\"a.y\n1,2\n", "quote" },
		{ "a.csv", "a.x\n", "no row" },
		{ "a.csv", "axis.commit\nv1\n", "no number" },
	};
	struct rig *rig = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(import(rig, bad[i].name, bad[i].text), -EINVAL);
		assert_has(rig->err.text, bad[i].says);
		assert_int_equal(rig->count.runs, 0);
	}
	assert_int_equal(lab_import(rig->store, "/nowhere", &rig->axes, &rig->count, &rig->err), -ENOENT);
	assert_int_equal(lab_import(rig->store, rig->folder, &rig->axes, &rig->count, &rig->err), -ENOENT);
}

static void openmetrics_escapes_its_labels_and_ends(void **state)
{
	struct rig *rig = *state;
	const char *text;

	assert_int_equal(pairs_set(&rig->axes, "commit", "a\"b\\c"), 0);
	assert_int_equal(pairs_set(&rig->axes, "run", "1"), 0);
	assert_int_equal(import(rig, "stats.json", "{\"a.x\":0.5}"), 0);
	text = exported(rig, "@0", "openmetrics", NULL);
	assert_has(text, "# TYPE assay_stat gauge\nassay_stat{key=\"a.x\",run=\"");
	assert_has(text, ",commit=\"a\\\"b\\\\c\",axis_run=\"1\"} 0.5 ");
	assert_true(strcmp(text + strlen(text) - 6, "# EOF\n") == 0);
}

static void benchstat_has_a_line_for_each_number(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(pairs_set(&rig->axes, "testcase", "hackbench"), 0);
	assert_int_equal(pairs_set(&rig->axes, "nr_threads", "4"), 0);
	assert_int_equal(pairs_set(&rig->axes, "commit", "v6.12"), 0);
	assert_int_equal(import(rig, "stats.json", "{\"hackbench.throughput\":12000,\"a.x\":1}"), 0);
	assert_string_equal(
		exported(rig, "@0", "benchstat", "hackbench.*"),
		"commit: v6.12\nhost: imported\nBenchmarkHackbench/nr_threads=4 1 12000 hackbench.throughput\n");
	assert_int_equal(lab_export(rig->store, "@0", "xml", NULL, &rig->out, &rig->err), -EINVAL);
	assert_int_equal(lab_export(rig->store, "nobody", "json", NULL, &rig->out, &rig->err), -ENOENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_rig, close_rig)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_matrix_is_a_run_a_column),
		TEST(the_same_file_twice_is_the_same_runs),
		TEST(stats_are_one_run_and_zero_is_a_number),
		TEST(a_range_query_is_means_and_growth),
		TEST(csv_goes_out_and_in_unchanged),
		TEST(the_path_of_a_result_tells_its_axes),
		TEST(what_is_no_such_file_is_refused_with_the_place),
		TEST(openmetrics_escapes_its_labels_and_ends),
		TEST(benchstat_has_a_line_for_each_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
