/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A full disk: a small tmpfs, where this may be mounted.
 */
#include "tests/store/rig.h"

#include <sys/mount.h>

#define RUN "01JDZZ00000000000000000001"

static int setup(void **state)
{
	struct rig *rig;

	rig_setup(state);
	rig = *state;
	rig_close(rig);
	remove_tree(rig->path);
	assert_int_equal(mkdir(rig->path, 0777), 0);
	if (mount("assay-test", rig->path, "tmpfs", 0, "size=2m,mode=0700") < 0) {
		print_message("# no tmpfs can be mounted here: %s\n", strerror(errno));
		(void)snprintf(rig->path, sizeof(rig->path), "%s", ""); /* nothing to take away */
	}
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	rig_close(rig);
	if (rig->path[0])
		(void)umount2(rig->path, MNT_DETACH);
	return rig_teardown(state);
}

static void a_full_disk_leaves_nothing_half_written(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	uint32_t sequence = 0;
	enum put_result result;
	int r;

	if (!rig->path[0])
		skip();
	rig_open(rig);
	do {
		struct said said = { .noise = 100000 };
		cleanup_buf struct buf sealed = segment_of(&id, ++sequence, &said);

		r = store_put_segment(rig->store, &id, sequence, buf_text(&sealed), NULL, &result, &rig->err);
	} while (r == 0 && sequence < 1000);

	assert_int_equal(r, -ENOSPC);
	assert_true(sequence > 5);
	assert_non_null(strstr(rig->err.text, "No space left on device"));
	assert_int_equal(rig_files(rig, "runs/" RUN), sequence - 1);
	assert_int_equal(rig_files(rig, "incoming"), 0);
	rig_again(rig); /* also a full store can be looked into */
	for (uint32_t i = 1; i < sequence; i++) {
		struct said said = { .noise = 100000 };
		cleanup_buf struct buf is = { 0 }, should = segment_of(&id, i, &said);

		assert_int_equal(store_get_segment(rig->store, &id, i, &is, &rig->err), 0);
		assert_int_equal(is.len, should.len);
		assert_memory_equal(is.data, should.data, is.len);
	}
}

static void a_batch_on_a_full_disk_keeps_what_had_room(void **state)
{
	struct rig *rig = *state;
	struct ulid id = id_of(RUN);
	struct store_batch *batch = store_batch_new();
	uint32_t sequence = 0;
	enum put_result results[100];
	int r;

	assert_non_null(batch);
	if (!rig->path[0]) {
		store_batch_free(batch);
		skip();
	}
	rig_open(rig);
	do {
		struct said said = { .noise = 100000 };
		cleanup_buf struct buf sealed = segment_of(&id, ++sequence, &said);

		r = store_put_segment(rig->store, &id, sequence, buf_text(&sealed), batch, &results[sequence - 1],
				      &rig->err);
	} while (r == 0 && sequence < 100);

	assert_int_equal(r, -ENOSPC);
	assert_int_equal(store_sync(rig->store, batch, &rig->err), 0);
	assert_int_equal(rig_files(rig, "runs/" RUN), sequence - 1);
	store_batch_free(batch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_full_disk_leaves_nothing_half_written, setup, teardown),
		cmocka_unit_test_setup_teardown(a_batch_on_a_full_disk_keeps_what_had_room, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
