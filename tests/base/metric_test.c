/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/metric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const struct hint hints[] = {
	{ "HugePages_*", GAUGE, UNIT_PAGES, "Huge pages.", 0, FOLD_NONE },
	{ "*.avg*", GAUGE, UNIT_PERCENT, "A moving average.", 2, FOLD_MEAN },
	{ "pg*", COUNTER, UNIT_COUNT, "Events.", 0, FOLD_SUM },
	{ "*", GAUGE, UNIT_KIB, "Memory.", 0, FOLD_NONE },
	{ 0 },
};

static void takes_the_first_hint_that_matches(void **state)
{
	struct metric m = { .name = "some.avg10" };

	hint_apply(hints, &m);
	assert_int_equal(m.kind, GAUGE);
	assert_int_equal(m.unit, UNIT_PERCENT);
	assert_int_equal(m.exponent, 2);
	assert_int_equal(m.fold, FOLD_MEAN);
	m.name = "pgfault";
	hint_apply(hints, &m);
	assert_int_equal(m.kind, COUNTER);
	assert_int_equal(m.exponent, 0);
	m.name = "NewInLinux9";
	hint_apply(hints, &m);
	assert_int_equal(m.unit, UNIT_KIB);
	assert_string_equal(hint_find(hints, text_of("HugePages_Free"))->help, "Huge pages.");
}

static void takes_a_gauge_where_no_hint_is(void **state)
{
	struct metric m = { .name = "x", .kind = COUNTER32, .unit = UNIT_WATTS, .exponent = 3, .fold = FOLD_MAX };

	hint_apply(NULL, &m);
	assert_int_equal(m.kind, GAUGE);
	assert_int_equal(m.unit, UNIT_NONE);
	assert_int_equal(m.exponent, 0);
	assert_int_equal(m.fold, FOLD_NONE);
	assert_null(hint_find(hints + 4, text_of("x")));
}

static void spells_its_words(void **state)
{
	assert_string_equal(kind_name(COUNTER32), "counter32");
	assert_string_equal(kind_name((enum kind)99), "unknown");
	assert_string_equal(unit_name(UNIT_NONE), "");
	assert_string_equal(unit_name(UNIT_KIB), "KiB");
	assert_string_equal(unit_name(UNIT_MICROSECONDS), "us");
	assert_string_equal(unit_name(UNIT_PERCENT), "%");
	assert_string_equal(unit_name(UNIT_JOULES), "J");
	assert_string_equal(unit_name((enum unit)99), "");
	assert_string_equal(fold_name(FOLD_MIN), "min");
	assert_string_equal(fold_name((enum fold)99), "");
}

/* Written into segments: a changed number would give old ones another meaning. */
static void keeps_its_numbers(void **state)
{
	assert_int_equal(COUNTER, 2);
	assert_int_equal(UNIT_SECTORS, 5);
	assert_int_equal(UNIT_JOULES, 16);
	assert_int_equal(FOLD_MIN, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_the_first_hint_that_matches),
		cmocka_unit_test(takes_a_gauge_where_no_hint_is),
		cmocka_unit_test(spells_its_words),
		cmocka_unit_test(keeps_its_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
