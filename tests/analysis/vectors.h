/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference vectors of the statistics ($ASSAY_SHARED/data/stats-reference.json), made with R. */
#ifndef ASSAY_TESTS_ANALYSIS_VECTORS_H
#define ASSAY_TESTS_ANALYSIS_VECTORS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/shared.h"

#define VECTOR_MAX 128

static inline json_t *vectors_open(void)
{
	char path[4096];
	json_t *file;

	if (!shared_path(path, sizeof(path), "stats-reference.json"))
		skip();
	file = json_load_file(path, 0, NULL);
	assert_non_null(file);
	return file;
}

/* The n-th vector of a kind, or NULL. */
static inline const json_t *vector_of(const json_t *file, const char *kind, size_t n)
{
	const json_t *all = json_object_get(file, "vectors");

	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *one = json_array_get(all, i);

		if (strcmp(json_string_value(json_object_get(one, "kind")), kind) == 0 && n-- == 0)
			return one;
	}
	return NULL;
}

static inline const json_t *input(const json_t *vector, const char *name)
{
	const json_t *value = json_object_get(json_object_get(vector, "input"), name);

	assert_non_null(value);
	return value;
}

/* null is NAN */
static inline size_t numbers(const json_t *list, double *ret)
{
	assert_true(json_array_size(list) <= VECTOR_MAX);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *item = json_array_get(list, i);

		ret[i] = json_is_number(item) ? json_number_value(item) : NAN;
	}
	return json_array_size(list);
}

static inline void is_near(const char *what, double got, double want, double tolerance)
{
	if (isnan(want) ? isnan(got) : fabs(got - want) <= tolerance * fabs(want) + 1e-300)
		return;
	fail_msg("%s: %.12g, not %.12g", what, got, want);
}

/* What the vector expects under a name; a name it does not have is not looked at. */
static inline void meets(const json_t *vector, const char *name, double got, double tolerance)
{
	const json_t *want = json_object_get(json_object_get(vector, "expect"), name);
	char what[128];

	if (!want)
		return;
	(void)snprintf(what, sizeof(what), "%s %s", json_string_value(json_object_get(vector, "id")), name);
	is_near(what, got, json_is_number(want) ? json_number_value(want) : NAN, tolerance);
}

#endif
