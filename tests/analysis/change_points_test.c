/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/change_points.h"

#include <errno.h>

#include "tests/analysis/vectors.h"
#include "tests/support/alloc_count.h"

#define LONG 200

/* A generator of our own, so that a seed gives the same series everywhere. */
static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
	double u = uniform(state), v = uniform(state);

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static const double *ones(void)
{
	static double weights[LONG];

	for (size_t i = 0; i < LONG; i++)
		weights[i] = 1;
	return weights;
}

static void agrees_with_the_reference_on_one_cut(void **state)
{
	json_t *file = vectors_open();
	const json_t *vector = vector_of(file, "partition", 0), *expect = json_object_get(vector, "expect");
	double y[VECTOR_MAX], sigma, cost, price = json_number_value(json_object_get(expect, "penalty"));
	size_t count = numbers(input(vector, "y"), y), cuts[VECTOR_MAX], found;

	assert_int_equal(series_sigma(y, ones(), count, &sigma), 0);
	assert_true(fabs(sigma - json_number_value(json_object_get(expect, "sigma"))) < 1e-9);
	assert_int_equal(series_cut(y, ones(), count, sigma * sigma, price, cuts, &found, &cost), 0);
	assert_int_equal(found, 1);
	assert_int_equal(cuts[0], json_integer_value(json_array_get(json_object_get(expect, "change_points"), 0)));
	assert_true(fabs(cost - json_number_value(json_object_get(expect, "total_cost"))) < 1e-6);
	json_decref(file);
}

static void finds_a_step_says_how_large_and_where_it_may_be(void **state)
{
	static const double values[] = { 1000, 1003, 998, 1001, 999, 1002, 1000, 1101, 1098, 1103, 1100, 1099, 1102 };
	struct change_history h;

	assert_int_equal(find_change_points(values, ones(), 13, &h), 0);
	assert_int_equal(h.count, 1);
	assert_int_equal(h.points[0].at, 7);
	assert_int_equal(h.points[0].first, 7);
	assert_int_equal(h.points[0].last, 7);
	assert_true(fabs(h.points[0].before - 1000.428571) < 1e-5);
	assert_true(fabs(h.points[0].percent - 10.0) < 0.1);
	assert_true(h.points[0].low < h.points[0].percent && h.points[0].percent < h.points[0].high);
	change_history_free(&h);
}

static void finds_two_steps(void **state)
{
	double values[60];
	uint64_t seed = 3;
	struct change_history h;

	for (size_t i = 0; i < 60; i++)
		values[i] = (i < 20 ? 1000 : i < 40 ? 1050 : 980) + 5 * normal(&seed);
	assert_int_equal(find_change_points(values, ones(), 60, &h), 0);
	assert_int_equal(h.count, 2);
	assert_int_equal(h.points[0].at, 20);
	assert_int_equal(h.points[1].at, 40);
	change_history_free(&h);
}

static void sets_a_single_spike_aside(void **state)
{
	static const double values[] = { 1000, 1003, 998, 1001, 1400, 1002, 1000, 1001, 999, 1003 };
	struct change_history h;

	assert_int_equal(find_change_points(values, ones(), 10, &h), 0);
	assert_int_equal(h.count, 0);
	assert_true(h.outlier[4]);
	assert_false(h.outlier[3]);
	change_history_free(&h);
}

static void suspects_a_last_value_before_it_is_a_level(void **state)
{
	static const double values[] = { 1000, 1003, 998, 1001, 999, 1002, 1000, 1040 };
	struct change_history h;

	assert_int_equal(find_change_points(values, ones(), 8, &h), 0);
	assert_int_equal(h.count, 0);
	assert_true(h.last_p < SUSPECT_P);
	change_history_free(&h);
	assert_int_equal(find_change_points(values, ones(), 7, &h), 0);
	assert_true(h.last_p > 0.1);
	change_history_free(&h);
	assert_int_equal(find_change_points(values, ones(), 5, &h), 0);
	assert_true(isnan(h.last_p)); /* against four nothing is said */
	change_history_free(&h);
}

static void finds_nothing_in_what_never_moves(void **state)
{
	static const double values[] = { 7, 7, 7, 7, 7, 7, 7, 7 };
	struct change_history h;

	assert_int_equal(find_change_points(values, ones(), 8, &h), 0);
	assert_int_equal(h.count, 0);
	change_history_free(&h);
	assert_int_equal(find_change_points(values, ones(), 1, &h), 0);
	change_history_free(&h);
	assert_int_equal(find_change_points(values, ones(), 0, &h), 0);
	change_history_free(&h);
}

/* ---- goals 16 and 17 of the specification, on 1000 series of 200 points each ---- */

static double share_with_any(double correlation, double spikes)
{
	static double values[LONG];
	uint64_t seed = 11;
	int found = 0;

	for (int series = 0; series < 1000; series++) {
		double noise = normal(&seed);
		struct change_history h;

		for (size_t i = 0; i < LONG; i++) {
			noise = correlation * noise + sqrt(1 - correlation * correlation) * normal(&seed);
			values[i] = 1000 * exp(0.01 * (noise + (uniform(&seed) < spikes ? 10 : 0)));
		}
		assert_int_equal(find_change_points(values, ones(), LONG, &h), 0);
		found += h.count > 0;
		change_history_free(&h);
	}
	return found / 1000.0;
}

static void cries_wolf_rarely_over_white_noise(void **state)
{
	assert_true(share_with_any(0, 0) <= 0.02);
}

static void cries_wolf_rarely_over_noise_that_hangs_together(void **state)
{
	assert_true(share_with_any(0.4, 0) <= 0.06);
}

static void cries_wolf_rarely_over_spikes(void **state)
{
	assert_true(share_with_any(0, 0.03) <= 0.08);
}

/* How many of 1000 shifts of 3 sigma after 50 points are seen with so many points after them. */
static double share_seen(size_t after)
{
	static double values[LONG];
	uint64_t seed = 5;
	int seen = 0;

	for (int series = 0; series < 1000; series++) {
		struct change_history h;

		for (size_t i = 0; i < 50 + after; i++)
			values[i] = 1000 * exp(0.01 * (normal(&seed) + (i < 50 ? 0 : 3)));
		assert_int_equal(find_change_points(values, ones(), 50 + after, &h), 0);
		seen += h.count > 0;
		change_history_free(&h);
	}
	return seen / 1000.0;
}

static void sees_a_shift_of_three_sigma_soon(void **state)
{
	assert_true(share_seen(3) >= 0.75);
	assert_true(share_seen(5) >= 0.95);
}

static void says_so_when_there_is_no_memory(void **state)
{
	static const double values[] = { 1000, 1003, 998, 1001, 999, 1002, 1000, 1101, 1098, 1103, 1100, 1099, 1102 };
	struct change_history h;
	size_t n = 1;

	for (;; n++) {
		int r;

		alloc_fail_at(n);
		r = find_change_points(values, ones(), 13, &h);
		alloc_fail_at(0);
		if (r == 0)
			break;
		assert_int_equal(r, -ENOMEM);
		assert_true(n < 100);
	}
	assert_true(n > 8);
	change_history_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_the_reference_on_one_cut),
		cmocka_unit_test(finds_a_step_says_how_large_and_where_it_may_be),
		cmocka_unit_test(finds_two_steps),
		cmocka_unit_test(sets_a_single_spike_aside),
		cmocka_unit_test(suspects_a_last_value_before_it_is_a_level),
		cmocka_unit_test(finds_nothing_in_what_never_moves),
		cmocka_unit_test(cries_wolf_rarely_over_white_noise),
		cmocka_unit_test(cries_wolf_rarely_over_noise_that_hangs_together),
		cmocka_unit_test(cries_wolf_rarely_over_spikes),
		cmocka_unit_test(sees_a_shift_of_three_sigma_soon),
		cmocka_unit_test(says_so_when_there_is_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
