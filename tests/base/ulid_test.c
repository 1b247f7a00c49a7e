/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/ulid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void sorts_by_time(void **state)
{
	static const uint64_t times[] = { 0, 1, 31, 32, 1700000000000, 1700000000001, ((uint64_t)1 << 48) - 1 };
	struct ulid last = { "" }, ulid;
	struct err err;

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		assert_int_equal(ulid_make(times[i], &ulid, &err), 0);
		assert_true(strcmp(last.text, ulid.text) < 0);
		assert_true(ulid_time_ms(&ulid) == times[i]);
		assert_true(ulid_is(text_of(ulid.text)));
		last = ulid;
	}
	assert_memory_equal(ulid.text, "7ZZZZZZZZZ", 10);
}

static void never_makes_the_same_twice(void **state)
{
	static struct ulid made[500];
	struct err err;

	for (size_t i = 0; i < 500; i++) {
		assert_int_equal(ulid_make(1700000000000, &made[i], &err), 0);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(made[i].text, made[k].text);
	}
}

static void accepts_whole_ids_only(void **state)
{
	assert_true(ulid_is(text_of("01ARZ3NDEKTSV4RRFFQ69G5FAV")));
	assert_false(ulid_is(text_of("01ARZ3NDEKTSV4RRFFQ69G5FA")));
	assert_false(ulid_is(text_of("01ARZ3NDEKTSV4RRFFQ69G5FAVX")));
	assert_false(ulid_is(text_of("81ARZ3NDEKTSV4RRFFQ69G5FAV"))); /* beyond 48 bits of time */
	assert_false(ulid_is(text_of("01ARZ3NDEKTSV4RRFFQ69G5FAU")));
	assert_false(ulid_is(text_of("01arz3ndektsv4rrffq69g5fav")));
	assert_false(ulid_is(text_of("../../../../../etc/passwd.")));
	assert_false(ulid_is(text_n("01ARZ3NDEKTSV4RRFFQ69G5FA\0", 26)));
	assert_false(ulid_is(text_of("")));
}

static void accepts_beginnings_of_either_case(void **state)
{
	assert_true(ulid_is_prefix(text_of("0")));
	assert_true(ulid_is_prefix(text_of("01arz3")));
	assert_true(ulid_is_prefix(text_of("01ARZ3NDEKTSV4RRFFQ69G5FAV")));
	assert_false(ulid_is_prefix(text_of("")));
	assert_false(ulid_is_prefix(text_of("u")));
	assert_false(ulid_is_prefix(text_of("@0")));
	assert_false(ulid_is_prefix(text_of("01/")));
	assert_false(ulid_is_prefix(text_of("01ARZ3NDEKTSV4RRFFQ69G5FAV0")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorts_by_time),
		cmocka_unit_test(never_makes_the_same_twice),
		cmocka_unit_test(accepts_whole_ids_only),
		cmocka_unit_test(accepts_beginnings_of_either_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
