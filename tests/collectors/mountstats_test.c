/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_mountstats;

#define PATH   "proc/self/mountstats"
#define OTHERS "device rootfs mounted on / with fstype rootfs\ndevice proc mounted on /proc with fstype proc\n"
#define MOUNT(point) "device 192.0.2.1:/srv/test mounted on " point " with fstype nfs4 statvers=1.1\n"
#define OPTIONS(expired)                                                                                   \
	"\topts:\trw,vers=4.0,rsize=1048576\n\tage:\t13968\n\tcaps:\tcaps=0xfff7,wtmult=512\n"               \
	"\tnfsv4:\tbm0=0xfdffafff,acl=0x0,lease_time=90,lease_expired=" expired "\n\tsec:\tflavor=1\n"
#define EVENTS "\tevents:\t52 226 0 0 1 13 398 0 0 331 0 47 0 0 77 0 0 77 0 0 0 0 0 0 0 3 4 \n"
#define BYTES  "\tbytes:\t1207640230 0 0 5 1210214218 0 295483 0 \n"
#define RPC    "\tRPC iostats version: 1.0  p/v: 100003/4 (nfs)\n"
#define TCP    "\txprt:\ttcp 832 0 1 0 11 6428 6428 0 12154 0 24 26 5726\n"
#define OPS    "\tper-op statistics\n\t        NULL: 0 0 0 0 0 0 0 0\n\t        READ: 1298 1299 2 207680 1210292152 6 79386 79407\n"

static void every_number_has_its_name(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, PATH, OTHERS MOUNT("/mnt/nfs/test") OPTIONS("0") EVENTS BYTES RPC TCP OPS);
	rig_start(rig, &collector_mountstats);
	assert_int_equal(rig->run.shape.instance_count, 1);
	assert_int_equal(rig_count(rig), 1 + 27 + 8 + 13 + 2 * 8);
	assert_int_equal(rig_value_of(rig, "age", "/mnt/nfs/test"), 13968);
	assert_int_equal(rig_value_of(rig, "events.dentryrevalidate", "/mnt/nfs/test"), 226);
	assert_int_equal(rig_value_of(rig, "events.vfsreadpages", "/mnt/nfs/test"), 331);
	assert_int_equal(rig_value_of(rig, "events.vfswritepages", "/mnt/nfs/test"), 47);
	assert_int_equal(rig_value_of(rig, "events.vfsrelease", "/mnt/nfs/test"), 77);
	assert_int_equal(rig_value_of(rig, "events.pnfs_write", "/mnt/nfs/test"), 4);
	assert_int_equal(rig_value_of(rig, "bytes.normalreadbytes", "/mnt/nfs/test"), 1207640230);
	assert_int_equal(rig_value_of(rig, "bytes.directwrittenbytes", "/mnt/nfs/test"), 5);
	assert_int_equal(rig_value_of(rig, "bytes.readpages", "/mnt/nfs/test"), 295483);
	assert_int_equal(rig_value_of(rig, "xprt.port", "/mnt/nfs/test"), 832);
	assert_int_equal(rig_value_of(rig, "xprt.idle_time", "/mnt/nfs/test"), 11);
	assert_int_equal(rig_value_of(rig, "xprt.sends", "/mnt/nfs/test"), 6428);
	assert_int_equal(rig_value_of(rig, "xprt.req_u", "/mnt/nfs/test"), 12154);
	assert_int_equal(rig_value_of(rig, "xprt.pending_u", "/mnt/nfs/test"), 5726);
	assert_int_equal(rig_value_of(rig, "READ.ops", "/mnt/nfs/test"), 1298);
	assert_int_equal(rig_value_of(rig, "READ.trans", "/mnt/nfs/test"), 1299);
	assert_int_equal(rig_value_of(rig, "READ.bytes_recv", "/mnt/nfs/test"), 1210292152);
	assert_int_equal(rig_value_of(rig, "READ.execute_ms", "/mnt/nfs/test"), 79407);
	assert_int_equal(rig_metric(rig, "READ.rtt_ms")->unit, UNIT_MILLISECONDS);
	assert_int_equal(rig_metric(rig, "bytes.readpages")->unit, UNIT_PAGES);
	assert_int_equal(rig_metric(rig, "bytes.serverreadbytes")->unit, UNIT_BYTES);
	assert_int_equal(rig_metric(rig, "xprt.max_slots")->kind, GAUGE);
	assert_true(collector_mountstats.dear);
}

static void other_transports_and_several_connections(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, PATH, MOUNT("/a") TCP TCP "\txprt:\tudp 7 0 3 4\n" MOUNT("/b") "\txprt:\tlocal 1 2 0 3 4 5\n"
			    MOUNT("/c") "\txprt:\trdma 0 1\n\txprt:\tpigeon 9\n\tfsc:\t1 2\n\tREAD: 1 2 3 4 5 6 7 8 9 10\n");
	rig_start(rig, &collector_mountstats);
	assert_int_equal(rig_value_of(rig, "xprt2.sends", "/a"), 6428);
	assert_int_equal(rig_value_of(rig, "xprt3.sends", "/a"), 3);
	assert_int_equal(rig_value_of(rig, "xprt.bind_count", "/b"), 1);
	assert_int_equal(rig_value_of(rig, "xprt.sends", "/b"), 4);
	assert_int_equal(rig_value_of(rig, "xprt.bind_count", "/c"), 1);
	assert_int_equal(rig_value_of(rig, "xprt2.field1", "/c"), 9);
	assert_int_equal(rig_value_of(rig, "fsc.field2", "/c"), 2);
	assert_int_equal(rig_value_of(rig, "READ.errors", "/c"), 9);
	assert_int_equal(rig_value_of(rig, "READ.field10", "/c"), 10);
	assert_false(rig_has_of(rig, "xprt2.sends", "/b"));
}

static void a_mount_point_with_blanks_is_called_by_them(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, PATH, MOUNT("/mnt/with\\040blank\\134and\\011tab\\9") BYTES);
	rig_start(rig, &collector_mountstats);
	assert_int_equal(rig_value_of(rig, "bytes.readpages", "/mnt/with blank\\and\ttab\\9"), 295483);
}

static void two_instants_and_no_allocation(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, PATH, OTHERS MOUNT("/mnt") OPTIONS("0") BYTES OPS);
	rig_start(rig, &collector_mountstats);
	rig_file(rig, PATH,
		 OTHERS MOUNT("/mnt") OPTIONS("7") "\tbytes:\t18446744073709551615 0 0 5 6 7 8 9\n\tper-op statistics\n"
		 "\t        NULL: 1 0 0 0 0 0 0 0\n\t        READ: 1300 1299 2 207680 1210292152 6 79386 79407\n");
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_true(rig_value_of(rig, "bytes.normalreadbytes", "/mnt") == UINT64_MAX);
	assert_int_equal(rig_value_of(rig, "NULL.ops", "/mnt"), 1);
	assert_int_equal(rig_value_of(rig, "READ.ops", "/mnt"), 1300);
}

static void only_nfs_mounts_that_come_and_go_are_a_new_shape(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, PATH, OTHERS MOUNT("/a") BYTES);
	rig_start(rig, &collector_mountstats);
	rig_file(rig, PATH, "no device mounted on /x with fstype tmpfs\n" OTHERS MOUNT("/a") BYTES OTHERS);
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 1);
	rig_file(rig, PATH, OTHERS MOUNT("/b") "\tbytes:\t1\n" MOUNT("/a") BYTES);
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "bytes.normalreadbytes", "/b"), 1);
	assert_int_equal(rig_value_of(rig, "bytes.normalreadbytes", "/a"), 1207640230);
	assert_false(rig_has_of(rig, "bytes.readpages", "/b"));
	rig_file(rig, PATH, OTHERS MOUNT("/b") "\tbytes:\t2\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 3);
	assert_int_equal(rig->run.shape.instance_count, 1);
	rig_file(rig, PATH, OTHERS);
	rig_again(rig);
	assert_int_equal(rig_count(rig), 0);
	rig_file(rig, PATH, OTHERS MOUNT("/b") "\tbytes:\t3\n");
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "bytes.normalreadbytes", "/b"), 3);
}

static void an_operation_seen_first_is_a_new_shape(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, PATH, MOUNT("/a") OPS);
	rig_start(rig, &collector_mountstats);
	rig_file(rig, PATH, MOUNT("/a") OPS "\t       WRITE: 1 2 3 4 5 6 7 8\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "WRITE.trans", "/a"), 2);
}

static void of_two_mounts_at_one_point_the_first_counts(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, PATH, MOUNT("/a") "\tbytes:\t1 2\n" MOUNT("/a") "\tbytes:\t3 4 5\n");
	rig_start(rig, &collector_mountstats);
	assert_int_equal(rig_value_of(rig, "bytes.normalreadbytes", "/a"), 1);
	assert_int_equal(rig_value_of(rig, "bytes.normalwrittenbytes", "/a"), 2);
}

static void a_bad_number_does_not_cost_the_others(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, PATH, "\tbytes:\t9\n" MOUNT("/a") "\tbytes:\t1 x 3\n\tage:\n\t:\t5\ndevice\n");
	assert_int_equal(rig_open(rig, &collector_mountstats), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, PATH ": no number for bytes.normalwrittenbytes");
	assert_int_equal(rig_count(rig), 2);
	assert_int_equal(rig_value_of(rig, "bytes.directreadbytes", "/a"), 3);
}

static void without_nfs_it_says_so(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(collector_probe(&collector_mountstats, &rig->host, &rig->err), -ENOENT);
	rig_file(rig, PATH, OTHERS);
	assert_int_equal(collector_probe(&collector_mountstats, &rig->host, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text, PATH ": no NFS is mounted");
	rig_file(rig, PATH, OTHERS MOUNT("/a"));
	assert_int_equal(collector_probe(&collector_mountstats, &rig->host, &rig->err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(every_number_has_its_name),
		RIG_TEST(other_transports_and_several_connections),
		RIG_TEST(a_mount_point_with_blanks_is_called_by_them),
		RIG_TEST(two_instants_and_no_allocation),
		RIG_TEST(only_nfs_mounts_that_come_and_go_are_a_new_shape),
		RIG_TEST(an_operation_seen_first_is_a_new_shape),
		RIG_TEST(of_two_mounts_at_one_point_the_first_counts),
		RIG_TEST(a_bad_number_does_not_cost_the_others),
		RIG_TEST(without_nfs_it_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
