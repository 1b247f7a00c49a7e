/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_zswap;

#define FOLDER "sys/kernel/debug/zswap/"

static void tells_what_is_kept_from_what_is_counted(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, FOLDER "pool_total_size", "8192000\n");
	rig_file(rig, FOLDER "stored_pages", "5000\n");
	rig_file(rig, FOLDER "reject_compress_poor", "7\n");
	rig_file(rig, FOLDER "decompress_fail", "1\n");
	rig_start(rig, &collector_zswap);
	assert_int_equal(rig_value(rig, "pool_total_size"), 8192000);
	assert_int_equal(rig_metric(rig, "pool_total_size")->unit, UNIT_BYTES);
	assert_int_equal(rig_metric(rig, "stored_pages")->kind, GAUGE);
	assert_int_equal(rig_metric(rig, "reject_compress_poor")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "decompress_fail")->kind, COUNTER);
	rig_file(rig, FOLDER "stored_pages", "4000\n");
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value(rig, "stored_pages"), 4000);
}

static void without_debugfs_it_is_not_there(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(collector_probe(&collector_zswap, &rig->host, &rig->err), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(tells_what_is_kept_from_what_is_counted),
		RIG_TEST(without_debugfs_it_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
