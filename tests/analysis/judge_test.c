/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/judge.h"

#include <errno.h>

#include "tests/analysis/vectors.h"
#include "tests/support/alloc_count.h"

static const struct judge_options usual = { .q = 0.05, .least_effect = 0.004987541511038968 };

struct matrix {
	struct judge_metric metrics[600];
	double values[600][8];
	char keys[600][48];
	size_t count;
};

static double *add(struct matrix *m, const char *key)
{
	size_t i = m->count++;

	assert_true(i < 600);
	(void)snprintf(m->keys[i], sizeof(m->keys[i]), "%s", key);
	m->metrics[i] = (struct judge_metric){ m->keys[i], { m->values[i], 4 }, { m->values[i] + 4, 4 } };
	return m->values[i];
}

static size_t place_of(const struct matrix *m, const char *key)
{
	for (size_t i = 0; i < m->count; i++)
		if (strcmp(m->keys[i], key) == 0)
			return i;
	fail_msg("%s: no metric", key);
	return 0;
}

static void load(struct matrix *m, const json_t *vector)
{
	const char *key;
	json_t *sides;

	json_object_foreach((json_t *)input(vector, "matrix"), key, sides) {
		double *values = add(m, key);

		assert_int_equal(numbers(json_object_get(sides, "a"), values), 4);
		assert_int_equal(numbers(json_object_get(sides, "b"), values + 4), 4);
	}
}

static const struct judged_line *line_called(const struct judgement *j, const char *key)
{
	for (size_t i = 0; i < j->line_count; i++)
		if (strcmp(j->lines[i].key, key) == 0)
			return &j->lines[i];
	fail_msg("%s: no line", key);
	return NULL;
}

static void check_metrics(const struct judgement *j, const struct matrix *m, const json_t *expect)
{
	double s02[VECTOR_MAX], d0[VECTOR_MAX], p[VECTOR_MAX], se[VECTOR_MAX], df[VECTOR_MAX], selected[VECTOR_MAX];

	(void)numbers(json_object_get(expect, "s02"), s02);
	(void)numbers(json_object_get(expect, "d0"), d0);
	(void)numbers(json_object_get(expect, "se"), se);
	(void)numbers(json_object_get(expect, "df"), df);
	(void)numbers(json_object_get(expect, "selected"), selected);
	assert_int_equal(numbers(json_object_get(expect, "p"), p), m->count);
	for (size_t i = 0; i < m->count; i++) {
		is_near(m->keys[i], j->metrics[i].evidence.p, p[i], 1e-4);
		assert_int_equal(j->metrics[i].changed, selected[i]);
		if (isnan(p[i]))
			continue;
		is_near(m->keys[i], j->metrics[i].prior.s02, s02[i], 1e-4);
		is_near(m->keys[i], j->metrics[i].prior.d0, d0[i], 1e-4);
		is_near(m->keys[i], j->metrics[i].evidence.se, se[i], 1e-4);
		is_near(m->keys[i], j->metrics[i].evidence.df, df[i], 1e-4);
	}
}

static void agrees_with_the_reference_on_a_whole_comparison(void **state)
{
	json_t *file = vectors_open();
	const json_t *vector = vector_of(file, "pipeline", 0), *expect = json_object_get(vector, "expect");
	const json_t *keys = json_object_get(expect, "single_keys");
	struct matrix *m = calloc(1, sizeof(*m));
	struct judgement j;
	double q[VECTOR_MAX];
	const struct judged_line *group;

	load(m, vector);
	assert_int_equal(judge(m->metrics, m->count, &usual, &j), 0);
	check_metrics(&j, m, expect);
	meets(vector, "first_level_tests", (double)j.tested, 0);
	meets(vector, "first_level_selected", (double)j.shown, 0);
	(void)numbers(json_object_get(expect, "single_q"), q);
	for (size_t i = 0; i < json_array_size(keys); i++) {
		const char *key = json_string_value(json_array_get(keys, i));

		is_near(key, line_called(&j, key)->q, q[i], 1e-4);
	}
	group = line_called(&j, json_string_value(json_array_get(json_object_get(expect, "group_keys"), 0)));
	assert_true(group->group && group->shown);
	is_near("group_p", group->p, json_number_value(json_array_get(json_object_get(expect, "group_p"), 0)), 1e-4);
	is_near("group_q", group->q, json_number_value(json_array_get(json_object_get(expect, "group_q"), 0)), 1e-4);
	judgement_free(&j);
	free(m);
	json_decref(file);
}

static void put(struct matrix *m, const char *key, double a, double b, double step)
{
	double *values = add(m, key);

	for (size_t i = 0; i < 4; i++) {
		values[i] = a + step * (double)(i * 7 % 4);
		values[4 + i] = b + step * (double)((i * 5 + 2) % 4);
	}
}

static void makes_groups_of_four_and_more(void **state)
{
	struct matrix *m = calloc(1, sizeof(*m));
	struct judgement j;
	char key[48];

	for (int cpu = 0; cpu < 4; cpu++) {
		(void)snprintf(key, sizeof(key), "x.CPU%d.a", cpu);
		put(m, key, 1000, 2000, 1);
	}
	for (int cpu = 0; cpu < 3; cpu++) {
		(void)snprintf(key, sizeof(key), "x.cpu%d.b", cpu);
		put(m, key, 1000, 1000, 1);
	}
	put(m, "x.CPUs", 1000, 1000, 0);
	assert_int_equal(judge(m->metrics, m->count, &usual, &j), 0);
	assert_int_equal(j.line_count, 5);
	assert_int_equal(line_called(&j, "x.CPU#.a")->members, 4);
	assert_int_equal(line_called(&j, "x.CPU#.a")->changed, 4);
	assert_true(line_called(&j, "x.CPU#.a")->shown);
	assert_false(line_called(&j, "x.cpu1.b")->shown);
	assert_true(isnan(line_called(&j, "x.CPUs")->q)); /* never moved: not tested */
	assert_int_equal(j.tested, 4);
	judgement_free(&j);
	free(m);
}

static void doubts_a_symbol_that_came_where_symbols_come_and_go(void **state)
{
	struct matrix *m = calloc(1, sizeof(*m));
	struct judgement j;
	char key[48];
	double alone;

	put(m, "perf-profile.self.new", 0, 0, 0);
	for (size_t i = 4; i < 8; i++)
		m->values[0][i] = 1;
	assert_int_equal(judge(m->metrics, m->count, &usual, &j), 0);
	alone = j.metrics[0].evidence.p;
	judgement_free(&j);
	for (int i = 0; i < 20; i++) { /* four of eight runs have each of these, on either side */
		double *values;

		(void)snprintf(key, sizeof(key), "perf-profile.self.f%d", i);
		values = add(m, key);
		for (size_t run = 0; run < 8; run += 2)
			values[run] = 1;
	}
	assert_int_equal(judge(m->metrics, m->count, &usual, &j), 0);
	/* 2 x 20.5 of the C(8,4) - 2 ways, of 21 */
	is_near("p", j.metrics[place_of(m, "perf-profile.self.new")].evidence.p, 2 * 20.5 / 68 / 21, 1e-9);
	assert_true(alone < j.metrics[0].evidence.p);
	judgement_free(&j);
	free(m);
}

static void follows_the_noise_over_the_level(void **state)
{
	struct matrix *m = calloc(1, sizeof(*m));
	struct judgement j;
	char key[48];

	for (int i = 0; i < 200; i++) { /* small numbers are noisier: one step of 1 in 20 to 20,000 */
		(void)snprintf(key, sizeof(key), "x.f%03d", i);
		put(m, key, 20 * pow(1000, i / 199.0) + 0.001 * (i % 7), 20 * pow(1000, i / 199.0), 1 + i % 3);
	}
	assert_int_equal(judge(m->metrics, m->count, &usual, &j), 0);
	assert_true(j.metrics[0].prior.s02 > 1000 * j.metrics[199].prior.s02);
	assert_true(j.metrics[60].prior.s02 > j.metrics[120].prior.s02);
	judgement_free(&j);
	free(m);
}

static void is_empty_without_metrics(void **state)
{
	struct judgement j;

	assert_int_equal(judge(NULL, 0, &usual, &j), 0);
	assert_int_equal(j.line_count, 0);
	judgement_free(&j);
}

static void says_so_when_there_is_no_memory(void **state)
{
	struct matrix *m = calloc(1, sizeof(*m));
	struct judgement j;
	char key[48];
	size_t n = 1;

	for (int cpu = 0; cpu < 6; cpu++) {
		(void)snprintf(key, sizeof(key), "x.CPU%d.a", cpu);
		put(m, key, 1000, 2000, 1);
	}
	for (;; n++) {
		int r;

		alloc_fail_at(n);
		r = judge(m->metrics, m->count, &usual, &j);
		alloc_fail_at(0);
		if (r == 0)
			break;
		assert_int_equal(r, -ENOMEM);
		assert_int_equal(j.line_count, 0);
		assert_true(n < 1000);
	}
	assert_true(n > 1);
	assert_true(j.lines[0].shown);
	judgement_free(&j);
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_the_reference_on_a_whole_comparison),
		cmocka_unit_test(makes_groups_of_four_and_more),
		cmocka_unit_test(doubts_a_symbol_that_came_where_symbols_come_and_go),
		cmocka_unit_test(follows_the_noise_over_the_level),
		cmocka_unit_test(is_empty_without_metrics),
		cmocka_unit_test(says_so_when_there_is_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
