/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_mdstat;

#define HEAD "Personalities : [raid1] [raid6] [raid5] [raid4]\n"
#define TAIL "unused devices: <none>\n"

static void members_are_counted_by_their_state(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/mdstat",
		 HEAD "md3 : active raid6 sda1[8] sdh1[7](W) sdg1[6](F) sdf1[5](S) sde1[11](J) sdd1[3](R) sdc1[10](W)(F)\n"
		      "      5853468288 blocks super 1.2 level 6, 64k chunk, algorithm 2 [8/7] [UUUUUUU_]\n"
		      "      bitmap: 3/30 pages [12KB], 65536KB chunk, file: /b\n\n" TAIL);
	rig_start(rig, &collector_mdstat);
	assert_int_equal(rig->run.shape.instance_count, 1);
	assert_int_equal(rig_count(rig), 12);
	assert_int_equal(rig_value_of(rig, "active", "md3"), 1);
	assert_int_equal(rig_value_of(rig, "blocks", "md3"), 5853468288);
	assert_int_equal(rig_value_of(rig, "disks", "md3"), 7);
	assert_int_equal(rig_value_of(rig, "disks.required", "md3"), 8);
	assert_int_equal(rig_value_of(rig, "disks.active", "md3"), 7);
	assert_int_equal(rig_value_of(rig, "disks.failed", "md3"), 2);
	assert_int_equal(rig_value_of(rig, "disks.spare", "md3"), 1);
	assert_int_equal(rig_value_of(rig, "disks.journal", "md3"), 1);
	assert_int_equal(rig_value_of(rig, "disks.replacement", "md3"), 1);
	assert_int_equal(rig_value_of(rig, "bitmap_pages", "md3"), 3);
	assert_int_equal(rig_value_of(rig, "bitmap_pages_total", "md3"), 30);
}

static void progress_is_a_decimal(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/mdstat",
		 HEAD "md6 : active raid1 sdb2[2](F) sdc[1](S) sda2[0]\n      195310144 blocks [2/1] [U_]\n"
		      "      [=>...................]  recovery =  8.5% (16775552/195310144) finish=17.1min speed=259783K/sec\n"
		      "md8 : active raid1 sda[0] sdb[1]\n      100 blocks [2/2] [UU]\n"
		      "      [====================>]  check =100.0% (100/100) finish=0.0min speed=0K/sec\n"
		      "md9 : active (auto-read-only) raid1 sda[0] sdb[1]\n      100 blocks [2/2] [UU]\n      \tresync=PENDING\n");
	rig_start(rig, &collector_mdstat);
	assert_int_equal(rig_value_of(rig, "recovery", "md6"), 85);
	assert_int_equal(rig_metric(rig, "recovery")->exponent, 1);
	assert_int_equal(rig_metric(rig, "recovery")->unit, UNIT_PERCENT);
	assert_int_equal(rig_value_of(rig, "sync_blocks", "md6"), 16775552);
	assert_int_equal(rig_value_of(rig, "sync_finish", "md6"), 1026);
	assert_int_equal(rig_value_of(rig, "sync_speed", "md6"), 259783);
	assert_false(rig_has_of(rig, "resync", "md6"));
	assert_false(rig_has_of(rig, "sync_waiting", "md6"));
	assert_int_equal(rig_value_of(rig, "check", "md8"), 1000);
	assert_int_equal(rig_value_of(rig, "sync_speed", "md8"), 0);
	assert_int_equal(rig_value_of(rig, "sync_waiting", "md9"), 1);
	assert_int_equal(rig_value_of(rig, "read_only", "md9"), 1);
	assert_false(rig_has_of(rig, "resync", "md9"));
}

static void an_array_that_does_not_run_has_no_disk_in_use(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/mdstat", HEAD "md219 : inactive sdb[2](S) sdc[1](S) sda[0]\n        7932 blocks super external:imsm\n" TAIL);
	rig_start(rig, &collector_mdstat);
	assert_int_equal(rig_value_of(rig, "active", "md219"), 0);
	assert_int_equal(rig_value_of(rig, "disks.active", "md219"), 0);
	assert_int_equal(rig_value_of(rig, "disks.spare", "md219"), 2);
	assert_false(rig_has_of(rig, "disks.required", "md219"));
}

static void an_array_comes_and_goes(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/mdstat", HEAD "md1 : active raid1 sda[0] sdb[1]\n      100 blocks [2/2] [UU]\n" TAIL);
	rig_start(rig, &collector_mdstat);
	rig_file(rig, "proc/mdstat", HEAD "md1 : active raid1 sda[0] sdb[1](F)\n      100 blocks [2/1] [U_]\n" TAIL);
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value_of(rig, "disks.active", "md1"), 1);
	rig_file(rig, "proc/mdstat", HEAD "md0 : active raid0 sdc[0]\n      7 blocks 64k chunks\nmd1 : active raid1 sda[0]\n" TAIL);
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "blocks", "md0"), 7);
	assert_false(rig_has_of(rig, "blocks", "md1"));
	rig_file(rig, "proc/mdstat", HEAD TAIL);
	rig_again(rig);
	assert_int_equal(rig_count(rig), 0);
}

static void a_bad_line_does_not_cost_the_others(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/mdstat",
		 "      1 blocks\nmd1 : active raid1 sda[0]\n      many blocks [2/2] [UU]\n      [=>]  resync = x%\n      bitmap: none\n"
		 "md2 : active raid1 sda[0]\n      5 blocks [2/x] [2/2\n      [==>]\n      1 2 3\nmd1 : inactive\nstray words\n      9 blocks\n");
	assert_int_equal(rig_open(rig, &collector_mdstat), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/mdstat: no number where one belongs, of md2");
	assert_int_equal(rig_value_of(rig, "active", "md1"), 1);
	assert_false(rig_has_of(rig, "blocks", "md1"));
	assert_int_equal(rig_value_of(rig, "blocks", "md2"), 5);
	assert_int_equal(rig_value_of(rig, "disks.active", "md2"), 1);
}

/* What another exporter makes of the same file: device, blocks, required, active, failed, spare. */
static void numbers_are_those_that_others_read(void **state)
{
	static const struct {
		const char *array;
		uint64_t blocks, required, active, failed, spare;
	} arrays[] = {
		{ "md0", 248896, 2, 2, 0, 0 },	     { "md00", 4186624, 0, 1, 0, 0 },	{ "md10", 314159265, 0, 2, 0, 0 },
		{ "md101", 322560, 0, 3, 0, 0 },     { "md11", 4190208, 2, 2, 1, 2 },	{ "md12", 3886394368, 0, 2, 0, 0 },
		{ "md120", 2095104, 0, 2, 0, 0 },    { "md126", 1855870976, 0, 2, 0, 0 }, { "md127", 312319552, 2, 2, 0, 0 },
		{ "md201", 1993728, 2, 2, 0, 0 },    { "md219", 7932, 0, 0, 0, 3 },	{ "md3", 5853468288, 8, 8, 0, 2 },
		{ "md4", 4883648, 0, 0, 1, 1 },	     { "md6", 195310144, 2, 1, 1, 1 },	{ "md7", 7813735424, 4, 3, 1, 0 },
		{ "md8", 195310144, 2, 2, 0, 2 },    { "md9", 523968, 4, 4, 2, 1 },
	};
	struct rig *rig = *state;

	if (!rig_tree(rig, "node-exporter"))
		skip();
	rig_start(rig, &collector_mdstat);
	assert_int_equal(rig->run.shape.instance_count, 17);
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		const char *array = arrays[i].array;

		assert_int_equal(rig_value_of(rig, "blocks", array), arrays[i].blocks);
		if (arrays[i].required)
			assert_int_equal(rig_value_of(rig, "disks.required", array), arrays[i].required);
		assert_int_equal(rig_has_of(rig, "disks.required", array), arrays[i].required > 0);
		assert_int_equal(rig_value_of(rig, "disks.active", array), arrays[i].active);
		assert_int_equal(rig_value_of(rig, "disks.failed", array), arrays[i].failed);
		assert_int_equal(rig_value_of(rig, "disks.spare", array), arrays[i].spare);
	}
	assert_int_equal(rig_value_of(rig, "sync_blocks", "md201"), 114176);
	assert_int_equal(rig_value_of(rig, "check", "md201"), 57);
	assert_int_equal(rig_value_of(rig, "sync_blocks", "md6"), 16775552);
	assert_int_equal(rig_value_of(rig, "sync_waiting", "md9"), 1);
	assert_int_equal(rig_value_of(rig, "active", "md219"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(members_are_counted_by_their_state),
		RIG_TEST(progress_is_a_decimal),
		RIG_TEST(an_array_that_does_not_run_has_no_disk_in_use),
		RIG_TEST(an_array_comes_and_goes),
		RIG_TEST(a_bad_line_does_not_cost_the_others),
		RIG_TEST(numbers_are_those_that_others_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
