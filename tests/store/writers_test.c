/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several processes write one store at once: each segment is created once, by one of them.
 */
#include "tests/store/rig.h"

#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define WRITERS  3
#define SEGMENTS 60
#define RUN      "01JDZZ00000000000000000001"

/* Shared with the children. */
struct tally {
	unsigned created, same, conflict;
};

/* All put the same run; of the odd sequences all have the same bytes, of the even ones each its own. */
static void writer(struct rig *rig, int number, struct tally *tally)
{
	struct ulid id = id_of(RUN);
	struct store_batch *batch = store_batch_new();
	enum put_result results[SEGMENTS];

	rig_open(rig);
	for (uint32_t i = 0; i < SEGMENTS; i++) {
		uint32_t sequence = number % 2 ? SEGMENTS - i : i + 1; /* from both ends */
		char own[16];
		struct said said = { .axes = "commit=v1", .output = own };
		struct buf sealed;

		(void)snprintf(own, sizeof(own), "%d", sequence % 2 ? 0 : number);
		sealed = segment_of(&id, sequence, &said);
		if (store_put_segment(rig->store, &id, sequence, buf_text(&sealed), batch, &results[i], &rig->err) < 0)
			_exit(3);
		buf_free(&sealed);
		if (i % 5 == 4 && store_sync(rig->store, batch, &rig->err) < 0)
			_exit(4);
	}
	if (store_sync(rig->store, batch, &rig->err) < 0)
		_exit(5);
	for (uint32_t i = 0; i < SEGMENTS; i++) {
		tally->created += results[i] == PUT_CREATED;
		tally->same += results[i] == PUT_SAME;
		tally->conflict += results[i] == PUT_CONFLICT;
	}
	store_batch_free(batch);
	rig_close(rig);
	_exit(0);
}

static void each_segment_is_created_once(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	struct tally *tally, sum = { 0 };
	struct store_run run;
	pid_t pids[WRITERS];

	tally = mmap(NULL, WRITERS * sizeof(*tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(tally != MAP_FAILED);
	rig_close(rig);
	remove_tree(rig->path); /* so that they also make the store at once */
	for (int i = 0; i < WRITERS; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0)
			writer(rig, i, &tally[i]);
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
		sum.created += tally[i].created;
		sum.same += tally[i].same;
		sum.conflict += tally[i].conflict;
	}
	assert_int_equal(sum.created, SEGMENTS);
	assert_int_equal(sum.same, (WRITERS - 1) * SEGMENTS / 2);
	assert_int_equal(sum.conflict, (WRITERS - 1) * SEGMENTS / 2);
	rig_open(rig);
	assert_int_equal(rig_files(rig, "runs/" RUN), SEGMENTS);
	assert_int_equal(rig_files(rig, "incoming"), 0);
	assert_int_equal(store_run(rig->store, &id, &run, &rig->err), 0);
	assert_int_equal(run.segments, SEGMENTS);
	store_run_free(&run);
	(void)munmap(tally, WRITERS * sizeof(*tally));
}

static void a_held_catalog_delays_no_segment(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	struct said said = { .output = "x" };
	struct store_run run;
	char path[600];
	sqlite3 *db;

	(void)snprintf(path, sizeof(path), "%s/catalog.sqlite", rig->path);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(rig_put(rig, RUN, 1, &said), PUT_CREATED); /* waits a moment, then goes on */
	assert_int_equal(rig_files(rig, "runs/" RUN), 1);
	assert_int_equal(rig_files(rig, "incoming"), 1); /* so that it is learnt of later */
	assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);

	assert_int_equal(store_run(rig->store, &id, &run, &rig->err), 0);
	assert_int_equal(run.segments, 1);
	store_run_free(&run);
	rig_again(rig);
	assert_int_equal(rig_files(rig, "incoming"), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
	const struct CMUnitTest tests[] = {
		TEST(each_segment_is_created_once),
		TEST(a_held_catalog_delays_no_segment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
