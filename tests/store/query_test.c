/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/store/rig.h"

/* Three runs: 00:00 of 2026-11-28, -29 and -30, UTC. */
#define EARLY  "01M8FQ77000000000000000001"
#define MIDDLE "01M8J9KY000000000000000002"
#define LATE   "01M8MW0N000000000000000003"

static void parses_parts_and_quotes(void **state)
{
	struct store_query q;
	struct err err;

	assert_int_equal(store_query_parse(&q, " commit=v6.*, options=\"rw,\"\"no\"\"atime\",empty=,x=a=b ,limit=7",
					   &err),
			 0);
	assert_int_equal(q.where.count, 4);
	assert_string_equal(pairs_get(&q.where, "commit"), "v6.*");
	assert_string_equal(pairs_get(&q.where, "options"), "rw,\"no\"atime");
	assert_string_equal(pairs_get(&q.where, "empty"), "");
	assert_string_equal(pairs_get(&q.where, "x"), "a=b ");
	assert_int_equal(q.limit, 7);
	store_query_free(&q);
	assert_int_equal(store_query_parse(&q, "", &err), 0);
	assert_int_equal(q.where.count, 0);
	assert_int_equal(q.limit, 0);
}

#define NO_TIME ": not a time; write 2026-11-30, 2026-11-30T17:05 (UTC) or seconds since 1970"

static void names_the_part_that_is_none(void **state)
{
	static const struct {
		const char *query, *words;
	} wrong[] = {
		{ "commit",                "'commit' is not NAME=VALUE" },
		{ "a=b,hello,c=d",         "'hello' is not NAME=VALUE" },
		{ "a=b,",                  "'' is not NAME=VALUE" },
		{ ",a=b",                  "'' is not NAME=VALUE" },
		{ "a b=c",                 "'a b': a name has only letters, digits, '_', '.' and '-'" },
		{ "=c",                    "'': a name has only letters, digits, '_', '.' and '-'" },
		{ "a=b,a=c",               "'a' stands twice; a glob can name several values" },
		{ "a=\"b",                 "a=: the quote is not closed" },
		{ "a=\"",                  "a=: the quote is not closed" },
		{ "a=\"b\"\"",             "a=: the quote is not closed" },
		{ "a=\"b\"c",              "a=\"b\": a comma must follow the closing quote, not 'c'" },
		{ "id=ILOU",               "id=ILOU: not the beginning of a run's id" },
		{ "id=",                   "id=: not the beginning of a run's id" },
		{ "limit=0",               "limit=0: give one number above 0" },
		{ "limit=-1",              "limit=-1: give one number above 0" },
		{ "limit=1,limit=2",       "limit=2: give one number above 0" },
		{ "since=yesterday",       "since=yesterday" NO_TIME },
		{ "until=2026-02-31",      "until=2026-02-31" NO_TIME },
		{ "until=2026-11-30T",     "until=2026-11-30T" NO_TIME },
		{ "until=2026-11-30T24:00", "until=2026-11-30T24:00" NO_TIME },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct store_query q;
		struct err err = { 0 };

		assert_int_equal(store_query_parse(&q, wrong[i].query, &err), -EINVAL);
		assert_string_equal(err.text, wrong[i].words);
		assert_null(q.where.at);
	}
}

static void says_what_complete_may_be(void **state)
{
	struct store_query q;
	struct err err;

	assert_int_equal(store_query_parse(&q, "complete=perhaps", &err), -EINVAL);
	assert_non_null(strstr(err.text, "complete"));
	assert_non_null(strstr(err.text, "perhaps"));
}

static int setup(void **state)
{
	static const struct said early = { .axes = "commit=v6.11,testcase=hackbench", .facts = "host.name=box-1,cpu.code_name=Cascade Lake,testcase=other" };
	static const struct said middle = { .axes = "commit=v6.12,testcase=hackbench,options=rw,x=",
					    .facts = "host.name=box-2", .end = true };
	static const struct said late = { .axes = "commit=v7.0,testcase=fsmark[1]", .facts = "host.name=cat,cpu.code_name=Cooper Lake" };

	rig_setup(state);
	assert_int_equal(rig_put(*state, LATE, 1, &late), PUT_CREATED);
	assert_int_equal(rig_put(*state, EARLY, 1, &early), PUT_CREATED);
	assert_int_equal(rig_put(*state, MIDDLE, 1, &middle), PUT_CREATED);
	return 0;
}

/* The found runs, by the last character of their ids. */
static void assert_finds(struct rig *rig, const char *query, const char *runs)
{
	struct store_query q;
	struct store_runs found;
	char is[8] = "";

	if (store_query_parse(&q, query, &rig->err) < 0)
		fail_msg("%s", rig->err.text);
	if (store_find(rig->store, &q, &found, &rig->err) < 0)
		fail_msg("%s", rig->err.text);
	for (size_t i = 0; i < found.count && i < 7; i++)
		is[i] = found.at[i].id.text[ULID_LENGTH - 1];
	assert_string_equal(is, runs);
	store_runs_free(&found);
	store_query_free(&q);
}

static void finds_runs_oldest_first(void **state)
{
	assert_finds(*state, "", "123");
	assert_finds(*state, "limit=2", "23"); /* the newest */
	assert_finds(*state, "limit=2,testcase=hackbench", "12");
	assert_finds(*state, "limit=1,testcase=hackbench", "2");
}

static void finds_runs_by_axes(void **state)
{
	assert_finds(*state, "commit=v6.12", "2");
	assert_finds(*state, "commit=v6.12,testcase=hackbench", "2");
	assert_finds(*state, "commit=v6.12,testcase=fsmark", "");
	assert_finds(*state, "commit=v6", "");
	assert_finds(*state, "nosuchaxis=1", "");
	assert_finds(*state, "x=", "2");
	assert_finds(*state, "commit=' OR 1=1 --", "");
}

static void finds_runs_by_globs(void **state)
{
	assert_finds(*state, "commit=v6.*", "12");
	assert_finds(*state, "commit=v?.1?", "12");
	assert_finds(*state, "commit=*", "123");
	assert_finds(*state, "options=*", "2"); /* those that have the axis */
	assert_finds(*state, "testcase=fsmark[?]", "3"); /* no classes */
	assert_finds(*state, "testcase=fsmark[1]", "3");
	assert_finds(*state, "testcase=f[a-z]mark*", "");
}

static void finds_runs_by_facts_of_their_machines(void **state)
{
	assert_finds(*state, "cpu.code_name=Cascade Lake", "1");
	assert_finds(*state, "cpu.code_name=C*Lake", "13");
	assert_finds(*state, "cpu.code_name=C*Lake,commit=v7.0", "3");
	assert_finds(*state, "cpu.code_name=Rome", "");
	assert_finds(*state, "testcase=other", ""); /* an axis of that name is what is meant */
}

static void finds_runs_by_what_is_no_axis(void **state)
{
	assert_finds(*state, "complete=yes", "2");
	assert_finds(*state, "complete=no", "13");
	assert_finds(*state, "host=box-2", "2");
	assert_finds(*state, "host=box-*", "12");
	assert_finds(*state, "id=01m8fq", "1");
	assert_finds(*state, "id=01M8", "123");
	assert_finds(*state, "id=" MIDDLE, "2");
}

static void finds_runs_by_time(void **state)
{
	assert_finds(*state, "since=2026-11-29", "23");
	assert_finds(*state, "since=2026-11-29T00:00:01", "3");
	assert_finds(*state, "until=2026-11-29", "12");  /* all of that day */
	assert_finds(*state, "until=2026-11-28T23:59", "1");
	assert_finds(*state, "since=2026-11-29,until=2026-11-29", "2");
	assert_finds(*state, "since=1795996800", "3"); /* 2026-11-30 */
}

static void resolves_names_of_runs(void **state)
{
	static const struct {
		const char *name, *id;
	} right[] = {
		{ EARLY, EARLY }, { "01M8FQ", EARLY }, { "01m8mw", LATE },
		{ "@0", LATE },   { "@1", MIDDLE },    { "@2", EARLY },
	};
	struct rig *rig = *state;

	for (size_t i = 0; i < sizeof(right) / sizeof(*right); i++) {
		struct ulid id;

		assert_int_equal(store_resolve(rig->store, right[i].name, &id, &rig->err), 0);
		assert_string_equal(id.text, right[i].id);
	}
}

static void says_why_a_name_is_no_run(void **state)
{
	struct rig *rig = *state;
	struct ulid id;

	assert_int_equal(store_resolve(rig->store, "01M8", &id, &rig->err), -ENOTUNIQ);
	assert_string_equal(rig->err.text, "'01M8' is the beginning of " EARLY " and of " MIDDLE "; give more of it");
	assert_int_equal(store_resolve(rig->store, "01KZ", &id, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, "no run 01KZ here; `assay runs` lists them");
	assert_int_equal(store_resolve(rig->store, "@3", &id, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, "no run @3: there are not that many here; `assay runs` lists them");
	assert_int_equal(store_resolve(rig->store, "@", &id, &rig->err), -EINVAL);
	assert_int_equal(store_resolve(rig->store, "@99999999999999999999", &id, &rig->err), -EINVAL);
	assert_int_equal(store_resolve(rig->store, "v6.12", &id, &rig->err), -ENOENT);
	assert_int_equal(store_resolve(rig->store, "", &id, &rig->err), -ENOENT);
	assert_int_equal(store_resolve(rig->store, EARLY "0", &id, &rig->err), -ENOENT);
}

static void resolves_a_run_that_came_by_hand(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of("01ZZZZ00000000000000000009"), found;
	struct said said = { .output = "x" };
	cleanup_buf struct buf sealed = segment_of(&id, 1, &said);

	write_file(rig->path, "runs/01ZZZZ00000000000000000009/000001.seg", sealed.data, sealed.len);
	assert_int_equal(store_resolve(rig->store, "01ZZZZ", &found, &rig->err), 0);
	assert_string_equal(found.text, id.text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, rig_teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses_parts_and_quotes),
		cmocka_unit_test(names_the_part_that_is_none),
		cmocka_unit_test(says_what_complete_may_be),
		TEST(finds_runs_oldest_first),
		TEST(finds_runs_by_axes),
		TEST(finds_runs_by_globs),
		TEST(finds_runs_by_facts_of_their_machines),
		TEST(finds_runs_by_what_is_no_axis),
		TEST(finds_runs_by_time),
		TEST(resolves_names_of_runs),
		TEST(says_why_a_name_is_no_run),
		TEST(resolves_a_run_that_came_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
