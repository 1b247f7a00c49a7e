/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_entropy;

static void tells_what_was_gathered_and_without_allocating(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/sys/kernel/random/entropy_avail", "256\n");
	rig_file(rig, "proc/sys/kernel/random/poolsize", "4096\n");
	rig_start(rig, &collector_entropy);
	assert_int_equal(rig_value(rig, "entropy_avail"), 256);
	assert_int_equal(rig_value(rig, "poolsize"), 4096);
	rig_file(rig, "proc/sys/kernel/random/entropy_avail", "17\n");
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value(rig, "entropy_avail"), 17);
}

static void a_text_is_named_and_the_other_file_stands(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/sys/kernel/random/entropy_avail", "256\n");
	rig_file(rig, "proc/sys/kernel/random/poolsize", "256\n");
	rig_start(rig, &collector_entropy);
	rig_file(rig, "proc/sys/kernel/random/entropy_avail", "12x\n");
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/sys/kernel/random/entropy_avail: no number");
	assert_false(rig_has(rig, "entropy_avail"));
	assert_int_equal(rig_value(rig, "poolsize"), 256);
}

static void a_host_without_it_says_which_file(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_open(rig, &collector_entropy), -ENOENT);
	assert_non_null(strstr(rig->err.text, "proc/sys/kernel/random/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(tells_what_was_gathered_and_without_allocating),
		RIG_TEST(a_text_is_named_and_the_other_file_stands),
		RIG_TEST(a_host_without_it_says_which_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
