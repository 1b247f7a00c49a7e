/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_nfsstat;

static void numbers_are_called_as_nfsstat_does(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/rpc/nfs", "net 70 60 10 5\nrpc 1218785755 374636 1218815394\n"
					  "proc3 22 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22\n");
	rig_file(rig, "proc/net/rpc/nfsd",
		 "rc 1 6 18622\nio 157286400 72864\nth 8 0 0.500 12.000\nra 32 1 2 3 4 5 6 7 8 9 10 11\nnet 972 55 917 1\n"
		 "rpc 18628 4 1 2 1\nproc4 2 2 10853\nproc4ops 4 0 0 0 1098\nwdeleg_getattr 15\n");
	rig_start(rig, &collector_nfsstat);
	assert_int_equal(rig_count(rig), 4 + 3 + 22 + 3 + 2 + 4 + 12 + 4 + 5 + 2 + 4 + 1);
	assert_int_equal(rig_value_of(rig, "packet.tcpconn", "Client"), 5);
	assert_int_equal(rig_value_of(rig, "rpc.authrefrsh", "Client"), 1218815394);
	assert_int_equal(rig_value_of(rig, "nfs.v3.getattr", "Client"), 2);
	assert_int_equal(rig_value_of(rig, "nfs.v3.commit", "Client"), 22);
	assert_int_equal(rig_value_of(rig, "reply.cache.nocache", "Server"), 18622);
	assert_int_equal(rig_value_of(rig, "io.write", "Server"), 72864);
	assert_int_equal(rig_value_of(rig, "threads.threads", "Server"), 8);
	assert_int_equal(rig_value_of(rig, "threads.10-20%", "Server"), 12000);
	assert_int_equal(rig_metric(rig, "threads.10-20%")->exponent, 3);
	assert_int_equal(rig_value_of(rig, "read.ahead.cache.notfound", "Server"), 11);
	assert_int_equal(rig_value_of(rig, "rpc.badauth", "Server"), 2);
	assert_int_equal(rig_value_of(rig, "nfs.v4.compound", "Server"), 10853);
	assert_int_equal(rig_value_of(rig, "nfs.v4.operations.access", "Server"), 1098);
	assert_int_equal(rig_value_of(rig, "wdeleg_getattr", "Server"), 15);
	assert_false(rig_has_of(rig, "nfs.v3.getattr", "Server"));
	assert_int_equal(rig_metric(rig, "nfs.v3.getattr")->kind, COUNTER32);
	assert_int_equal(rig_metric(rig, "io.read")->unit, UNIT_BYTES);
}

/* "proc4 <count> 0 1 2 ...": the value of a procedure is its number. */
static void proc4_of(struct rig *rig, int count)
{
	char line[1024];
	int length = snprintf(line, sizeof(line), "proc4 %d", count);

	for (int i = 0; i < count; i++)
		length += snprintf(line + length, sizeof(line) - (size_t)length, " %d", i);
	(void)snprintf(line + length, sizeof(line) - (size_t)length, "\n");
	rig_file(rig, "proc/net/rpc/nfs", line);
	rig_start(rig, &collector_nfsstat);
	assert_int_equal(rig_count(rig), count);
}

static void the_count_of_procedures_tells_the_age_of_the_kernel(void **state)
{
	struct rig *rig = *state;

	proc4_of(rig, 40); /* 2.6.32 */
	assert_int_equal(rig_value_of(rig, "nfs.v4.fs_locations", "Client"), 34);
	assert_int_equal(rig_value_of(rig, "nfs.v4.exchange_id", "Client"), 35);
	assert_int_equal(rig_value_of(rig, "nfs.v4.get_lease_time", "Client"), 39);
	proc4_of(rig, 53); /* 3.5 */
	assert_int_equal(rig_value_of(rig, "nfs.v4.secinfo", "Client"), 36);
	assert_int_equal(rig_value_of(rig, "nfs.v4.exchange_id", "Client"), 37);
	assert_int_equal(rig_value_of(rig, "nfs.v4.destroy_clientid", "Client"), 52);
	proc4_of(rig, 59); /* 4.4 */
	assert_int_equal(rig_value_of(rig, "nfs.v4.fsid_present", "Client"), 37);
	assert_int_equal(rig_value_of(rig, "nfs.v4.exchange_id", "Client"), 38);
	assert_int_equal(rig_value_of(rig, "nfs.v4.clone", "Client"), 58);
	proc4_of(rig, 69); /* 5.10 */
	assert_int_equal(rig_value_of(rig, "nfs.v4.offload_cancel", "Client"), 60);
	assert_int_equal(rig_value_of(rig, "nfs.v4.read_plus", "Client"), 68);
	proc4_of(rig, 72); /* 6.16 has 71 */
	assert_int_equal(rig_value_of(rig, "nfs.v4.zero_range", "Client"), 57);
	assert_int_equal(rig_value_of(rig, "nfs.v4.layoutstats", "Client"), 58);
	assert_int_equal(rig_value_of(rig, "nfs.v4.offload_status", "Client"), 70);
	assert_int_equal(rig_value_of(rig, "nfs.v4.op71", "Client"), 71);
}

static void what_no_table_knows_is_numbered(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/rpc/nfsd", "proc5 2 7 8\nrc 1 2 3 4\nnew 5 6\nproc9\n\n");
	rig_start(rig, &collector_nfsstat);
	assert_int_equal(rig_value_of(rig, "nfs.v5.op1", "Server"), 8);
	assert_int_equal(rig_value_of(rig, "reply.cache.field3", "Server"), 4);
	assert_int_equal(rig_value_of(rig, "new.field1", "Server"), 6);
}

static void two_instants_and_no_allocation(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/net/rpc/nfs", "rpc 1 2 3\nproc2 2 4 5\n");
	rig_file(rig, "proc/net/rpc/nfsd", "rpc 7 0 0 0 0\n");
	rig_start(rig, &collector_nfsstat);
	rig_file(rig, "proc/net/rpc/nfs", "rpc 10 2 3\nproc2 2 4 4294967295\n");
	rig_file(rig, "proc/net/rpc/nfsd", "rpc 70 0 0 0 1\n");
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_int_equal(rig_value_of(rig, "rpc.calls", "Client"), 10);
	assert_int_equal(rig_value_of(rig, "nfs.v2.getattr", "Client"), 4294967295);
	assert_int_equal(rig_value_of(rig, "rpc.badclnt", "Server"), 1);
}

static void a_side_comes_and_goes(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/rpc/nfsd", "rpc 7 0 0 0 0\n");
	rig_start(rig, &collector_nfsstat);
	assert_int_equal(rig->run.shape.instance_count, 1);
	rig_file(rig, "proc/net/rpc/nfs", "rpc 1 2 3\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "rpc.calls", "Client"), 1);
	assert_int_equal(rig_value_of(rig, "rpc.calls", "Server"), 7);
	rig_file(rig, "proc/net/rpc/nfs", "rpc 1 2 3\nproc4 1 6\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 3);
	assert_int_equal(rig_value_of(rig, "nfs.v4.null", "Client"), 6);
}

static void a_bad_number_does_not_cost_the_others(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/net/rpc/nfs", "rpc 1 x 3\nproc2 2 -4 5\n");
	assert_int_equal(rig_open(rig, &collector_nfsstat), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/net/rpc/nfs: no number for rpc.retrans");
	assert_int_equal(rig_count(rig), 4);
	assert_int_equal(rig_value_of(rig, "rpc.authrefrsh", "Client"), 3);
}

static void without_nfs_it_says_so(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(collector_probe(&collector_nfsstat, &rig->host, &rig->err), -ENOENT);
	assert_int_equal(rig_open(rig, &collector_nfsstat), -ENOENT);
	rig_file(rig, "proc/net/rpc/nfsd", "");
	assert_int_equal(collector_probe(&collector_nfsstat, &rig->host, &rig->err), 0);
	rig_start(rig, &collector_nfsstat);
	assert_int_equal(rig_count(rig), 0);
}

static void numbers_are_those_that_others_read(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "node-exporter"))
		skip();
	rig_start(rig, &collector_nfsstat);
	assert_int_equal(rig_value_of(rig, "nfs.v3.getattr", "Client"), 1061909262);
	assert_int_equal(rig_value_of(rig, "nfs.v2.wrcache", "Client"), 86);
	assert_int_equal(rig_value_of(rig, "nfs.v3.write", "Client"), 2570425);
	assert_int_equal(rig_value_of(rig, "nfs.v4.null", "Client"), 98);
	assert_int_equal(rig_value_of(rig, "nfs.v4.operations.putfh", "Server"), 9609);
	assert_int_equal(rig_value_of(rig, "rpc.retrans", "Client"), 374636);

	assert_true(rig_tree(rig, "sysstat-root1")); /* one procedure more than there are */
	rig_start(rig, &collector_nfsstat);
	assert_int_equal(rig_value_of(rig, "nfs.v2.op18", "Client"), 19);
	assert_int_equal(rig_value_of(rig, "nfs.v3.op22", "Server"), 23);

	assert_true(rig_tree(rig, "pcp-nfsrpc-001"));
	rig_start(rig, &collector_nfsstat);
	assert_int_equal(rig_value_of(rig, "nfs.v4.operations.secinfononam", "Server"), 32);
	assert_int_equal(rig_value_of(rig, "nfs.v4.operations.reclaim_comp", "Server"), 99);
	assert_int_equal(rig_value_of(rig, "read.ahead.cache.notfound", "Server"), 5683);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(numbers_are_called_as_nfsstat_does),
		RIG_TEST(the_count_of_procedures_tells_the_age_of_the_kernel),
		RIG_TEST(what_no_table_knows_is_numbered),
		RIG_TEST(two_instants_and_no_allocation),
		RIG_TEST(a_side_comes_and_goes),
		RIG_TEST(a_bad_number_does_not_cost_the_others),
		RIG_TEST(without_nfs_it_says_so),
		RIG_TEST(numbers_are_those_that_others_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
