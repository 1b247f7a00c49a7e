/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/err.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void hands_the_code_back(void **state)
{
	struct err err;

	errno = EIO;
	assert_int_equal(err_set(&err, -ENOENT, "%s: %s", "proc/x", err_name(-ENOENT)), -ENOENT);
	assert_int_equal(err.code, -ENOENT);
	assert_string_equal(err.text, "proc/x: No such file or directory");
	assert_int_equal(errno, EIO);
	assert_int_equal(err_prefix(&err, "run %d: ", 3), -ENOENT);
	assert_string_equal(err.text, "run 3: proc/x: No such file or directory");
}

static void cuts_words_that_are_too_long(void **state)
{
	char many[1000];
	struct err err;

	memset(many, 'x', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	assert_int_equal(err_set(&err, -EIO, "%s", many), -EIO);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_int_equal(err_prefix(&err, "%s", many), -EIO);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_int_equal(err_set(&err, -EIO, "end"), -EIO);
	assert_int_equal(err_prefix(&err, "%s", many), -EIO);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

static void names_codes_of_either_sign(void **state)
{
	assert_string_equal(err_name(EACCES), "Permission denied");
	assert_string_equal(err_name(-EACCES), "Permission denied");
	assert_string_equal(err_name(99999), "unknown error");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hands_the_code_back),
		cmocka_unit_test(cuts_words_that_are_too_long),
		cmocka_unit_test(names_codes_of_either_sign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
