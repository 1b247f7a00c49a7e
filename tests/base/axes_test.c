/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/axes.h"

static void reads_an_argument(void **state)
{
	struct pairs p = { 0 };
	struct err err;

	assert_int_equal(axes_parse(&p, "-p", "load.1-a_B=x=y z", &err), 0);
	assert_string_equal(pairs_get(&p, "load.1-a_B"), "x=y z");
	assert_int_equal(axes_parse(&p, "-p", "empty=", &err), 0);
	assert_string_equal(pairs_get(&p, "empty"), "");
	assert_int_equal(axes_parse(&p, "-p", "load", &err), -EINVAL);
	assert_string_equal(err.text, "-p: 'load' is not NAME=VALUE");
	assert_int_equal(axes_parse(&p, "-p", "=1", &err), -EINVAL);
	assert_int_equal(axes_parse(&p, "-p", "a/b=1", &err), -EINVAL);
	assert_string_equal(err.text, "-p: the axis 'a/b': a name has only letters, digits, '_', '.' and '-'");
	assert_int_equal(axes_parse(&p, "-p", "\xc3\xa4=1", &err), -EINVAL);
	pairs_free(&p);
}

static void one_that_is_given_twice_is_an_error(void **state)
{
	struct pairs p = { 0 };
	struct err err;

	assert_int_equal(axes_parse(&p, "-p", "commit=v6.12", &err), 0);
	assert_int_equal(axes_parse(&p, "-p", "commit=v6.13", &err), -EINVAL);
	assert_string_equal(err.text, "-p: 'commit' is given twice");
	assert_string_equal(pairs_get(&p, "commit"), "v6.12");
	assert_int_equal(axes_parse(&p, "-p", "commi=v6.13", &err), 0);
	pairs_free(&p);
}

static void names_values_and_their_number_are_bounded(void **state)
{
	char argument[AXIS_NAME_BYTES + AXIS_VALUE_BYTES + 3];
	struct pairs p = { 0 };
	struct err err;

	memset(argument, 'n', sizeof(argument));
	argument[64] = '=';
	argument[64 + 1 + 1024] = '\0';
	assert_int_equal(axes_parse(&p, "-p", argument, &err), 0);
	assert_int_equal(axes_check(&p, &err), 0);
	memset(argument, 'n', sizeof(argument));
	argument[3] = '=';
	argument[3 + 1 + 1025] = '\0';
	assert_int_equal(axes_parse(&p, "-p", argument, &err), -EINVAL);
	assert_string_equal(err.text, "-p: the axis 'nnn' has a value of 1025 bytes; 1024 are allowed");
	memset(argument, 'n', sizeof(argument));
	argument[65] = '=';
	argument[67] = '\0';
	assert_int_equal(axes_parse(&p, "-p", argument, &err), -EINVAL);
	assert_string_equal(err.text, "-p: the axis 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...' has a name of 65 bytes; 64 are "
				      "allowed");
	for (int i = 1; i < 64; i++) {
		(void)snprintf(argument, sizeof(argument), "a%d=1", i);
		assert_int_equal(axes_parse(&p, "-p", argument, &err), 0);
	}
	assert_int_equal(axes_check(&p, &err), 0);
	assert_int_equal(axes_parse(&p, "-p", "more=1", &err), -EINVAL);
	assert_string_equal(err.text, "-p: 65 axes; a run may have 64");
	assert_int_equal(pairs_set(&p, "more", "1"), 0);
	assert_int_equal(axes_check(&p, &err), -EINVAL);
	pairs_free(&p);
}

static void a_name_from_elsewhere_is_looked_at_as_well(void **state)
{
	struct pairs p = { 0 };
	struct err err;

	assert_int_equal(pairs_set(&p, "", "1"), 0);
	assert_int_equal(axes_check(&p, &err), -EINVAL);
	assert_string_equal(err.text, "an axis without a name");
	pairs_free(&p);
	assert_int_equal(pairs_set(&p, "a=b", "1"), 0);
	assert_int_equal(axes_check(&p, &err), -EINVAL);
	pairs_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_an_argument),
		cmocka_unit_test(one_that_is_given_twice_is_an_error),
		cmocka_unit_test(names_values_and_their_number_are_bounded),
		cmocka_unit_test(a_name_from_elsewhere_is_looked_at_as_well),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
