/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/noise.h"

#include "analysis/discovery.h"
#include "tests/analysis/vectors.h"

static const struct noise no_history = { 0 };

static void agrees_with_the_reference_on_priors(void **state)
{
	json_t *file = vectors_open();
	const json_t *vector;
	size_t n = 0;

	for (; (vector = vector_of(file, "prior", n)); n++) {
		double s2[VECTOR_MAX];
		size_t count = numbers(input(vector, "s2"), s2);
		struct noise fit = noise_fit(s2, count, json_number_value(input(vector, "df")));

		meets(vector, "quartile_s02", fit.s02, 1e-4);
		meets(vector, "quartile_d0", fit.d0, 1e-4);
	}
	assert_int_equal(n, 2);
	json_decref(file);
}

static void knows_nothing_of_nothing(void **state)
{
	struct noise fit = noise_fit(NULL, 0, 6);

	assert_true(fit.d0 == 0);
}

static void is_at_its_least_where_nothing_is_common(void **state)
{
	double s2[40];

	for (size_t i = 0; i < 40; i++)
		s2[i] = pow(10, (double)i - 20);
	assert_true(noise_fit(s2, 40, 6).d0 == 0.2);
}

static double number(const json_t *vector, const char *name)
{
	return json_number_value(input(vector, name));
}

static void agrees_with_the_reference_on_moderated_tests(void **state)
{
	json_t *file = vectors_open();
	const json_t *vector;
	size_t n = 0;

	for (; (vector = vector_of(file, "moderated", n)); n++) {
		const json_t *interval = json_object_get(json_object_get(vector, "expect"), "change_ci95_percent");
		struct difference d = {
			.tested = true, .d = number(vector, "d"), .s2 = number(vector, "s2"), .df = number(vector, "df"),
			.h = number(vector, "h"), .floor2 = number(vector, "floor2"),
		};
		struct noise prior = { number(vector, "s02"), number(vector, "d0") };
		struct evidence e = evidence_of(&d, prior, no_history, number(vector, "tau"));
		double half = evidence_half_width(&e, 0.05);

		meets(vector, "se", e.se, 1e-6);
		meets(vector, "df", e.df, 1e-6);
		meets(vector, "t", e.t, 1e-6);
		meets(vector, "p", e.p, 1e-6);
		is_near("low", 100 * (exp(d.d - half) - 1), json_number_value(json_array_get(interval, 0)), 1e-6);
		is_near("high", 100 * (exp(d.d + half) - 1), json_number_value(json_array_get(interval, 1)), 1e-6);
	}
	assert_int_equal(n, 4);
	json_decref(file);
}

static void has_no_p_where_nothing_was_tested(void **state)
{
	struct difference d = { .tested = false };

	assert_true(isnan(evidence_of(&d, (struct noise){ 1, 1 }, no_history, 0).p));
}

static void never_has_no_noise_at_all(void **state)
{
	struct difference d = { .tested = true, .d = 1, .df = 6, .h = 0.5 };

	assert_true(evidence_of(&d, (struct noise){ 0 }, no_history, 0).se > 0);
	d.floor2 = 1e-4;
	is_near("rounding", evidence_of(&d, (struct noise){ 0 }, no_history, 0).se, sqrt(0.5e-4), 1e-9);
}

static void agrees_with_the_reference_on_many_tests(void **state)
{
	json_t *file = vectors_open();
	const json_t *vector = vector_of(file, "adjust", 0);
	double p[VECTOR_MAX], q[VECTOR_MAX], want[VECTOR_MAX];
	size_t order[VECTOR_MAX], count;

	assert_non_null(vector);
	count = numbers(input(vector, "p"), p);
	assert_int_equal(numbers(json_object_get(json_object_get(vector, "expect"), "BH"), want), count);
	assert_int_equal(adjust_bh(p, count, order, q), 12);
	for (size_t i = 0; i < count; i++)
		is_near("BH", q[i], want[i], 1e-9);
	json_decref(file);
}

static void agrees_with_the_reference_on_a_group(void **state)
{
	json_t *file = vectors_open();
	const json_t *vector = vector_of(file, "simes", 0);
	double p[VECTOR_MAX], scratch[VECTOR_MAX], any;

	assert_non_null(vector);
	any = simes(p, numbers(input(vector, "p"), p), scratch);
	meets(vector, "simes", any, 1e-9);
	meets(vector, "group_p", group_p(number(vector, "p_sum"), any), 1e-9);
	json_decref(file);
}

static void takes_a_group_by_what_was_tested(void **state)
{
	const double none[] = { NAN, NAN }, one[] = { NAN, 0.01, NAN };
	double scratch[3];

	assert_true(isnan(simes(none, 2, scratch)));
	assert_true(simes(one, 3, scratch) == 0.01);
	assert_true(group_p(NAN, 0.01) == 0.02);
	assert_true(group_p(0.9, NAN) == 1);
	assert_true(isnan(group_p(NAN, NAN)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_the_reference_on_priors),
		cmocka_unit_test(knows_nothing_of_nothing),
		cmocka_unit_test(is_at_its_least_where_nothing_is_common),
		cmocka_unit_test(agrees_with_the_reference_on_moderated_tests),
		cmocka_unit_test(has_no_p_where_nothing_was_tested),
		cmocka_unit_test(never_has_no_noise_at_all),
		cmocka_unit_test(agrees_with_the_reference_on_many_tests),
		cmocka_unit_test(agrees_with_the_reference_on_a_group),
		cmocka_unit_test(takes_a_group_by_what_was_tested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
