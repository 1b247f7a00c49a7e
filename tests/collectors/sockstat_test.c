/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_sockstat, collector_sockstat6;

static void each_number_has_the_word_before_it(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/sockstat", "sockets: used 229\nTCP: inuse 4 orphan 0 tw 4 alloc 17 mem 1\n"
					   "UDP: inuse 0 mem 3\nFRAG: inuse 0 memory 8192\n");
	rig_start(rig, &collector_sockstat);
	assert_int_equal(rig_count(rig), 10);
	assert_int_equal(rig_value(rig, "sockets.used"), 229);
	assert_int_equal(rig_value(rig, "TCP.alloc"), 17);
	assert_int_equal(rig_value(rig, "UDP.mem"), 3);
	assert_int_equal(rig_value(rig, "FRAG.memory"), 8192);
	assert_int_equal(rig_metric(rig, "TCP.mem")->unit, UNIT_PAGES);
	assert_int_equal(rig_metric(rig, "FRAG.memory")->unit, UNIT_BYTES);
	assert_int_equal(rig_metric(rig, "TCP.tw")->kind, GAUGE);
}

static void two_instants_and_no_allocation(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/net/sockstat6", "TCP6: inuse 17\nRAW6: inuse 1\n");
	rig_start(rig, &collector_sockstat6);
	rig_file(rig, "proc/net/sockstat6", "TCP6: inuse 5\nRAW6: inuse 100\n");
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value(rig, "TCP6.inuse"), 5);
	assert_int_equal(rig_value(rig, "RAW6.inuse"), 100);
	assert_int_equal(rig->run.shape.generation, 1);
}

static void another_word_is_another_number(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/sockstat", "TCP: inuse 4 orphan 7\n");
	rig_start(rig, &collector_sockstat);
	rig_file(rig, "proc/net/sockstat", "TCP: inuse 4 tw 7\nMPTCP: inuse 2\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_false(rig_has(rig, "TCP.orphan"));
	assert_int_equal(rig_value(rig, "TCP.tw"), 7);
	assert_int_equal(rig_value(rig, "MPTCP.inuse"), 2);
}

static void a_bad_number_does_not_cost_the_others(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/sockstat", "TCP: inuse many orphan 7 tw\nnonsense\n: 5\nUDP: inuse 3\n");
	assert_int_equal(rig_open(rig, &collector_sockstat), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/net/sockstat: no number for TCP.inuse");
	assert_int_equal(rig_count(rig), 2);
	assert_int_equal(rig_value(rig, "TCP.orphan"), 7);
	assert_int_equal(rig_value(rig, "UDP.inuse"), 3);
}

static void numbers_are_those_that_others_read(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "node-exporter"))
		skip();
	rig_start(rig, &collector_sockstat);
	assert_int_equal(rig_count(rig), 12);
	assert_int_equal(rig_value(rig, "sockets.used"), 229);
	assert_int_equal(rig_value(rig, "TCP.tw"), 4);
	rig_start(rig, &collector_sockstat6);
	assert_int_equal(rig_count(rig), 6);
	assert_int_equal(rig_value(rig, "TCP6.inuse"), 17);
	assert_int_equal(rig_value(rig, "UDP6.inuse"), 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(each_number_has_the_word_before_it),
		RIG_TEST(two_instants_and_no_allocation),
		RIG_TEST(another_word_is_another_number),
		RIG_TEST(a_bad_number_does_not_cost_the_others),
		RIG_TEST(numbers_are_those_that_others_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
