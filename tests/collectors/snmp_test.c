/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netstat and snmp: lines of names, and lines of values below them. */
#include <string.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_netstat, collector_snmp;

static void a_value_is_called_by_its_record_and_the_name_above_it(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/snmp", "Ip: Forwarding DefaultTTL InReceives\nIp: 1 64 57740232\n"
				       "Tcp: RtoMin MaxConn CurrEstab InSegs\nTcp: 200 -1 7 57252008\n"
				       "Udp: InSegs\nUdp: 3\n");
	rig_start(rig, &collector_snmp);
	assert_int_equal(rig_count(rig), 8);
	assert_int_equal(rig_value(rig, "Ip.InReceives"), 57740232);
	assert_int_equal((int64_t)rig_value(rig, "Tcp.MaxConn"), -1);
	assert_int_equal(rig_value(rig, "Tcp.InSegs"), 57252008);
	assert_int_equal(rig_value(rig, "Udp.InSegs"), 3);
	assert_int_equal(rig_metric(rig, "Tcp.InSegs")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "Tcp.CurrEstab")->kind, GAUGE);
	assert_int_equal(rig_metric(rig, "Tcp.MaxConn")->kind, GAUGE);
	assert_int_equal(rig_metric(rig, "Ip.DefaultTTL")->kind, GAUGE);
	assert_int_equal(rig_metric(rig, "Tcp.RtoMin")->unit, UNIT_MILLISECONDS);
}

static void bytes_are_bytes(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/netstat",
		 "TcpExt: SyncookiesSent NewInLinux9\nTcpExt: 18446744073709551615 7\nIpExt: InOctets\nIpExt: 9007199254740993\n");
	rig_start(rig, &collector_netstat);
	assert_true(rig_value(rig, "TcpExt.SyncookiesSent") == UINT64_MAX);
	assert_int_equal(rig_value(rig, "TcpExt.NewInLinux9"), 7);
	assert_true(rig_value(rig, "IpExt.InOctets") == 9007199254740993);
	assert_int_equal(rig_metric(rig, "IpExt.InOctets")->unit, UNIT_BYTES);
	assert_int_equal(rig_metric(rig, "TcpExt.NewInLinux9")->kind, COUNTER);
}

static void two_instants_and_no_allocation(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/net/snmp", "Tcp: MaxConn InSegs\nTcp: -1 9\n");
	rig_start(rig, &collector_snmp);
	rig_file(rig, "proc/net/snmp", "Tcp: MaxConn InSegs\nTcp: 5 100\n");
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_int_equal(rig_value(rig, "Tcp.MaxConn"), 5);
	assert_int_equal(rig_value(rig, "Tcp.InSegs"), 100);
}

static void a_type_of_message_seen_first_is_a_new_shape(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/snmp", "Icmp: InMsgs\nIcmp: 1\nIcmpMsg: InType3\nIcmpMsg: 104\nTcp: InSegs\nTcp: 5\n");
	rig_start(rig, &collector_snmp);
	rig_file(rig, "proc/net/snmp",
		 "Icmp: InMsgs\nIcmp: 2\nIcmpMsg: InType0 InType3\nIcmpMsg: 1 105\nTcp: InSegs\nTcp: 6\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value(rig, "IcmpMsg.InType0"), 1);
	assert_int_equal(rig_value(rig, "IcmpMsg.InType3"), 105);
	assert_int_equal(rig_value(rig, "Tcp.InSegs"), 6);
	rig_file(rig, "proc/net/snmp", "Icmp: InMsgs\nIcmp: 3\nTcp: InSegs\nTcp: 7\n");
	rig_again(rig);
	assert_false(rig_has(rig, "IcmpMsg.InType3"));
	assert_int_equal(rig_value(rig, "Tcp.InSegs"), 7);
}

/* The kernel puts no more than 16 types in one line of them. */
static void a_record_may_have_several_pairs_of_lines(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/snmp", "IcmpMsg: InType0 InType3\nIcmpMsg: 1 2\nIcmpMsg: OutType3\nIcmpMsg: 4\n");
	rig_start(rig, &collector_snmp);
	assert_int_equal(rig_count(rig), 3);
	assert_int_equal(rig_value(rig, "IcmpMsg.InType3"), 2);
	assert_int_equal(rig_value(rig, "IcmpMsg.OutType3"), 4);
}

static void names_and_values_need_not_be_as_many(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/netstat", "TcpExt: A B C\nTcpExt: 1 2\nIpExt: D\nIpExt: 3 4 5\n");
	rig_start(rig, &collector_netstat);
	assert_int_equal(rig_count(rig), 5);
	assert_int_equal(rig_value(rig, "TcpExt.B"), 2);
	assert_false(rig_has(rig, "TcpExt.C"));
	assert_int_equal(rig_value(rig, "IpExt.D"), 3);
	assert_int_equal(rig_value(rig, "IpExt.field3"), 5);
}

static void values_without_names_are_called_by_their_place(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/netstat", "TcpExt: 5 -6\nIpExt: D\nIpExt: 3\nnonsense\n\nIpExt: E\n");
	rig_start(rig, &collector_netstat);
	assert_int_equal(rig_count(rig), 3);
	assert_int_equal(rig_value(rig, "TcpExt.field1"), 5);
	assert_int_equal((int64_t)rig_value(rig, "TcpExt.field2"), -6);
	assert_int_equal(rig_value(rig, "IpExt.D"), 3);
}

static void of_two_values_of_one_name_the_first_counts(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/netstat", "TcpExt: A A B\nTcpExt: 1 2 3\nTcpExt: A\nTcpExt: 9\n");
	rig_start(rig, &collector_netstat);
	rig_again(rig);
	assert_int_equal(rig_count(rig), 2);
	assert_int_equal(rig_value(rig, "TcpExt.A"), 1);
	assert_int_equal(rig_value(rig, "TcpExt.B"), 3);
}

static void what_is_no_number_costs_that_value(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/netstat", "TcpExt: A B C D\nTcpExt: 1 x 3 99999999999999999999\nIpExt: E F\nIpExt: 5 6y\n");
	assert_int_equal(rig_open(rig, &collector_netstat), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_string_equal(rig->err.text, "proc/net/netstat: no number for IpExt.F");
	assert_int_equal(rig_count(rig), 3);
	assert_int_equal(rig_value(rig, "TcpExt.A"), 1);
	assert_int_equal(rig_value(rig, "TcpExt.C"), 3);
	assert_int_equal(rig_value(rig, "IpExt.E"), 5);
}

static void an_empty_file_has_no_numbers(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/netstat", "");
	rig_start(rig, &collector_netstat);
	assert_int_equal(rig_count(rig), 0);
	rig_file(rig, "proc/net/netstat", "TcpExt: A\nTcpExt: 1");
	rig_again(rig);
	assert_int_equal(rig_value(rig, "TcpExt.A"), 1);
}

static void recorded_machines_of_several_ages(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "pcp-snmp-2.6.32"))
		skip();
	rig_start(rig, &collector_snmp);
	assert_int_equal(rig_count(rig), 75);
	assert_int_equal(rig_value(rig, "Tcp.OutRsts"), 42);
	assert_false(rig_has(rig, "Tcp.InCsumErrors"));
	assert_int_equal(rig_value(rig, "IcmpMsg.OutType8"), 6);

	assert_true(rig_tree(rig, "pcp-snmp-5.14"));
	rig_start(rig, &collector_snmp);
	assert_int_equal(rig_count(rig), 19 + 27 + 7 + 15 + 9 + 9);
	assert_int_equal(rig_value(rig, "Ip.FragCreates"), 19);
	assert_int_equal(rig_value(rig, "Icmp.OutAddrMaskReps"), 27);
	assert_int_equal(rig_value(rig, "IcmpMsg.OutType142"), 7);
	assert_int_equal(rig_value(rig, "Tcp.InCsumErrors"), 15);
	assert_int_equal(rig_value(rig, "UdpLite.MemErrors"), 9);

	assert_true(rig_tree(rig, "jc-linux-proc"));
	rig_start(rig, &collector_netstat);
	assert_int_equal(rig_count(rig), 121 + 18 + 13);
	assert_int_equal(rig_value(rig, "TcpExt.TCPOrigDataSent"), 119438);
	assert_int_equal(rig_value(rig, "TcpExt.TCPDelivered"), 119453);
	assert_int_equal(rig_value(rig, "IpExt.InECT0Pkts"), 3273);
	assert_int_equal(rig_value(rig, "MPTcpExt.InfiniteMapRx"), 0);
}

/* What another exporter makes of the same files. */
static void numbers_are_those_that_others_read(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "node-exporter"))
		skip();
	rig_start(rig, &collector_netstat);
	assert_int_equal(rig_value(rig, "TcpExt.SyncookiesFailed"), 2);
	assert_int_equal(rig_value(rig, "TcpExt.TCPRcvQDrop"), 131);
	assert_int_equal(rig_value(rig, "IpExt.InOctets"), 6286396970);
	rig_start(rig, &collector_snmp);
	assert_int_equal(rig_value(rig, "Icmp.OutMsgs"), 120);
	assert_int_equal(rig_value(rig, "Ip.Forwarding"), 1);
	assert_int_equal(rig_value(rig, "Tcp.RetransSegs"), 227);
	assert_int_equal(rig_value(rig, "Udp.NoPorts"), 120);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(a_value_is_called_by_its_record_and_the_name_above_it),
		RIG_TEST(bytes_are_bytes),
		RIG_TEST(two_instants_and_no_allocation),
		RIG_TEST(a_type_of_message_seen_first_is_a_new_shape),
		RIG_TEST(a_record_may_have_several_pairs_of_lines),
		RIG_TEST(names_and_values_need_not_be_as_many),
		RIG_TEST(values_without_names_are_called_by_their_place),
		RIG_TEST(of_two_values_of_one_name_the_first_counts),
		RIG_TEST(what_is_no_number_costs_that_value),
		RIG_TEST(an_empty_file_has_no_numbers),
		RIG_TEST(recorded_machines_of_several_ages),
		RIG_TEST(numbers_are_those_that_others_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
