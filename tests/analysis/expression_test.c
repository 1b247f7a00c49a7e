/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/expression.h"

struct rig {
	struct names names;
	struct column columns[8];
	bool many[8];
};

static void put(struct rig *rig, const char *name, bool many, const double *values, size_t count)
{
	int row = names_add(&rig->names, text_of(name));

	rig->many[row] = many;
	for (size_t i = 0; i < count; i++)
		assert_int_equal(column_put(&rig->columns[row], values[i]), 0);
}

static int set_up(void **state)
{
	static struct rig rig;

	rig = (struct rig){ 0 };
	put(&rig, "time", true, (const double[]){ 4, 2, 8 }, 3);
	put(&rig, "tasks", true, (const double[]){ 10, 10, 10 }, 3);
	put(&rig, "two", true, (const double[]){ 1, 2 }, 2);
	put(&rig, "one", true, (const double[]){ 7 }, 1);
	put(&rig, "none", true, NULL, 0);
	put(&rig, "kB", false, (const double[]){ 100 }, 1);
	*state = &rig;
	return 0;
}

static int tear_down(void **state)
{
	struct rig *rig = *state;

	names_free(&rig->names);
	for (size_t i = 0; i < 8; i++)
		column_free(&rig->columns[i]);
	return 0;
}

static struct column values_of(struct rig *rig, const char *expression)
{
	struct scope scope = { .names = &rig->names, .many = rig->many, .columns = rig->columns };
	struct column ret = { 0 };
	struct err err = { 0 };
	bool many;

	if (expression_check(&scope, text_of(expression), &many, &err) < 0)
		fail_msg("%s: %s", expression, err.text);
	assert_int_equal(expression_values(&scope, text_of(expression), &ret, &err), 0);
	return ret;
}

static void is(struct rig *rig, const char *expression, double want)
{
	struct column c = values_of(rig, expression);

	if (c.count != 1 || c.at[0] != want)
		fail_msg("%s: %zu values, %.17g, should be %.17g", expression, c.count, c.count ? c.at[0] : 0, want);
	column_free(&c);
}

static void is_missing(struct rig *rig, const char *expression)
{
	struct column c = values_of(rig, expression);

	if (c.count != 0)
		fail_msg("%s: has a value, %.17g", expression, c.at[0]);
	column_free(&c);
}

static void computes_as_on_paper(void **state)
{
	is(*state, "1 + 2 * 3", 7);
	is(*state, "(1+2)*3", 9);
	is(*state, "7 - 2 - 1", 4);
	is(*state, "64 / 4 / 2", 8);
	is(*state, "-2 * -3", 6);
	is(*state, "--2", 2);
	is(*state, "1.5e3 + .5", 1500.5);
	is(*state, "floor(7 / 2)", 3);
	is(*state, "round(2.345678, 2)", 2.35);
	is(*state, "round(1234.5, 0)", 1235);
}

static void makes_one_of_many(void **state)
{
	is(*state, "sum(time)", 14);
	is(*state, "mean(time)", 14.0 / 3);
	is(*state, "min(time)", 2);
	is(*state, "max(time)", 8);
	is(*state, "last(time)", 8);
	is(*state, "count(time)", 3);
	is(*state, "count(none)", 0);
	is(*state, "kB / min(time)", 50);
	is(*state, "sum(tasks * time)", 140);
	is(*state, "max(tasks / time)", 5);
	is(*state, "sum(floor(time / 3))", 1 + 0 + 2);
	is(*state, "sum(time + one)", 35);
	is(*state, "first(time)", 4);
	is(*state, "median(time)", 4);
	is(*state, "median(two)", 1.5);
	is(*state, "stddev(two)", 0.5); /* of these two, not of all there could be */
	is(*state, "round(geomean(time), 9)", 4);
	is_missing(*state, "geomean(time - 2)"); /* has a zero */
}

static void what_is_missing_stays_missing(void **state)
{
	is_missing(*state, "none");
	is_missing(*state, "min(none)");
	is_missing(*state, "kB / min(none)");
	is_missing(*state, "sum(time) + sum(none)");
	is_missing(*state, "sum(time * two)"); /* three of the one, two of the other: which belongs to which? */
	is_missing(*state, "kB / 0");
	is_missing(*state, "sum(time / (time - 4))"); /* one of them is a division by zero */
	is_missing(*state, "1e308 * 10");
}

static void knows_what_may_be_many(void **state)
{
	static const struct {
		const char *expression;
		bool many;
	} rows[] = {
		{ "time", true },    { "time * 2", true },	    { "floor(time)", true },
		{ "-time", true },   { "sum(time)", false },	    { "kB", false },
		{ "kB + 1", false }, { "count(time) * kB", false }, { "kB * time", true },
	};
	struct rig *rig = *state;
	struct scope scope = { .names = &rig->names, .many = rig->many };
	struct err err = { 0 };
	bool many;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(expression_check(&scope, text_of(rows[i].expression), &many, &err), 0);
		assert_int_equal(many, rows[i].many);
	}
}

static void refuses_what_it_does_not_understand(void **state)
{
	static const struct {
		const char *expression, *words;
	} rows[] = {
		{ "", "character 1 of \"\": a number, a name or a '(' is missing" },
		{ "1 +", "character 4 of \"1 +\": a number, a name or a '(' is missing" },
		{ "1 2", "character 3 of \"1 2\": an operator is missing" },
		{ "(1", "character 3 of \"(1\": a ')' is missing" },
		{ "1 + speed", "character 5 of \"1 + speed\": nothing is found under that name" },
		{ "sqrt(4)", "character 1 of \"sqrt(4)\": no such function; there are sum mean geomean median stddev "
			     "min max first last count floor round" },
		{ "round(1)", "character 8 of \"round(1)\": round() wants a number of digits, as in round(x, 2)" },
		{ "round(1, 99)", "character 12 of \"round(1, 99)\": the digits of round() are 0 to 15" },
		{ "1.2.3", "character 1 of \"1.2.3\": not a number" },
		{ "1e", "character 1 of \"1e\": not a number" },
		{ "1 % 2", "character 3 of \"1 % 2\": an operator is missing" },
	};
	struct rig *rig = *state;
	struct scope scope = { .names = &rig->names, .many = rig->many };
	struct err err = { 0 };
	bool many;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(expression_check(&scope, text_of(rows[i].expression), &many, &err), -EINVAL);
		assert_string_equal(err.text, rows[i].words);
	}
}

static void is_bounded_in_depth_and_length(void **state)
{
	struct rig *rig = *state;
	struct scope scope = { .names = &rig->names, .many = rig->many };
	char deep[401], lengthy[700];
	struct err err = { 0 };
	bool many;

	memset(deep, '(', 400);
	deep[400] = '\0';
	assert_int_equal(expression_check(&scope, text_of(deep), &many, &err), -EINVAL);
	assert_non_null(strstr(err.text, "nested too deeply"));
	memset(deep, '-', 400);
	assert_int_equal(expression_check(&scope, text_of(deep), &many, &err), -EINVAL);
	assert_non_null(strstr(err.text, "nested too deeply"));
	memset(lengthy, '1', sizeof(lengthy) - 1);
	lengthy[sizeof(lengthy) - 1] = '\0';
	assert_int_equal(expression_check(&scope, text_of(lengthy), &many, &err), -EINVAL);
	assert_string_equal(err.text, "longer than 512 characters");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(computes_as_on_paper, set_up, tear_down),
		cmocka_unit_test_setup_teardown(makes_one_of_many, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_missing_stays_missing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(knows_what_may_be_many, set_up, tear_down),
		cmocka_unit_test_setup_teardown(refuses_what_it_does_not_understand, set_up, tear_down),
		cmocka_unit_test_setup_teardown(is_bounded_in_depth_and_length, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
