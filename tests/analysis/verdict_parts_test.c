/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/failures.h"
#include "analysis/kpi.h"
#include "analysis/discovery.h"
#include "analysis/related.h"
#include "tests/analysis/vectors.h"

static const struct history_sets no_sets;

static struct judge_metric metric_of(const char *key, const double *a, size_t a_count, const double *b, size_t b_count)
{
	return (struct judge_metric){ .key = key, .a = { a, a_count }, .b = { b, b_count } };
}

static void agrees_with_the_reference_on_failures(void **state)
{
	json_t *file = vectors_open();
	const json_t *vector;
	size_t n = 0;

	for (; (vector = vector_of(file, "fisher", n)); n++) {
		struct failures a = { (unsigned)json_integer_value(input(vector, "ka")),
				      (unsigned)json_integer_value(input(vector, "na")) };
		struct failures b = { (unsigned)json_integer_value(input(vector, "kb")),
				      (unsigned)json_integer_value(input(vector, "nb")) };

		meets(vector, "p", failures_p(a, b), 1e-6);
	}
	assert_true(n > 0);
	json_decref(file);
}

static void shows_what_is_new_or_gone_whatever_its_p(void **state)
{
	assert_true(failures_changed((struct failures){ 0, 4 }, (struct failures){ 1, 4 }));
	assert_true(failures_changed((struct failures){ 1, 4 }, (struct failures){ 0, 4 }));
	is_near("1 of 4", failures_p((struct failures){ 0, 4 }, (struct failures){ 1, 4 }), 1, 1e-12);
	assert_false(failures_changed((struct failures){ 1, 10 }, (struct failures){ 6, 10 }));
	assert_true(failures_changed((struct failures){ 1, 10 }, (struct failures){ 7, 10 }));
	assert_false(failures_changed((struct failures){ 0, 4 }, (struct failures){ 0, 4 }));
	is_near("no runs", failures_p((struct failures){ 0, 0 }, (struct failures){ 0, 0 }), 1, 0);
}

static void agrees_with_the_reference_on_holm(void **state)
{
	json_t *file = vectors_open();
	const json_t *vector = vector_of(file, "adjust", 0);
	double p[VECTOR_MAX], want[VECTOR_MAX], got[VECTOR_MAX];
	size_t order[VECTOR_MAX], count = numbers(input(vector, "p"), p);

	(void)numbers(json_object_get(json_object_get(vector, "expect"), "holm"), want);
	assert_int_equal(adjust_holm(p, count, order, got), count - 1);
	for (size_t i = 0; i < count; i++)
		is_near("holm", got[i], want[i], 1e-6);
	json_decref(file);
}

static void agrees_with_the_reference_on_what_moves_with_a_result(void **state)
{
	json_t *file = vectors_open();
	const json_t *vector = vector_of(file, "corr", 0);
	double v[4][VECTOR_MAX];
	size_t a = numbers(input(vector, "kpi_a"), v[0]), b = numbers(input(vector, "kpi_b"), v[1]);
	struct difference kpi = { .d = -0.04 }, x = { .d = 0.2 }; /* an offset of 0 is the plain logarithm */
	struct judge_metric k, m;
	struct related r;

	(void)numbers(input(vector, "x_a"), v[2]);
	(void)numbers(input(vector, "x_b"), v[3]);
	k = metric_of("kpi", v[0], a, v[1], b);
	m = metric_of("x", v[2], a, v[3], b);
	r = related_to(&k, &kpi, &m, &x, no_sets);
	meets(vector, "r_within", r.r, 1e-6);
	meets(vector, "nu", r.degrees, 0);
	meets(vector, "score", r.score, 1e-6);
	x.d = -0.2; /* against the way they go together */
	assert_true(related_to(&k, &kpi, &m, &x, no_sets).score == 0);
	json_decref(file);
}

/* The pooled t of the reference is that of a KPI without history. */
static void agrees_with_the_reference_on_pairs(void **state)
{
	json_t *file = vectors_open();
	const json_t *vector;
	size_t n = 0;

	for (; (vector = vector_of(file, "pair", n)); n++) {
		double a[VECTOR_MAX], b[VECTOR_MAX], bounds[2];
		size_t a_count = numbers(input(vector, "a"), a), b_count = numbers(input(vector, "b"), b);
		struct judge_metric m = metric_of("kpi", a, a_count, b, b_count);
		const json_t *expect = json_object_get(vector, "expect"), *ci = json_object_get(expect, "log_ci95");
		struct kpi_verdict v;

		if (a_count != b_count || !json_object_get(expect, "student_p"))
			continue;
		assert_int_equal(judge_kpis(&m, 1, NULL, no_sets, 1, &v), 0);
		meets(vector, "student_t", v.evidence.t, 1e-6);
		meets(vector, "student_p", v.evidence.p, 1e-6);
		(void)numbers(ci, bounds);
		is_near("low", v.difference.d - evidence_half_width(&v.evidence, 0.05), bounds[0], 1e-6);
		is_near("high", v.difference.d + evidence_half_width(&v.evidence, 0.05), bounds[1], 1e-6);
	}
	assert_true(n > 0);
	json_decref(file);
}

static void tells_a_result_that_changed_from_one_that_did_not_and_one_unknown(void **state)
{
	static const double a[] = { 1000, 1001, 999, 1000 }, up[] = { 1050, 1052, 1049, 1051 },
			    same[] = { 1001, 1000, 1000, 999 }, wild[] = { 900, 1200, 1000, 1050 },
			    flat[] = { 7, 7, 7, 7 };
	struct judge_metric m[] = { metric_of("up", a, 4, up, 4), metric_of("same", a, 4, same, 4),
				    metric_of("wild", a, 4, wild, 4), metric_of("flat", flat, 4, flat, 4),
				    metric_of("few", a, 4, up, 1) };
	struct kpi_verdict v[5];

	m[4].b = (struct values){ (double[]){ NAN, NAN, NAN, 1050 }, 4 };
	assert_int_equal(judge_kpis(m, 5, NULL, no_sets, 1, v), 0);
	assert_int_equal(v[0].word, KPI_CHANGED);
	assert_int_equal(v[1].word, KPI_UNCHANGED);
	assert_int_equal(v[2].word, KPI_UNDECIDED);
	assert_true(v[2].runs_needed > 4 && v[2].detectable > 0.01);
	assert_int_equal(v[3].word, KPI_UNCHANGED);
	assert_int_equal(v[4].word, KPI_UNTESTED);
}

static void takes_welch_where_sides_are_of_unequal_size(void **state)
{
	static const double a[] = { 100, 104, 96, 101, 99, 103 }, b[] = { 110, 110.5, 109.5 };
	struct judge_metric m = metric_of("kpi", a, 6, b, 3);
	struct kpi_verdict v;

	m.b = (struct values){ (double[]){ 110, 110.5, 109.5, NAN, NAN, NAN }, 6 };
	assert_int_equal(judge_kpis(&m, 1, NULL, no_sets, 1, &v), 0);
	assert_true(v.evidence.df > 5 && v.evidence.df < 6); /* the noisy side's five, hardly more; pooled has seven */
}

static void believes_earlier_runs_about_the_noise(void **state)
{
	static const size_t runs[] = { 4, 4 };
	static const struct history_sets sets = { runs, 2 };
	static const double v[] = { 100.1, 100.2, 100.3, 100.4, 200.2, 200.4, 200.6, 200.8 },
			    other[] = { 100.1, 100.2, 100.3, 100.4, 1.5, 200.5, 3.25, 2000.5 };
	struct scale scale = { 0.1, 0.1 };
	struct noise n = history_of((struct values){ v, 8 }, sets, scale);

	assert_true(n.d0 == 6);
	is_near("variance", n.s02, 1.6625e-6, 1e-2);
	assert_true(history_of((struct values){ other, 8 }, sets, scale).d0 ==
		    0); /* 3 of the first, the second is of another noise */
	assert_true(history_of((struct values){ v, 0 }, sets, scale).d0 == 0);
}

static void tests_a_single_run_by_its_history_only(void **state)
{
	static const double a[] = { 100.5 }, b[] = { 110.25 };
	struct difference d;
	double scratch[6];
	struct evidence e;

	difference_of((struct values){ a, 1 }, (struct values){ b, 1 }, NULL, scratch, &d);
	assert_false(d.tested);
	assert_true(isnan(evidence_of(&d, (struct noise){ 1e-4, 5 }, (struct noise){ 1e-4, 7 }, 0).p));
	e = evidence_of(&d, (struct noise){ 1e-4, 5 }, (struct noise){ 1e-4, 19 }, 0);
	assert_true(e.history_only && e.df == 19 && e.p < 1e-4);
}

static void knows_the_order_of_runs(void **state)
{
	static const double abba[] = { 0, 3, 4, 7 }, baab[] = { 1, 2, 5, 6 }, first[] = { 0, 1, 2, 3 },
			    last[] = { 4, 5, 6, 7 }, ends[] = { 0, 1, 6, 7 }, middle[] = { 2, 3, 4, 5 };

	assert_int_equal(session_order_of((struct values){ abba, 4 }, (struct values){ baab, 4 }), ORDER_ALTERNATING);
	assert_int_equal(session_order_of((struct values){ first, 4 }, (struct values){ last, 4 }), ORDER_BLOCKED);
	assert_int_equal(session_order_of((struct values){ ends, 4 }, (struct values){ middle, 4 }), ORDER_MIXED);
	assert_int_equal(session_order_of((struct values){ NULL, 4 }, (struct values){ NULL, 4 }), ORDER_UNKNOWN);
	assert_true(session_drifts(ORDER_BLOCKED, 8, 100));
	assert_false(session_drifts(ORDER_ALTERNATING, 8, 100));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_the_reference_on_failures),
		cmocka_unit_test(shows_what_is_new_or_gone_whatever_its_p),
		cmocka_unit_test(agrees_with_the_reference_on_holm),
		cmocka_unit_test(agrees_with_the_reference_on_what_moves_with_a_result),
		cmocka_unit_test(agrees_with_the_reference_on_pairs),
		cmocka_unit_test(tells_a_result_that_changed_from_one_that_did_not_and_one_unknown),
		cmocka_unit_test(takes_welch_where_sides_are_of_unequal_size),
		cmocka_unit_test(believes_earlier_runs_about_the_noise),
		cmocka_unit_test(tests_a_single_run_by_its_history_only),
		cmocka_unit_test(knows_the_order_of_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
