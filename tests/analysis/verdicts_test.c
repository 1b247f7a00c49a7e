/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts that others expect, over their own numbers. */
#include <jansson.h>

#include "tests/analysis/compare_rig.h"
#include "tests/support/shared.h"

static double read_double(struct text t)
{
	char digits[64];

	t = text_trim(t);
	assert_true(text_len(t) < sizeof(digits));
	memcpy(digits, t.at, text_len(t));
	digits[text_len(t)] = '\0';
	return strtod(digits, NULL);
}

/* "[10.0, 10.0]" */
static size_t read_list(struct text list, double *ret)
{
	size_t count = 0;
	struct text item;

	assert_true(text_skip(&list, "[") && text_ends(list, "]"));
	list.end--;
	while (text_cut(&list, ",", &item))
		ret[count++] = read_double(item);
	ret[count++] = read_double(list);
	return count;
}

/*
 *	matrix_a:
 *	  KEY: [1, 2]           or a line "    - 1" for each
 *	options:
 *	  gap: 0.1
 *	expected: {}            or what is told of each key that changed
 */
struct fixture {
	char section[32], key[128];
	double values[32];
	size_t count;
	bool expects_change;
};

static void end_key(struct rig *rig, struct fixture *f)
{
	if (f->count)
		put_values(rig, strcmp(f->section, "matrix_a") == 0 ? "base" : "head", f->key, f->values, f->count);
	f->count = 0;
}

static void take_line(struct rig *rig, struct fixture *f, struct text line)
{
	struct text key;

	if (text_skip(&line, "    - ")) {
		f->values[f->count++] = read_double(line);
		return;
	}
	end_key(rig, f);
	if (text_starts(line, "    "))
		return;
	if (!text_skip(&line, "  ")) {
		assert_true(text_cut(&line, ":", &key));
		(void)snprintf(f->section, sizeof(f->section), "%.*s", TEXT_ARGS(key));
		f->expects_change |= text_is(key, "expected") && text_len(text_trim(line)) == 0;
		return;
	}
	assert_true(text_cut(&line, ":", &key));
	line = text_trim(line);
	(void)snprintf(f->key, sizeof(f->key), "%.*s", TEXT_ARGS(key));
	if (strcmp(f->section, "options") == 0) {
		if (text_is(key, "gap"))
			rig->options.gap = read_double(line);
		else if (text_is(key, "variance"))
			rig->options.variance = read_double(line);
		else if (text_is(key, "more"))
			rig->options.more = text_is(line, "true");
		else
			fail_msg("option %s: not known", f->key);
	} else if (text_starts(line, "[")) {
		f->count = read_list(line, f->values);
	}
}

static void check(struct rig *rig, const char *name)
{
	struct fixture f = { 0 };
	char path[4096];
	struct buf file;
	struct text rest, line;

	if (!shared_path(path, sizeof(path), name))
		skip();
	file = read_whole(path);
	rest = buf_text(&file);
	while (text_line(&rest, &line))
		take_line(rig, &f, line);
	end_key(rig, &f);
	assert_int_equal(rig->c.rows, 0);
	run_compare(rig);
	assert_int_equal(rig->c.table_count, 1);
	assert_int_equal(rig->c.rows, f.expects_change);
	buf_free(&file);
}

static void finds_twice_the_usage(void **state)
{
	check(*state, "outputs/compare/lkp-cpu_usage.yaml");
}

static void finds_the_large_difference(void **state)
{
	check(*state, "outputs/compare/lkp-fxmark_big_improvement.yaml");
}

static void skips_the_small_difference(void **state)
{
	check(*state, "outputs/compare/lkp-fxmark_small_diff.yaml");
}

static void put_matrix(struct rig *rig, const char *column, const char *name)
{
	char path[4096];
	json_t *matrix;
	const char *key;
	json_t *values;

	if (!shared_path(path, sizeof(path), name))
		skip();
	matrix = json_load_file(path, 0, NULL);
	assert_non_null(matrix);
	json_object_foreach(matrix, key, values) for (size_t i = 0; i < json_array_size(values); i++) assert_int_equal(
		stats_set(&rig->stats[run_of(rig, column, i)], key, json_number_value(json_array_get(values, i))), 0);
	json_decref(matrix);
}

static json_t *expectations(const char *name)
{
	char path[4096];
	struct buf file;
	const char *begin, *end;
	json_t *block;

	if (!shared_path(path, sizeof(path), name))
		skip();
	file = read_whole(path);
	begin = strstr(file.data, "```json\n");
	assert_non_null(begin);
	begin += strlen("```json\n");
	end = strstr(begin, "```");
	assert_non_null(end);
	block = json_loadb(begin, (size_t)(end - begin), 0, NULL);
	assert_non_null(block);
	buf_free(&file);
	return block;
}

static const json_t *reported_row(const json_t *report, const char *key)
{
	const json_t *rows = json_object_get(json_array_get(json_object_get(report, "tables"), 0), "rows");

	for (size_t i = 0; i < json_array_size(rows); i++)
		if (strcmp(json_string_value(json_object_get(json_array_get(rows, i), "key")), key) == 0)
			return json_array_get(rows, i);
	fail_msg("%s: no row", key);
	return NULL;
}

static void check_field(const json_t *row, const char *field, const json_t *want)
{
	const json_t *head = json_array_get(json_object_get(row, "cells"), 1);
	const json_t *change = json_object_get(head, "change");

	if (strcmp(field, "changed") == 0)
		assert_int_equal(json_is_true(json_object_get(row, "changed")),
				 strcmp(json_string_value(want), "yes") == 0);
	else if (strcmp(field, "delta") == 0)
		assert_true(json_number_value(json_object_get(head, "delta")) == json_number_value(want));
	else if (json_is_null(want)) /* a count of failures has a rate, no percentage */
		assert_true(json_is_null(change) || json_is_true(json_object_get(row, "function")));
	else
		assert_true(fabs(json_number_value(change) - json_number_value(want)) < 1e-9);
}

static void check_zero_base(struct rig *rig, enum rules rules)
{
	json_t *expect, *report;
	const json_t *rows;

	rig->options.rules = rules;

	put_matrix(rig, "base", "cases/034-compare-zero-baseline/a.json");
	put_matrix(rig, "head", "cases/034-compare-zero-baseline/b.json");
	expect = expectations("cases/034-compare-zero-baseline/expect.md");
	rig->options.all = true;
	run_compare(rig);
	buf_clear(&rig->out);
	assert_int_equal(report_json(&rig->c, &rig->out), 0);
	assert_null(strstr(rig->out.data, "nan"));
	report = json_loadb(rig->out.data, rig->out.len, 0, NULL);
	assert_non_null(report);
	rows = json_object_get(expect, "rows");
	assert_int_equal(json_array_size(rows), 6);
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);

		check_field(reported_row(report, json_string_value(json_array_get(row, 1))),
			    json_string_value(json_array_get(row, 2)), json_array_get(row, 3));
	}
	json_decref(report);
	json_decref(expect);
}

static void tells_a_base_of_zero_from_no_change(void **state)
{
	check_zero_base(*state, RULES_LKP);
}

static void tells_it_by_our_own_rules_too(void **state)
{
	check_zero_base(*state, RULES_ASSAY);
}

#define T(name) cmocka_unit_test_setup_teardown(name, rig_open, rig_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(finds_twice_the_usage),
		T(finds_the_large_difference),
		T(skips_the_small_difference),
		T(tells_a_base_of_zero_from_no_change),
		T(tells_it_by_our_own_rules_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
