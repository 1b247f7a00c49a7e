/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <jansson.h>

#include "tests/analysis/compare_rig.h"

static const char *text_of_report(struct rig *rig)
{
	run_compare(rig);
	buf_clear(&rig->out);
	assert_int_equal(report_text(&rig->c, &rig->out), 0);
	return rig->out.data;
}

static json_t *json_of_report(struct rig *rig)
{
	json_error_t error;
	json_t *json;

	run_compare(rig);
	buf_clear(&rig->out);
	assert_int_equal(report_json(&rig->c, &rig->out), 0);
	json = json_loadb(rig->out.data, rig->out.len, JSON_REJECT_DUPLICATES, &error);
	if (!json)
		fail_msg("%s\n%s", error.text, rig->out.data);
	return json;
}

/* One row, printed from its numbers alone. */
static const char *printed(struct rig *rig, double base, double base_deviation, double head, double head_deviation,
			   double change, bool points)
{
	struct compare_cell cells[] = {
		{ .mean = base, .stddev = base_deviation, .runs = 4, .have = 4 },
		{ .mean = head, .stddev = head_deviation, .runs = 4, .have = 4, .change = change },
	};
	struct compare_row row = { .key = "k", .points = points, .cells = cells };

	buf_clear(&rig->out);
	assert_int_equal(report_row(&row, 2, ERA_PRESENT, &rig->out), 0);
	return rig->out.data;
}

static void prints_both_kinds_of_rows_under_their_heads(void **state)
{
	struct rig *rig = *state;

	rig->testcase = "hackbench";
	put(rig, "v6.11", "hackbench.throughput", 1000, 1000, 1000, 1040);
	put(rig, "v6.12", "hackbench.throughput", 2000, 2000, 2000, 2200);
	put(rig, "v6.12", "dmesg.WARNING:at_x", 1, MISSING, MISSING, MISSING);
	assert_string_equal(
		text_of_report(rig),
		"=========================================================================================\n"
		"testcase:\n"
		"  hackbench\n"
		"\n"
		"commit: \n"
		"  v6.11\n"
		"  v6.12\n"
		"\n"
		"           v6.11                       v6.12 \n"
		"---------------- --------------------------- \n"
		"       fail:runs  %reproduction    fail:runs\n"
		"           |             |             |    \n"
		"           :4           25%           1:4     dmesg.WARNING:at_x\n"
		"         %stddev     %change         %stddev\n"
		"             \\          |                \\  \n"
		"      1010          +103.0%       2050 ±  4%  hackbench.throughput\n"
		"\n");
}

static void sorts_axes_by_name_and_value(void **state)
{
	struct rig *rig = *state;

	put(rig, "a", "x.x", 1, 1, 1);
	put(rig, "b", "x.x", 2, 2, 2);
	for (size_t i = 0; i < rig->count; i++) {
		assert_int_equal(pairs_set(&rig->axes[i], "fs", "ext4"), 0);
		assert_int_equal(pairs_set(&rig->axes[i], "fs2", "nfsv4"), 0);
		assert_int_equal(pairs_set(&rig->axes[i], "disk", "1/2"), 0);
	}
	assert_non_null(strstr(text_of_report(rig), "=\ndisk/fs2/fs:\n  1/2/nfsv4/ext4\n\ncommit: \n"));
}

static void cuts_long_columns_to_their_width(void **state)
{
	struct rig *rig = *state;

	put(rig, "152694c82950a093d0", "x.x", 1, 1, 1);
	put(rig, "63dfa1004322d596417f23da43cdc43cf6298c71", "x.x", 2, 2, 2);
	put(rig, "äöü", "x.x", 3, 3, 3);
	assert_non_null(strstr(text_of_report(rig),
			       "  63dfa1004322d596417f23da43cdc43cf6298c71\n  äöü\n\n"
			       "152694c82950a093 63dfa1004322d596417f23da43c                         äöü \n"
			       "---------------- --------------------------- --------------------------- \n"
			       "         %stddev     %change         %stddev     %change         %stddev\n"
			       "             \\          |                \\          |                \\  \n"));
}

static void had_narrower_heads_before_2019(void **state)
{
	struct rig *rig = *state;

	rig->options.era = ERA_2018;
	put(rig, "base", "x.x", 1, 1, 1);
	put(rig, "head", "x.x", 2, 2, 2);
	assert_non_null(strstr(text_of_report(rig), "            base                       head \n"
						    "---------------- -------------------------- \n"));
}

static void prints_small_numbers_with_two_decimals_and_large_ones_cut(void **state)
{
	struct rig *rig = *state;

	assert_string_equal(printed(rig, 999.99, 0, 1000.99, 0, 0.1, false),
			    "    999.99            +0.1%       1000        k");
	assert_string_equal(printed(rig, 100000000, 0, 123456789, 0, 23.4, false),
			    " 100000000           +23.4%  1.235e+08        k");
	assert_string_equal(printed(rig, -1000.99, 0, -0.04, 0, -0.04, false),
			    "     -1000            -0.0%      -0.04        k");
	assert_string_equal(printed(rig, 1e300, 0, -1e300, 1e300, -200, false),
			    "    1e+300          -200.0%    -1e+300        k");
}

static void prints_a_deviation_above_two_percent(void **state)
{
	struct rig *rig = *state;

	assert_string_equal(printed(rig, 100, 2, 100, 2.01, 0, false),
			    "    100.00            +0.0%     100.00 ±  2%  k");
	assert_string_equal(printed(rig, 100, 99.99, 1, 1.736, 0, false),
			    "    100.00 ± 99%      +0.0%       1.00 ±173%  k");
	assert_string_equal(printed(rig, -100, 50, 0, 3.5, 0, false),
			    "   -100.00            +0.0%       0.00 ±  3%  k");
}

static void prints_a_change_as_percent_or_as_points(void **state)
{
	struct rig *rig = *state;

	assert_string_equal(printed(rig, 1, 0, 2, 0, 99999.94, false),
			    "      1.00        +99999.9%       2.00        k");
	assert_string_equal(printed(rig, 1, 0, 2, 0, 2759000, false),
			    "      1.00        +2.8e+06%       2.00        k");
	assert_string_equal(printed(rig, 2.10, 0, 1.85, 0, -0.25, true),
			    "      2.10            -0.2        1.85        k");
}

static void printed_every_deviation_in_2016(void **state)
{
	struct rig *rig = *state;

	rig->options.era = ERA_2016;
	put(rig, "base", "x.x", 100, 100, 100);
	put(rig, "head", "y.y", 100, 100, 100);
	put(rig, "base", "z%", 0, 0, 0);
	put(rig, "head", "z%", 2, 2, 2);
	run_compare(rig);
	assert_string_equal(line_of(rig, "x.x"), "    100.00 ±  0%    -100.0%       0.00 ± -1%  x.x");
	assert_string_equal(line_of(rig, "z%"), "      0.00 ±  0%      +Inf%       2.00 ±  0%  z%");
}

static void adds_up_failures(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "dmesg.x", MISSING, MISSING, MISSING);
	put(rig, "head", "dmesg.x", 22, 20, 2.5);
	put(rig, "base", "dmesg.y", MISSING, MISSING, MISSING);
	put(rig, "head", "dmesg.y", 0.5, MISSING, MISSING);
	run_compare(rig);
	assert_string_equal(line_of(rig, "dmesg.x"), "           :3         1483%          44:3     dmesg.x");
	assert_string_equal(line_of(rig, "dmesg.y"), "           :3           17%           0:3     dmesg.y");
}

static void lets_no_key_move_the_cursor(void **state)
{
	struct rig *rig = *state;

	put(rig, "ba\tse", "a.x", 1, 1, 1);
	put(rig, "he\x1b[31mad", "a.x", 2, 2, 2);
	assert_non_null(
		strstr(text_of_report(rig), "  ba?se\n  he?[31mad\n\n           ba?se                   he?[31mad \n"));
	assert_null(strchr(rig->out.data, '\x1b'));
}

static void tells_programs_all_numbers(void **state)
{
	struct rig *rig = *state;
	json_t *json;
	const json_t *table, *row, *cell;

	rig->testcase = "x";
	put(rig, "base", "x.rate", 1, 1, 1, MISSING);
	put(rig, "he\"ad\xff", "x.rate", 2, 2, 2, 2);
	put(rig, "base", "y.zero", 0, 0, 0);
	put(rig, "he\"ad\xff", "y.zero", 5, 5, 5, 5);
	put(rig, "base", "dmesg.x", 1);
	json = json_of_report(rig);
	assert_string_equal(json_string_value(json_object_get(json, "axis")), "commit");
	assert_int_equal(json_integer_value(json_object_get(json, "runs")), 8);
	assert_int_equal(json_integer_value(json_object_get(json, "keys")), 3);
	table = json_array_get(json_object_get(json, "tables"), 0);
	assert_string_equal(json_string_value(json_object_get(json_object_get(table, "axes"), "testcase")), "x");
	assert_string_equal(
		json_string_value(json_object_get(json_array_get(json_object_get(table, "groups"), 1), "value")),
		"he\"ad\xef\xbf\xbd");
	assert_int_equal(json_array_size(json_object_get(table, "rows")), 3);

	row = json_array_get(json_object_get(table, "rows"), 0);
	assert_string_equal(json_string_value(json_object_get(row, "key")), "dmesg.x");
	assert_true(json_is_true(json_object_get(row, "function")));
	cell = json_array_get(json_object_get(row, "cells"), 0);
	assert_true(json_number_value(json_object_get(cell, "fails")) == 1);

	row = json_array_get(json_object_get(table, "rows"), 1);
	assert_string_equal(json_string_value(json_object_get(row, "key")), "x.rate");
	assert_true(json_is_true(json_object_get(row, "kpi")));
	assert_int_equal(json_integer_value(json_object_get(row, "direction")), 0);
	cell = json_array_get(json_object_get(row, "cells"), 0);
	assert_true(json_number_value(json_object_get(cell, "mean")) == 0.75);
	assert_int_equal(json_integer_value(json_object_get(cell, "runs")), 4);
	assert_int_equal(json_integer_value(json_object_get(cell, "have")), 3);
	assert_null(json_object_get(cell, "change"));

	row = json_array_get(json_object_get(table, "rows"), 2);
	assert_string_equal(json_string_value(json_object_get(row, "key")), "y.zero");
	cell = json_array_get(json_object_get(row, "cells"), 1);
	assert_true(json_is_null(json_object_get(cell, "change")));
	assert_true(json_number_value(json_object_get(cell, "delta")) == 5);
	json_decref(json);
}

static void tells_programs_which_way_is_better(void **state)
{
	struct rig *rig = *state;
	json_t *json;
	const json_t *rows;

	rig->testcase = "fsmark";
	put(rig, "base", "fsmark.app_overhead", 1, 1, 1);
	put(rig, "head", "fsmark.app_overhead", 2, 2, 2);
	put(rig, "base", "fsmark.files_per_sec", 1, 1, 1);
	put(rig, "head", "fsmark.files_per_sec", 2, 2, 2);
	json = json_of_report(rig);
	rows = json_object_get(json_array_get(json_object_get(json, "tables"), 0), "rows");
	assert_int_equal(json_integer_value(json_object_get(json_array_get(rows, 0), "direction")), -1);
	assert_int_equal(json_integer_value(json_object_get(json_array_get(rows, 1), "direction")), 1);
	json_decref(json);
}

static void is_whole_without_any_run(void **state)
{
	struct rig *rig = *state;
	json_t *json = json_of_report(rig);

	assert_int_equal(json_array_size(json_object_get(json, "tables")), 0);
	json_decref(json);
	assert_int_equal(text_of_report(rig) ? rig->out.len : 0, 0);
}

static void says_when_it_does_not_fit(void **state)
{
	struct rig *rig = *state;
	struct buf small = { .ceiling = 100 };

	put(rig, "base", "a.x", 1, 1, 1);
	put(rig, "head", "a.x", 2, 2, 2);
	run_compare(rig);
	assert_int_equal(report_text(&rig->c, &small), -EMSGSIZE);
	buf_free(&small);
	small.ceiling = 100;
	assert_int_equal(report_json(&rig->c, &small), -EMSGSIZE);
	buf_free(&small);
}

#define T(name) cmocka_unit_test_setup_teardown(name, rig_open, rig_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(prints_both_kinds_of_rows_under_their_heads),
		T(sorts_axes_by_name_and_value),
		T(cuts_long_columns_to_their_width),
		T(had_narrower_heads_before_2019),
		T(prints_small_numbers_with_two_decimals_and_large_ones_cut),
		T(prints_a_deviation_above_two_percent),
		T(prints_a_change_as_percent_or_as_points),
		T(printed_every_deviation_in_2016),
		T(adds_up_failures),
		T(lets_no_key_move_the_cursor),
		T(tells_programs_all_numbers),
		T(tells_programs_which_way_is_better),
		T(is_whole_without_any_run),
		T(says_when_it_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
