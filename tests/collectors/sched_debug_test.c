/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_sched_debug;

#define DEBUG "sys/kernel/debug/sched/debug"

#define HEAD                                                    \
	"Sched Debug Version: v0.11, 5.4.0-99-generic #112-Ubuntu\n" \
	"ktime                                   : 1548135.062045\n" \
	"jiffies                                 : 4295279310\n"     \
	"sched_clock_stable()                    : 1\n"              \
	"\n"                                                         \
	"sysctl_sched\n"                                             \
	"  .sysctl_sched_latency                    : 12.000000\n"   \
	"  .sysctl_sched_tunable_scaling            : 1 (logarithmic)\n\n"

#define CPU(n, running, uninterruptible)                               \
	"cpu#" n ", 2596.990 MHz\n"                                    \
	"  .nr_running                    : " running "\n"             \
	"  .nr_uninterruptible            : " uninterruptible "\n"     \
	"  .curr->pid                     : 100112\n"                  \
	"  .clock                         : 1548003.054001\n"          \
	"  .cpu_load[3]                   : 17\n\n"

#define QUEUE(n, group, spread0)                                       \
	"cfs_rq[" n "]:" group "\n"                                    \
	"  .exec_clock                    : 0.000000\n"                \
	"  .spread0                       : " spread0 "\n"             \
	"  .se->avg.util_avg              : 298\n\n"

#define REST(n)                                                        \
	"rt_rq[" n "]:/\n  .rt_nr_running                 : 0\n"       \
	"  .rt_runtime                    : 950.000000\n\n"            \
	"dl_rq[" n "]:\n  .dl_nr_running                 : 0\n"        \
	"  .dl_bw->bw                     : 996147\n\n"

#define TASKS                                                                                                   \
	"runnable tasks:\n"                                                                                     \
	" S           task   PID         tree-key  switches  prio     wait-time             sum-exec\n"          \
	"-----------------------------------------------------------------------------------------\n"           \
	" S        systemd     1     13884.643970     39143   120         0.000000     22175.309926 0 0 /a\n"    \
	"        .load : 7     2     13884.643970     39143   120         0.000000     22175.309926 0 0 /\n"     \
	">R            pip 100112     13258.587436      1067   120         0.000000       349.421282 0 0 /\n\n"

static void blocks_of_a_cpu_are_its_instances(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, DEBUG, HEAD CPU("0", "3", "-6") QUEUE("0", "/system.slice", "-601336.508968")
				    QUEUE("0", "/", "0.000000") REST("0") TASKS CPU("13", "1", "4")
					    QUEUE("13", "/", "0.000001") REST("13") TASKS);
	rig_start(rig, &collector_sched_debug);
	assert_int_equal(rig_value_of(rig, "cpu.nr_running", "0"), 3);
	assert_int_equal(rig_value_of(rig, "cpu.nr_running", "13"), 1);
	assert_true((int64_t)rig_value_of(rig, "cpu.nr_uninterruptible", "0") == -6);
	assert_int_equal(rig_value_of(rig, "cpu.curr->pid", "0"), 100112);
	assert_int_equal(rig_value_of(rig, "cpu.cpu_load[3]", "0"), 17);
	assert_int_equal(rig_value_of(rig, "cpu.clock", "0"), 1548003054001);
	assert_int_equal(rig_metric(rig, "cpu.clock")->exponent, 6);
	assert_int_equal(rig_metric(rig, "cpu.clock")->unit, UNIT_MILLISECONDS);
	assert_true((int64_t)rig_value_of(rig, "cfs_rq:/system.slice.spread0", "0") == -601336508968);
	assert_false(rig_has_of(rig, "cfs_rq:/system.slice.spread0", "13"));
	assert_int_equal(rig_value_of(rig, "cfs_rq:/.spread0", "13"), 1);
	assert_int_equal(rig_value_of(rig, "cfs_rq:/.se->avg.util_avg", "13"), 298);
	assert_int_equal(rig_value_of(rig, "rt_rq:/.rt_runtime", "0"), 950000000);
	assert_int_equal(rig_value_of(rig, "dl_rq:.dl_bw->bw", "13"), 996147);
	assert_int_equal(rig_value(rig, "ktime"), 1548135062045);
	assert_int_equal(rig_value(rig, "jiffies"), 4295279310);
	assert_int_equal(rig_value(rig, "sched_clock_stable()"), 1);
	assert_int_equal(rig_value(rig, "sysctl_sched.sysctl_sched_latency"), 12000000);
	assert_int_equal(rig_value(rig, "sysctl_sched.sysctl_sched_tunable_scaling"), 1);
	assert_int_equal(rig_count(rig), 5 + 2 * 5 + 3 * 3 + 2 * 4);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig->run.shape.generation, 1);
}

static void a_kernel_of_2010_has_no_head_and_its_tasks_no_state(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/sched_debug",
		 "Sched Debug Version: v0.09, 2.6.32-5-amd64 #1\n"
		 "now at 1234567.890123 msecs\n"
		 "  .jiffies                                 : 4295196640\n"
		 "  .sysctl_sched_latency                    : 20.000000\n\n"
		 "cpu#0, 2992.499 MHz\n  .nr_running                    : 1\n  .load                          : 1024\n\n"
		 "cfs_rq[0]:/\n  .MIN_vruntime                  : 0.000001\n  .nr_spread_over                : 5\n\n"
		 "runnable tasks:\n            task   PID         tree-key  switches  prio     exec-runtime\n"
		 "----------\nR            cat  2234      9144.311284         0   120      9144.311284 /\n\n"
		 "cpu#1\n  .nr_running                    : 0\n  .load                          : 0\n");
	rig_start(rig, &collector_sched_debug);
	assert_int_equal(rig_value(rig, "now.jiffies"), 4295196640);
	assert_int_equal(rig_value_of(rig, "cpu.load", "0"), 1024);
	assert_int_equal(rig_value_of(rig, "cpu.load", "1"), 0);
	assert_int_equal(rig_value_of(rig, "cfs_rq:/.nr_spread_over", "0"), 5);
	assert_int_equal(rig_count(rig), 2 + 2 * 2 + 2);
}

static void the_debug_file_is_taken_before_the_one_in_proc(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(collector_probe(&collector_sched_debug, &rig->host, &rig->err), -ENOENT);
	rig_file(rig, "proc/sched_debug", CPU("0", "1", "1"));
	assert_int_equal(collector_probe(&collector_sched_debug, &rig->host, &rig->err), 0);
	rig_file(rig, DEBUG, CPU("0", "2", "2"));
	rig_start(rig, &collector_sched_debug);
	assert_int_equal(rig_value_of(rig, "cpu.nr_running", "0"), 2);
}

static void autogroups_are_passed_over_whether_they_come_or_go(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, DEBUG, CPU("0", "3", "-6") QUEUE("0", "/autogroup-12", "1.000000") QUEUE("0", "/", "0.000002"));
	rig_start(rig, &collector_sched_debug);
	assert_int_equal(rig_count(rig), 5 + 3);
	rig_file(rig, DEBUG, CPU("0", "3", "-6") QUEUE("0", "/autogroup-99", "1.000000") QUEUE("0", "/", "0.000003"));
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_int_equal(rig_value_of(rig, "cfs_rq:/.spread0", "0"), 3);
	assert_int_equal(rig_count(rig), 5 + 3);
}

static void a_group_that_goes_is_absent_and_one_that_comes_a_generation(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, DEBUG, CPU("0", "3", "-6") QUEUE("0", "/a", "1.000000") QUEUE("0", "/", "2.000000"));
	rig_start(rig, &collector_sched_debug);
	rig_file(rig, DEBUG, CPU("0", "3", "-6") QUEUE("0", "/", "3.000000"));
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_false(rig_has_of(rig, "cfs_rq:/a.spread0", "0"));
	assert_int_equal(rig_value_of(rig, "cfs_rq:/.spread0", "0"), 3000000);
	rig_file(rig, DEBUG, CPU("0", "3", "-6") QUEUE("0", "/my group", "1.000000") QUEUE("0", "/my job", "7.000000")
				     QUEUE("0", "/", "3.000000"));
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "cfs_rq:/my group.spread0", "0"), 1000000);
	assert_int_equal(rig_value_of(rig, "cfs_rq:/my job.spread0", "0"), 7000000);
	assert_false(rig_has_of(rig, "cfs_rq:/a.spread0", "0"));
}

/* A machine that begins a container each second would else have no sample at all. */
static void a_group_that_comes_right_after_opening_costs_no_sample(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, DEBUG, CPU("0", "3", "-6"));
	assert_int_equal(rig_open(rig, &collector_sched_debug), 0);
	rig_file(rig, DEBUG, CPU("0", "4", "-6") QUEUE("0", "/a", "1.0"));
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_int_equal(rig_value_of(rig, "cpu.nr_running", "0"), 4);
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "cfs_rq:/a.spread0", "0"), 10);
}

static void a_new_field_is_a_new_generation(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, DEBUG, "cpu#0\n  .nr_running : 1\n");
	rig_start(rig, &collector_sched_debug);
	rig_file(rig, DEBUG, "cpu#0\n  .nr_running : 1\n  .nr_new : 2\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "cpu.nr_new", "0"), 2);
}

static void only_the_roots_queues_when_asked_for(void **state)
{
	static const char *const options[] = { "groups", "no", NULL };
	struct rig *rig = *state;

	rig_file(rig, DEBUG, CPU("0", "3", "-6") QUEUE("0", "/a", "1.000000") QUEUE("0", "/", "2.000000") REST("0"));
	assert_int_equal(rig_open_with(rig, &collector_sched_debug, options), 0);
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_count(rig), 5 + 3 + 4);
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig->run.shape.generation, 1);
}

/* 300 CPUs x 1,200 groups x 3 fields is more than what is kept: the root's queues stay. */
static void groups_without_number_are_left_out_and_told_of(void **state)
{
	cleanup_buf struct buf text = { 0 };
	struct pairs notes = { 0 };
	struct rig *rig = *state;

	for (int cpu = 0; cpu < 300; cpu++)
		(void)buf_printf(&text, "cpu#%d\n  .nr_running : %d\n", cpu, cpu);
	for (int group = 0; group < 1200; group++)
		(void)buf_printf(&text, "cfs_rq[%d]:/g%d\n  .a : 1\n  .b : 2\n  .c : 3\n", group % 300, group);
	(void)buf_puts(&text, "cfs_rq[7]:/\n  .a : 9\n");
	assert_int_equal(text.failed, 0);
	rig_file(rig, DEBUG, text.data);
	rig_start(rig, &collector_sched_debug);
	assert_int_equal(rig_count(rig), 301);
	assert_int_equal(rig_value_of(rig, "cpu.nr_running", "299"), 299);
	assert_int_equal(rig_value_of(rig, "cfs_rq:/.a", "7"), 9);
	assert_int_equal(collector_run_notes(&rig->run, &notes), 0);
	assert_non_null(pairs_get(&notes, "sched_debug.without.groups"));
	pairs_free(&notes);
}

static void broken_fields_cost_themselves(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, DEBUG, "cpu#0\n  .nr_running : 1\n  .name : text\n  .clock : 5.25\n  .big : 18446744073709551615\n");
	rig_start(rig, &collector_sched_debug);
	assert_int_equal(rig_count(rig), 3);
	assert_int_equal(rig_value_of(rig, "cpu.clock", "0"), 525);
	assert_true(rig_value_of(rig, "cpu.big", "0") == UINT64_MAX);
	rig_file(rig, DEBUG, "cpu#0\n  .nr_running : x\n  .name : 3\n  .clock : 5\n  .big : 18446744073709551616\n");
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_false(rig_has_of(rig, "cpu.nr_running", "0"));
	assert_int_equal(rig_value_of(rig, "cpu.clock", "0"), 500);
	assert_int_equal(rig_count(rig), 1);
	rig_file(rig, DEBUG, "cpu#0\n  .clock : 7.12999\n  .clock : 9\ncpu#\n .x\n .: 1\n[:\ncfs_rq[\ncfs_rq[]:/\n#0\n . : 4\n");
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_value_of(rig, "cpu.clock", "0"), 712);
	rig_file(rig, DEBUG, "");
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_count(rig), 0);
	assert_int_equal(rig_open(rig, &collector_sched_debug), 0);
	assert_int_equal(rig_sample(rig), 0);
}

static void the_recorded_machine_has_all_its_fields(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "hotsos-kubernetes"))
		skip();
	rig_start(rig, &collector_sched_debug);
	assert_true((int64_t)rig_value_of(rig, "cpu.nr_uninterruptible", "0") == -6);
	assert_int_equal(rig_value_of(rig, "cfs_rq:/default/calico-node.se->avg.util_avg", "0"), 298);
	assert_true((int64_t)rig_value_of(rig, "cfs_rq:/default/calico-node.spread0", "0") == -601336508968);
	print_message("# %zu values\n", rig_count(rig));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(blocks_of_a_cpu_are_its_instances),
		RIG_TEST(a_kernel_of_2010_has_no_head_and_its_tasks_no_state),
		RIG_TEST(the_debug_file_is_taken_before_the_one_in_proc),
		RIG_TEST(autogroups_are_passed_over_whether_they_come_or_go),
		RIG_TEST(a_group_that_goes_is_absent_and_one_that_comes_a_generation),
		RIG_TEST(a_group_that_comes_right_after_opening_costs_no_sample),
		RIG_TEST(a_new_field_is_a_new_generation),
		RIG_TEST(only_the_roots_queues_when_asked_for),
		RIG_TEST(groups_without_number_are_left_out_and_told_of),
		RIG_TEST(broken_fields_cost_themselves),
		RIG_TEST(the_recorded_machine_has_all_its_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
