/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/store/rig.h"

#define RUN   "01JDZZ00000000000000000001"
#define OTHER "01JDZZ00000000000000000002"

static const struct said plain = { .output = "hello" };
static const struct said others = { .output = "goodbye" };

static struct buf stored(struct rig *rig, const char *run, uint32_t sequence)
{
	struct ulid id = id_of(run);
	struct buf ret = { 0 };

	assert_int_equal(store_get_segment(rig->store, &id, sequence, &ret, &rig->err), 0);
	return ret;
}

static void assert_stored(struct rig *rig, const char *run, uint32_t sequence, const struct said *said)
{
	struct ulid id = id_of(run);
	cleanup_buf struct buf is = stored(rig, run, sequence), should = segment_of(&id, sequence, said);

	assert_int_equal(is.len, should.len);
	assert_memory_equal(is.data, should.data, is.len);
}

static bool here(struct rig *rig, const char *run, uint32_t sequence)
{
	struct ulid id = id_of(run);
	cleanup_buf struct buf is = { 0 };
	int r = store_get_segment(rig->store, &id, sequence, &is, &rig->err);

	assert_true(r == 0 || r == -ENOENT);
	return r == 0;
}

static void keeps_the_bytes_as_they_came(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_put(rig, RUN, 1, &plain), PUT_CREATED);

	assert_stored(rig, RUN, 1, &plain);
	assert_int_equal(rig_files(rig, "incoming"), 0);
	rig_again(rig);
	assert_stored(rig, RUN, 1, &plain);
}

static void the_same_bytes_again_change_nothing(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_put(rig, RUN, 1, &plain), PUT_CREATED);
	assert_int_equal(rig_put(rig, RUN, 1, &plain), PUT_SAME);

	assert_int_equal(rig_files(rig, "runs/" RUN), 1);
	assert_int_equal(rig_files(rig, "incoming"), 0);
}

static void other_bytes_leave_the_first_ones(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_put(rig, RUN, 1, &plain), PUT_CREATED);
	assert_int_equal(rig_put(rig, RUN, 1, &others), PUT_CONFLICT);

	assert_stored(rig, RUN, 1, &plain);
}

static void other_bytes_are_told_without_a_catalog_row(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	cleanup_buf struct buf first = segment_of(&id, 1, &plain);

	write_file(rig->path, "runs/" RUN "/000001.seg", first.data, first.len); /* by hand, behind its back */
	assert_int_equal(rig_put(rig, RUN, 1, &others), PUT_CONFLICT);
	assert_int_equal(rig_put(rig, RUN, 1, &plain), PUT_SAME);
}

static int put_bytes(struct rig *rig, const char *run, uint32_t sequence, const struct buf *bytes)
{
	struct ulid id = id_of(run);
	enum put_result result;

	return store_put_segment(rig->store, &id, sequence, buf_text(bytes), NULL, &result, &rig->err);
}

static void refuses_a_segment_of_another_run(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	cleanup_buf struct buf sealed = segment_of(&id, 1, &plain);

	assert_int_equal(put_bytes(rig, OTHER, 1, &sealed), -EBADMSG);
	assert_non_null(strstr(rig->err.text, "the segment is of run " RUN ", not of " OTHER));
	assert_int_equal(rig_files(rig, "runs"), 0);
}

static void refuses_a_segment_of_another_sequence(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	cleanup_buf struct buf sealed = segment_of(&id, 7, &plain);

	assert_int_equal(put_bytes(rig, RUN, 8, &sealed), -EBADMSG);
	assert_non_null(strstr(rig->err.text, "the segment is number 7 of its run, not 8"));
}

static void refuses_what_is_no_segment(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	cleanup_buf struct buf bytes = { 0 }, sealed = segment_of(&id, 1, &plain);

	assert_int_equal(buf_puts(&bytes, "<html>"), 0);
	assert_int_equal(put_bytes(rig, RUN, 1, &bytes), -EBADMSG);
	for (size_t length = 0; length < sealed.len; length++) { /* a torn one */
		struct buf torn = { .data = sealed.data, .len = length };

		assert_int_equal(put_bytes(rig, RUN, 1, &torn), -EBADMSG);
	}
	assert_int_equal(rig_files(rig, "runs"), 0);
	assert_int_equal(rig_files(rig, "incoming"), 0);
}

static void refuses_a_sequence_of_zero(void **state)
{
	struct rig *rig = *state;
	struct buf nothing = { 0 };

	assert_int_equal(put_bytes(rig, RUN, 0, &nothing), -EBADMSG);
}

static void refuses_an_id_that_could_be_a_path(void **state)
{
	struct rig *rig = *state;
	struct ulid id = { "../../../../../etc/passwd_" };
	enum put_result result;
	struct store_run run;
	struct buf bytes = { 0 };

	assert_int_equal(store_put_segment(rig->store, &id, 1, text_of("x"), NULL, &result, &rig->err), -EINVAL);
	assert_int_equal(store_run(rig->store, &id, &run, &rig->err), -EINVAL);
	assert_int_equal(store_get_segment(rig->store, &id, 1, &bytes, &rig->err), -EINVAL);
	assert_int_equal(store_put_derived(rig->store, &id, "stats", text_of("x"), &rig->err), -EINVAL);
}

static void refuses_more_bytes_than_the_ceilings(void **state)
{
	struct rig *rig = *state;
	struct store_options options = { .path = rig->path, .segment_bytes = 1000, .unpacked_bytes = 100000 };
	struct ulid id = id_of(RUN);
	struct said noisy = { .noise = 2000 }, zeros = { .output = NULL };
	cleanup_buf struct buf long_text = { 0 };
	cleanup_buf struct buf large = segment_of(&id, 1, &noisy), bomb = { 0 };

	for (int i = 0; i < 200000; i++)
		assert_int_equal(buf_putc(&long_text, '0'), 0);
	zeros.output = long_text.data;
	bomb = segment_of(&id, 1, &zeros);
	assert_true(bomb.len < 1000);
	rig_close(rig);
	assert_int_equal(store_open(&rig->store, &options, &rig->err), 0);

	assert_int_equal(put_bytes(rig, RUN, 1, &large), -EMSGSIZE);
	assert_int_equal(put_bytes(rig, RUN, 1, &bomb), -EMSGSIZE);
	assert_int_equal(rig_files(rig, "runs"), 0);
}

static void takes_segments_in_any_order(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	uint32_t *sequences;
	size_t count;

	assert_int_equal(rig_put(rig, RUN, 3, &plain), PUT_CREATED);
	assert_int_equal(rig_put(rig, RUN, 1000000, &plain), PUT_CREATED);
	assert_int_equal(rig_put(rig, RUN, 1, &plain), PUT_CREATED);

	assert_int_equal(store_sequences(rig->store, &id, &sequences, &count, &rig->err), 0);
	assert_int_equal(count, 3);
	assert_int_equal(sequences[0], 1);
	assert_int_equal(sequences[1], 3);
	assert_int_equal(sequences[2], 1000000);
	free(sequences);
}

/* ---- batches ---- */


static int put_in(struct rig *rig, struct store *store, struct store_batch *batch, const char *run, uint32_t sequence,
		  const struct said *said, enum put_result *result)
{
	struct ulid id = id_of(run);
	cleanup_buf struct buf sealed = segment_of(&id, sequence, said);

	return store_put_segment(store, &id, sequence, buf_text(&sealed), batch, result, &rig->err);
}

static void a_batch_is_seen_when_it_was_synced(void **state)
{
	struct rig *rig = *state;
	struct store_batch *batch = store_batch_new();
	enum put_result results[3];
	struct store_runs runs;

	assert_int_equal(put_in(rig, rig->store, batch, RUN, 1, &plain, &results[0]), 0);
	assert_int_equal(put_in(rig, rig->store, batch, RUN, 2, &plain, &results[1]), 0);
	assert_int_equal(put_in(rig, rig->store, batch, OTHER, 1, &plain, &results[2]), 0);
	assert_false(here(rig, RUN, 1));
	assert_int_equal(rig_files(rig, "incoming"), 3);

	assert_int_equal(store_sync(rig->store, batch, &rig->err), 0);

	for (size_t i = 0; i < 3; i++)
		assert_int_equal(results[i], PUT_CREATED);
	assert_stored(rig, RUN, 1, &plain);
	assert_stored(rig, RUN, 2, &plain);
	assert_stored(rig, OTHER, 1, &plain);
	assert_int_equal(rig_files(rig, "incoming"), 0);
	assert_int_equal(store_find(rig->store, &(struct store_query){ 0 }, &runs, &rig->err), 0);
	assert_int_equal(runs.count, 2);
	assert_int_equal(runs.at[0].segments, 2);
	store_runs_free(&runs);
	store_batch_free(batch);
}

static void a_batch_that_is_dropped_leaves_nothing(void **state)
{
	struct rig *rig = *state;
	struct store_batch *batch = store_batch_new();
	enum put_result result;

	assert_int_equal(put_in(rig, rig->store, batch, RUN, 1, &plain, &result), 0);
	store_batch_free(batch);

	assert_false(here(rig, RUN, 1));
	assert_int_equal(rig_files(rig, "incoming"), 0);
}

static void a_repeat_within_a_batch_is_the_same_or_a_conflict(void **state)
{
	struct rig *rig = *state;
	struct store_batch *batch = store_batch_new();
	enum put_result results[3];

	assert_int_equal(put_in(rig, rig->store, batch, RUN, 1, &plain, &results[0]), 0);
	assert_int_equal(put_in(rig, rig->store, batch, RUN, 1, &plain, &results[1]), 0);
	assert_int_equal(put_in(rig, rig->store, batch, RUN, 1, &others, &results[2]), 0);
	assert_int_equal(store_sync(rig->store, batch, &rig->err), 0);

	assert_int_equal(results[0], PUT_CREATED);
	assert_int_equal(results[1], PUT_SAME);
	assert_int_equal(results[2], PUT_CONFLICT);
	assert_stored(rig, RUN, 1, &plain);
	store_batch_free(batch);
}

static void a_refused_put_leaves_the_batch_as_it_was(void **state)
{
	struct rig *rig = *state;
	struct store_batch *batch = store_batch_new();
	struct ulid id = id_of(RUN);
	enum put_result result, refused;

	assert_int_equal(put_in(rig, rig->store, batch, RUN, 1, &plain, &result), 0);
	assert_int_equal(store_put_segment(rig->store, &id, 2, text_of("no"), batch, &refused, &rig->err), -EBADMSG);
	assert_int_equal(store_sync(rig->store, batch, &rig->err), 0);

	assert_true(here(rig, RUN, 1));
	assert_false(here(rig, RUN, 2));
	store_batch_free(batch);
}

static void another_process_may_be_faster_than_a_batch(void **state)
{
	struct rig *rig = *state;
	struct store_options options = { .path = rig->path };
	struct store_batch *batch = store_batch_new();
	enum put_result results[3];
	struct store *other;

	assert_int_equal(store_open(&other, &options, &rig->err), 0);
	assert_int_equal(put_in(rig, other, batch, RUN, 1, &plain, &results[0]), 0);
	assert_int_equal(put_in(rig, other, batch, RUN, 2, &plain, &results[1]), 0);
	assert_int_equal(put_in(rig, other, batch, RUN, 2, &plain, &results[2]), 0);
	assert_int_equal(rig_put(rig, RUN, 1, &plain), PUT_CREATED);
	assert_int_equal(rig_put(rig, RUN, 2, &others), PUT_CREATED);

	assert_int_equal(store_sync(other, batch, &rig->err), 0);

	assert_int_equal(results[0], PUT_SAME);
	assert_int_equal(results[1], PUT_CONFLICT);
	assert_int_equal(results[2], PUT_CONFLICT);
	assert_stored(rig, RUN, 2, &others);
	assert_int_equal(rig_files(rig, "incoming"), 0);
	store_batch_free(batch);
	store_close(other);
}

static void a_batch_has_a_ceiling(void **state)
{
	struct rig *rig = *state;
	struct store_batch *batch = store_batch_new();
	enum put_result results[STORE_BATCH_MAX + 1];

	for (uint32_t i = 0; i < STORE_BATCH_MAX; i++)
		assert_int_equal(put_in(rig, rig->store, batch, RUN, i + 1, &plain, &results[i]), 0);
	assert_int_equal(put_in(rig, rig->store, batch, RUN, STORE_BATCH_MAX + 1, &plain, &results[STORE_BATCH_MAX]),
			 -ENOBUFS);
	assert_int_equal(store_sync(rig->store, batch, &rig->err), 0);

	assert_int_equal(rig_files(rig, "runs/" RUN), STORE_BATCH_MAX);
	store_batch_free(batch);
}

/* ---- derived ---- */

static void a_segment_drops_what_was_derived(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	cleanup_buf struct buf stats = { 0 };

	assert_int_equal(rig_put(rig, RUN, 1, &plain), PUT_CREATED);
	assert_int_equal(store_put_derived(rig->store, &id, "stats", text_of("one"), &rig->err), 0);
	assert_int_equal(store_put_derived(rig->store, &id, "stats", text_of("two"), &rig->err), 0);
	assert_int_equal(store_get_derived(rig->store, &id, "stats", &stats, &rig->err), 0);
	assert_string_equal(stats.data, "two");

	assert_int_equal(rig_put(rig, RUN, 1, &plain), PUT_SAME); /* no news */
	assert_int_equal(store_get_derived(rig->store, &id, "stats", &stats, &rig->err), 0);
	assert_int_equal(rig_put(rig, RUN, 2, &plain), PUT_CREATED);
	assert_int_equal(store_get_derived(rig->store, &id, "stats", &stats, &rig->err), -ENOENT);
}

static void what_was_derived_from_fewer_segments_is_not_kept(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	const struct run_events nothing = { 0 };
	cleanup_buf struct buf stats = { 0 };

	assert_int_equal(rig_put(rig, RUN, 1, &plain), PUT_CREATED);
	assert_int_equal(store_read(rig->store, &id, &nothing, NULL, &rig->err), 0);
	assert_int_equal(rig_put(rig, RUN, 2, &plain), PUT_CREATED);

	assert_int_equal(store_put_derived(rig->store, &id, "stats", text_of("of one"), &rig->err), -ESTALE);
	assert_int_equal(store_get_derived(rig->store, &id, "stats", &stats, &rig->err), -ENOENT);
	assert_int_equal(store_read(rig->store, &id, &nothing, NULL, &rig->err), 0);
	assert_int_equal(store_put_derived(rig->store, &id, "stats", text_of("of two"), &rig->err), 0);
}

static void a_derived_name_cannot_leave_the_folder(void **state)
{
	struct rig *rig = *state;
	static const char *const names[] = { "", ".", "..", "../x", "a/b", "Stats", "000001.seg", "x.seg", ".hidden" };
	struct ulid id = id_of(RUN);

	assert_int_equal(rig_put(rig, RUN, 1, &plain), PUT_CREATED);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_int_equal(store_put_derived(rig->store, &id, names[i], text_of("x"), &rig->err), -EINVAL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
	const struct CMUnitTest tests[] = {
		TEST(keeps_the_bytes_as_they_came),
		TEST(the_same_bytes_again_change_nothing),
		TEST(other_bytes_leave_the_first_ones),
		TEST(other_bytes_are_told_without_a_catalog_row),
		TEST(refuses_a_segment_of_another_run),
		TEST(refuses_a_segment_of_another_sequence),
		TEST(refuses_what_is_no_segment),
		TEST(refuses_a_sequence_of_zero),
		TEST(refuses_an_id_that_could_be_a_path),
		TEST(refuses_more_bytes_than_the_ceilings),
		TEST(takes_segments_in_any_order),
		TEST(a_batch_is_seen_when_it_was_synced),
		TEST(a_batch_that_is_dropped_leaves_nothing),
		TEST(a_repeat_within_a_batch_is_the_same_or_a_conflict),
		TEST(a_refused_put_leaves_the_batch_as_it_was),
		TEST(another_process_may_be_faster_than_a_batch),
		TEST(a_batch_has_a_ceiling),
		TEST(a_segment_drops_what_was_derived),
		TEST(what_was_derived_from_fewer_segments_is_not_kept),
		TEST(a_derived_name_cannot_leave_the_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
