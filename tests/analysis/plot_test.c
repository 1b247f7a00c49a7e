/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/plot.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define VALUES(...) { (const double[]){ __VA_ARGS__ }, sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double) }

static void is_twenty_rows_of_eighty_columns(void **state)
{
	struct plot p = { .title = "hackbench.throughput", .good = VALUES(340000, 345000), .bad = VALUES(360000, 375000) };
	struct buf b = { 0 };

	assert_int_equal(plot_ascii(&p, &b), 0);
	assert_int_equal(b.len, 20 * 80 + 19);
	for (size_t i = 0; i < 19; i++)
		assert_int_equal(b.data[i * 81 + 80], '\n');
	buf_free(&b);
}

/* First and last mark lie on the side borders, which hide them; a flat line is dots. */
static void draws_a_plot_to_the_character(void **state)
{
	static const char *const rows[PLOT_ROWS] = {
		"                                                                                ",
		"                               hackbench.throughput                             ",
		"                                                                                ",
		"  1120 +--------------------------------------------------------------------+   ",
		"       |                                                                    |   ",
		"  1100 |-+       O         O         O        O         O         O         |   ",
		"       |                                                                    |   ",
		"  1080 |-+                                                                  |   ",
		"       |                                                                    |   ",
		"  1060 |-+                                                                  |   ",
		"       |                                                                    |   ",
		"  1040 |-+                                                                  |   ",
		"       |                                                                    |   ",
		"  1020 |-+                                                                  |   ",
		"       |                                           .....+.....              |   ",
		"  1000 |.........+.........+.........+........+....           ....+.........|   ",
		"       |                                                                    |   ",
		"   980 +--------------------------------------------------------------------+   ",
		"                                                                                ",
		"                                                                                ",
	};
	struct plot p = { .title = "hackbench.throughput",
			  .good = VALUES(1000, 1003, 998, 1001, 999, 1005, 1000, 1002),
			  .bad = VALUES(1100, 1102, 1099, 1104, 1098, 1101, 1103, 1100) };
	struct buf b = { 0 };

	assert_int_equal(plot_ascii(&p, &b), 0);
	for (size_t i = 0; i < PLOT_ROWS; i++)
		assert_memory_equal(b.data + i * (PLOT_COLUMNS + 1), rows[i], PLOT_COLUMNS);
	buf_free(&b);
}

/* The range and the labels of the plots in four of the robot's reports: largest and smallest value, what is on the axis. */
static void labels_the_axis_as_the_robots_plots(void **state)
{
	static const struct {
		double least, most, from, to, tic;
	} seen[] = {
		{ 334000, 381000, 330000, 385000, 5000 },
		{ 432000, 497000, 430000, 500000, 10000 },
		{ 2790, 3260, 2750, 3300, 50 },
	};

	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
		double from, to, tic = plot_tics(seen[i].least, seen[i].most, &from, &to);

		assert_true(fabs(tic - seen[i].tic) < 1e-9);
		assert_true(fabs(from - seen[i].from) < 1e-6);
		assert_true(fabs(to - seen[i].to) < 1e-6);
	}
}

static void widens_the_axis_of_a_series_that_never_moves(void **state)
{
	double from, to;

	(void)plot_tics(0, 0, &from, &to);
	assert_true(from <= -1 && to >= 1);
	(void)plot_tics(1000, 1000, &from, &to);
	assert_true(from <= 990 && to >= 1010 && to < 1100);
}

static void marks_bad_over_good_and_joins_the_good(void **state)
{
	struct plot p = { .title = "k", .good = VALUES(1, 5, 5, 5, 1), .bad = VALUES(1, 5, 3, 3, 3) };
	struct buf b = { 0 };
	const char *row;

	assert_int_equal(plot_ascii(&p, &b), 0);
	row = b.data + 3 * 81; /* the largest value lies on the upper border */
	assert_non_null(memchr(row, 'O', 80));
	assert_non_null(memchr(row, '+', 80));
	assert_non_null(memchr(row, '.', 80));
	buf_free(&b);
}

static void draws_one_value_and_refuses_none(void **state)
{
	struct plot one = { .title = "k", .good = VALUES(7) }, none = { .title = "k" };
	struct buf b = { 0 };

	assert_int_equal(plot_ascii(&one, &b), 0);
	assert_int_equal(plot_svg(&one, &b), 0);
	assert_int_equal(plot_ascii(&none, &b), -EINVAL);
	assert_int_equal(plot_svg(&none, &b), -EINVAL);
	buf_free(&b);
}

static void survives_values_of_any_size(void **state)
{
	struct plot p = { .title = "a very long title that is longer than eighty columns, longer than any key that is drawn here",
			  .good = VALUES(-1e300, 1e300, NAN, INFINITY, 0), .bad = VALUES(5e-324, 1e-300) };
	struct buf b = { 0 };

	assert_int_equal(plot_ascii(&p, &b), 0);
	assert_int_equal(plot_svg(&p, &b), 0);
	buf_free(&b);
}

static void svg_escapes_names_and_leaves_gaps_open(void **state)
{
	struct plot p = { .title = "a<b", .good = VALUES(1, NAN, 3), .good_name = "v6.11 & before", .cuts = (const size_t[]){ 2 }, .cut_count = 1 };
	struct buf b = { 0 };

	assert_int_equal(plot_svg(&p, &b), 0);
	assert_non_null(strstr(b.data, "a&lt;b"));
	assert_non_null(strstr(b.data, "v6.11 &amp; before"));
	assert_non_null(strstr(b.data, "stroke-dasharray"));
	assert_null(strstr(b.data, "nan"));
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_twenty_rows_of_eighty_columns),
		cmocka_unit_test(draws_a_plot_to_the_character),
		cmocka_unit_test(labels_the_axis_as_the_robots_plots),
		cmocka_unit_test(widens_the_axis_of_a_series_that_never_moves),
		cmocka_unit_test(marks_bad_over_good_and_joins_the_good),
		cmocka_unit_test(draws_one_value_and_refuses_none),
		cmocka_unit_test(survives_values_of_any_size),
		cmocka_unit_test(svg_escapes_names_and_leaves_gaps_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
