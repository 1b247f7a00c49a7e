/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_conntrack;

#define PREFIX "proc/sys/net/netfilter/nf_conntrack_"

static void two_instants_and_no_allocation(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, PREFIX "count", "123\n");
	rig_file(rig, PREFIX "max", "65536\n");
	rig_start(rig, &collector_conntrack);
	assert_int_equal(rig_count(rig), 2);
	rig_file(rig, PREFIX "count", "99\n");
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value(rig, "count"), 99);
	assert_int_equal(rig_value(rig, "max"), 65536);
	assert_int_equal(rig_metric(rig, "count")->kind, GAUGE);
}

static void a_bad_number_does_not_cost_the_others(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, PREFIX "count", "123\n");
	rig_file(rig, PREFIX "max", "65536\n");
	rig_start(rig, &collector_conntrack);
	rig_file(rig, PREFIX "count", "full\n");
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_false(rig_has(rig, "count"));
	assert_int_equal(rig_value(rig, "max"), 65536);
}

static void a_host_without_it_says_which_file(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_open(rig, &collector_conntrack), -ENOENT);
	assert_non_null(strstr(rig->err.text, PREFIX));
}

static void numbers_are_those_that_others_read(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "node-exporter"))
		skip();
	rig_start(rig, &collector_conntrack);
	assert_int_equal(rig_value(rig, "count"), 123);
	assert_int_equal(rig_value(rig, "max"), 65536);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(two_instants_and_no_allocation),
		RIG_TEST(a_bad_number_does_not_cost_the_others),
		RIG_TEST(a_host_without_it_says_which_file),
		RIG_TEST(numbers_are_those_that_others_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
