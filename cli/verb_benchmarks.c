/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/take.h"
#include "benchmarks/benchmark.h"
#include "cli/cli.h"

static const struct flag flags[] = {
	{ 'j', "json", NULL, "As JSON." },
	{ 0 },
};

static json_t *rules_of(const struct benchmark *b)
{
	return b->results_json ? json_loads(b->results_json, 0, NULL) : NULL;
}

static const char *direction_word(json_t *result)
{
	json_int_t direction = json_integer_value(json_object_get(result, "direction"));

	return direction > 0 ? "more is better" : direction < 0 ? "less is better" : "-";
}

static const char *text_under(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static void show_one(const struct benchmark *b)
{
	json_t *rules = rules_of(b), *results = json_object_get(rules, "results"), *result;
	size_t i;

	printf("%s: %s\n\n  from     %s\n", b->name, b->description, b->path);
	for (char *const *p = b->programs; *p; p++)
		printf("  command  %s\n", *p);
	for (size_t k = 0; k < b->axes.count; k++)
		printf("  axis     %-24s %s\n", b->axes.at[k].name, b->axes.at[k].value);
	json_array_foreach(results, i, result)
	{
		printf("  result   %-40s %-10s %-14s%s\n", text_under(result, "name"), text_under(result, "unit"),
		       direction_word(result), json_is_true(json_object_get(result, "kpi")) ? "  KPI" : "");
	}
	if (!results)
		printf("  result   none: it is only timed\n");
	json_decref(rules);
}

static void show_line(const struct benchmark *b)
{
	json_t *rules = rules_of(b), *result;
	const char *kpi = "";
	size_t i;

	json_array_foreach(json_object_get(rules, "results"), i, result)
	{
		if (!*kpi && json_is_true(json_object_get(result, "kpi")))
			kpi = text_under(result, "name");
	}
	printf("%-18s %-22s %s\n", b->name, *kpi ? kpi : "-", b->description);
	json_decref(rules);
}

static json_t *to_json(const struct benchmark *b)
{
	json_t *rules = rules_of(b), *results = json_array(), *programs = json_array(), *result;
	size_t i;

	for (char *const *p = b->programs; *p; p++)
		(void)json_array_append_new(programs, json_string(*p));
	json_array_foreach(json_object_get(rules, "results"), i, result)
	{
		json_int_t direction = json_integer_value(json_object_get(result, "direction"));
		int kpi = json_is_true(json_object_get(result, "kpi"));

		(void)json_array_append_new(
			results, json_pack("{s:s, s:s, s:I, s:b}", "name", text_under(result, "name"), "unit",
					   text_under(result, "unit"), "direction", direction, "kpi", kpi));
	}
	json_decref(rules);
	return json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", b->name, "description", b->description, "file", b->path,
			 "programs", programs, "results", results);
}

static int print_json(json_t *list)
{
	cleanup_free char *text = json_dumps(list, JSON_INDENT(2));

	json_decref(list);
	if (!text)
		return EXIT_FAILED;
	puts(text);
	return EXIT_DONE;
}

/* All of them. One whose file is wrong is told, and does not hide the others. */
static int show_all(const struct verb *self, bool json)
{
	json_t *list = json ? json_array() : NULL;
	int status = EXIT_DONE;
	char **paths;
	struct err err;

	if (benchmark_paths(&paths, &err) < 0) {
		json_decref(list);
		return failed(self, &err);
	}
	for (char **path = paths; *path; path++) {
		struct benchmark b = { 0 };

		if (benchmark_read(*path, &b, &err) < 0) {
			status = failed(self, &err);
			continue;
		}
		if (json)
			(void)json_array_append_new(list, to_json(&b));
		else
			show_line(&b);
		benchmark_free(&b);
	}
	benchmark_paths_free(paths);
	if (json && print_json(list) != EXIT_DONE)
		status = EXIT_FAILED;
	return status;
}

static int benchmarks_main(const struct verb *self, int argc, char **argv)
{
	bool json = false;
	json_t *list;
	struct err err;
	int c;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c != 'j')
			return option_status(c);
		json = true;
	}
	if (optind == argc)
		return show_all(self, json);
	list = json ? json_array() : NULL;
	for (int i = optind; i < argc; i++) {
		struct benchmark b = { 0 };

		if (benchmark_find(argv[i], &b, &err) < 0) {
			json_decref(list);
			return failed(self, &err);
		}
		if (json)
			(void)json_array_append_new(list, to_json(&b));
		else
			show_one(&b);
		benchmark_free(&b);
	}
	return json ? print_json(list) : EXIT_DONE;
}

const struct verb verb_benchmarks = {
	.name = "benchmarks",
	.summary = "List the benchmarks whose results are known how to read.",
	.usage = "benchmarks [OPTION]... [NAME]...",
	.flags = flags,
	.help = "Each with its KPI - the result that it is run for - and what it is. With a NAME: the commands that it "
		"is\n"
		"known by, the options that are axes, and its results with their unit and direction. Files are looked "
		"for\n"
		"in $ASSAY_BENCHMARKS, ~/.config/assay/benchmarks and among the installed ones; one that is wrong is "
		"told\n"
		"with line and column.\n\n"
		"  assay benchmarks\n"
		"  assay benchmarks fio sysbench\n",
	.main = benchmarks_main,
};
