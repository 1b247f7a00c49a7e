/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "benchmarks/benchmark.h"
#include "tests/support/shared.h"

struct rig {
	char folder[256];
	struct benchmark b;
	struct err err;
};

static int set_up(void **state)
{
	static struct rig rig;

	rig = (struct rig){ 0 };
	fresh_folder(rig.folder, sizeof(rig.folder));
	assert_int_equal(setenv("ASSAY_BENCHMARKS", rig.folder, 1), 0);
	assert_int_equal(setenv("HOME", rig.folder, 1), 0);
	*state = &rig;
	return 0;
}

static int tear_down(void **state)
{
	struct rig *rig = *state;

	benchmark_free(&rig->b);
	remove_tree(rig->folder);
	return 0;
}

static int read_text(struct rig *rig, const char *text)
{
	char path[300];

	benchmark_free(&rig->b);
	write_file(rig->folder, "x.yaml", text, strlen(text));
	(void)snprintf(path, sizeof(path), "%s/x.yaml", rig->folder);
	return benchmark_read(path, &rig->b, &rig->err);
}

#define HEAD "name: demo\ndescription: A test\nprograms: [demo]\n"

/* `words`: "LINE:COLUMN: ..." */
static void refuse(struct rig *rig, const char *text, const char *words)
{
	char want[700];

	assert_int_equal(read_text(rig, text), -EINVAL);
	(void)snprintf(want, sizeof(want), "%s/x.yaml:%s", rig->folder, words);
	want[sizeof(rig->err.text) - 1] = '\0';
	assert_string_equal(rig->err.text, want);
}

static void reads_a_benchmark(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(read_text(rig, "name: demo\n"
					"description: 'A test: of this'\n"
					"programs: [demo, demo-2]\n"
					"axes:\n"
					"  threads: [-t, --threads]\n"
					"  mode: {-r: read, otherwise: write}\n"
					"  folders: {count: -d}\n"
					"lines:\n"
					"  - {pattern: 'speed (?<speed>[0-9]+)', unfinished: true}\n"
					"results:\n"
					"  - {name: speed, value: max(speed), direction: 1, kpi: true, unit: '1'}\n"),
			 0);
	assert_string_equal(rig->b.name, "demo");
	assert_string_equal(rig->b.description, "A test: of this");
	assert_string_equal(rig->b.programs[0], "demo");
	assert_string_equal(rig->b.programs[1], "demo-2");
	assert_null(rig->b.programs[2]);
	assert_string_equal(pairs_get(&rig->b.axes, "threads"), "-t --threads");
	assert_string_equal(pairs_get(&rig->b.axes, "mode"), "-r=read =write");
	assert_string_equal(pairs_get(&rig->b.axes, "folders"), "#-d");
	assert_string_equal(rig->b.results_json,
			    "{\"lines\":[{\"pattern\":\"speed (?<speed>[0-9]+)\",\"unfinished\":true}],"
			    "\"results\":[{\"name\":\"speed\",\"value\":\"max(speed)\",\"direction\":1,\"kpi\":true,"
			    "\"unit\":\"1\"}]}");
}

static void a_benchmark_without_rules_is_only_timed(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(read_text(rig, HEAD), 0);
	assert_null(rig->b.results_json);
}

static void tells_line_and_column_of_a_fault(void **state)
{
	struct rig *rig = *state;

	refuse(rig, "", "1:1: holds nothing");
	refuse(rig, "- a\n", "1:1: must be a map");
	refuse(rig, "description: a\n", "1:1: 'name' is missing");
	refuse(rig, "name: a b\n", "1:1: name: is made of letters, digits, '_' and '-'");
	refuse(rig, "name: ../etc\n", "1:1: name: is made of letters, digits, '_' and '-'");
	refuse(rig, "name: demo\ndescription: [a]\n", "2:1: description: must be text");
	refuse(rig, "name: demo\ndescription: a\n", "1:1: 'programs' is missing");
	refuse(rig, "name: demo\ndescription: a\nprograms: demo\n",
	       "3:1: programs: must be a list of names of programs");
	refuse(rig, HEAD "  colour: red\n", "4:3: did not find expected key");
	refuse(rig, HEAD "colour: red\n", "4:1: colour: no such key here");
	refuse(rig, HEAD "name: again\n", "4:1: this key stands here twice");
	refuse(rig, HEAD "axes: {n: [g]}\n", "4:12: must be an option, as -g or --groups");
	refuse(rig, HEAD "axes:\n  n:\n    g: x\n", "6:5: g: is no option, and neither 'count' nor 'otherwise'");
	refuse(rig, HEAD "axes: {n: -g}\n", "4:8: n: must be a list of options, or a map of options and their meaning");
	refuse(rig, HEAD "lines:\n  - pattern: 'no group'\nresults:\n  - {name: a, value: '1'}\n",
	       "5:14: lines/0/pattern: has no named group (?<name>...)");
	refuse(rig, HEAD "lines:\n  - pattern: '(?<a>b)'\n    colour: red\nresults:\n  - {name: a, value: '1'}\n",
	       "6:13: lines/0/colour: no such key here");
	refuse(rig, HEAD "results:\n  - name: a\n    value: min(tome)\n",
	       "6:12: results/0/value: character 5 of \"min(tome)\": nothing is found under that name");
	refuse(rig, HEAD "results:\n  - name: a\n", "5:5: results/0/value: is missing");
	refuse(rig, HEAD "results:\n  - {name: a, value: 1}\n",
	       "5:22: results/0/value: must be text (in quotes where it looks like a number)");
	refuse(rig, HEAD "reject: ['(']\n", "4:10: reject/0: character 2 of the pattern: missing closing parenthesis");
	refuse(rig, "name: &a demo\n", "1:7: anchors, aliases and tags are not understood here");
	refuse(rig, "name: !!str demo\n", "1:7: anchors, aliases and tags are not understood here");
	refuse(rig, "name: *a\n", "1:7: anchors, aliases and tags are not understood here");
	refuse(rig, HEAD "---\nname: b\n", "4:1: a second document");
	refuse(rig, "{[a]: b}\n", "1:2: a key must be one word");
	refuse(rig, "name: \"a\\0b\"\n", "1:7: a NUL character");
	refuse(rig, "a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n", "1:19: nested too deeply");
}

static void a_file_that_is_not_there_is_named(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(benchmark_read("/nowhere/x.yaml", &rig->b, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, "/nowhere/x.yaml: No such file or directory");
}

static void finds_by_name_and_by_command(void **state)
{
	char *const by_path[] = { "/usr/local/bin/demo", "-x", NULL };
	char *const unknown[] = { "sleep", "1", NULL };
	char *const none[] = { NULL };
	struct rig *rig = *state;

	write_file(rig->folder, "demo.yaml", HEAD, strlen(HEAD));
	assert_int_equal(benchmark_find("demo", &rig->b, &rig->err), 0);
	assert_string_equal(rig->b.name, "demo");
	benchmark_free(&rig->b);
	assert_int_equal(benchmark_find("nothing", &rig->b, &rig->err), -ENOENT);
	assert_int_equal(benchmark_find("../demo", &rig->b, &rig->err), -ENOENT);
	assert_int_equal(benchmark_find("", &rig->b, &rig->err), -ENOENT);

	assert_int_equal(benchmark_recognise(by_path, &rig->b, &rig->err), 0);
	assert_string_equal(rig->b.name, "demo");
	benchmark_free(&rig->b);
	assert_int_equal(benchmark_recognise(unknown, &rig->b, &rig->err), -ENOENT);
	assert_int_equal(benchmark_recognise(none, &rig->b, &rig->err), -ENOENT);
}

static void the_users_file_stands_before_the_shipped_one(void **state)
{
	static const char own[] = "name: hackbench\ndescription: mine\nprograms: [hackbench]\n";
	char *const command[] = { "hackbench", NULL };
	struct rig *rig = *state;

	assert_int_equal(benchmark_recognise(command, &rig->b, &rig->err), 0);
	assert_string_not_equal(rig->b.description, "mine"); /* this program runs from its build folder */
	benchmark_free(&rig->b);

	write_file(rig->folder, ".config/assay/benchmarks/hackbench.yaml", own, strlen(own));
	assert_int_equal(benchmark_recognise(command, &rig->b, &rig->err), 0);
	assert_string_equal(rig->b.description, "mine");
	benchmark_free(&rig->b);
	assert_int_equal(benchmark_find("hackbench", &rig->b, &rig->err), 0);
	assert_string_equal(rig->b.description, "mine");
}

static void a_broken_file_is_told_when_a_command_is_looked_up(void **state)
{
	char *const command[] = { "demo", NULL };
	struct rig *rig = *state;

	write_file(rig->folder, "b.yaml", "name: [\n", 8); /* of another command, whoever that is */
	assert_int_equal(benchmark_recognise(command, &rig->b, &rig->err), -ENOENT);
	write_file(rig->folder, "a.yaml", "demo: [\n", 8);
	assert_int_equal(benchmark_recognise(command, &rig->b, &rig->err), -EINVAL);
	assert_non_null(strstr(rig->err.text, "a.yaml:2:1: "));
}

static void expect_axes(struct rig *rig, const char *benchmark, char *const *argv, const char *want)
{
	cleanup_buf struct buf have = { 0 };
	struct pairs axes = { 0 };

	benchmark_free(&rig->b);
	assert_int_equal(benchmark_find(benchmark, &rig->b, &rig->err), 0);
	assert_int_equal(benchmark_axes(&rig->b, argv, &axes, &rig->err), 0);
	pairs_sort(&axes);
	for (size_t i = 0; i < axes.count; i++)
		assert_int_equal(buf_printf(&have, "%s%s=%s", i ? " " : "", axes.at[i].name, axes.at[i].value), 0);
	assert_string_equal(have.data ? have.data : "", want);
	pairs_free(&axes);
}

#define AXES(rig, benchmark, want, ...) expect_axes((rig), (benchmark), (char *const[]){ __VA_ARGS__, NULL }, (want))

static void a_command_line_tells_its_axes(void **state)
{
	struct rig *rig = *state;

	AXES(rig, "hackbench", "datasize=100 ipc=pipe loops=60000 mode=threads nr_fds=20 nr_threads=48", "hackbench",
	     "-g", "48", "-f", "20", "--threads", "--pipe", "-l", "60000", "-s", "100");
	AXES(rig, "hackbench", "ipc=socket mode=process", "hackbench");
	AXES(rig, "hackbench", "ipc=pipe mode=threads nr_threads=50", "hackbench", "-pTg50");
	AXES(rig, "hackbench", "ipc=inet mode=process nr_threads=7", "hackbench", "-T", "--groups=7", "-P", "-i");
	AXES(rig, "hackbench", "ipc=socket mode=process nr_threads=9", "hackbench", "--groups", "7", "--groups", "9");
	AXES(rig, "hackbench", "ipc=socket mode=process", "hackbench", "--", "-g", "7");
	AXES(rig, "hackbench", "ipc=socket mode=process", "hackbench", "-g");
	AXES(rig, "hackbench", "ipc=socket mode=process nr_threads=-p", "hackbench", "-g", "-p");
	AXES(rig, "hackbench", "ipc=pipe mode=process", "hackbench", "-F", "-p", "-", "--unknown", "-zT");
	AXES(rig, "fsmark",
	     "filesize=8192 iterations=8 nr_directories=16 nr_files=76800 nr_files_per_directory=256 nr_threads=3 "
	     "sync_method=1",
	     "fs_mark", "-d", "/fs/sda1/1", "-d", "/fs/sda1/2", "-d/fs/sda1/3", "-D", "16", "-N", "256", "-n", "76800",
	     "-L", "8", "-S", "1", "-s", "8192");
}

static void the_example_of_the_page_is_a_benchmark(void **state)
{
	const char *source = getenv("ASSAY_SOURCE");
	struct rig *rig = *state;
	struct text yaml;
	struct buf page;
	char path[4096];

	if (!source)
		skip();
	(void)snprintf(path, sizeof(path), "%s/docs/add-a-benchmark.md", source);
	page = read_whole(path);
	yaml.at = strstr(page.data, "```yaml\n");
	assert_non_null(yaml.at);
	yaml.at += strlen("```yaml\n");
	yaml.end = strstr(yaml.at, "```");
	assert_non_null(yaml.end);
	if (benchmark_parse("page", yaml, &rig->b, &rig->err) < 0)
		fail_msg("%s", rig->err.text);
	assert_string_equal(rig->b.name, "hackbench");
	buf_free(&page);
}

static void what_the_user_said_stays(void **state)
{
	char *const argv[] = { "hackbench", "-g", "50", "-T", NULL };
	struct pairs axes = { 0 };
	struct rig *rig = *state;

	assert_int_equal(pairs_set(&axes, "nr_threads", "50%"), 0);
	assert_int_equal(benchmark_find("hackbench", &rig->b, &rig->err), 0);
	assert_int_equal(benchmark_axes(&rig->b, argv, &axes, &rig->err), 0);
	assert_string_equal(pairs_get(&axes, "nr_threads"), "50%");
	assert_string_equal(pairs_get(&axes, "mode"), "threads");
	pairs_free(&axes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(reads_a_benchmark, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_benchmark_without_rules_is_only_timed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tells_line_and_column_of_a_fault, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_that_is_not_there_is_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(finds_by_name_and_by_command, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_users_file_stands_before_the_shipped_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_broken_file_is_told_when_a_command_is_looked_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_command_line_tells_its_axes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_example_of_the_page_is_a_benchmark, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_the_user_said_stays, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
