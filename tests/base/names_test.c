/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/alloc_count.h"

static void gives_rows_in_the_order_of_adding(void **state)
{
	struct names n = { 0 };

	assert_int_equal(names_add(&n, text_of("MemTotal")), 0);
	assert_int_equal(names_add(&n, text_of("MemFree")), 1);
	assert_int_equal(names_add(&n, text_of("MemTotal")), 0); /* each once */
	assert_int_equal(names_add(&n, text_of("")), 2);
	assert_int_equal(n.count, 3);
	assert_string_equal(names_at(&n, 1), "MemFree");
	assert_int_equal(n.length[1], 7);
	names_free(&n);
	assert_int_equal(n.count, 0);
}

static void finds_whole_names_only(void **state)
{
	struct names n = { 0 };

	assert_int_equal(names_find(&n, text_of("x"), 0), -1); /* in an empty list */
	assert_int_equal(names_add(&n, text_of("nr_dirty")), 0);
	assert_int_equal(names_find(&n, text_of("nr_dirty"), 0), 0);
	assert_int_equal(names_find(&n, text_of("nr_dirty"), -1), 0);
	assert_int_equal(names_find(&n, text_of("nr_dirty"), 99), 0);
	assert_int_equal(names_find(&n, text_of("nr_dirt"), 0), -1);
	assert_int_equal(names_find(&n, text_of("nr_dirty_"), 0), -1);
	assert_int_equal(names_find(&n, text_n("nr_dirty_threshold", 8), 0), 0);
	names_free(&n);
}

static void keeps_thousands_apart_and_does_not_allocate_to_find(void **state)
{
	struct names n = { 0 };
	char name[32];
	size_t before;

	for (int i = 0; i < 20000; i++) {
		(void)snprintf(name, sizeof(name), "key%d", i);
		assert_int_equal(names_add(&n, text_of(name)), i);
	}
	before = alloc_count();
	for (int i = 0; i < 20000; i++) {
		(void)snprintf(name, sizeof(name), "key%d", i);
		assert_int_equal(names_find(&n, text_of(name), 20000 - i), i);
	}
	assert_int_equal(names_find(&n, text_of("key20000"), 0), -1);
	assert_int_equal(alloc_count(), before);
	names_free(&n);
}

static void tells_names_with_a_nul_apart(void **state)
{
	struct names n = { 0 };

	assert_int_equal(names_add(&n, text_n("a\0b", 3)), 0);
	assert_int_equal(names_add(&n, text_n("a\0c", 3)), 1);
	assert_int_equal(names_add(&n, text_of("a")), 2);
	assert_int_equal(names_find(&n, text_n("a\0c", 3), 0), 1);
	assert_int_equal(names_find(&n, text_n("a\0", 2), 0), -1);
	assert_string_equal(names_at(&n, 1), "a");
	for (int i = 3; i < 100; i++) /* grows its tables over them */
		assert_int_equal(names_add(&n, text_n((char[]){ 'x', '\0', (char)i }, 3)), i);
	assert_int_equal(names_find(&n, text_n("a\0b", 3), -1), 0);
	names_free(&n);
}

static void stays_whole_without_memory(void **state)
{
	for (size_t fail = 1; fail <= 4; fail++) {
		struct names n = { 0 };

		alloc_fail_at(fail);
		assert_int_equal(names_add(&n, text_of("a")), -ENOMEM);
		assert_int_equal(names_add(&n, text_of("a")), 0);
		assert_int_equal(names_find(&n, text_of("a"), -1), 0);
		names_free(&n);
	}
	for (size_t fail = 1; fail <= 4; fail++) {
		struct names n = { 0 };
		char name[16];

		for (int i = 0; i < 32; i++) {
			(void)snprintf(name, sizeof(name), "%d", i);
			assert_int_equal(names_add(&n, text_of(name)), i);
		}
		alloc_fail_at(fail); /* the thirty-third has no room in the first tables */
		assert_int_equal(names_add(&n, text_of("a")), -ENOMEM);
		alloc_fail_at(0);
		assert_int_equal(n.count, 32);
		assert_int_equal(names_find(&n, text_of("31"), -1), 31);
		assert_int_equal(names_add(&n, text_of("a")), 32);
		assert_int_equal(names_find(&n, text_of("0"), -1), 0);
		names_free(&n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_rows_in_the_order_of_adding),
		cmocka_unit_test(finds_whole_names_only),
		cmocka_unit_test(keeps_thousands_apart_and_does_not_allocate_to_find),
		cmocka_unit_test(tells_names_with_a_nul_apart),
		cmocka_unit_test(stays_whole_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
