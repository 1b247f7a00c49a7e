/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "server/route.h"
#include "server/target.h"

static struct target target;
static struct err err;

static void takes_a_path_and_arguments_apart(void **state)
{
	assert_int_equal(target_parse(&target, "/v1/runs/X/stats?query=a%3Db&limit=3", &err), 0);
	assert_int_equal(target.part_count, 4);
	assert_string_equal(target.parts[0], "v1");
	assert_string_equal(target.parts[3], "stats");
	assert_int_equal(target.argument_count, 2);
	assert_string_equal(target_argument(&target, "query"), "a=b");
	assert_string_equal(target_argument(&target, "limit"), "3");
	assert_null(target_argument(&target, "head"));
}

static void the_root_has_no_parts(void **state)
{
	assert_int_equal(target_parse(&target, "/", &err), 0);
	assert_int_equal(target.part_count, 0);
	assert_int_equal(target_parse(&target, "/?a", &err), 0);
	assert_int_equal(target.part_count, 0);
	assert_string_equal(target_argument(&target, "a"), "");
}

static void a_slash_at_the_end_is_a_part_without_a_name(void **state)
{
	assert_int_equal(target_parse(&target, "/v1/runs/", &err), 0);
	assert_int_equal(target.part_count, 3);
	assert_string_equal(target.parts[2], "");
	assert_null(route_find(&target));
}

static void a_coded_slash_stays_in_its_part(void **state)
{
	assert_int_equal(target_parse(&target, "/v1/runs/..%2f..%2Fetc", &err), 0);
	assert_int_equal(target.part_count, 3);
	assert_string_equal(target.parts[2], "../../etc");
}

static void a_plus_is_a_blank_in_arguments_only(void **state)
{
	assert_int_equal(target_parse(&target, "/a+b?c=d+e", &err), 0);
	assert_string_equal(target.parts[0], "a+b");
	assert_string_equal(target_argument(&target, "c"), "d e");
}

static void arguments_may_be_empty_repeat_and_hold_equals_signs(void **state)
{
	assert_int_equal(target_parse(&target, "/?&&head=a=b&head=&x&=y", &err), 0);
	assert_int_equal(target.argument_count, 4);
	assert_string_equal(target.arguments[0].value, "a=b");
	assert_string_equal(target.arguments[1].value, "");
	assert_string_equal(target.arguments[2].name, "x");
	assert_string_equal(target.arguments[3].name, "");
	assert_string_equal(target.arguments[3].value, "y");
}

static void takes_the_form_for_a_proxy(void **state)
{
	assert_int_equal(target_parse(&target, "http://lab:7460/healthz?x=1", &err), 0);
	assert_int_equal(target.part_count, 1);
	assert_string_equal(target.parts[0], "healthz");
}

static void refuses_what_is_no_target(void **state)
{
	static const char *const none[] = { "",	    "*",    "x",      "?",     "http://lab", "/%",     "/%4",
					    "/%zz", "/%4g", "/a%00b", "/?a=%", "/?%0",	     "/?a=%00" };

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_int_equal(target_parse(&target, none[i], &err), -EINVAL);
}

static void bounds_length_parts_and_arguments(void **state)
{
	char raw[TARGET_BYTES + 2];

	memset(raw, 'a', sizeof(raw));
	raw[0] = '/';
	raw[TARGET_BYTES] = '\0';
	assert_int_equal(target_parse(&target, raw, &err), 0);
	assert_int_equal(strlen(target.parts[0]), TARGET_BYTES - 1);
	raw[TARGET_BYTES] = 'a';
	raw[TARGET_BYTES + 1] = '\0';
	assert_int_equal(target_parse(&target, raw, &err), -ENAMETOOLONG);

	memset(raw, '/', TARGET_BYTES);
	raw[TARGET_BYTES] = '\0';
	assert_int_equal(target_parse(&target, raw, &err), -ENOENT);

	memset(raw, '&', TARGET_BYTES);
	raw[0] = '/';
	raw[1] = '?';
	for (size_t i = 2; i < TARGET_BYTES; i += 2)
		raw[i] = 'a';
	assert_int_equal(target_parse(&target, raw, &err), -E2BIG);
}

static void names_a_run_and_a_segment_exactly(void **state)
{
	static const char *const runs[] = { "",
					    "01arz3ndektsv4rrffq69g5fav",
					    "01ARZ3NDEKTSV4RRFFQ69G5FA",
					    "01ARZ3NDEKTSV4RRFFQ69G5FAVX",
					    "81ARZ3NDEKTSV4RRFFQ69G5FAV",
					    "01ARZ3NDEKTSV4RRFFQ69G5FA/",
					    "../01ARZ3NDEKTSV4RRFFQ69G5" };
	static const char *const sequences[] = { "",   "0",  "-1", "+1",	 " 1",
						 "1 ", "01", "1x", "4294967296", "18446744073709551617",
						 "1.0" };
	struct ulid run;
	uint32_t sequence;

	assert_int_equal(route_run("01ARZ3NDEKTSV4RRFFQ69G5FAV", &run, &err), 0);
	assert_string_equal(run.text, "01ARZ3NDEKTSV4RRFFQ69G5FAV");
	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++)
		assert_int_equal(route_run(runs[i], &run, &err), -EINVAL);
	assert_int_equal(route_sequence("4294967295", &sequence, &err), 0);
	assert_int_equal(sequence, UINT32_MAX);
	for (size_t i = 0; i < sizeof(sequences) / sizeof(*sequences); i++)
		assert_int_equal(route_sequence(sequences[i], &sequence, &err), -EINVAL);
}

static void finds_a_route_by_its_whole_path(void **state)
{
	static const struct {
		const char *raw, *methods; /* NULL: no route */
	} known[] = {
		{ "/", "GET, HEAD" },
		{ "/healthz", "GET, HEAD" },
		{ "/healthz/", NULL },
		{ "//healthz", NULL },
		{ "/v1", NULL },
		{ "/v1/runs", "GET, HEAD" },
		{ "/v1/runs/x", "GET, HEAD" },
		{ "/v1/runs/x/stats", "GET, HEAD" },
		{ "/v1/runs/x/status", NULL },
		{ "/v1/runs/x/segments", NULL },
		{ "/v1/runs/x/segments/7", "GET, HEAD, PUT" },
		{ "/v1/runs/x/segments/7/8", NULL },
		{ "/v1/compare", "GET, HEAD" },
		{ "/V1/compare", NULL },
		{ "/./v1/compare", NULL },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		const struct route *route;

		assert_int_equal(target_parse(&target, known[i].raw, &err), 0);
		route = route_find(&target);
		if (known[i].methods)
			assert_string_equal(route_methods(route), known[i].methods);
		else
			assert_null(route);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_a_path_and_arguments_apart),
		cmocka_unit_test(the_root_has_no_parts),
		cmocka_unit_test(a_slash_at_the_end_is_a_part_without_a_name),
		cmocka_unit_test(a_coded_slash_stays_in_its_part),
		cmocka_unit_test(a_plus_is_a_blank_in_arguments_only),
		cmocka_unit_test(arguments_may_be_empty_repeat_and_hold_equals_signs),
		cmocka_unit_test(takes_the_form_for_a_proxy),
		cmocka_unit_test(refuses_what_is_no_target),
		cmocka_unit_test(bounds_length_parts_and_arguments),
		cmocka_unit_test(names_a_run_and_a_segment_exactly),
		cmocka_unit_test(finds_a_route_by_its_whole_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
