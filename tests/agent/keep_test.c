/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "agent/keep.h"
#include "base/buf.h"
#include "tests/support/alloc_count.h"

struct kept {
	struct keep keep;
	struct buf told; /* "OFFSET:DATA|" */
};

static void put(void *context, const struct run_output *output)
{
	struct buf *told = context;

	assert_int_equal(output->stream, OUTPUT_STDERR);
	(void)buf_printf(told, "%d:%.*s|", (int)output->offset, (int)output->length, output->data);
}

static struct kept *open_kept(size_t limit)
{
	struct kept *k = calloc(1, sizeof(*k));
	struct err err;

	assert_non_null(k);
	assert_int_equal(keep_open(&k->keep, OUTPUT_STDERR, limit, put, &k->told, &err), 0);
	return k;
}

static void close_kept(struct kept *k)
{
	keep_close(&k->keep);
	buf_free(&k->told);
	free(k);
}

static void keeps_all_of_what_is_short(void **state)
{
	struct kept *k = open_kept(10);

	keep_add(&k->keep, "0123", 4);
	keep_add(&k->keep, "456789", 6);
	keep_finish(&k->keep);
	assert_string_equal(k->told.data, "0:01234|5:56789|");
	assert_int_equal(keep_dropped(&k->keep), 0);
	close_kept(k);
}

static void keeps_the_first_and_the_last_half(void **state)
{
	struct kept *k = open_kept(10);

	keep_add(&k->keep, "0123456789abcdefghij", 20);
	keep_add(&k->keep, "xyz", 3);
	keep_finish(&k->keep);
	assert_string_equal(k->told.data, "0:01234|18:ij|20:xyz|");
	assert_int_equal(keep_dropped(&k->keep), 13);
	close_kept(k);
}

static void tells_the_head_early_when_asked_to(void **state)
{
	struct kept *k = open_kept(10);

	keep_add(&k->keep, "01", 2);
	keep_flush(&k->keep);
	assert_string_equal(k->told.data, "0:01|");
	keep_flush(&k->keep);
	keep_add(&k->keep, "2345", 4);
	keep_finish(&k->keep);
	assert_string_equal(k->told.data, "0:01|2:234|5:5|");
	close_kept(k);
}

static void keeps_nothing_with_a_limit_of_nothing_and_counts(void **state)
{
	struct kept *k = open_kept(0);

	keep_add(&k->keep, "0123", 4);
	keep_finish(&k->keep);
	assert_null(k->told.data);
	assert_int_equal(keep_dropped(&k->keep), 4);
	close_kept(k);
}

static void counts_the_tail_as_dropped_without_memory_for_it(void **state)
{
	struct kept *k = open_kept(10);

	alloc_fail_at(1);
	keep_add(&k->keep, "0123456789", 10);
	alloc_fail_at(0);
	keep_finish(&k->keep);
	assert_string_equal(k->told.data, "0:01234|");
	assert_int_equal(keep_dropped(&k->keep), 5);
	close_kept(k);
}

static void takes_back_the_returns_that_a_terminal_added(void **state)
{
	struct kept *k = open_kept(100);

	keep_add_terminal(&k->keep, "a\r\nb\rc\r", 7);
	keep_add_terminal(&k->keep, "\nd\r\r\n\r", 6);
	keep_finish(&k->keep);
	assert_string_equal(k->told.data, "0:a\nb\rc\nd\r\n\r|");
	close_kept(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_all_of_what_is_short),
		cmocka_unit_test(keeps_the_first_and_the_last_half),
		cmocka_unit_test(tells_the_head_early_when_asked_to),
		cmocka_unit_test(keeps_nothing_with_a_limit_of_nothing_and_counts),
		cmocka_unit_test(counts_the_tail_as_dropped_without_memory_for_it),
		cmocka_unit_test(takes_back_the_returns_that_a_terminal_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
