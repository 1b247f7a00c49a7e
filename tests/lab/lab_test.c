/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab/lab.h"
#include "lab/matrix.h"
#include "lab/trend.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lab/json.h"
#include "proto/segment.h"
#include "tests/support/shared.h"

struct rig {
	char folder[256];
	struct store *store;
	struct comparison comparison;
	struct err err;
	unsigned runs;
	struct pairs facts; /* of the runs made from now on */
};

static int setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	assert_non_null(rig);
	fresh_folder(rig->folder, sizeof(rig->folder));
	assert_int_equal(store_open(&rig->store, &(struct store_options){ .path = rig->folder }, &rig->err), 0);
	*state = rig;
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	comparison_free(&rig->comparison);
	store_close(rig->store);
	pairs_free(&rig->facts);
	remove_tree(rig->folder);
	free(rig);
	return 0;
}

/* A whole run with axes "a=1,b=2" and one result; its id ends in the number of the run. */
static struct ulid add_run(struct rig *rig, const char *axes, double value, const struct run_end *end)
{
	struct run_header header = { .sequence = 1,
				     .host = "lab-1",
				     .boot_id = "b",
				     .agent_version = "0.1.0",
				     .realtime_ns = 1 + UINT64_C(60000000000) * rig->runs,
				     .monotonic_ns = 1,
				     .tick_ns = 1000000000 };
	struct store_query query = { 0 };
	struct buf open = { 0 }, sealed = { 0 };
	struct segment_writer *w;
	enum put_result result;

	(void)snprintf(header.run.text, sizeof(header.run.text), "01ARZ3NDEKTSV4RRFFQ69G%04u", rig->runs++);
	assert_int_equal(store_query_parse(&query, axes, &rig->err), 0); /* the same form */
	assert_int_equal(segment_writer_open(&w, &header, &open, &rig->err), 0);
	assert_int_equal(segment_put_facts(w, &query.where, &rig->facts, &open, &rig->err), 0);
	assert_int_equal(
		segment_put_result(w, &(struct run_result){ "hackbench.throughput", value, "", 1 }, &open, &rig->err),
		0);
	if (end)
		assert_int_equal(segment_put_end(w, end, &open, &rig->err), 0);
	assert_int_equal(segment_seal(buf_text(&open), 1, &sealed, &rig->err), 0);
	segment_writer_close(w);
	assert_int_equal(store_put_segment(rig->store, &header.run, 1, buf_text(&sealed), NULL, &result, &rig->err), 0);
	assert_int_equal(result, PUT_CREATED);
	buf_free(&open);
	buf_free(&sealed);
	store_query_free(&query);
	return header.run;
}

static void add_group(struct rig *rig, const char *axes, double value)
{
	for (int i = 0; i < 4; i++)
		(void)add_run(rig, axes, value + i, &(struct run_end){ .exited = true });
}

static int compare_them(struct rig *rig, const char *axis, size_t count, ...)
{
	struct lab_options options = { .compare = { .rules = RULES_LKP, .axis = axis } };
	const char *names[4];
	va_list args;

	va_start(args, count);
	for (size_t i = 0; i < count; i++)
		names[i] = va_arg(args, const char *);
	va_end(args);
	comparison_free(&rig->comparison);
	return lab_compare_names(rig->store, names, count, &options, &rig->comparison, &rig->err);
}

#define assert_columns(rig, wanted_axis, base, head)                               \
	do {                                                                       \
		assert_string_equal((rig)->comparison.axis, wanted_axis);          \
		assert_int_equal((rig)->comparison.table_count, 1);                \
		assert_int_equal((rig)->comparison.tables[0].column_count, 2);     \
		assert_string_equal((rig)->comparison.tables[0].columns[0], base); \
		assert_string_equal((rig)->comparison.tables[0].columns[1], head); \
	} while (0)

static void bare_values_are_those_of_the_axis(void **state)
{
	struct rig *rig = *state;

	add_group(rig, "commit=a,g=4", 100);
	add_group(rig, "commit=b,g=4", 200);
	assert_int_equal(compare_them(rig, NULL, 2, "b", "a"), 0);
	assert_columns(rig, "commit", "b", "a"); /* in the order asked, not of time */
	assert_int_equal(rig->comparison.tables[0].row_count, 1);
	assert_int_equal(compare_them(rig, "g", 2, "4", "8"), -ENOENT);
	assert_non_null(strstr(rig->err.text, "g=8"));
}

static void the_axis_is_the_one_in_which_the_queries_differ(void **state)
{
	struct rig *rig = *state;

	add_group(rig, "commit=a,g=4,testcase=t", 100);
	add_group(rig, "commit=a,g=8,testcase=t", 200);
	assert_int_equal(compare_them(rig, NULL, 2, "g=4,testcase=t", "g=8,testcase=t"), 0);
	assert_columns(rig, "g", "4", "8");
	assert_string_equal(pairs_get(&rig->comparison.tables[0].axes, "commit"), "a");
}

static void facts_may_be_compared_like_axes(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(pairs_set(&rig->facts, "cpu.smt", "on"), 0);
	assert_int_equal(pairs_set(&rig->facts, "cpu.microcode", "0x1d"), 0);
	add_group(rig, "commit=a,g=4", 100);
	assert_int_equal(pairs_set(&rig->facts, "cpu.smt", "off"), 0);
	assert_int_equal(pairs_set(&rig->facts, "cpu.microcode", "0x2a"), 0);
	add_group(rig, "commit=a,g=4", 200);
	assert_int_equal(compare_them(rig, NULL, 2, "cpu.smt=on", "cpu.smt=off"), 0);
	assert_columns(rig, "cpu.smt", "on", "off");
	assert_string_equal(pairs_get(&rig->comparison.tables[0].axes, "commit"), "a");
	assert_int_equal(compare_them(rig, "cpu.microcode", 2, "0x1d", "0x2a"), 0);
	assert_columns(rig, "cpu.microcode", "0x1d", "0x2a");
}

static void facts_that_differ_besides_are_warned_of(void **state)
{
	struct lab_options options = { .compare = { .rules = RULES_ASSAY } };
	const char *const names[] = { "cpu.smt=on", "cpu.smt=off" };
	struct rig *rig = *state;
	size_t found = 0;

	assert_int_equal(pairs_set(&rig->facts, "cpu.smt", "on"), 0);
	assert_int_equal(pairs_set(&rig->facts, "cpu.microcode", "0x1d"), 0);
	add_group(rig, "commit=a,g=4", 100);
	assert_int_equal(pairs_set(&rig->facts, "cpu.smt", "off"), 0);
	assert_int_equal(pairs_set(&rig->facts, "cpu.microcode", "0x2a"), 0);
	add_group(rig, "commit=a,g=4", 200);
	assert_int_equal(lab_compare_names(rig->store, names, 2, &options, &rig->comparison, &rig->err), 0);
	for (size_t i = 0; i < rig->comparison.tables[0].warning_count; i++) {
		const char *warning = rig->comparison.tables[0].warnings[i];

		found += strcmp(warning, "cpu.microcode differs: 0x1d in on, 0x2a in off") == 0;
		assert_null(strstr(warning, "cpu.smt"));
	}
	assert_int_equal(found, 1);
}

static void axes_asked_for_differently_keep_nothing_apart(void **state)
{
	struct rig *rig = *state;

	add_group(rig, "commit=a,kconfig=x", 100);
	add_group(rig, "commit=b,kconfig=y", 200);
	assert_int_equal(compare_them(rig, NULL, 2, "commit=a,kconfig=x", "commit=b,kconfig=y"), 0);
	assert_columns(rig, "commit", "a", "b");
	assert_int_equal(rig->comparison.tables[0].axes.count, 0);
	/* but what was not said keeps them apart, and is named */
	assert_int_equal(compare_them(rig, NULL, 2, "commit=a", "commit=b"), -ENOENT);
	assert_string_equal(rig->err.text,
			    "no runs of commit=a and commit=b are alike but for commit: they differ in kconfig, "
			    "too; a query may name that");
}

static void a_glob_makes_one_column_of_many_values(void **state)
{
	struct rig *rig = *state;

	add_group(rig, "commit=v6.1,g=4", 100);
	add_group(rig, "commit=v6.2,g=4", 100);
	add_group(rig, "commit=v7.1,g=4", 200);
	assert_int_equal(compare_them(rig, NULL, 2, "v6.*", "v7.*"), 0);
	assert_string_equal(rig->comparison.axis, "commit");
	assert_columns(rig, "commit", "v6.*", "v7.*");
	assert_int_equal(rig->comparison.tables[0].runs[0], 8);
}

static void runs_are_named_by_id_prefix_and_age(void **state)
{
	struct rig *rig = *state;
	struct ulid first = add_run(rig, "commit=a,g=4", 100, &(struct run_end){ .exited = true });
	struct ulid second = add_run(rig, "commit=a,g=4", 200, &(struct run_end){ .exited = true });

	assert_int_equal(compare_them(rig, NULL, 2, "@1", "@0"), 0);
	assert_columns(rig, "run", "@1", "@0");
	assert_string_equal(pairs_get(&rig->comparison.tables[0].axes, "commit"), "a");
	assert_int_equal(compare_them(rig, NULL, 2, first.text, second.text), 0);
	assert_columns(rig, "run", first.text, second.text);
	assert_int_equal(compare_them(rig, NULL, 2, "01ARZ", second.text), -ENOTUNIQ);
	assert_int_equal(compare_them(rig, NULL, 2, "@0", second.text), -EINVAL);
	assert_non_null(strstr(rig->err.text, "is in @0 and in"));
}

static void runs_named_by_id_are_set_side_by_side_whatever_differs(void **state)
{
	struct rig *rig = *state;

	(void)add_run(rig, "commit=a,g=4,mode=x", 100, &(struct run_end){ .exited = true });
	(void)add_run(rig, "commit=b,g=8,mode=x", 200, &(struct run_end){ .exited = true });
	(void)add_run(rig, "commit=b,g=4,mode=x", 200, &(struct run_end){ .exited = true });
	assert_int_equal(compare_them(rig, NULL, 2, "@2", "@1"), 0);
	assert_columns(rig, "commit", "a", "b");
	assert_int_equal(rig->comparison.tables[0].axes.count, 1);   /* mode */
	assert_int_equal(compare_them(rig, NULL, 2, "@1", "@0"), 0); /* the one axis in which they differ */
	assert_columns(rig, "g", "8", "4");
}

static void says_what_is_no_side(void **state)
{
	struct rig *rig = *state;

	add_group(rig, "commit=a", 100);
	assert_int_equal(compare_them(rig, NULL, 1, "a"), -EINVAL);
	assert_int_equal(compare_them(rig, NULL, 0), -EINVAL);
	assert_int_equal(compare_them(rig, NULL, 2, "a", ""), -EINVAL);
	assert_int_equal(compare_them(rig, NULL, 2, "a", "commit=z"), -ENOENT);
	assert_int_equal(compare_them(rig, NULL, 2, "a", "no such"), -ENOENT);
	assert_int_equal(compare_them(rig, NULL, 2, "a", "x=1,y"), -EINVAL);
	assert_int_equal(compare_them(rig, NULL, 2, "a", "@99"), -ENOENT);
}

static void a_run_without_end_or_ended_by_a_signal_is_incomplete(void **state)
{
	struct rig *rig = *state;

	add_group(rig, "commit=a", 100);
	add_group(rig, "commit=b", 200);
	(void)add_run(rig, "commit=b", 9, NULL);
	(void)add_run(rig, "commit=b", 9, &(struct run_end){ .exited = true, .signal = 9 });
	(void)add_run(rig, "commit=b", 203, &(struct run_end){ .exited = true, .exit_code = 1 });
	assert_int_equal(compare_them(rig, NULL, 2, "a", "b"), 0);
	assert_int_equal(rig->comparison.tables[0].runs[1], 7);
	assert_int_equal(rig->comparison.tables[0].complete[1], 5);
}

static const struct compare_table *judge_them(struct rig *rig, bool no_history, const char *base, const char *head)
{
	struct lab_options options = { .no_history = no_history };

	comparison_free(&rig->comparison);
	assert_int_equal(
		lab_compare_names(rig->store, (const char *[]){ base, head }, 2, &options, &rig->comparison, &rig->err),
		0);
	assert_int_equal(rig->comparison.table_count, 1);
	return &rig->comparison.tables[0];
}

static void earlier_runs_of_the_benchmark_tell_of_its_noise(void **state)
{
	struct rig *rig = *state;

	add_group(rig, "commit=v1,g=4,testcase=hackbench", 100);
	add_group(rig, "commit=v1,g=8,testcase=hackbench", 300); /* another parameter */
	add_group(rig, "commit=v2,g=4,testcase=hackbench", 102);
	(void)add_run(rig, "commit=v3,g=4,testcase=hackbench", 103, &(struct run_end){ .exited = true }); /* alone */
	add_group(rig, "commit=v4,g=4,testcase=hackbench", 104);
	add_group(rig, "commit=v5,g=4,testcase=hackbench", 150);
	add_group(rig, "commit=v6,g=4,testcase=hackbench", 151); /* later */
	assert_int_equal(judge_them(rig, false, "commit=v4,g=4", "commit=v5,g=4")->history_runs, 8);
	assert_string_equal(rig->comparison.tables[0].heads[1].order, "blocked");
	assert_int_equal(judge_them(rig, true, "commit=v4,g=4", "commit=v5,g=4")->history_runs, 0);
	assert_int_equal(judge_them(rig, false, "commit=v1,g=4", "commit=v2,g=4")->history_runs, 0);
}

static void what_the_groups_differ_in_besides_is_warned_of(void **state)
{
	struct rig *rig = *state;

	add_group(rig, "commit=a,g=4", 100);
	add_group(rig, "commit=b,g=8", 200);
	assert_non_null(
		strstr(judge_them(rig, true, "commit=a,g=4", "commit=b,g=8")->warnings[0],
		       "the groups differ in more than one thing, any of which may be behind a change: g (4; 8)"));
}

static void options_are_set_by_their_names(void **state)
{
	struct lab_options o = { 0 };
	struct err err;

	assert_int_equal(lab_option_set(&o, "q", "0.1", &err), 0);
	assert_true(o.compare.q > 0.0999 && o.compare.q < 0.1001);
	assert_int_equal(lab_option_set(&o, "rules", "lkp", &err), 0);
	assert_int_equal(o.compare.rules, RULES_LKP);
	assert_int_equal(lab_option_set(&o, "no_history", "yes", &err), 0);
	assert_true(o.no_history);
	assert_int_equal(lab_option_set(&o, "top", "0", &err), -EINVAL);
	assert_non_null(strstr(err.text, "count above 0"));
	assert_int_equal(lab_option_set(&o, "gap", "-1", &err), -EINVAL);
	assert_int_equal(lab_option_set(&o, "rules", "mine", &err), -EINVAL);
	assert_non_null(strstr(err.text, "assay, lkp"));
	assert_int_equal(lab_option_set(&o, "colour", "red", &err), -ENOENT);
}

/* ---- files of runs ---- */

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static int compare_files(struct rig *rig, const char *base, const char *head, const char *history)
{
	struct lab_options options = { 0 };

	comparison_free(&rig->comparison);
	return lab_compare_matrices((const char *[]){ base, head }, 2, history, &options, &rig->comparison, &rig->err);
}

static void files_of_runs_are_compared_without_a_store(void **state)
{
	struct rig *rig = *state;
	char folder[] = "/tmp/assay-matrix.XXXXXX", base[64], head[64];

	assert_non_null(mkdtemp(folder));
	(void)snprintf(base, sizeof(base), "%s/matrix.json", folder);
	(void)snprintf(head, sizeof(head), "%s/head.json", folder);
	put_file(base, "{\"meminfo.A\":[1000,1003,998,1001], \"meminfo.B\":[1,null,3]}");
	put_file(head, "{\"meminfo.A\":[1100,1102,1099,1104]}");
	assert_true(lab_is_matrix(folder));
	assert_true(lab_is_matrix(head));
	assert_false(lab_is_matrix("commit=v6.12"));
	assert_int_equal(compare_files(rig, folder, head, base), 0);
	assert_int_equal(rig->comparison.tables[0].row_count, 1);
	assert_int_equal(rig->comparison.tables[0].complete[0], 4);
	assert_int_equal(rig->comparison.tables[0].history_runs, 4);
	assert_int_equal(compare_files(rig, head, head, NULL), -EINVAL);
	put_file(head, "{\"meminfo.A\":[1,2,3],\"meminfo.A\":[4]}");
	assert_int_equal(compare_files(rig, folder, head, NULL), -EINVAL);
	assert_non_null(strstr(rig->err.text, "duplicate"));
	put_file(head, "{\"meminfo.A\":7}");
	assert_int_equal(compare_files(rig, folder, head, NULL), -EINVAL);
	put_file(head, "[1,2]");
	assert_int_equal(compare_files(rig, folder, head, NULL), -EINVAL);
	put_file(head, "{\"meminfo.A\":[");
	assert_int_equal(compare_files(rig, folder, head, NULL), -EINVAL);
	assert_non_null(strstr(rig->err.text, "head.json:1:"));
	assert_int_equal(unlink(base), 0);
	assert_int_equal(unlink(head), 0);
	assert_int_equal(rmdir(folder), 0);
}

/* ---- one key over a history ---- */

static void add_history(struct rig *rig)
{
	for (int c = 1; c <= 12; c++) {
		char axes[64];

		(void)snprintf(axes, sizeof(axes), "commit=c%02d,g=4,testcase=hackbench", c);
		for (int run = 0; run < 3; run++)
			(void)add_run(rig, axes, (c < 8 ? 1000 : 1100) + (c * c * 7 + run * 5) % 11,
				      &(struct run_end){ .exited = true });
	}
}

static void a_history_has_a_point_a_commit_and_tells_where_it_changed(void **state)
{
	struct rig *rig = *state;
	struct trend t;
	struct buf text = { 0 };

	add_history(rig);
	assert_int_equal(lab_trend(rig->store, "hackbench.throughput", "testcase=hackbench", NULL, &t, &rig->err), 0);
	assert_int_equal(t.count, 12);
	assert_string_equal(t.points[0].name, "c01");
	assert_int_equal(t.points[0].runs, 3);
	assert_int_equal(t.changes.count, 1);
	assert_string_equal(t.points[t.changes.points[0].at].name, "c08");
	assert_int_equal(trend_text(&t, &text), 0);
	assert_non_null(strstr(text.data, "hackbench.throughput: 36 runs in 12 points by commit\n"));
	assert_non_null(strstr(text.data, "\n---- +9.9% [+"));
	buf_clear(&text);
	assert_int_equal(trend_json(&t, &text), 0);
	assert_non_null(strstr(text.data, "\"changes\":[{\"at\":7,\"first\":7,\"last\":7,\"name\":\"c08\""));
	buf_clear(&text);
	assert_int_equal(trend_svg(&t, &text), 0);
	assert_non_null(strstr(text.data, "stroke-dasharray"));
	buf_free(&text);
	trend_free(&t);
	assert_int_equal(lab_trend(rig->store, "hackbench.throughput", "", "day", &t, &rig->err), 0);
	assert_int_equal(t.count, 1);
	assert_string_equal(t.points[0].name, "1970-01-01");
	assert_int_equal(t.points[0].runs, 36);
	trend_free(&t);
}

static void a_history_of_two_things_is_refused(void **state)
{
	struct rig *rig = *state;
	struct trend t;

	add_group(rig, "commit=a,g=4", 100);
	add_group(rig, "commit=b,g=8", 200);
	assert_int_equal(lab_trend(rig->store, "hackbench.throughput", "", NULL, &t, &rig->err), -EINVAL);
	assert_non_null(strstr(rig->err.text, "differ in g;"));
	assert_int_equal(lab_trend(rig->store, "hackbench.nothing", "g=4", NULL, &t, &rig->err), -ENOENT);
	assert_int_equal(lab_trend(rig->store, "hackbench.throughput", "g=16", NULL, &t, &rig->err), -ENOENT);
	assert_int_equal(lab_trend(rig->store, "hackbench.throughput", "g=8", "g", &t, &rig->err), 0);
	trend_free(&t);
}

static void a_plot_draws_two_groups_run_by_run(void **state)
{
	struct rig *rig = *state;
	struct buf text = { 0 };

	add_group(rig, "commit=a", 100);
	add_group(rig, "commit=b", 200);
	assert_int_equal(lab_plot(rig->store, "hackbench.throughput", (const char *[]){ "a", "b" }, 2, NULL, false,
				  &text, &rig->err),
			 0);
	assert_int_equal(text.len, 20 * 81 - 1);
	assert_non_null(strchr(text.data, 'O'));
	assert_int_equal(
		lab_plot(rig->store, "hackbench.none", (const char *[]){ "a" }, 1, NULL, false, &text, &rig->err),
		-ENOENT);
	assert_int_equal(lab_plot(rig->store, "hackbench.throughput", (const char *[]){ "nobody" }, 1, NULL, false,
				  &text, &rig->err),
			 -ENOENT);
	buf_free(&text);
}

static void stats_are_kept_beside_the_run(void **state)
{
	struct rig *rig = *state;
	struct ulid run = add_run(rig, "commit=a", 100, &(struct run_end){ .exited = true });
	struct stats stats;
	struct buf kept = { 0 };
	double value;

	assert_int_equal(store_get_derived(rig->store, &run, "stats", &kept, &rig->err), -ENOENT);
	assert_int_equal(lab_stats(rig->store, &run, &stats, &rig->err), 0);
	stats_free(&stats);
	assert_int_equal(store_get_derived(rig->store, &run, "stats", &kept, &rig->err), 0);
	buf_clear(&kept);
	/* what is kept is used */
	assert_int_equal(buf_printf(&kept, "assay-stats %d\nhackbench.throughput 7\n", STATS_RULES), 0);
	assert_int_equal(store_put_derived(rig->store, &run, "stats", buf_text(&kept), &rig->err), 0);
	assert_int_equal(lab_stats(rig->store, &run, &stats, &rig->err), 0);
	assert_true(stats_get(&stats, "hackbench.throughput", &value));
	assert_true(value == 7);
	stats_free(&stats);
	/* what was made by other rules is not */
	buf_clear(&kept);
	assert_int_equal(buf_printf(&kept, "assay-stats %d\nhackbench.throughput 7\n", STATS_RULES + 1), 0);
	assert_int_equal(store_put_derived(rig->store, &run, "stats", buf_text(&kept), &rig->err), 0);
	assert_int_equal(lab_stats(rig->store, &run, &stats, &rig->err), 0);
	assert_true(stats_get(&stats, "hackbench.throughput", &value));
	assert_true(value == 100);
	stats_free(&stats);
	buf_free(&kept);
}

static void writes_a_run_as_json(void **state)
{
	struct rig *rig = *state;
	struct ulid id = add_run(rig, "commit=\"a,\"\"b\"", 1, &(struct run_end){ .exited = true, .exit_code = 3 });
	struct store_run run = { 0 };
	struct buf b = { 0 };

	assert_int_equal(store_run(rig->store, &id, &run, &rig->err), 0);
	run.bytes = 10;
	assert_int_equal(json_run(&b, &run, false), 0);
	assert_string_equal(
		b.data, "{\"id\":\"01ARZ3NDEKTSV4RRFFQ69G0000\",\"axes\":{\"commit\":\"a,\\\"b\"},\"host\":\"lab-1\","
			"\"time_ns\":1,\"duration_ns\":null,\"segments\":1,\"bytes\":10,\"complete\":true,"
			"\"exit_code\":3,\"signal\":0}");
	store_run_free(&run);
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(bare_values_are_those_of_the_axis, setup, teardown),
		cmocka_unit_test_setup_teardown(the_axis_is_the_one_in_which_the_queries_differ, setup, teardown),
		cmocka_unit_test_setup_teardown(facts_may_be_compared_like_axes, setup, teardown),
		cmocka_unit_test_setup_teardown(facts_that_differ_besides_are_warned_of, setup, teardown),
		cmocka_unit_test_setup_teardown(axes_asked_for_differently_keep_nothing_apart, setup, teardown),
		cmocka_unit_test_setup_teardown(a_glob_makes_one_column_of_many_values, setup, teardown),
		cmocka_unit_test_setup_teardown(runs_are_named_by_id_prefix_and_age, setup, teardown),
		cmocka_unit_test_setup_teardown(runs_named_by_id_are_set_side_by_side_whatever_differs, setup,
						teardown),
		cmocka_unit_test_setup_teardown(says_what_is_no_side, setup, teardown),
		cmocka_unit_test_setup_teardown(a_run_without_end_or_ended_by_a_signal_is_incomplete, setup, teardown),
		cmocka_unit_test_setup_teardown(earlier_runs_of_the_benchmark_tell_of_its_noise, setup, teardown),
		cmocka_unit_test_setup_teardown(what_the_groups_differ_in_besides_is_warned_of, setup, teardown),
		cmocka_unit_test_setup_teardown(options_are_set_by_their_names, setup, teardown),
		cmocka_unit_test_setup_teardown(files_of_runs_are_compared_without_a_store, setup, teardown),
		cmocka_unit_test_setup_teardown(a_history_has_a_point_a_commit_and_tells_where_it_changed, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_history_of_two_things_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(a_plot_draws_two_groups_run_by_run, setup, teardown),
		cmocka_unit_test_setup_teardown(stats_are_kept_beside_the_run, setup, teardown),
		cmocka_unit_test_setup_teardown(writes_a_run_as_json, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
