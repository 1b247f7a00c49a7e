/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/store/rig.h"

#include <sqlite3.h>
#include <time.h>

#define RUN   "01JDZZ00000000000000000001"
#define OTHER "01JDZZ00000000000000000002"

static void catalog_path(struct rig *rig, char *ret, size_t size)
{
	assert_true(snprintf(ret, size, "%s/catalog.sqlite", rig->path) < (int)size);
}

static sqlite3 *database(struct rig *rig)
{
	char path[600];
	sqlite3 *db;

	catalog_path(rig, path, sizeof(path));
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	return db;
}

static void statement(struct rig *rig, const char *sql)
{
	sqlite3 *db = database(rig);

	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Every row of every table but meta, which tells when the folders were last looked at. */
static struct buf dump(struct rig *rig)
{
	static const char *const tables[] = { "run", "segment", "pair", "result", "derived" };
	sqlite3 *db = database(rig);
	struct buf ret = { 0 };

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		char sql[64];
		sqlite3_stmt *s;

		(void)snprintf(sql, sizeof(sql), "SELECT * FROM %s ORDER BY 1, 2", tables[i]);
		assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
		while (sqlite3_step(s) == SQLITE_ROW) {
			assert_int_equal(buf_puts(&ret, tables[i]), 0);
			for (int c = 0; c < sqlite3_column_count(s); c++) {
				const char *text = (const char *)sqlite3_column_text(s, c);

				assert_int_equal(buf_printf(&ret, "|%s", text ? text : "NULL"), 0);
			}
			assert_int_equal(buf_putc(&ret, '\n'), 0);
		}
		assert_int_equal(sqlite3_finalize(s), SQLITE_OK);
	}
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	return ret;
}

static const struct said first = { .axes = "commit=v6.12,testcase=hackbench", .facts = "host.name=box-7,kernel=6.12",
				   .start_ns = 5 * SECOND };
static const struct said second = { .axes = "commit=v6.12-rc1", .result = "hackbench.throughput", .value = 12.5 };
static const struct said third = { .stop_ns = 15 * SECOND, .result = "hackbench.throughput", .value = 13.5,
				   .end = true, .exit_code = 7 };

static void two_runs(struct rig *rig)
{
	assert_int_equal(rig_put(rig, RUN, 1, &first), PUT_CREATED);
	assert_int_equal(rig_put(rig, RUN, 2, &second), PUT_CREATED);
	assert_int_equal(rig_put(rig, RUN, 3, &third), PUT_CREATED);
	assert_int_equal(rig_put(rig, OTHER, 2, &third), PUT_CREATED);
}

static void assert_two_runs(struct rig *rig)
{
	struct ulid id = id_of(RUN);
	struct store_runs runs;
	struct store_run run;

	assert_int_equal(store_find(rig->store, &(struct store_query){ 0 }, &runs, &rig->err), 0);
	assert_int_equal(runs.count, 2);
	assert_string_equal(runs.at[0].id.text, RUN);
	assert_string_equal(runs.at[1].id.text, OTHER);
	assert_false(runs.at[1].complete); /* number 1 is not here */
	assert_true(runs.at[1].exited);
	assert_string_equal(runs.at[1].host, "box-1"); /* of the header: it told no facts */
	assert_int_equal(runs.at[1].duration_ns, 0);
	store_runs_free(&runs);

	assert_int_equal(store_run(rig->store, &id, &run, &rig->err), 0);
	assert_string_equal(pairs_get(&run.axes, "commit"), "v6.12-rc1"); /* told later */
	assert_string_equal(pairs_get(&run.axes, "testcase"), "hackbench");
	assert_string_equal(pairs_get(&run.facts, "kernel"), "6.12");
	assert_string_equal(run.host, "box-7");
	assert_int_equal(run.realtime_ns, 1001 * SECOND);
	assert_int_equal(run.duration_ns, 10 * SECOND);
	assert_int_equal(run.segments, 3);
	assert_true(run.bytes > 0);
	assert_true(run.complete);
	assert_true(run.exited);
	assert_int_equal(run.exit_code, 7);
	assert_int_equal(run.signal, 0);
	store_run_free(&run);
}

static void learns_what_the_segments_tell(void **state)
{
	struct rig *rig = *state;

	two_runs(rig);
	assert_two_runs(rig);
}

static void knows_results_by_their_last_word(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf rows = { 0 };

	two_runs(rig);
	rows = dump(rig);
	assert_non_null(strstr(rows.data, "result|" RUN "|hackbench.throughput|13.5|MB/s|1|3\n"));
}

static void the_order_of_coming_does_not_matter(void **state)
{
	struct rig *rig = *state;
	cleanup_buf struct buf forward = { 0 }, backward = { 0 };

	two_runs(rig);
	forward = dump(rig);
	rig_close(rig);
	remove_tree(rig->path);
	rig_open(rig);
	assert_int_equal(rig_put(rig, OTHER, 2, &third), PUT_CREATED);
	assert_int_equal(rig_put(rig, RUN, 3, &third), PUT_CREATED);
	assert_int_equal(rig_put(rig, RUN, 2, &second), PUT_CREATED);
	assert_int_equal(rig_put(rig, RUN, 1, &first), PUT_CREATED);

	backward = dump(rig);
	assert_string_equal(backward.data, forward.data);
}

static void made_anew_it_is_the_catalog_before(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	cleanup_buf struct buf before = { 0 }, after = { 0 };
	struct store_rebuilt rebuilt;

	two_runs(rig);
	assert_int_equal(store_put_derived(rig->store, &id, "stats", text_of("x"), &rig->err), 0);
	before = dump(rig);
	statement(rig, "UPDATE run SET host = 'wrong', bytes = 1; DELETE FROM pair; UPDATE segment SET hash = 1;"
		       "INSERT INTO run SELECT '01JDZZ0000000000000000000G', host, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1"
		       " FROM run LIMIT 1");
	assert_int_equal(store_rebuild(rig->store, &rebuilt, &rig->err), 0);

	after = dump(rig);
	assert_string_equal(after.data, before.data);
	assert_int_equal(rebuilt.runs, 2);
	assert_int_equal(rebuilt.segments, 4);
	assert_int_equal(rebuilt.refused, 0);
}

static void remove_catalog(struct rig *rig)
{
	static const char *const ends[] = { "", "-wal", "-shm" };

	for (size_t i = 0; i < 3; i++) {
		char path[600], whole[620];

		catalog_path(rig, path, sizeof(path));
		(void)snprintf(whole, sizeof(whole), "%s%s", path, ends[i]);
		(void)unlink(whole);
	}
}

static void without_a_catalog_the_answers_are_the_same(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	cleanup_buf struct buf before = { 0 }, after = { 0 };

	two_runs(rig);
	assert_int_equal(store_put_derived(rig->store, &id, "stats", text_of("x"), &rig->err), 0);
	before = dump(rig);
	rig_close(rig);
	remove_catalog(rig);
	rig_open(rig);

	assert_two_runs(rig);
	after = dump(rig);
	assert_string_equal(after.data, before.data);
}

static void a_catalog_removed_under_its_hands_is_made_anew(void **state)
{
	struct rig *rig = *state;

	two_runs(rig);
	remove_catalog(rig);

	assert_two_runs(rig);
}

static void an_older_catalog_is_made_anew(void **state)
{
	struct rig *rig = *state;

	two_runs(rig);
	rig_close(rig);
	statement(rig, "DROP TABLE run; CREATE TABLE run(other TEXT); PRAGMA user_version = 0");
	rig_open(rig);

	assert_two_runs(rig);
}

static void a_newer_catalog_is_left_alone(void **state)
{
	struct rig *rig = *state;
	struct store_options options = { .path = rig->path };

	two_runs(rig);
	rig_close(rig);
	statement(rig, "PRAGMA user_version = 999");

	assert_int_equal(store_open(&rig->store, &options, &rig->err), -EPROTO);
	assert_non_null(strstr(rig->err.text, "newer assay"));
}

static void a_damaged_catalog_is_made_anew(void **state)
{
	struct rig *rig = *state;
	static const char garbage[] = "this was a catalog once, and is none now. this was a catalog once ...";

	two_runs(rig);
	rig_close(rig);
	remove_catalog(rig);
	write_file(rig->path, "catalog.sqlite", garbage, sizeof(garbage));
	rig_open(rig);

	assert_two_runs(rig);
}

/* Links the segment into place and goes no further, as a process does that is killed there. */
static void killed_before_the_catalog(struct rig *rig, const char *run, uint32_t sequence, const struct said *said)
{
	struct ulid id = id_of(run);
	cleanup_buf struct buf sealed = segment_of(&id, sequence, said);
	char name[100], from[600], to[600];

	(void)snprintf(name, sizeof(name), "incoming/%s.%06u.1-2-3", run, sequence);
	write_file(rig->path, name, sealed.data, sealed.len);
	(void)snprintf(from, sizeof(from), "%s/%s", rig->path, name);
	(void)snprintf(to, sizeof(to), "%s/runs/%s/%06u.seg", rig->path, run, sequence);
	assert_int_equal(link(from, to), 0);
}

static void learns_what_a_crash_kept_from_it(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	struct store_runs runs;
	cleanup_buf struct buf stats = { 0 };

	assert_int_equal(rig_put(rig, RUN, 1, &first), PUT_CREATED);
	assert_int_equal(store_put_derived(rig->store, &id, "stats", text_of("of one"), &rig->err), 0);
	killed_before_the_catalog(rig, RUN, 2, &second);
	rig_again(rig);

	assert_int_equal(store_find(rig->store, &(struct store_query){ 0 }, &runs, &rig->err), 0);
	assert_int_equal(runs.at[0].segments, 2);
	assert_string_equal(pairs_get(&runs.at[0].axes, "commit"), "v6.12-rc1");
	store_runs_free(&runs);
	assert_int_equal(rig_files(rig, "incoming"), 0);
	assert_int_equal(store_get_derived(rig->store, &id, "stats", &stats, &rig->err), -ENOENT);
}

static void sweeps_what_is_old_and_leaves_what_is_young(void **state)
{
	struct rig *rig = *state;
	const struct timespec old[2] = { { .tv_sec = time(NULL) - 3600 }, { .tv_sec = time(NULL) - 3600 } };
	char path[600];

	write_file(rig->path, "incoming/" RUN ".000001.1-2-3", "torn", 4);
	write_file(rig->path, "incoming/" RUN ".000002.1-2-3", "torn", 4);
	write_file(rig->path, "incoming/something else", "kept", 4);
	(void)snprintf(path, sizeof(path), "%s/incoming/" RUN ".000001.1-2-3", rig->path);
	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	(void)snprintf(path, sizeof(path), "%s/incoming/something else", rig->path);
	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	rig_again(rig);

	assert_int_equal(rig_files(rig, "incoming"), 2);
	assert_int_equal(rig_files(rig, "runs"), 0);
}

static void a_run_that_came_by_hand_is_learnt_at_opening(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	cleanup_buf struct buf sealed = segment_of(&id, 1, &first);
	struct store_runs runs;

	rig_close(rig);
	write_file(rig->path, "runs/" RUN "/000001.seg", sealed.data, sealed.len);
	rig_open(rig);

	assert_int_equal(store_find(rig->store, &(struct store_query){ 0 }, &runs, &rig->err), 0);
	assert_int_equal(runs.count, 1);
	store_runs_free(&runs);
}

static void a_run_that_went_by_hand_is_forgotten(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	struct store_runs runs;
	struct store_run run;
	char path[600];

	two_runs(rig);
	(void)snprintf(path, sizeof(path), "%s/runs/" RUN, rig->path);
	remove_tree(path);

	assert_int_equal(store_run(rig->store, &id, &run, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, "no run " RUN " here; `assay runs` lists them");
	assert_int_equal(store_find(rig->store, &(struct store_query){ 0 }, &runs, &rig->err), 0);
	assert_int_equal(runs.count, 1);
	store_runs_free(&runs);
}

static void a_segment_that_went_by_hand_is_forgotten(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	struct store_run run;
	char path[600];

	two_runs(rig);
	(void)snprintf(path, sizeof(path), "%s/runs/" RUN "/000003.seg", rig->path);
	assert_int_equal(unlink(path), 0);

	assert_int_equal(store_run(rig->store, &id, &run, &rig->err), 0);
	assert_int_equal(run.segments, 2);
	assert_false(run.exited);
	store_run_free(&run);
}

static void a_file_that_is_no_segment_is_counted_and_named(void **state)
{
	struct rig *rig = *state;
	struct store_rebuilt rebuilt;
	struct ulid id = id_of(RUN);
	struct store_run run;

	two_runs(rig);
	write_file(rig->path, "runs/" RUN "/000004.seg", "garbage", 7);
	write_file(rig->path, "runs/" RUN "/000005.seg", "", 0);
	write_file(rig->path, "runs/" RUN "/notes.txt", "not ours", 8);
	write_file(rig->path, "runs/lost+found/x", "not ours", 8);

	assert_int_equal(store_rebuild(rig->store, &rebuilt, &rig->err), 0);
	assert_int_equal(rebuilt.refused, 2);
	assert_int_equal(rebuilt.segments, 4);
	assert_non_null(strstr(rebuilt.first.text, "runs/" RUN "/000004.seg: "));
	assert_int_equal(store_run(rig->store, &id, &run, &rig->err), 0);
	assert_int_equal(run.segments, 3);
	assert_true(run.complete);
	store_run_free(&run);
}

static void read_only_writes_nothing(void **state)
{
	struct rig *rig = *state;
	struct store_options options = { .path = rig->path, .read_only = true };
	struct ulid id = id_of(RUN);
	enum put_result result;
	struct store_rebuilt rebuilt;

	two_runs(rig);
	rig_close(rig);
	assert_int_equal(store_open(&rig->store, &options, &rig->err), 0);

	assert_two_runs(rig);
	assert_int_equal(store_put_segment(rig->store, &id, 9, text_of("x"), NULL, &result, &rig->err), -EROFS);
	assert_int_equal(store_put_derived(rig->store, &id, "stats", text_of("x"), &rig->err), -EROFS);
	assert_int_equal(store_rebuild(rig->store, &rebuilt, &rig->err), -EROFS);
}

static void read_only_needs_no_catalog(void **state)
{
	struct rig *rig = *state;
	struct store_options options = { .path = rig->path, .read_only = true };

	two_runs(rig);
	rig_close(rig);
	remove_catalog(rig);
	assert_int_equal(store_open(&rig->store, &options, &rig->err), 0);

	assert_two_runs(rig);
	assert_int_equal(rig_files(rig, "."), 2); /* runs and incoming: no catalog was made */
}

static void read_only_makes_no_folder(void **state)
{
	struct rig *rig = *state;
	struct store_options options = { .path = "/nonexistent/store", .read_only = true };
	struct store *store;

	assert_int_equal(store_open(&store, &options, &rig->err), -ENOENT);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
	const struct CMUnitTest tests[] = {
		TEST(learns_what_the_segments_tell),
		TEST(knows_results_by_their_last_word),
		TEST(the_order_of_coming_does_not_matter),
		TEST(made_anew_it_is_the_catalog_before),
		TEST(without_a_catalog_the_answers_are_the_same),
		TEST(a_catalog_removed_under_its_hands_is_made_anew),
		TEST(an_older_catalog_is_made_anew),
		TEST(a_newer_catalog_is_left_alone),
		TEST(a_damaged_catalog_is_made_anew),
		TEST(learns_what_a_crash_kept_from_it),
		TEST(sweeps_what_is_old_and_leaves_what_is_young),
		TEST(a_run_that_came_by_hand_is_learnt_at_opening),
		TEST(a_run_that_went_by_hand_is_forgotten),
		TEST(a_segment_that_went_by_hand_is_forgotten),
		TEST(a_file_that_is_no_segment_is_counted_and_named),
		TEST(read_only_writes_nothing),
		TEST(read_only_needs_no_catalog),
		TEST(read_only_makes_no_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
