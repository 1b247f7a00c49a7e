/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/pairs.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/alloc_count.h"

static void keeps_the_order_of_setting(void **state)
{
	struct pairs p = { 0 };

	assert_int_equal(pairs_set(&p, "testcase", "hackbench"), 0);
	assert_int_equal(pairs_setf(&p, "nr_threads", "%d%%", 50), 0);
	assert_int_equal(pairs_set_text(&p, text_n("ipcx", 3), text_n("pipes", 4)), 0);
	assert_int_equal(p.count, 3);
	assert_string_equal(p.at[0].name, "testcase");
	assert_string_equal(p.at[1].name, "nr_threads");
	assert_string_equal(p.at[1].value, "50%");
	assert_string_equal(p.at[2].name, "ipc");
	assert_string_equal(p.at[2].value, "pipe");
	pairs_free(&p);
	assert_int_equal(p.count, 0);
}

static void replaces_a_value_in_its_place(void **state)
{
	struct pairs p = { 0 };

	assert_int_equal(pairs_set(&p, "a", "1"), 0);
	assert_int_equal(pairs_set(&p, "b", "2"), 0);
	assert_int_equal(pairs_set(&p, "a", "a longer one"), 0);
	assert_int_equal(p.count, 2);
	assert_string_equal(p.at[0].value, "a longer one");
	assert_null(pairs_get(&p, "c"));
	assert_null(pairs_get(&p, ""));
	pairs_free(&p);
}

static void sorts_by_bytes(void **state)
{
	struct pairs p = { 0 };

	pairs_sort(&p); /* an empty one */
	assert_int_equal(pairs_set(&p, "b", "1"), 0);
	assert_int_equal(pairs_set(&p, "a10", "2"), 0);
	assert_int_equal(pairs_set(&p, "a2", "3"), 0);
	assert_int_equal(pairs_set(&p, "B", "4"), 0);
	pairs_sort(&p);
	assert_string_equal(p.at[0].name, "B");
	assert_string_equal(p.at[1].name, "a10");
	assert_string_equal(p.at[2].name, "a2");
	assert_string_equal(p.at[3].name, "b");
	pairs_free(&p);
}

static void copies_over_what_is_there(void **state)
{
	struct pairs from = { 0 }, to = { 0 };

	assert_int_equal(pairs_set(&from, "a", "new"), 0);
	assert_int_equal(pairs_set(&from, "b", ""), 0);
	assert_int_equal(pairs_set(&to, "a", "old"), 0);
	assert_int_equal(pairs_set(&to, "c", "kept"), 0);
	assert_int_equal(pairs_copy(&to, &from), 0);
	pairs_free(&from);
	assert_string_equal(pairs_get(&to, "a"), "new");
	assert_string_equal(pairs_get(&to, "b"), "");
	assert_string_equal(pairs_get(&to, "c"), "kept");
	pairs_free(&to);
}

static void stays_whole_without_memory(void **state)
{
	for (size_t n = 1; n <= 3; n++) {
		struct pairs p = { 0 };

		alloc_fail_at(n);
		assert_int_equal(pairs_set(&p, "a", "1"), -ENOMEM);
		assert_int_equal(p.count, 0);
		assert_int_equal(pairs_set(&p, "a", "1"), 0);
		alloc_fail_at(1);
		assert_int_equal(pairs_set(&p, "a", "2"), -ENOMEM);
		alloc_fail_at(0);
		assert_string_equal(pairs_get(&p, "a"), "1");
		pairs_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_order_of_setting), cmocka_unit_test(replaces_a_value_in_its_place),
		cmocka_unit_test(sorts_by_bytes),	      cmocka_unit_test(copies_over_what_is_there),
		cmocka_unit_test(stays_whole_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
