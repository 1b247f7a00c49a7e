/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/results.h"
#include "tests/analysis/play.h"

#define LINES "\"lines\":[{\"pattern\":\"^Time: (?<time>\\\\S+)$\"}],"
#define BEST  "\"results\":[{\"name\":\"best\",\"value\":\"min(time)\",\"direction\":-1}]"

static struct results_rules *compile(const char *json)
{
	struct results_rules *rules = NULL;
	struct err err = { 0 };

	if (results_compile(text_of(json), &rules, &err) < 0)
		fail_msg("%s", err.text);
	return rules;
}

/* -1: absent. */
static double best_of(const char *json, const char *out, const char *error_out)
{
	struct results_rules *rules = compile(json);
	struct stats s = { 0 };
	struct err err = { 0 };
	size_t count = 99;
	double value = -1;

	assert_int_equal(results_apply(rules, "demo", text_of(out), text_of(error_out), &s, &count, &err), 0);
	stats_sort(&s);
	assert_int_equal(count, s.count);
	(void)stats_get(&s, "demo.best", &value);
	stats_free(&s);
	results_free(rules);
	return value;
}

static void reads_named_groups_of_lines(void **state)
{
	assert_true(best_of("{" LINES BEST "}", "hello\nTime: 4.5\nTime: 3.25\r\nTime: 7\n", "") == 3.25);
	assert_true(best_of("{" LINES BEST "}", "hello\n", "") == -1);
	assert_true(best_of("{" LINES BEST "}", "", "") == -1);
}

static void a_word_where_a_number_should_be_is_no_value(void **state)
{
	assert_true(best_of("{" LINES BEST "}", "Time: nan\nTime: inf\nTime: 0x1\nTime: 1e999\nTime: 5s\n", "") == -1);
	assert_true(best_of("{" LINES BEST "}", "Time: nan\nTime: 2\n", "") == 2);
}

static void a_torn_last_line_is_not_believed_unless_the_rule_says_so(void **state)
{
	static const char *const trusting =
		"{\"lines\":[{\"pattern\":\"^Time: (?<time>\\\\S+)$\",\"unfinished\":true}]," BEST "}";

	assert_true(best_of("{" LINES BEST "}", "Time: 9\nTime: 1", "") == 9);
	assert_true(best_of(trusting, "Time: 9\nTime: 1", "") == 1);
}

static void looks_at_the_stream_it_was_told(void **state)
{
	static const char *const on_error =
		"{\"lines\":[{\"pattern\":\"^Time: (?<time>\\\\S+)$\",\"stream\":\"stderr\"}]," BEST "}";
	static const char *const on_any =
		"{\"lines\":[{\"pattern\":\"^Time: (?<time>\\\\S+)$\",\"stream\":\"any\"}]," BEST "}";

	assert_true(best_of("{" LINES BEST "}", "Time: 9\n", "Time: 1\n") == 9);
	assert_true(best_of(on_error, "Time: 1\n", "Time: 9\n") == 9);
	assert_true(best_of(on_any, "Time: 9\n", "Time: 1\n") == 1);
}

static void a_rejected_output_holds_no_result(void **state)
{
	static const char *const json = "{\"reject\":[\"^Signal \\\\d+ caught\"]," LINES BEST "}";

	assert_true(best_of(json, "Time: 9\n", "") == 9);
	assert_true(best_of(json, "Time: 9\nSignal 15 caught, leaving\nTime: 1\n", "") == -1);
	assert_true(best_of(json, "Time: 9\n", "Signal 15 caught") == -1);
}

static void reads_a_table_up_to_the_first_line_of_another_form(void **state)
{
	static const char *const json =
		"{\"tables\":[{\"after\":\"^FSUse%\",\"fields\":3,\"columns\":{\"speed\":2,\"cost\":3}}],"
		"\"results\":[{\"name\":\"best\",\"value\":\"max(speed) + sum(cost) / 1000\"}]}";

	assert_true(best_of(json, "1 99 1\nFSUse% a b\n 1 10 1\n\t1  20 2\n1 30 3\nAverage: 3\n1 88 1\n", "") ==
		    30.006);
	assert_true(best_of(json, "FSUse% a b\n1 10 1\n1 20 x\n1 30 3\n", "") == 10.001);
	assert_true(best_of(json, "FSUse% a b\n1 10 1\nFSUse% a b\n1 20 2\n", "") == 20.003);
	assert_true(best_of(json, "FSUse% a b\n1 10 1\n1 20 2", "") == 10.001); /* torn */
	assert_true(best_of(json, "FSUse% a b\n1 10 1 7\n", "") == -1);
}

static void parts_may_have_names(void **state)
{
	static const char *const json =
		"{" LINES
		"\"let\":[{\"name\":\"twice\",\"value\":\"2 * time\"},{\"name\":\"all\",\"value\":\"sum(twice)\"}],"
		"\"results\":[{\"name\":\"best\",\"value\":\"all / count(twice)\",\"unit\":\"s\",\"kpi\":true}]}";

	assert_true(best_of(json, "Time: 1\nTime: 3\n", "") == 4);
}

static void refuse(const char *json, const char *words)
{
	struct results_rules *rules = NULL;
	struct err err = { 0 };

	assert_int_equal(results_compile(text_of(json), &rules, &err), -EINVAL);
	if (strcmp(err.text, words) != 0)
		fail_msg("\"%s\", should be \"%s\"", err.text, words);
	assert_null(rules);
}

static void names_the_rule_that_is_wrong(void **state)
{
	refuse("{", "not JSON: line 1, column 1: string or '}' expected near end of file");
	refuse("[]", ": must be a map");
	refuse("{" LINES "\"resluts\":[]}", "resluts: no such key here");
	refuse("{" LINES "\"x\":1}", "x: no such key here");
	refuse("{\"lines\":[{\"pattern\":\"a(?<b>c)\"}]}", "results: is missing");
	refuse("{\"lines\":[]," BEST "}", "lines: must be a list of 1 to 256 entries");
	refuse("{\"lines\":[{\"pattern\":\"abc\"}]," BEST "}", "lines/0/pattern: has no named group (?<name>...)");
	refuse("{\"lines\":[{\"pattern\":\"(?<time>\"}]," BEST "}",
	       "lines/0/pattern: character 9 of the pattern: missing closing parenthesis");
	refuse("{\"lines\":[{\"pattern\":7}]," BEST "}",
	       "lines/0/pattern: must be text (in quotes where it looks like a number)");
	refuse("{\"lines\":[{\"pattern\":\"(?<a>b)\",\"stream\":\"both\"}]," BEST "}",
	       "lines/0/stream: is stdout, stderr or any");
	refuse("{\"lines\":[{\"pattern\":\"(?<a>b)\",\"unfinished\":1}]," BEST "}",
	       "lines/0/unfinished: is true or false");
	refuse("{" LINES "\"results\":[{\"name\":\"a\",\"value\":\"time\"}]}",
	       "results/0/value: may have many values: say mean(), sum(), min(), max() or last() of it");
	refuse("{" LINES "\"results\":[{\"name\":\"a\",\"value\":\"min(tome)\"}]}",
	       "results/0/value: character 5 of \"min(tome)\": nothing is found under that name");
	refuse("{" LINES "\"results\":[{\"name\":\"a b\",\"value\":\"1\"}]}", "results/0/name: holds a blank");
	refuse("{" LINES "\"results\":[{\"value\":\"1\"}]}", "results/0/name: is missing");
	refuse("{" LINES "\"results\":[{\"name\":\"a\",\"value\":\"1\",\"direction\":2}]}",
	       "results/0/direction: is 1 (more is better), -1 (less is) or 0");
	refuse("{" LINES "\"results\":[{\"name\":\"a\",\"value\":\"1\"},{\"name\":\"a\",\"value\":\"1\"}]}",
	       "results/1/name: there are two of that name");
	refuse("{" LINES "\"let\":[{\"name\":\"time\",\"value\":\"1\"}]," BEST "}", "let/0/name: that name is taken");
	refuse("{\"tables\":[{\"after\":\"a\",\"fields\":3,\"columns\":{\"time\":4}}]," BEST "}",
	       "tables/0/columns/time: must be a place, 1 to `fields`");
	refuse("{\"tables\":[{\"after\":\"a\",\"fields\":0,\"columns\":{\"time\":4}}]," BEST "}",
	       "tables/0/fields: must be a number, 1 to 64");
	refuse("{\"tables\":[{\"after\":\"a\",\"fields\":2}]," BEST "}",
	       "tables/0/columns: must be a map, name: place");
}

static void apply_without_end(const char *json, const char *line, int lines)
{
	struct results_rules *rules = compile(json);
	cleanup_buf struct buf out = { 0 };
	struct stats s = { 0 };
	struct err err = { 0 };
	clock_t before = clock();
	size_t count;

	for (int i = 0; i < lines; i++)
		assert_int_equal(buf_puts(&out, line), 0);
	assert_int_equal(results_apply(rules, "demo", buf_text(&out), text_of(""), &s, &count, &err), -EMFILE);
	assert_string_equal(err.text, "its patterns need too many steps on this output");
	assert_true(clock() - before < 60 * CLOCKS_PER_SEC); /* a bound against hanging, not a measurement */
	stats_free(&s);
	results_free(rules);
}

static void no_pattern_hangs(void **state)
{
	char wide[8002];

	/* Each line takes 2^n steps without a limit. */
	apply_without_end("{\"lines\":[{\"pattern\":\"^(a+)+(?<time>[0-9]+)$\"}]," BEST "}",
			  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n", 100000);
	/* From each of 8,000 places on, a look at all that follows: not a step of the kind that is limited. */
	memset(wide, 'a', 8000);
	wide[8000] = '\n';
	wide[8001] = '\0';
	apply_without_end("{\"lines\":[{\"pattern\":\"a++(?<time>[0-9]+)\"}]," BEST "}", wide, 2000);
}

static void finds(const char *json, const char *out, const char *key, double want)
{
	struct results_rules *rules = compile(json);
	struct stats s = { 0 };
	struct err err = { 0 };
	size_t count;
	double have = -1;

	assert_int_equal(results_apply(rules, "demo", text_of(out), text_of(""), &s, &count, &err), 0);
	stats_sort(&s);
	if (!stats_get(&s, key, &have))
		have = -1;
	if (have != want)
		fail_msg("%s is %.17g, should be %.17g", key, have, want);
	stats_free(&s);
	results_free(rules);
}

static void a_label_tells_numbers_apart(void **state)
{
	static const char *const json =
		"{\"labels\":[{\"pattern\":\"^== (?<test>.*)$\"}],"
		"\"lines\":[{\"pattern\":\"^(?<way>\\\\w+) (?<rate>[0-9.]+)$\",\"label\":\"{test}/{way}\"}],"
		"\"results\":[{\"name\":\"{}.rate\",\"value\":\"mean(rate)\",\"direction\":1},"
		"{\"name\":\"all\",\"value\":\"sum(rate)\"},{\"name\":\"{}.n\",\"value\":\"count(rate)\"}]}";
	static const char *const out = "lost 100\n== a b\nx 1\ny 2\nx 3\n== c\nx 7\nz nan\n";
	struct results_rules *rules = compile(json);

	finds(json, out, "demo.a_b/x.rate", 2);
	finds(json, out, "demo.a_b/x.n", 2);
	finds(json, out, "demo.a_b/y.rate", 2);
	finds(json, out, "demo.c/x.rate", 7);
	finds(json, out, "demo.c/z.rate", -1);
	finds(json, out, "demo.all", 113);
	finds(json, "x 1\n", "demo./x.rate", -1); /* of no test */
	assert_int_equal(results_direction(rules, "demo.c/x.rate"), 1);
	assert_int_equal(results_direction(rules, "demo.rate"), 0);
	results_free(rules);
}

static void numbers_may_have_suffixes(void **state)
{
	static const char *const json =
		"{\"lines\":[{\"pattern\":\"^IOPS=(?<time>[0-9.]+[kMG]?)$\",\"suffixes\":1000}]," BEST "}";
	static const char *const plain = "{\"lines\":[{\"pattern\":\"^IOPS=(?<time>[0-9.]+[kMG]?)$\"}]," BEST "}";

	assert_true(best_of(json, "IOPS=12\n", "") == 12);
	assert_true(best_of(json, "IOPS=1.5k\n", "") == 1500);
	assert_true(best_of(json, "IOPS=2M\n", "") == 2000000);
	assert_true(best_of(plain, "IOPS=1.5k\n", "") == -1);
}

#define JSON_RULE(at, values)                                                        \
	"{\"json\":[{\"at\":\"" at "\",\"label\":\"{job}\",\"values\":" values "}]," \
	"\"results\":[{\"name\":\"{}.v\",\"value\":\"last(v)\"},{\"name\":\"sum\",\"value\":\"sum(v)\"}]}"

static void reads_json_by_path(void **state)
{
	static const char *const json = JSON_RULE("jobs[*]", "{\"job\":\"name\",\"v\":\"read.p[\\\"99.000000\\\"]\"}");
	static const char *const out =
		"fio: a word before\n{\"jobs\": [\n{\"name\": \"one\", \"read\": {\"p\": {\"99.000000\": 7}}},\n"
		"{\"name\": 2, \"read\": {\"p\": {\"99.000000\": \"8.5\"}}},\n"
		"{\"name\": \"none\", \"read\": {\"p\": {\"99.000000\": true}}}]\n}\nand behind\n"
		"{\"jobs\": []}\n";

	finds(json, out, "demo.one.v", 7);
	finds(json, out, "demo.2.v", 8.5);
	finds(json, out, "demo.none.v", -1);
	finds(json, out, "demo.sum", 15.5);
	finds(json, "{\"jobs\": [\n{\"name\": \"one\", \"read\": {\"p\": {\"99.000000\": 7}}}\n", "demo.sum",
	      -1); /* torn */
	finds(json, " {\"jobs\": [{\"name\": \"one\", \"read\": {\"p\": {\"99.000000\": 7}}}]}\n", "demo.sum", -1);
	finds(JSON_RULE("jobs[-1]", "{\"job\":\"name\",\"v\":\"read.p[*]\"}"),
	      "{\"jobs\": [1, {\"name\": \"x\", \"read\": {\"p\": [1, 2]}}]}", "demo.x.v", 2);
	finds(JSON_RULE("jobs[*]", "{\"job\":\"name\",\"v\":\"v\"}"),
	      "{\"jobs\": [{\"name\": null, \"v\": 3}, {\"name\": [], \"v\": 4}]}", "demo.sum", 7); /* no label */
	finds(JSON_RULE("jobs[-3]", "{\"job\":\"name\",\"v\":\"read\"}"),
	      "{\"jobs\": [{\"name\": \"x\", \"read\": 1}]}", "demo.sum", -1);
}

static void reads_csv_by_title(void **state)
{
	static const char *const json =
		"{\"csv\":[{\"after\":\"^.?test\",\"label\":\"{t}\",\"columns\":{\"t\":\"test\",\"v\":\"rps\",\"w\":"
		"\"gone\"}}],"
		"\"results\":[{\"name\":\"{}.v\",\"value\":\"last(v)\"},{\"name\":\"sum\",\"value\":\"sum(v)\"},"
		"{\"name\":\"w\",\"value\":\"sum(w)\"}]}";
	static const char *const out =
		"\"test\",\"x\",\"rps\"\n\"GET (a,b)\",1,\"10\"\nSET,2,20\nnot,a,row,of,it\nSET,2,40\n";

	finds(json, out, "demo.GET_(a,b).v", 10);
	finds(json, out, "demo.SET.v", 20);
	finds(json, out, "demo.sum", 30);
	finds(json, out, "demo.w", -1);
	finds(json, "test,rps\na,1\nb,2", "demo.sum", 1); /* torn */
	finds(json, "test,rps\na,x\nb,2\n", "demo.sum", -1);
}

static void refuses_finders_that_cannot_be(void **state)
{
	refuse("{\"lines\":[{\"pattern\":\"(?<a>b)\",\"label\":\"{x}\"}]," BEST "}",
	       "lines/0/label: has a word that neither `labels` nor this rule finds");
	refuse("{\"lines\":[{\"pattern\":\"(?<a>b)\",\"label\":\"x\"}]," BEST "}",
	       "lines/0/label: has no word, as in \"{test}\"");
	refuse("{\"lines\":[{\"pattern\":\"(?<a>b)\",\"label\":\"{a\"}]," BEST "}", "lines/0/label: a '}' is missing");
	refuse("{\"lines\":[{\"pattern\":\"(?<a>b)\",\"suffixes\":7}]," BEST "}",
	       "lines/0/suffixes: is 1000 or 1024, what a k stands for");
	refuse("{\"csv\":[{\"after\":\"a\",\"separator\":\"ab\",\"columns\":{\"a\":\"b\"}}]," BEST "}",
	       "csv/0/separator: is one character");
	refuse("{\"csv\":[{\"after\":\"a\"}]," BEST "}", "csv/0/columns: must be a map, name: title of its column");
	refuse("{\"json\":[{\"values\":{\"a\":\"b..c\"}}]," BEST "}",
	       "json/0/values/a: character 3 of \"b..c\": a key is missing");
	refuse("{\"json\":[{\"values\":{\"a\":\"b[x]\"}}]," BEST "}",
	       "json/0/values/a: character 3 of \"b[x]\": is no number of an element, no '*' and no key in quotes");
	refuse("{\"json\":[{\"at\":\"b[\\\"x\"}]," BEST "}", "json/0/at: character 5 of \"b[\"x\": a '\"]' is missing");
	refuse("{\"json\":[{\"at\":\"b\"}]," BEST "}", "json/0/values: must be a map, name: path");
	refuse("{" LINES "\"results\":[{\"name\":\"{}.a\",\"value\":\"1\",\"kpi\":true}]}",
	       "results/0/kpi: is for a result whose name is known before");
}

/* Labels and documents without end are refused; a thousand broken documents cost little. */
static void labels_and_documents_are_bounded(void **state)
{
	struct results_rules *rules =
		compile("{\"lines\":[{\"pattern\":\"^(?<a>\\\\d+) (?<v>\\\\d+)\",\"label\":\"{a}\"}],"
			"\"json\":[{\"values\":{\"w\":\"[*]\"}}],"
			"\"results\":[{\"name\":\"{}\",\"value\":\"sum(v)\"}]}");
	cleanup_buf struct buf out = { 0 };
	struct stats s = { 0 };
	struct err err = { 0 };
	size_t count;

	for (int i = 0; i < 400000; i++)
		assert_true(buf_printf(&out, "%d 1\n", i) >= 0);
	assert_int_equal(results_apply(rules, "demo", buf_text(&out), text_of(""), &s, &count, &err), -EMSGSIZE);
	buf_clear(&out);
	for (int i = 0; i < 100000; i++)
		assert_true(buf_puts(&out, "[[[[[[[[[[[[[[[[\n") >= 0);
	assert_int_equal(results_apply(rules, "demo", buf_text(&out), text_of(""), &s, &count, &err), 0);
	buf_clear(&out);
	for (int i = 0; i < 300; i++)
		assert_true(buf_putc(&out, '1') >= 0);
	assert_true(buf_puts(&out, " 1\n") >= 0);
	assert_int_equal(results_apply(rules, "demo", buf_text(&out), text_of(""), &s, &count, &err), -EMSGSIZE);
	assert_string_equal(err.text, "a label of more than 160 characters");
	stats_free(&s);
	results_free(rules);
}

static void more_is_better_or_less(void **state)
{
	struct results_rules *rules = compile("{" LINES BEST "}");

	assert_int_equal(results_direction(rules, "demo.best"), -1);
	assert_int_equal(results_direction(rules, "demo.other"), 0);
	assert_int_equal(results_direction(NULL, "hackbench.throughput"), 1);
	assert_int_equal(results_direction(NULL, "fsmark.files_per_sec"), 1);
	assert_int_equal(results_direction(NULL, "fsmark.app_overhead"), -1);
	assert_int_equal(results_direction(NULL, "aim7.jobs-per-min"), 1);
	assert_int_equal(results_direction(NULL, "blogbench.write_score"), 1);
	assert_int_equal(results_direction(NULL, "meminfo.MemFree"), 0);
	results_free(rules);
}

/* ---- how a run ended (spec C.3, A.3.12, B.6), through the reducer ---- */

static void begin(struct play *p, const char *json)
{
	play_open(p);
	play_axis(p, "testcase", "demo");
	if (json)
		play_fact(p, RESULTS_FACT, json);
}

static void a_good_run_has_its_results_and_no_last_state(void **state)
{
	struct play p;

	begin(&p, "{" LINES BEST "}");
	play_output(&p, OUTPUT_STDOUT, 0, "Time: 4\nTi");
	play_output(&p, OUTPUT_STDOUT, 10, "me: 3\n");
	play_end(&p, 0, 0);
	play_finish(&p);
	expect(&p, "demo.best", 3);
	assert_int_equal(p.stats.count, 1);
	play_close(&p);
}

static void a_failed_run_has_none(void **state)
{
	struct play p;

	begin(&p, "{" LINES BEST "}");
	play_output(&p, OUTPUT_STDOUT, 0, "Time: 4\n");
	play_end(&p, 3, 0);
	play_finish(&p);
	expect_none(&p, "demo.best");
	expect(&p, "last_state.is_incomplete_run", 1);
	expect(&p, "last_state.exit_fail", 1);
	expect(&p, "last_state.test.demo.exit_code.3", 1);
	play_close(&p);

	begin(&p, "{" LINES BEST "}");
	play_output(&p, OUTPUT_STDOUT, 0, "Time: 4\n");
	play_end(&p, 0, 9);
	play_finish(&p);
	expect_none(&p, "demo.best");
	expect(&p, "last_state.test.demo.exit_code.137", 1);
	play_close(&p);
}

static void a_run_without_result_is_incomplete(void **state)
{
	struct play p;

	begin(&p, "{" LINES BEST "}");
	play_output(&p, OUTPUT_STDOUT, 0, "nothing of interest\n");
	play_end(&p, 0, 0);
	play_finish(&p);
	expect(&p, "last_state.is_incomplete_run", 1);
	play_close(&p);

	begin(&p, NULL); /* of no benchmark: nothing is missing */
	play_end(&p, 0, 0);
	play_finish(&p);
	assert_int_equal(p.stats.count, 0);
	play_close(&p);
}

static void a_run_whose_end_nobody_saw_is_incomplete(void **state)
{
	struct run_end end = { .exited = false };
	struct play p;

	begin(&p, "{" LINES BEST "}");
	play_output(&p, OUTPUT_STDOUT, 0, "Time: 4\n");
	assert_int_equal(reduce_events.end(p.reduce, &end, &p.err), 0);
	play_finish(&p);
	expect_none(&p, "demo.best");
	expect(&p, "last_state.is_incomplete_run", 1);
	expect_none(&p, "last_state.exit_fail");
	play_close(&p);
}

static void rules_that_cannot_be_read_cost_only_the_results(void **state)
{
	struct play p;

	begin(&p, "{\"from_the_future\":1}");
	play_output(&p, OUTPUT_STDOUT, 0, "Time: 4\n");
	play_end(&p, 0, 0);
	play_finish(&p);
	expect(&p, "last_state.results_rules_unreadable", 1);
	expect(&p, "last_state.is_incomplete_run", 1);
	play_close(&p);
}

static void a_line_with_a_hole_in_it_is_no_line(void **state)
{
	struct play p;

	begin(&p, "{" LINES BEST "}");
	play_output(&p, OUTPUT_STDOUT, 0, "Time: 9\nTime: 1");
	play_output(&p, OUTPUT_STDOUT, 1000, "Time: 2\nTime: 7\n"); /* what stood between was not kept */
	play_output(&p, OUTPUT_STDOUT, 1010, "me: 7\nTime: 8\n");   /* told twice in part */
	play_end(&p, 0, 0);
	play_finish(&p);
	expect(&p, "demo.best", 7);
	play_close(&p);
}

static void told_results_are_taken_as_they_are(void **state)
{
	static const struct run_result told[] = {
		{ "demo.time.elapsed_time", 12.5, "s", 0 },
		{ "demo.time.swaps", 0, "", 0 },
		{ "demo.score", 77, "", 1 },
	};
	struct play p;

	begin(&p, NULL);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(reduce_events.result(p.reduce, &told[i], &p.err), 0);
	play_end(&p, 0, 0);
	play_finish(&p);
	expect(&p, "demo.time.elapsed_time", 12.5);
	expect(&p, "demo.time.elapsed_time.max", 12.5);
	expect(&p, "demo.score", 77);
	expect(&p, "demo.time.swaps", 0); /* zero is a number */
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_named_groups_of_lines),
		cmocka_unit_test(a_word_where_a_number_should_be_is_no_value),
		cmocka_unit_test(a_torn_last_line_is_not_believed_unless_the_rule_says_so),
		cmocka_unit_test(looks_at_the_stream_it_was_told),
		cmocka_unit_test(a_rejected_output_holds_no_result),
		cmocka_unit_test(reads_a_table_up_to_the_first_line_of_another_form),
		cmocka_unit_test(parts_may_have_names),
		cmocka_unit_test(names_the_rule_that_is_wrong),
		cmocka_unit_test(no_pattern_hangs),
		cmocka_unit_test(a_label_tells_numbers_apart),
		cmocka_unit_test(numbers_may_have_suffixes),
		cmocka_unit_test(reads_json_by_path),
		cmocka_unit_test(reads_csv_by_title),
		cmocka_unit_test(refuses_finders_that_cannot_be),
		cmocka_unit_test(labels_and_documents_are_bounded),
		cmocka_unit_test(more_is_better_or_less),
		cmocka_unit_test(a_good_run_has_its_results_and_no_last_state),
		cmocka_unit_test(a_failed_run_has_none),
		cmocka_unit_test(a_run_without_result_is_incomplete),
		cmocka_unit_test(a_run_whose_end_nobody_saw_is_incomplete),
		cmocka_unit_test(rules_that_cannot_be_read_cost_only_the_results),
		cmocka_unit_test(a_line_with_a_hole_in_it_is_no_line),
		cmocka_unit_test(told_results_are_taken_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
