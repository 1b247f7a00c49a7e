/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/sample.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/alloc_count.h"

static const struct metric metrics[] = { { .name = "a" }, { .name = "b" }, { .name = "c" } };
static const char *const instances[40] = { "CPU0" };
static const struct shape shape = { "proc-stat", 1, metrics, 3, instances, 40 };

static void has_what_was_put_and_nothing_else(void **state)
{
	struct sample s;
	struct err err;
	size_t present = 0;

	assert_int_equal(shape_slots(&shape), 120);
	assert_int_equal(sample_init(&s, &shape, &err), 0);
	sample_put(&s, 0, 0, 0); /* a zero is there, too */
	sample_put(&s, 1, 23, UINT64_MAX);
	sample_put(&s, 1, 24, 5);
	sample_put(&s, 2, 39, 9);
	for (size_t slot = 0; slot < 120; slot++)
		present += sample_has(&s, slot);
	assert_int_equal(present, 4);
	assert_true(sample_has(&s, 0));
	assert_int_equal(sample_slot(&s, 1, 23), 63);
	assert_true(sample_has(&s, 63));
	assert_true((uint64_t)s.values[63] == UINT64_MAX);
	assert_true(sample_has(&s, 64));
	assert_int_equal(s.values[119], 9);
	sample_clear(&s);
	for (size_t slot = 0; slot < 120; slot++)
		assert_false(sample_has(&s, slot));
	sample_free(&s);
	sample_free(&s); /* a zeroed one, too */
}

static void allocates_only_to_begin(void **state)
{
	struct sample s;
	struct err err;
	size_t before;

	for (size_t n = 1; n <= 2; n++) {
		alloc_fail_at(n);
		assert_int_equal(sample_init(&s, &shape, &err), -ENOMEM);
		alloc_fail_at(0);
		assert_string_equal(err.text, "proc-stat: no memory for 120 values");
	}
	assert_int_equal(sample_init(&s, &shape, &err), 0);
	before = alloc_count();
	sample_clear(&s);
	sample_put(&s, 2, 39, 1);
	assert_int_equal(alloc_count(), before);
	sample_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_what_was_put_and_nothing_else),
		cmocka_unit_test(allocates_only_to_begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
