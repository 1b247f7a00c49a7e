/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/difference.h"

#include "analysis/noise.h"
#include "tests/analysis/vectors.h"

#define V(...) (struct values){ (const double[]){ __VA_ARGS__ }, sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double) }

static struct difference between(struct values a, struct values b)
{
	struct difference d;
	double scratch[6 * VECTOR_MAX];

	difference_of(a, b, NULL, scratch, &d);
	return d;
}

static struct scale scale(struct values v)
{
	double scratch[VECTOR_MAX];

	return scale_of(v, scratch);
}

static void finds_the_resolution_of_what_was_printed(void **state)
{
	assert_true(scale(V(3, 17, 200)).resolution == 1);
	assert_true(scale(V(3.25, 17, 200)).resolution == 0.01);
	assert_true(scale(V(0.1, 0.2, 0.3)).resolution == 0.1);
	assert_true(scale(V(0.12345, 2)).resolution == 0);
}

static void is_linear_near_zero_and_a_logarithm_above(void **state)
{
	struct scale whole = { .resolution = 1, .offset = 1 }, none = { 0 };

	assert_true(scale_apply(whole, 0) == 0);
	is_near("1e6", scale_apply(whole, 2e6) - scale_apply(whole, 1e6), log(2), 1e-9);
	is_near("-8", scale_apply(none, -8), -log(16), 1e-12);
	is_near("8", scale_apply(none, 8), log(16), 1e-12);
}

static void measures_values_of_both_signs_by_their_usual_size(void **state)
{
	assert_true(scale(V(-12.5, 3.25, -1.75, 8.5, 0)).offset == 8.5);
	assert_true(scale(V(0.12345, 0.54321)).offset == 0);
	is_near("some zeros", scale(V(0, 0.12345, 0.54321)).offset, 0.054321, 1e-12);
}

static void leaves_out_what_is_missing(void **state)
{
	struct difference d = between(V(1, NAN, 3), V(10, 12, INFINITY));

	assert_true(d.tested);
	assert_int_equal(d.count_a, 2);
	assert_int_equal(d.count_b, 2);
	assert_true(d.df == 2);
}

static void does_not_test_a_side_of_one(void **state)
{
	assert_false(between(V(1, NAN, NAN), V(10, 12, 13)).tested);
	assert_false(between(V(NAN, NAN, NAN), V(10, 12, 13)).tested);
	assert_false(between(V(1), V(2)).tested);
	assert_false(between((struct values){ 0 }, (struct values){ 0 }).tested);
}

static void check_pair(const json_t *vector)
{
	double a[VECTOR_MAX], b[VECTOR_MAX];
	struct values side_a = { a, numbers(input(vector, "a"), a) };
	struct values side_b = { b, numbers(input(vector, "b"), b) };
	struct difference d = between(side_a, side_b), bare;
	struct evidence e;

	meets(vector, "resolution", d.scale.resolution, 1e-12);
	meets(vector, "offset", d.scale.offset, 1e-12);
	meets(vector, "tested", d.tested, 0);
	meets(vector, "log_diff", d.d, 1e-6);
	meets(vector, "log_s2", d.s2, 1e-6);
	meets(vector, "log_df", d.df, 0);
	meets(vector, "floor2", d.floor2, 1e-6);
	bare = d;
	bare.floor2 = 0;
	e = evidence_of(&bare, (struct noise){ 0 }, (struct noise){ 0 }, 0);
	if (d.s2 > 0) {
		meets(vector, "student_t", e.t, 1e-6);
		meets(vector, "student_p", e.p, 1e-6);
	}
}

static void agrees_with_the_reference_on_pairs(void **state)
{
	json_t *file = vectors_open();
	const json_t *vector;
	size_t n = 0;

	for (; (vector = vector_of(file, "pair", n)); n++)
		check_pair(vector);
	assert_int_equal(n, 14);
	json_decref(file);
}

static void agrees_with_the_reference_on_drift(void **state)
{
	json_t *file = vectors_open();
	const json_t *vector;
	size_t n = 0;

	for (; (vector = vector_of(file, "order", n)); n++) {
		double a[VECTOR_MAX], b[VECTOR_MAX], pos_a[VECTOR_MAX], pos_b[VECTOR_MAX], scratch[6 * VECTOR_MAX];
		struct values side_a = { a, numbers(input(vector, "a"), a) };
		struct values side_b = { b, numbers(input(vector, "b"), b) };
		struct positions positions = { pos_a, pos_b, true };
		struct difference d;
		struct evidence e;

		(void)numbers(input(vector, "pos_a"), pos_a);
		(void)numbers(input(vector, "pos_b"), pos_b);
		difference_of(side_a, side_b, &positions, scratch, &d);
		meets(vector, "log_diff", d.d, 1e-6);
		meets(vector, "s2", d.s2, 1e-6);
		meets(vector, "df", d.df, 0);
		meets(vector, "h", d.h, 1e-6);
		d.floor2 = 0;
		e = evidence_of(&d, (struct noise){ 0 }, (struct noise){ 0 }, 0);
		meets(vector, "se", e.se, 1e-6);
		meets(vector, "t", e.t, 1e-6);
		meets(vector, "p", e.p, 1e-6);
		assert_true(d.slope_p < 0.01);
	}
	assert_int_equal(n, 2);
	json_decref(file);
}

static void knows_of_drift_without_taking_it_out(void **state)
{
	const double a[] = { 100.0, 102.3, 104.1, 106.2 }, b[] = { 106.4, 108.1, 110.9, 112.3 };
	const double pos_a[] = { 0, 2, 4, 6 }, pos_b[] = { 1, 3, 5, 7 };
	struct positions positions = { pos_a, pos_b, false };
	double scratch[24];
	struct difference d, plain = between((struct values){ a, 4 }, (struct values){ b, 4 });

	difference_of((struct values){ a, 4 }, (struct values){ b, 4 }, &positions, scratch, &d);
	assert_true(d.slope_p < 0.001);
	assert_true(d.d == plain.d && d.s2 == plain.s2 && d.df == 6);
	assert_true(isnan(plain.slope_p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_resolution_of_what_was_printed),
		cmocka_unit_test(is_linear_near_zero_and_a_logarithm_above),
		cmocka_unit_test(measures_values_of_both_signs_by_their_usual_size),
		cmocka_unit_test(leaves_out_what_is_missing),
		cmocka_unit_test(does_not_test_a_side_of_one),
		cmocka_unit_test(agrees_with_the_reference_on_pairs),
		cmocka_unit_test(agrees_with_the_reference_on_drift),
		cmocka_unit_test(knows_of_drift_without_taking_it_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
