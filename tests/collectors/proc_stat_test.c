/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"
#include "tests/support/shared.h"

extern const struct collector collector_proc_stat;

static const char ordinary[] = "cpu  30 0 7 300 4 0 2 0 1 0\n"
			       "cpu0 10 0 3 100 1 0 1 0 1 0\n"
			       "cpu1 20 0 4 200 3 0 1 0 0 0\n"
			       "intr 178868 0 0 7 9\n"
			       "ctxt 790277\n"
			       "btime 1796076299\n"
			       "processes 10430\n"
			       "procs_running 3\n"
			       "procs_blocked 1\n"
			       "softirq 138292 5 22696 4 674 40254 0 2 40781 0 33881\n";

static void tells_the_whole_each_cpu_and_the_rest(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/stat", ordinary);
	rig_start(rig, &collector_proc_stat);
	assert_int_equal(rig_value(rig, "user"), 30);
	assert_int_equal(rig_value_of(rig, "idle", "cpu1"), 200);
	assert_int_equal(rig_value_of(rig, "guest", "cpu0"), 1);
	assert_int_equal(rig_value(rig, "intr"), 178868);
	assert_int_equal(rig_value(rig, "ctxt"), 790277);
	assert_int_equal(rig_value(rig, "btime"), 1796076299);
	assert_int_equal(rig_value(rig, "processes"), 10430);
	assert_int_equal(rig_value(rig, "procs_running"), 3);
	assert_int_equal(rig_value(rig, "procs_blocked"), 1);
	assert_int_equal(rig_value(rig, "softirq"), 2); /* time */
	assert_int_equal(rig_value(rig, "softirqs"), 138292); /* count */
	assert_int_equal(rig_value(rig, "softirqs.HI"), 5);
	assert_int_equal(rig_value(rig, "softirqs.RCU"), 33881);
	assert_false(rig_has_of(rig, "ctxt", "cpu0"));
	assert_int_equal(rig_metric(rig, "user")->unit, UNIT_TICKS);
	assert_int_equal(rig_metric(rig, "user")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "procs_running")->kind, GAUGE);
	assert_int_equal(rig_metric(rig, "softirqs.RCU")->kind, COUNTER32);
	assert_int_equal(rig_count(rig), 30 + 6 + 11);
}

static void a_cpu_that_went_is_absent_and_the_others_go_on(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/stat", "cpu  30 0 7\ncpu0 10 0 3\ncpu1 20 0 4\ncpu2 5 5 5\nctxt 1\n");
	rig_start(rig, &collector_proc_stat);
	rig_file(rig, "proc/stat", "cpu  40 0 7\ncpu0 20 0 3\ncpu2 6 5 5\nctxt 2\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_false(rig_has_of(rig, "user", "cpu1"));
	assert_int_equal(rig_value_of(rig, "user", "cpu2"), 6);
	assert_int_equal(rig_value(rig, "ctxt"), 2);
	rig_file(rig, "proc/stat", "cpu  40 0 7\ncpu0 20 0 3\ncpu2 6 5 5\ncpu3 1 1 1\nctxt 3\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "user", "cpu3"), 1);
}

static void a_new_column_is_a_new_generation(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/stat", "cpu  30 0 7\nctxt 1\n");
	rig_start(rig, &collector_proc_stat);
	rig_file(rig, "proc/stat", "cpu  30 0 7 1 2 3 4 5 6 7 8\nctxt 1\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value(rig, "guest_nice"), 7);
	assert_int_equal(rig_value(rig, "cpu_column11"), 8);
}

static void lines_that_nobody_knows_are_recorded_and_odd_ones_passed_over(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/stat", "cpu  1 2\npage 5741 1808\nuser 77\ndisk_io: (3,0):(22779,4580)\nfrob 9 x\n\nswap 1 0");
	rig_start(rig, &collector_proc_stat);
	assert_int_equal(rig_value(rig, "page"), 5741);
	assert_int_equal(rig_value(rig, "page.1"), 1808);
	assert_int_equal(rig_value(rig, "user"), 1); /* not the line that is called like a column */
	assert_int_equal(rig_value(rig, "frob"), 9);
	assert_int_equal(rig_value(rig, "swap.1"), 0);
}

static void garbage_in_one_line_is_named_and_the_others_stand(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/stat", ordinary);
	rig_start(rig, &collector_proc_stat);
	rig_file(rig, "proc/stat", "cpu  30 0 7 300 4 0 2 0 1 0\ncpu0 10 0 x 100 1 0 1 0 1 0\nctxt 5\n");
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/stat: no number after cpu0");
	assert_int_equal(rig_value(rig, "ctxt"), 5);
	assert_false(rig_has_of(rig, "idle", "cpu0"));

	rig_file(rig, "proc/stat", "cpu  30 x\nctxt 5\n");
	assert_int_equal(rig_open(rig, &collector_proc_stat), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_int_equal(rig->run.shape.generation, 1);
	assert_int_equal(rig_value(rig, "ctxt"), 5);
}

static void a_sample_allocates_nothing(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, "proc/stat", ordinary);
	rig_start(rig, &collector_proc_stat);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
}

static void without_memory_it_says_so(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/stat", ordinary);
	for (size_t n = 1;; n++) {
		int r;

		alloc_fail_at(n);
		r = rig_open(rig, &collector_proc_stat);
		alloc_fail_at(0);
		if (r == 0)
			break;
		assert_int_equal(r, -ENOMEM);
		assert_true(n < 1000);
	}
}

static void notes_that_each_cpu_was_asked_for(void **state)
{
	static const char *const options[] = { "per_cpu", "yes", NULL };
	struct rig *rig = *state;
	struct pairs notes = { 0 };

	rig_file(rig, "proc/stat", ordinary);
	rig_start(rig, &collector_proc_stat);
	assert_int_equal(collector_run_notes(&rig->run, &notes), 0);
	assert_int_equal(notes.count, 0);
	assert_int_equal(rig_open_with(rig, &collector_proc_stat, options), 0);
	assert_int_equal(collector_run_notes(&rig->run, &notes), 0);
	assert_string_equal(pairs_get(&notes, "proc-stat.per_cpu"), "yes");
	pairs_free(&notes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(tells_the_whole_each_cpu_and_the_rest),
		RIG_TEST(a_cpu_that_went_is_absent_and_the_others_go_on),
		RIG_TEST(a_new_column_is_a_new_generation),
		RIG_TEST(lines_that_nobody_knows_are_recorded_and_odd_ones_passed_over),
		RIG_TEST(garbage_in_one_line_is_named_and_the_others_stand),
		RIG_TEST(a_sample_allocates_nothing),
		RIG_TEST(without_memory_it_says_so),
		RIG_TEST(notes_that_each_cpu_was_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
