/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protocols, and xfrm-stat, which is a file of keys like others. */
#include <string.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_protocols, collector_xfrm_stat;

#define HEAD "protocol  size sockets  memory press maxhdr  slab module     cl co di\n"

static void memory_that_is_not_counted_is_absent(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/protocols", HEAD "UNIX      1024    131      -1   NI       0   yes  kernel      n  n  n\n"
						 "TCP       2208      3      17   yes    320   yes  kernel      y  y  y\n"
						 "UDP-Lite  1152      0       0   no       0   yes  kernel      y  y  y\n");
	rig_start(rig, &collector_protocols);
	assert_int_equal(rig->run.shape.instance_count, 3);
	assert_int_equal(rig_count(rig), 13);
	assert_int_equal(rig_value_of(rig, "sockets", "UNIX"), 131);
	assert_false(rig_has_of(rig, "memory", "UNIX"));
	assert_false(rig_has_of(rig, "press", "UNIX"));
	assert_int_equal(rig_value_of(rig, "memory", "TCP"), 17);
	assert_int_equal(rig_value_of(rig, "press", "TCP"), 1);
	assert_int_equal(rig_value_of(rig, "press", "UDP-Lite"), 0);
	assert_int_equal(rig_value_of(rig, "maxhdr", "TCP"), 320);
	assert_int_equal(rig_metric(rig, "memory")->unit, UNIT_PAGES);
	assert_int_equal(rig_metric(rig, "sockets")->kind, GAUGE);
}

static void a_protocol_comes_and_goes(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/net/protocols", HEAD "TCP 2208 3 1 no 320 yes\n");
	rig_start(rig, &collector_protocols);
	rig_file(rig, "proc/net/protocols", HEAD "TCP 2208 4 2 no 320 yes\n");
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value_of(rig, "sockets", "TCP"), 4);
	rig_file(rig, "proc/net/protocols", HEAD "SCTP 2000 1 0 no 0 yes\nTCP 2208 5 2 no 320 yes\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "sockets", "SCTP"), 1);
	rig_file(rig, "proc/net/protocols", HEAD "SCTP 2000 2 0 no 0 yes\n");
	rig_again(rig);
	assert_false(rig_has_of(rig, "sockets", "TCP"));
	rig_file(rig, "proc/net/protocols", HEAD "SCTP6 2000 3 0 no 0 yes\n");
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "sockets", "SCTP6"), 3);
}

static void a_bad_line_does_not_cost_the_others(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/protocols", HEAD "TCP 2208 x 1 no 320\nnonsense\n\nUDP 7\nRAW 8 9 10 no 11x");
	assert_int_equal(rig_open(rig, &collector_protocols), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_non_null(strstr(rig->err.text, "RAW"));
	assert_int_equal(rig_count(rig), 1);
	assert_int_equal(rig_value_of(rig, "size", "UDP"), 7);
}

static void numbers_are_those_that_others_read(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "jc-linux-proc"))
		skip();
	rig_start(rig, &collector_protocols);
	assert_int_equal(rig->run.shape.instance_count, 20);
	assert_int_equal(rig_value_of(rig, "sockets", "UNIX"), 131);
	assert_int_equal(rig_value_of(rig, "size", "AF_VSOCK"), 1216);
	assert_int_equal(rig_value_of(rig, "memory", "MPTCPv6"), 1);
	assert_true(rig_tree(rig, "node-exporter"));
	rig_start(rig, &collector_xfrm_stat);
	assert_int_equal(rig_value(rig, "XfrmOutError"), 1000000);
	assert_int_equal(rig_value(rig, "XfrmInTmplMismatch"), 51);
	assert_int_equal(rig_metric(rig, "XfrmInNoPols")->kind, COUNTER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(memory_that_is_not_counted_is_absent),
		RIG_TEST(a_protocol_comes_and_goes),
		RIG_TEST(a_bad_line_does_not_cost_the_others),
		RIG_TEST(numbers_are_those_that_others_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
