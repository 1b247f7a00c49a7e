/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each allocation of a call fails once: the call says so, or does without, and the store is as good as before.
 */
#include "tests/store/rig.h"

#include "tests/support/alloc_count.h"

#define RUN  "01JDZZ00000000000000000001"
#define LATE "01JDZZ00000000000000000002"

static const struct said said = { .axes = "commit=v6.12,testcase=hackbench", .facts = "host.name=box-7",
				  .result = "hackbench.throughput", .value = 1, .output = "hello", .end = true };

/* What a call that may lack memory answers; called until it had all the memory it wanted. */
typedef int trial(struct rig *rig, const void *context);

static void fail_each(struct rig *rig, trial *call, const void *context)
{
	int failed = 0;

	for (size_t n = 1; n < 10000; n++) {
		size_t before = alloc_count();
		bool all;
		int r;

		alloc_fail_at(n);
		r = call(rig, context);
		all = alloc_count() - before < n;
		alloc_fail_at(0);
		if (r < 0) {
			assert_int_equal(r, -ENOMEM);
			assert_true(rig->err.text[0]);
			failed++;
		}
		if (all) {
			assert_int_equal(r, 0);
			assert_true(failed > 0);
			return;
		}
	}
	fail();
}

static int put_late(struct rig *rig, const void *context)
{
	const struct buf *sealed = context;
	struct ulid id = id_of(LATE);
	enum put_result result;

	return store_put_segment(rig->store, &id, 1, buf_text(sealed), NULL, &result, &rig->err);
}

static int find(struct rig *rig, const void *context)
{
	struct store_query query = { 0 };
	struct store_runs runs;
	int r = store_query_parse(&query, "commit=v6.*,complete=yes", &rig->err);

	if (r < 0)
		return r;
	r = store_find(rig->store, &query, &runs, &rig->err);
	if (r == 0)
		assert_int_equal(runs.count, 1);
	store_runs_free(&runs);
	store_query_free(&query);
	return r;
}

static int look_at_run(struct rig *rig, const void *context)
{
	struct ulid id = id_of(RUN);
	struct store_run run;
	int r = store_run(rig->store, &id, &run, &rig->err);

	store_run_free(&run);
	return r;
}

static int read_run(struct rig *rig, const void *context)
{
	const struct run_events nothing = { 0 };
	struct ulid id = id_of(RUN);

	return store_read(rig->store, &id, &nothing, NULL, &rig->err);
}

static int rebuild(struct rig *rig, const void *context)
{
	struct store_rebuilt rebuilt;
	int r = store_rebuild(rig->store, &rebuilt, &rig->err);

	if (r == 0 && rebuilt.refused)
		fail_msg("%s", rebuilt.first.text);
	return r;
}

static int open_again(struct rig *rig, const void *context)
{
	struct store_options options = { .path = rig->path };

	store_close(rig->store);
	rig->store = NULL;
	return store_open(&rig->store, &options, &rig->err);
}

static void says_when_there_is_no_memory(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(LATE);
	struct said late = { .output = "late" };
	cleanup_buf struct buf sealed = segment_of(&id, 1, &late);

	assert_int_equal(rig_put(rig, RUN, 1, &said), PUT_CREATED);
	fail_each(rig, find, NULL);
	fail_each(rig, look_at_run, NULL);
	fail_each(rig, read_run, NULL);
	fail_each(rig, rebuild, NULL);
	fail_each(rig, open_again, NULL);
	fail_each(rig, put_late, &sealed);
	assert_int_equal(rig_files(rig, "incoming"), 0);
	assert_int_equal(rig_files(rig, "runs"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(says_when_there_is_no_memory, rig_setup, rig_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
