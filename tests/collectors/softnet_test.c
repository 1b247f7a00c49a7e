/* SPDX-License-Identifier: GPL-3.0-or-later */
/* softnet, and the tables of proc/net/stat, whose first line names the columns. */
#include <string.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_softnet, collector_nf_conntrack, collector_arp_cache, collector_ndisc_cache;

#define ZERO " 00000000"
#define EIGHT ZERO ZERO ZERO ZERO ZERO ZERO ZERO ZERO

static void columns_have_names_and_numbers_are_hexadecimal(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/softnet_stat",
		 "0000000a 00000001 00000002 00000003 00000004 00000005 00000006 00000007 00000008 00000009 000000ff "
		 "00000010 00000000 00000011 00000012\n");
	rig_start(rig, &collector_softnet);
	assert_int_equal(rig_count(rig), 14);
	assert_int_equal(rig_value_of(rig, "processed", "CPU0"), 10);
	assert_int_equal(rig_value_of(rig, "dropped", "CPU0"), 1);
	assert_int_equal(rig_value_of(rig, "time_squeeze", "CPU0"), 2);
	assert_int_equal(rig_value_of(rig, "cpu_collision", "CPU0"), 8);
	assert_int_equal(rig_value_of(rig, "received_rps", "CPU0"), 9);
	assert_int_equal(rig_value_of(rig, "flow_limit_count", "CPU0"), 255);
	assert_int_equal(rig_value_of(rig, "softnet_backlog_len", "CPU0"), 16);
	assert_int_equal(rig_value_of(rig, "input_qlen", "CPU0"), 17);
	assert_int_equal(rig_value_of(rig, "process_qlen", "CPU0"), 18);
	assert_int_equal(rig_metric(rig, "processed")->kind, COUNTER32);
	assert_int_equal(rig_metric(rig, "processed")->fold, FOLD_SUM);
	assert_int_equal(rig_metric(rig, "softnet_backlog_len")->kind, GAUGE);
}

static void the_13th_column_tells_the_cpu(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/softnet_stat", "00000001" EIGHT ZERO ZERO ZERO " 00000000\n"
					       "00000002" EIGHT ZERO ZERO ZERO " 0000001f\n");
	rig_start(rig, &collector_softnet);
	assert_int_equal(rig->run.shape.instance_count, 2);
	assert_int_equal(rig_value_of(rig, "processed", "CPU0"), 1);
	assert_int_equal(rig_value_of(rig, "processed", "CPU31"), 2);
	/* A CPU that goes is absent, also when it is the first; one that comes is a new shape. */
	rig_file(rig, "proc/net/softnet_stat", "00000003" EIGHT ZERO ZERO ZERO " 0000001f\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_false(rig_has_of(rig, "processed", "CPU0"));
	assert_int_equal(rig_value_of(rig, "processed", "CPU31"), 3);
	rig_file(rig, "proc/net/softnet_stat", "00000004" EIGHT ZERO ZERO ZERO " 00000007\n"
					       "00000005" EIGHT ZERO ZERO ZERO " 0000001f\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "processed", "CPU7"), 4);
	assert_int_equal(rig_value_of(rig, "processed", "CPU31"), 5);
}

#define ROW(n) #n EIGHT ZERO "\n"

static void without_it_rows_are_the_online_cpus_in_order(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "sys/devices/system/cpu/online", "0-1,4\n");
	rig_file(rig, "proc/net/softnet_stat", ROW(1) ROW(2) ROW(3));
	rig_start(rig, &collector_softnet);
	assert_int_equal(rig_count(rig), 30);
	assert_int_equal(rig_value_of(rig, "processed", "CPU1"), 2);
	assert_int_equal(rig_value_of(rig, "processed", "CPU4"), 3);
	/* As many rows, but another CPU. */
	rig_file(rig, "sys/devices/system/cpu/online", "1,3-4\n");
	rig_file(rig, "proc/net/softnet_stat", ROW(2) ROW(1) ROW(3));
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "processed", "CPU3"), 1);
	rig_file(rig, "sys/devices/system/cpu/online", "1\n");
	rig_file(rig, "proc/net/softnet_stat", ROW(2));
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 3);
	assert_int_equal(rig->run.shape.instance_count, 1);
}

static void or_those_of_proc_stat(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/stat", "cpu  1 2 3 4\ncpu0 1 2 3 4\ncpu7 1 2 3 4\nintr 5\n");
	rig_file(rig, "proc/net/softnet_stat", ROW(1) ROW(2));
	rig_start(rig, &collector_softnet);
	assert_int_equal(rig_value_of(rig, "processed", "CPU0"), 1);
	assert_int_equal(rig_value_of(rig, "processed", "CPU7"), 2);
}

static void a_row_that_fits_no_list_is_no_cpu(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "sys/devices/system/cpu/online", "0-3\n");
	rig_file(rig, "proc/stat", "cpu0 1 2 3 4\n");
	rig_file(rig, "proc/net/softnet_stat", ROW(1) ROW(2));
	rig_start(rig, &collector_softnet);
	assert_int_equal(rig_value_of(rig, "processed", "row1"), 2);
	assert_false(rig_has_of(rig, "processed", "CPU1"));
}

static void a_host_without_lists_has_no_gaps(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/softnet_stat", ROW(1) ROW(2));
	rig_start(rig, &collector_softnet);
	assert_int_equal(rig_value_of(rig, "processed", "CPU1"), 2);
}

static void a_column_behind_the_known_ones_is_kept(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/softnet_stat", "1" EIGHT ZERO ZERO ZERO " 2 3 4 5\n");
	rig_start(rig, &collector_softnet);
	assert_int_equal(rig_value_of(rig, "field16", "CPU2"), 5);
	rig_file(rig, "proc/net/softnet_stat", "1" EIGHT ZERO ZERO ZERO " 2 3 4 5 6\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "field17", "CPU2"), 6);
}

static void a_bad_row_does_not_cost_the_others(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/softnet_stat", "1 2\nnot hex\n\nffffffffffffffff 10000000000000000\n7 FFFFFFFF");
	assert_int_equal(rig_open(rig, &collector_softnet), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/net/softnet_stat: row 3 is not of hexadecimal numbers");
	assert_int_equal(rig_count(rig), 4);
	assert_int_equal(rig_value_of(rig, "dropped", "CPU0"), 2);
	assert_int_equal(rig_value_of(rig, "dropped", "CPU3"), 0xffffffff);
}

static void two_instants_and_no_allocation(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "sys/devices/system/cpu/online", "0-1\n");
	rig_file(rig, "proc/net/softnet_stat", "00000001 00000000\n00000002 00000000\n");
	rig_start(rig, &collector_softnet);
	rig_file(rig, "proc/net/softnet_stat", "00000010 00000000\nffffffff 00000003\n");
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_value_of(rig, "processed", "CPU0"), 16);
	assert_int_equal(rig_value_of(rig, "processed", "CPU1"), 0xffffffff);
	assert_int_equal(rig_value_of(rig, "dropped", "CPU1"), 3);
}

static void recorded_machines_of_several_ages(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "sysstat-root3"))
		skip();
	rig_start(rig, &collector_softnet); /* 10 columns; CPUs 6 and 8 are offline */
	assert_int_equal(rig->run.shape.instance_count, 7);
	assert_int_equal(rig_value_of(rig, "processed", "CPU7"), 0x4958);
	assert_true(rig_tree(rig, "sysstat-root1")); /* 11 columns */
	rig_start(rig, &collector_softnet);
	assert_int_equal(rig_value_of(rig, "processed", "CPU8"), 0x22);
	assert_true(rig_tree(rig, "pcp-bigsys"));
	rig_start(rig, &collector_softnet);
	assert_int_equal(rig->run.shape.instance_count, 480);
	assert_int_equal(rig_value_of(rig, "processed", "CPU15"), 8);
	assert_true(rig_tree(rig, "pcp-scsi-map")); /* 13 */
	rig_start(rig, &collector_softnet);
	assert_int_equal(rig_value_of(rig, "processed", "CPU5"), 0x9032c3);
	assert_int_equal(rig_value_of(rig, "time_squeeze", "CPU5"), 0x1c);
}

static void numbers_are_those_that_others_read(void **state)
{
	struct rig *rig = *state;
	uint64_t ignored = 0;

	if (!rig_tree(rig, "node-exporter"))
		skip();
	rig_start(rig, &collector_softnet);
	assert_int_equal(rig_value_of(rig, "processed", "CPU2"), 5577791);
	assert_int_equal(rig_value_of(rig, "dropped", "CPU1"), 41);
	assert_int_equal(rig_value_of(rig, "time_squeeze", "CPU3"), 50);
	rig_start(rig, &collector_nf_conntrack);
	for (size_t i = 0; i < 4; i++)
		ignored += rig_value_of(rig, "ignore", rig->run.shape.instances[i]);
	assert_int_equal(ignored, 89738);
	rig_start(rig, &collector_ndisc_cache);
	assert_int_equal(rig_value_of(rig, "table_fulls", "CPU0"), 0xfb);
	assert_int_equal(rig_value_of(rig, "entries", "CPU1"), 0x24);
}

static void the_first_line_names_the_columns(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "sys/devices/system/cpu/possible", "0-1\n");
	rig_file(rig, "proc/net/stat/arp_cache", "entries  allocs lookups hits\n00000014  1 10 0f\n00000014  2 20 1f\n");
	rig_start(rig, &collector_arp_cache);
	assert_int_equal(rig_count(rig), 8);
	assert_int_equal(rig_value_of(rig, "entries", "CPU0"), 20);
	assert_int_equal(rig_value_of(rig, "hits", "CPU1"), 31);
	assert_int_equal(rig_metric(rig, "entries")->fold, FOLD_MAX);
	assert_int_equal(rig_metric(rig, "allocs")->kind, COUNTER);
}

static void columns_and_names_need_not_be_as_many(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/stat/nf_conntrack", "entries found found\n1 2 3 4\n");
	rig_start(rig, &collector_nf_conntrack);
	assert_int_equal(rig_count(rig), 3);
	assert_int_equal(rig_value_of(rig, "found", "CPU0"), 2);
	assert_int_equal(rig_value_of(rig, "field4", "CPU0"), 4);
	rig_file(rig, "proc/net/stat/nf_conntrack", "entries found more\n1 2\n");
	rig_start(rig, &collector_nf_conntrack);
	assert_int_equal(rig_count(rig), 2);
	assert_false(rig_has_of(rig, "more", "CPU0"));
}

static void an_empty_file_is_no_table(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/stat/nf_conntrack", "");
	assert_int_equal(rig_open(rig, &collector_nf_conntrack), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/net/stat/nf_conntrack: is empty");
	rig_file(rig, "proc/net/softnet_stat", "");
	rig_start(rig, &collector_softnet);
	assert_int_equal(rig_count(rig), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(columns_have_names_and_numbers_are_hexadecimal),
		RIG_TEST(the_13th_column_tells_the_cpu),
		RIG_TEST(without_it_rows_are_the_online_cpus_in_order),
		RIG_TEST(or_those_of_proc_stat),
		RIG_TEST(a_row_that_fits_no_list_is_no_cpu),
		RIG_TEST(a_host_without_lists_has_no_gaps),
		RIG_TEST(a_column_behind_the_known_ones_is_kept),
		RIG_TEST(a_bad_row_does_not_cost_the_others),
		RIG_TEST(two_instants_and_no_allocation),
		RIG_TEST(recorded_machines_of_several_ages),
		RIG_TEST(numbers_are_those_that_others_read),
		RIG_TEST(the_first_line_names_the_columns),
		RIG_TEST(columns_and_names_need_not_be_as_many),
		RIG_TEST(an_empty_file_is_no_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
