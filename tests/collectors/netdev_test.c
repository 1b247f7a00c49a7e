/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_netdev;

#define HEAD                                                                                                          \
	"Inter-|   Receive                                                |  Transmit\n"                              \
	" face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n"

static void every_column_has_its_name(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/dev", HEAD "  eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
	rig_start(rig, &collector_netdev);
	assert_int_equal(rig_count(rig), 16);
	assert_int_equal(rig_value_of(rig, "rx_bytes", "eth0"), 1);
	assert_int_equal(rig_value_of(rig, "rx_drop", "eth0"), 4);
	assert_int_equal(rig_value_of(rig, "rx_multicast", "eth0"), 8);
	assert_int_equal(rig_value_of(rig, "tx_bytes", "eth0"), 9);
	assert_int_equal(rig_value_of(rig, "tx_colls", "eth0"), 14);
	assert_int_equal(rig_value_of(rig, "tx_compressed", "eth0"), 16);
	assert_int_equal(rig_metric(rig, "tx_bytes")->unit, UNIT_BYTES);
	assert_int_equal(rig_metric(rig, "tx_bytes")->kind, COUNTER);
}

static void a_name_ends_at_the_last_colon(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/dev",
		 HEAD "  eth0:4046496815 27661328 0 3 0 0 0 0 61800195044 32419766 0 0 0 0 0 0\n"
		      "tun10:1:     111       2    0    0    0     0          0         0      333       4    0    0    0     0       0          0\n");
	rig_start(rig, &collector_netdev);
	assert_int_equal(rig_value_of(rig, "rx_bytes", "eth0"), 4046496815);
	assert_int_equal(rig_value_of(rig, "tx_bytes", "eth0"), 61800195044);
	assert_int_equal(rig_value_of(rig, "rx_bytes", "tun10:1"), 111);
	assert_int_equal(rig_value_of(rig, "tx_packets", "tun10:1"), 4);
	assert_int_equal(rig->run.shape.instance_count, 2);
}

static void a_column_that_no_table_knows_is_kept_by_its_place(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/dev", HEAD "  eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n");
	rig_start(rig, &collector_netdev);
	assert_int_equal(rig_count(rig), 18);
	assert_int_equal(rig_value_of(rig, "field18", "eth0"), 18);
}

static void an_interface_comes_and_goes(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/dev", HEAD "  lo: 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n");
	rig_start(rig, &collector_netdev);
	rig_file(rig, "proc/net/dev",
		 HEAD "  lo: 2 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0\n veth1: 7 0 0 0 0 0 0 0 8 0 0 0 0 0 0 0\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "rx_bytes", "veth1"), 7);
	rig_file(rig, "proc/net/dev", HEAD "  lo: 3 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0\n");
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "rx_bytes", "lo"), 3);
	assert_false(rig_has_of(rig, "rx_bytes", "veth1"));
}

static void a_bad_line_does_not_cost_the_others(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/dev", HEAD "  lo: 1 2 3\n eth0: 1 a 3\n eth1: 18446744073709551615 1\n nonsense\n");
	assert_int_equal(rig_open(rig, &collector_netdev), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_non_null(strstr(rig->err.text, "eth0"));
	assert_int_equal(rig_value_of(rig, "rx_bytes", "lo"), 1);
	assert_false(rig_has_of(rig, "rx_bytes", "eth0"));
	assert_true(rig_value_of(rig, "rx_bytes", "eth1") == UINT64_MAX);
	assert_false(rig_has_of(rig, "rx_errs", "eth1"));
}

static void a_sample_allocates_nothing(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/net/dev", HEAD "  lo: 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n");
	rig_start(rig, &collector_netdev);
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(every_column_has_its_name),
		RIG_TEST(a_name_ends_at_the_last_colon),
		RIG_TEST(a_column_that_no_table_knows_is_kept_by_its_place),
		RIG_TEST(an_interface_comes_and_goes),
		RIG_TEST(a_bad_line_does_not_cost_the_others),
		RIG_TEST(a_sample_allocates_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
