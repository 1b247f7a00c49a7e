/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"
#include "tests/support/shared.h"

extern const struct collector collector_cgroup;

#define V2     "sys/fs/cgroup/unified/lab/"
#define MEMORY "sys/fs/cgroup/memory/"

static const char mountinfo[] = "33 25 0:28 / /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory\n"
				"34 25 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:1 - cgroup cgroup rw,cpu,cpuacct\n"
				"35 25 0:30 / /proc rw - proc proc rw\n"
				"36 25 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

static void both_versions(struct rig *rig)
{
	rig_file(rig, "proc/self/mountinfo", mountinfo);
	rig_file(rig, "proc/self/cgroup", "4:memory:/job/7\n2:cpu,cpuacct:/\n0::/lab\n");
	rig_file(rig, MEMORY "job/7/memory.stat", "cache 4096\npgfault 10\ntotal_pgfault 12\n");
	rig_file(rig, MEMORY "job/7/memory.usage_in_bytes", "8192\n");
	rig_file(rig, MEMORY "job/7/memory.limit_in_bytes", "9223372036854771712\n");
	rig_file(rig, MEMORY "job/7/memory.numa_stat", "total=12 N0=7 N1=5\nhierarchical_total=13 N0=8 N1=5\n");
	rig_file(rig, MEMORY "memory.stat", "cache 1\n");
	rig_file(rig, "sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "123456789\n");
	rig_file(rig, V2 "cpu.stat", "usage_usec 100\nuser_usec 60\nsystem_usec 40\nnew_in_9 3\n");
	rig_file(rig, V2 "io.stat",
		 "8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0\n8:16 253:0 rbytes=5 cost.vrate=99.50\n");
	rig_file(rig, V2 "memory.numa_stat", "anon N0=1 N1=2\nfile N0=3 N1=4\n");
	rig_file(rig, V2 "memory.max", "max\n");
	rig_file(rig, V2 "pids.current", "5\n");
	rig_file(rig, V2 "cpu.pressure",
		 "some avg10=0.12 avg60=0.05 avg300=10.00 total=777\n"
		 "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
	rig_file(rig, "sys/fs/cgroup/unified/cpu.stat", "usage_usec 9\n");
}

static void the_jobs_group_is_found_in_every_hierarchy(void **state)
{
	struct rig *rig = *state;
	size_t before;

	both_versions(rig);
	rig_start(rig, &collector_cgroup);
	assert_int_equal(rig->run.shape.instance_count, 1);
	assert_int_equal(rig_value_of(rig, "memory.stat.cache", "job"), 4096);
	assert_int_equal(rig_value_of(rig, "memory.usage_in_bytes", "job"), 8192);
	assert_int_equal(rig_value_of(rig, "cpuacct.usage", "job"), 123456789);
	assert_int_equal(rig_value_of(rig, "cpu.stat.usage_usec", "job"), 100);
	assert_int_equal(rig_value_of(rig, "cpu.stat.new_in_9", "job"), 3);
	assert_int_equal(rig_value_of(rig, "pids.current", "job"), 5);
	assert_int_equal(rig_metric(rig, "memory.stat.cache")->kind, GAUGE);
	assert_int_equal(rig_metric(rig, "memory.stat.total_pgfault")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "cpu.stat.usage_usec")->unit, UNIT_MICROSECONDS);
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count(), before);
}

static void items_are_called_by_their_line_and_key(void **state)
{
	struct rig *rig = *state;

	both_versions(rig);
	rig_start(rig, &collector_cgroup);
	assert_int_equal(rig_value_of(rig, "io.stat.8:0.wios", "job"), 4);
	assert_int_equal(rig_value_of(rig, "io.stat.253:0.rbytes", "job"), 5);
	assert_int_equal(rig_value_of(rig, "io.stat.253:0.cost.vrate", "job"), 9950);
	assert_int_equal(rig_metric(rig, "io.stat.253:0.cost.vrate")->exponent, 2);
	assert_int_equal(rig_value_of(rig, "memory.numa_stat.total", "job"), 12);
	assert_int_equal(rig_value_of(rig, "memory.numa_stat.total.N1", "job"), 5);
	assert_int_equal(rig_value_of(rig, "memory.numa_stat.hierarchical_total.N0", "job"), 8);
	assert_int_equal(rig_value_of(rig, "memory.numa_stat.file.N1", "job"), 4);
	assert_int_equal(rig_value_of(rig, "cpu.pressure.some.avg300", "job"), 1000);
	assert_int_equal(rig_value_of(rig, "cpu.pressure.some.total", "job"), 777);
	assert_int_equal(rig_metric(rig, "cpu.pressure.full.avg10")->exponent, 2);
	assert_int_equal(rig_metric(rig, "cpu.pressure.full.total")->kind, COUNTER);
}

static void named_groups_have_their_path_as_name(void **state)
{
	static const char *const options[] = { "groups", "lab job/7 gone", NULL };
	struct rig *rig = *state;

	both_versions(rig);
	assert_int_equal(rig_open_with(rig, &collector_cgroup, options), 0);
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig->run.shape.instance_count, 2);
	assert_int_equal(rig_value_of(rig, "cpu.stat.usage_usec", "lab"), 100);
	assert_int_equal(rig_value_of(rig, "memory.stat.cache", "job/7"), 4096);
	assert_false(rig_has_of(rig, "memory.stat.cache", "lab"));
}

static void a_group_below_the_mounts_root_is_found(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/self/mountinfo", "36 25 0:31 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	rig_file(rig, "proc/self/cgroup", "0::/docker/abc/x\n");
	rig_file(rig, "sys/fs/cgroup/x/pids.current", "3\n");
	rig_start(rig, &collector_cgroup);
	assert_int_equal(rig_value_of(rig, "pids.current", "job"), 3);
}

static void a_new_item_is_a_new_generation_and_a_bad_one_is_named(void **state)
{
	struct rig *rig = *state;

	both_versions(rig);
	rig_start(rig, &collector_cgroup);
	rig_file(rig, V2 "cpu.stat", "usage_usec 100\nuser_usec much\nsystem_usec 40\nnew_in_9 max\n");
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, V2 "cpu.stat: no number");
	assert_int_equal(rig_value_of(rig, "cpu.stat.system_usec", "job"), 40);
	assert_false(rig_has_of(rig, "cpu.stat.user_usec", "job"));
	assert_false(rig_has_of(rig, "cpu.stat.new_in_9", "job"));
	rig_file(rig, V2 "cpu.stat", "usage_usec 100\nnr_bursts 1\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "cpu.stat.nr_bursts", "job"), 1);
}

static void a_device_that_has_done_nothing_is_no_failure(void **state)
{
	struct rig *rig = *state;

	both_versions(rig);
	rig_file(rig, V2 "io.stat", "254:0 \n");
	rig_start(rig, &collector_cgroup);
	assert_int_equal(rig_sample(rig), 0);
	assert_false(rig_has_of(rig, "io.stat", "job"));
	rig_file(rig, V2 "io.stat", "254:1 \n254:0 rbytes=7 rios=1\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "io.stat.254:0.rbytes", "job"), 7);
	rig_file(rig, V2 "io.stat", "254:2 254:1 \n254:0 rbytes=8 rios=1\n");
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_value_of(rig, "io.stat.254:0.rbytes", "job"), 8);
	rig_file(rig, V2 "io.stat", "254:zero\n");
	assert_int_equal(rig_sample(rig), -EBADMSG);
}

static void mounts_of_an_old_recording_will_do(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/mounts", "cgroup /cgroup/memory cgroup rw,memory 0 0\nproc /proc proc rw 0 0\n");
	rig_file(rig, "cgroup/memory/memory.failcnt", "2\n");
	rig_start(rig, &collector_cgroup);
	assert_int_equal(rig_value_of(rig, "memory.failcnt", "job"), 2);
	assert_int_equal(rig_metric(rig, "memory.failcnt")->kind, COUNTER);
}

static void a_recording_without_mounts_has_them_where_they_usually_are(void **state)
{
	static const char *const options[] = { "groups", "docker/a1 system.slice", NULL };
	struct rig *rig = *state;

	rig_file(rig, "sys/fs/cgroup/memory/docker/a1/memory.failcnt", "4\n");
	rig_file(rig, "sys/fs/cgroup/system.slice/pids.current", "7\n");
	assert_int_equal(rig_open_with(rig, &collector_cgroup, options), 0);
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "memory.failcnt", "docker/a1"), 4);
	assert_int_equal(rig_value_of(rig, "pids.current", "system.slice"), 7);
	assert_int_equal(rig_open(rig, &collector_cgroup), -ENOENT);
	assert_non_null(strstr(rig->err.text, "name others"));
}

/* What the kernel test robot's monitor wrote, and the values it makes of it: "pmbench.1.total.N1: 143104". */
static void the_robots_recording_gives_the_robots_values(void **state)
{
	static const char *const options[] = { "groups", "pmbench.1", NULL };
	struct rig *rig = *state;
	char path[512];
	struct buf raw, expected;
	struct text rest, line, key;
	size_t checked = 0;

	if (!shared_path(path, sizeof(path), "outputs/memory--numa_stat/lkp-2.txt"))
		skip();
	raw = read_whole(path);
	assert_true(shared_path(path, sizeof(path), "outputs/memory--numa_stat/lkp-2.expected.yaml"));
	expected = read_whole(path);
	rig_file(rig, "proc/mounts", "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n");
	rig_file(rig, "sys/fs/cgroup/memory/pmbench.1/memory.numa_stat", strstr(raw.data, "total="));
	assert_int_equal(rig_open_with(rig, &collector_cgroup, options), 0);
	rig_again(rig);
	for (rest = buf_text(&expected); text_line(&rest, &line);) {
		char metric[128];
		uint64_t value;

		if (!text_skip(&line, "pmbench.1.") || !text_cut(&line, ":", &key))
			continue;
		assert_true(text_u64(&line, &value));
		(void)snprintf(metric, sizeof(metric), "memory.numa_stat.%.*s", TEXT_ARGS(key));
		assert_true(rig_value_of(rig, metric, "pmbench.1") == value);
		checked++;
	}
	assert_int_equal(checked, 40);
	assert_int_equal(rig_count(rig), 40);
	buf_free(&raw);
	buf_free(&expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(the_jobs_group_is_found_in_every_hierarchy),
		RIG_TEST(items_are_called_by_their_line_and_key),
		RIG_TEST(named_groups_have_their_path_as_name),
		RIG_TEST(a_group_below_the_mounts_root_is_found),
		RIG_TEST(a_new_item_is_a_new_generation_and_a_bad_one_is_named),
		RIG_TEST(a_device_that_has_done_nothing_is_no_failure),
		RIG_TEST(mounts_of_an_old_recording_will_do),
		RIG_TEST(a_recording_without_mounts_has_them_where_they_usually_are),
		RIG_TEST(the_robots_recording_gives_the_robots_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
