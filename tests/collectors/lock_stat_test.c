/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"
#include "tests/support/shared.h"

extern const struct collector collector_lock_stat;

#define LOCKS "proc/lock_stat"
#define HEAD                                                                                                   \
	"lock_stat version 0.4\n-----------\n"                                                                 \
	"                              class name    con-bounces    contentions   waittime-min   waittime-max" \
	" waittime-total   waittime-avg    acq-bounces   acquisitions   holdtime-min   holdtime-max"           \
	" holdtime-total   holdtime-avg\n-----------\n\n"
#define MMAP                                                                                                      \
	"                         &mm->mmap_sem-W:            46             84           0.26         939.10"   \
	"       16371.53         194.90      47291        2922365           0.16     2220301.69 17464026916.32"  \
	"        5975.99\n"                                                                                       \
	"                         &mm->mmap_sem-R:            37            100           1.31      299502.61"   \
	"      325629.52        3256.30     212344       34316685           0.10        7744.91    95016910.20"  \
	"           2.77\n"
#define POINTS                                                                                                  \
	"                         ---------------\n"                                                            \
	"                           &mm->mmap_sem              1          [<ffffffff811502a7>] khugepaged+0x57/0x280\n" \
	"                           &mm->mmap_sem             17          [<ffffffff81127e71>] vm_munmap+0x41/0x80\n"   \
	"                           &mm->mmap_sem              3          [<ffffffff81127e99>] vm_munmap+0x69/0x80\n"   \
	"                         ---------------\n"                                                            \
	"                           &mm->mmap_sem             96          [<ffffffffa0001234>] xfs_read+0x1d4/0x510 [xfs]\n" \
	"...........................\n\n"
#define ZONE "      (work_completion)(&a b->c::d): 1 2 0.01 0.02 0.03 0.01 4 5 0.05 0.06 0.11 0.02\n"

static void a_class_has_its_columns_and_its_functions(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, LOCKS, HEAD MMAP POINTS ZONE);
	rig_start(rig, &collector_lock_stat);
	assert_int_equal(rig_value_of(rig, "contentions", "&mm->mmap_sem-W"), 84);
	assert_int_equal(rig_value_of(rig, "waittime-min", "&mm->mmap_sem-W"), 26);
	assert_int_equal(rig_value_of(rig, "holdtime-total", "&mm->mmap_sem-W"), 1746402691632);
	assert_int_equal(rig_value_of(rig, "holdtime-avg", "&mm->mmap_sem-R"), 277);
	assert_int_equal(rig_metric(rig, "waittime-total")->exponent, 2);
	assert_int_equal(rig_metric(rig, "waittime-total")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "waittime-max")->kind, GAUGE);
	assert_int_equal(rig_value_of(rig, "acquisitions", "(work_completion)(&ab->c::d)"), 5);
	assert_int_equal(rig_value_of(rig, "times", "&mm->mmap_sem.contentions.khugepaged"), 1);
	assert_int_equal(rig_value_of(rig, "times", "&mm->mmap_sem.contentions.vm_munmap"), 20);
	assert_int_equal(rig_value_of(rig, "times", "&mm->mmap_sem.contending.xfs_read"), 96);
	assert_int_equal(rig_count(rig), 3 * 12 + 3);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig->run.shape.generation, 1);
}

static void older_kernels_have_no_averages(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, LOCKS,
		 "lock_stat version 0.3\n----\n class name con-bounces contentions waittime-min waittime-max waittime-total"
		 " acq-bounces acquisitions holdtime-min holdtime-max holdtime-total\n----\n\n"
		 "  &rq->lock: 1 2 0.30 0.40 0.70 6 7 0.80 0.90 10.10\n");
	rig_start(rig, &collector_lock_stat);
	assert_int_equal(rig_value_of(rig, "acq-bounces", "&rq->lock"), 6);
	assert_int_equal(rig_value_of(rig, "holdtime-total", "&rq->lock"), 1010);
	assert_int_equal(rig_count(rig), 10);
}

static void a_class_or_a_function_that_comes_is_a_generation(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, LOCKS, HEAD);
	rig_start(rig, &collector_lock_stat);
	assert_int_equal(rig_count(rig), 0);
	rig_file(rig, LOCKS, HEAD MMAP);
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	rig_file(rig, LOCKS, HEAD MMAP POINTS);
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 3);
	assert_int_equal(rig_value_of(rig, "times", "&mm->mmap_sem.contentions.khugepaged"), 1);
	rig_file(rig, LOCKS, HEAD ZONE MMAP);
	rig_again(rig);
	rig_file(rig, LOCKS, HEAD MMAP ZONE);
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 4);
	assert_int_equal(rig_value_of(rig, "contentions", "&mm->mmap_sem-R"), 100);
}

static const char *cleared(struct rig *rig)
{
	static char answer[8];
	struct pairs notes = { 0 };

	assert_int_equal(collector_run_notes(&rig->run, &notes), 0);
	(void)snprintf(answer, sizeof(answer), "%s", pairs_get(&notes, "lock_stat.cleared"));
	pairs_free(&notes);
	return answer;
}

/* This machine's root is the fresh folder now: its file takes what is written. */
static void is_cleared_before_a_command_once_and_only_on_the_live_machine(void **state)
{
	static const char *const no[] = { "clear", "no", NULL };
	struct rig *rig = *state;
	struct buf text;
	char path[600];

	(void)snprintf(path, sizeof(path), "%s/%s", rig->root, LOCKS);
	for (int i = 0; i < 3; i++) {
		rig_file(rig, LOCKS, HEAD);
		rig->host.live = i != 0;
		rig->host.command = i != 1 ? 1 : 0;
		assert_int_equal(rig_open_with(rig, &collector_lock_stat, i == 2 ? no : NULL), 0);
		assert_string_equal(cleared(rig), "no");
		text = read_whole(path);
		assert_string_equal(text.data, HEAD);
		buf_free(&text);
	}
	assert_int_equal(rig_open(rig, &collector_lock_stat), 0);
	text = read_whole(path);
	assert_string_equal(text.data, "0");
	buf_free(&text);
	rig_file(rig, LOCKS, HEAD MMAP);
	rig_again(rig); /* opened anew, and not cleared again */
	assert_string_equal(cleared(rig), "yes");
	assert_int_equal(rig_value_of(rig, "contentions", "&mm->mmap_sem-W"), 84);
	rig->host.live = false;
}

static void broken_lines_cost_themselves(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, LOCKS, HEAD "  &a: 1 2 x\n  : 4 5\n  &b:\n &c: 1\n[<\n [<1>] f\n  n [<1>] f\n  n 7 [<1>]\n  n 8 [<1> f\n"
				  "--\n  n 99999999999999999999999 [<1>] f\n" ZONE);
	assert_int_equal(rig_open(rig, &collector_lock_stat), 0);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_int_equal(rig_value_of(rig, "contentions", "&a"), 2);
	assert_int_equal(rig_value_of(rig, "contentions", "(work_completion)(&ab->c::d)"), 2);
	rig_file(rig, LOCKS, "");
	assert_int_equal(rig_open(rig, &collector_lock_stat), 0);
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_count(rig), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(a_class_has_its_columns_and_its_functions),
		RIG_TEST(older_kernels_have_no_averages),
		RIG_TEST(a_class_or_a_function_that_comes_is_a_generation),
		RIG_TEST(is_cleared_before_a_command_once_and_only_on_the_live_machine),
		RIG_TEST(broken_lines_cost_themselves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
