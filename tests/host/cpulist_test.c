/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/cpulist.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void parses(const char *text, const unsigned *expected, size_t count)
{
	struct cpulist list;
	struct err err;

	assert_int_equal(cpulist_parse(text_of(text), &list, &err), 0);
	assert_int_equal(list.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(list.at[i], expected[i]);
	cpulist_free(&list);
	assert_null(list.at);
}

static void reads_numbers_and_ranges(void **state)
{
	parses("0-3,8,10-11\n", (unsigned[]){ 0, 1, 2, 3, 8, 10, 11 }, 7);
	parses("65535", (unsigned[]){ 65535 }, 1);
	parses(" 7-7 ", (unsigned[]){ 7 }, 1);
}

static void puts_them_in_order_each_once(void **state)
{
	parses("8,1-2,2,0,8", (unsigned[]){ 0, 1, 2, 8 }, 4);
}

static void takes_an_empty_list_for_a_set_without_members(void **state)
{
	parses("", NULL, 0);
	parses("\n", NULL, 0);
}

static void names_the_place_that_is_no_number(void **state)
{
	struct cpulist list;
	struct err err;

	assert_int_equal(cpulist_parse(text_of("0-3,x,5"), &list, &err), -EINVAL);
	assert_string_equal(err.text, "cpu list: 'x,5' at byte 4 is no number below 65536, nor a range");
	assert_int_equal(err.code, -EINVAL);
}

static void refuses_what_no_kernel_writes(void **state)
{
	static const char *const wrong[] = { "65536", "3-1", "0-", "-3", ",", "1,,2", "1,", "0-3-5", "1 2", "0x3",
					     "99999999999999999999", "0-65536", "1, 2" };
	struct cpulist list;
	struct err err;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (cpulist_parse(text_of(wrong[i]), &list, &err) != -EINVAL)
			fail_msg("'%s' was taken", wrong[i]);
}

static void finds_members_only(void **state)
{
	struct cpulist list, empty;
	struct err err;

	assert_int_equal(cpulist_parse(text_of("2,4-5,1000"), &list, &err), 0);
	assert_int_equal(cpulist_parse(text_of(""), &empty, &err), 0);
	assert_true(cpulist_has(&list, 2));
	assert_true(cpulist_has(&list, 5));
	assert_true(cpulist_has(&list, 1000));
	assert_false(cpulist_has(&list, 0));
	assert_false(cpulist_has(&list, 3));
	assert_false(cpulist_has(&list, 1001));
	assert_false(cpulist_has(&empty, 0));
	cpulist_free(&list);
	cpulist_free(&empty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_numbers_and_ranges),
		cmocka_unit_test(puts_them_in_order_each_once),
		cmocka_unit_test(takes_an_empty_list_for_a_set_without_members),
		cmocka_unit_test(names_the_place_that_is_no_number),
		cmocka_unit_test(refuses_what_no_kernel_writes),
		cmocka_unit_test(finds_members_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
