/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/buf.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/alloc_count.h"

static void grows_and_ends_with_a_nul(void **state)
{
	struct buf b = { 0 };

	for (int i = 0; i < 1000; i++)
		assert_int_equal(buf_printf(&b, "%d,", i % 10), 0);
	assert_int_equal(b.len, 2000);
	assert_int_equal(b.data[2000], '\0');
	assert_memory_equal(b.data, "0,1,2,3,4,5,6,7,8,9,0,", 22);
	buf_clear(&b);
	assert_int_equal(b.len, 0);
	assert_string_equal(b.data, "");
	assert_int_equal(buf_putc(&b, 'x'), 0);
	assert_int_equal(buf_puts(&b, "yz"), 0);
	assert_int_equal(buf_add_text(&b, text_n("abc", 2)), 0);
	assert_string_equal(b.data, "xyzab");
	buf_free(&b);
	buf_free(&b); /* twice is one */
	assert_null(b.data);
}

static void reads_as_empty_text_before_anything_is_added(void **state)
{
	struct buf b = { 0 };

	assert_int_equal(text_len(buf_text(&b)), 0);
	assert_non_null(buf_text(&b).at);
	assert_int_equal(buf_add(&b, NULL, 0), 0);
	assert_string_equal(b.data, "");
	buf_free(&b);
}

static void keeps_its_ceiling(void **state)
{
	struct buf b = { .ceiling = 10 };

	assert_int_equal(buf_add(&b, "0123456789", 10), 0);
	assert_int_equal(buf_add(&b, "", 0), 0);
	assert_int_equal(buf_putc(&b, 'x'), -EMSGSIZE);
	assert_int_equal(b.len, 10);
	assert_string_equal(b.data, "0123456789"); /* nothing of it is added */
	buf_clear(&b);
	assert_int_equal(buf_add(&b, "01234567890", 11), -EMSGSIZE);
	assert_int_equal(b.len, 0);
	buf_free(&b);
}

static void remembers_the_first_failure(void **state)
{
	struct buf b = { .ceiling = 4 };

	assert_int_equal(buf_puts(&b, "too long"), -EMSGSIZE);
	assert_int_equal(buf_puts(&b, "ok"), -EMSGSIZE); /* a gap in the middle would be worse */
	assert_int_equal(b.failed, -EMSGSIZE);
	assert_int_equal(b.len, 0);
	buf_clear(&b);
	assert_int_equal(buf_puts(&b, "ok"), 0);
	buf_free(&b);
}

static void refuses_sizes_beyond_all_memory(void **state)
{
	struct buf b = { 0 };

	assert_int_equal(buf_reserve(&b, SIZE_MAX), -EMSGSIZE);
	buf_free(&b);
	assert_int_equal(buf_puts(&b, "x"), 0);
	assert_int_equal(buf_reserve(&b, SIZE_MAX - 1), -EMSGSIZE);
	buf_free(&b);
	b.ceiling = SIZE_MAX;
	alloc_fail_at(1);
	assert_int_equal(buf_reserve(&b, 100), -ENOMEM);
	buf_free(&b);
	assert_int_equal(buf_reserve(&b, (size_t)64 << 20), 0);
	buf_free(&b);
}

static void does_not_allocate_where_there_is_room(void **state)
{
	struct buf b = { 0 };
	size_t before;

	assert_int_equal(buf_reserve(&b, 1000), 0);
	before = alloc_count();
	for (int i = 0; i < 1000; i++)
		assert_int_equal(buf_putc(&b, 'x'), 0);
	assert_int_equal(alloc_count(), before);
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_and_ends_with_a_nul),
		cmocka_unit_test(reads_as_empty_text_before_anything_is_added),
		cmocka_unit_test(keeps_its_ceiling),
		cmocka_unit_test(remembers_the_first_failure),
		cmocka_unit_test(refuses_sizes_beyond_all_memory),
		cmocka_unit_test(does_not_allocate_where_there_is_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
