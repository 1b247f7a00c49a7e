/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/alloc_count.h"
#include "tests/support/rig.h"

extern const struct collector collector_schedstat;

#define FILE_15 "proc/schedstat"
#define N24	"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 "
#define N36	N24 "25 26 27 28 29 30 31 32 33 34 35 36\n"
#define N45	N24 "25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45\n"
#define CPU8	"cpu8 1 0 2 3 4 5 6000000000 7000000000 8\n"
#define DOMAINS "domain0 00000000,00000101 " N36 "domain1 00000000,0000ffff " N36

static void version_15_has_nine_fields_and_times_in_nanoseconds(void **state)
{
	struct rig *rig = *state;
	size_t before;

	rig_file(rig, FILE_15, "version 15\ntimestamp 4855039882\n"
			       "cpu0 188037 0 1573906835 574514540 339919368 4004785195 1501182590913299 8420652801903980 "
			       "22467416634\n" DOMAINS CPU8);
	rig_start(rig, &collector_schedstat);
	assert_int_equal(rig_value_of(rig, "yld_count", "cpu0"), 188037);
	assert_int_equal(rig_value_of(rig, "sched_switch", "cpu0"), 0);
	assert_int_equal(rig_value_of(rig, "sched_count", "cpu0"), 1573906835);
	assert_int_equal(rig_value_of(rig, "sched_goidle", "cpu0"), 574514540);
	assert_int_equal(rig_value_of(rig, "ttwu_count", "cpu0"), 339919368);
	assert_int_equal(rig_value_of(rig, "ttwu_local", "cpu0"), 4004785195);
	assert_int_equal(rig_value_of(rig, "rq_cpu_time", "cpu0"), 1501182590913299);
	assert_int_equal(rig_value_of(rig, "run_delay", "cpu0"), 8420652801903980);
	assert_int_equal(rig_value_of(rig, "pcount", "cpu0"), 22467416634);
	assert_int_equal(rig_value_of(rig, "pcount", "cpu8"), 8);
	assert_false(rig_has_of(rig, "pcount", "cpu1"));
	assert_false(rig_has_of(rig, "yld_both_empty", "cpu0"));
	assert_int_equal(rig_value(rig, "timestamp"), 4855039882);
	assert_int_equal(rig_metric(rig, "run_delay")->unit, UNIT_NANOSECONDS);
	assert_int_equal(rig_metric(rig, "ttwu_local")->kind, COUNTER32);
	assert_int_equal(rig_metric(rig, "rq_cpu_time")->kind, COUNTER);
	assert_int_equal(rig_metric(rig, "rq_cpu_time")->fold, FOLD_SUM);
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(rig_count(rig), 1 + 9 + 2 * 36 + 9);
}

static void version_15_tells_an_idle_cpus_looks_first(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FILE_15, "version 15\ntimestamp 1\n" CPU8 DOMAINS);
	rig_start(rig, &collector_schedstat);
	assert_int_equal(rig_value_of(rig, "domain0.idle.lb_count", "cpu8"), 1);
	assert_int_equal(rig_value_of(rig, "domain0.idle.lb_nobusyg", "cpu8"), 8);
	assert_int_equal(rig_value_of(rig, "domain0.busy.lb_count", "cpu8"), 9);
	assert_int_equal(rig_value_of(rig, "domain1.newly_idle.lb_imbalance", "cpu8"), 20);
	assert_int_equal(rig_value_of(rig, "domain1.alb_count", "cpu8"), 25);
	assert_int_equal(rig_value_of(rig, "domain1.ttwu_move_balance", "cpu8"), 36);
	assert_int_equal(rig_metric(rig, "domain1.ttwu_move_balance")->fold, FOLD_SUM);
}

static void version_14_has_three_fields_more(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FILE_15, "version 14\ntimestamp 1\ncpu0 1 2 3 4 5 6 7 8 9 10 11 12\ndomain0 3 " N36);
	rig_start(rig, &collector_schedstat);
	assert_int_equal(rig_value_of(rig, "yld_both_empty", "cpu0"), 1);
	assert_int_equal(rig_value_of(rig, "yld_exp_empty", "cpu0"), 3);
	assert_int_equal(rig_value_of(rig, "yld_count", "cpu0"), 4);
	assert_int_equal(rig_value_of(rig, "pcount", "cpu0"), 12);
	assert_int_equal(rig_value_of(rig, "domain0.idle.lb_count", "cpu0"), 1);
}

static void version_16_tells_a_busy_cpus_looks_first(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FILE_15, "version 16\ntimestamp 1\n" CPU8 DOMAINS);
	rig_start(rig, &collector_schedstat);
	assert_int_equal(rig_value_of(rig, "domain0.busy.lb_count", "cpu8"), 1);
	assert_int_equal(rig_value_of(rig, "domain0.idle.lb_count", "cpu8"), 9);
	assert_int_equal(rig_value_of(rig, "domain0.newly_idle.lb_count", "cpu8"), 17);
}

static void version_17_names_domains_and_kinds_of_imbalance(void **state)
{
	struct pairs notes = { 0 };
	struct rig *rig = *state;

	rig_file(rig, FILE_15, "version 17\ntimestamp 1\n" CPU8 "domain0 SMT 00000000,00000101 " N45 "domain1 MC 0000ffff " N45);
	rig_start(rig, &collector_schedstat);
	assert_int_equal(rig_value_of(rig, "domain0.busy.lb_count", "cpu8"), 1);
	assert_int_equal(rig_value_of(rig, "domain0.busy.lb_imbalance_load", "cpu8"), 4);
	assert_int_equal(rig_value_of(rig, "domain0.busy.lb_imbalance_misfit", "cpu8"), 7);
	assert_int_equal(rig_value_of(rig, "domain0.busy.lb_nobusyg", "cpu8"), 11);
	assert_int_equal(rig_value_of(rig, "domain0.idle.lb_count", "cpu8"), 12);
	assert_int_equal(rig_value_of(rig, "domain1.newly_idle.lb_count", "cpu8"), 23);
	assert_int_equal(rig_value_of(rig, "domain1.alb_count", "cpu8"), 34);
	assert_int_equal(rig_value_of(rig, "domain1.ttwu_move_balance", "cpu8"), 45);
	assert_int_equal(collector_run_notes(&rig->run, &notes), 0);
	assert_string_equal(pairs_get(&notes, "schedstat.domain0"), "SMT 00000000,00000101");
	assert_string_equal(pairs_get(&notes, "schedstat.domain1"), "MC 0000ffff");
	pairs_free(&notes);
}

static void what_has_no_name_here_is_called_by_its_place(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FILE_15, "version 15\ntimestamp 1\ncpu0 1 0 2 3 4 5 6 7 8 99 98\ndomain0 3 " N24
			       "25 26 27 28 29 30 31 32 33 34 35 36 37\n");
	rig_start(rig, &collector_schedstat);
	assert_int_equal(rig_value_of(rig, "pcount", "cpu0"), 8);
	assert_int_equal(rig_value_of(rig, "field10", "cpu0"), 99);
	assert_int_equal(rig_value_of(rig, "field11", "cpu0"), 98);
	assert_int_equal(rig_value_of(rig, "domain0.field37", "cpu0"), 37);

	rig_file(rig, FILE_15, "version 18\ntimestamp 1\ncpu0 7 8\ndomain0 SMT 3 5 6\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "field1", "cpu0"), 7);
	assert_int_equal(rig_value_of(rig, "domain0.field2", "cpu0"), 6);
	assert_int_equal(rig_count(rig), 5);
}

static void a_cpu_that_goes_and_comes_is_another_generation(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FILE_15, "version 15\ntimestamp 1\ncpu0 1 0 2 3 4 5 6 7 8\n" CPU8);
	rig_start(rig, &collector_schedstat);
	rig_file(rig, FILE_15, "version 15\ntimestamp 2\ncpu0 2 0 3 4 5 6 7 8 9\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(rig_value_of(rig, "pcount", "cpu0"), 9);
	assert_false(rig_has_of(rig, "pcount", "cpu8"));
	rig_file(rig, FILE_15, "version 15\ntimestamp 2\ncpu0 2 0 3 4 5 6 7 8 9\n" CPU8);
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 3);
	assert_int_equal(rig_value_of(rig, "pcount", "cpu8"), 8);
}

static void domains_are_left_out_when_not_asked_for(void **state)
{
	static const char *const without[] = { "domains", "no", NULL };
	struct rig *rig = *state;

	rig_file(rig, FILE_15, "version 15\ntimestamp 1\n" CPU8 DOMAINS);
	assert_int_equal(rig_open_with(rig, &collector_schedstat, without), 0);
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_count(rig), 1 + 9);
}

static void broken_lines_cost_themselves(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, FILE_15, "domain0 3 1 2\nversion 15\n\ntimestamp\ncpu0 1 0 x 3\ncpu\ncpu1\nnew 5 6\ndomain\ndomain7");
	rig_open(rig, &collector_schedstat);
	assert_int_equal(rig_sample(rig), -EBADMSG);
	assert_string_equal(rig->err.text, "proc/schedstat: no number for sched_count");
	assert_int_equal(rig_value_of(rig, "yld_count", "cpu0"), 1);
	assert_int_equal(rig_value_of(rig, "sched_goidle", "cpu0"), 3);
	assert_int_equal(rig_count(rig), 3);
	rig_file(rig, FILE_15, "");
	assert_int_equal(rig_open(rig, &collector_schedstat), 0);
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig_count(rig), 0);
}

static void the_exporters_machine_has_the_exporters_values(void **state)
{
	struct rig *rig = *state;

	if (!rig_tree(rig, "node-exporter"))
		skip();
	rig_start(rig, &collector_schedstat);
	assert_int_equal(rig_value_of(rig, "rq_cpu_time", "cpu0"), 2045936778163039);
	assert_int_equal(rig_value_of(rig, "run_delay", "cpu1"), 364107263788241);
	assert_int_equal(rig_value_of(rig, "pcount", "cpu0"), 4767485306);
	assert_int_equal(rig_value_of(rig, "domain0.idle.lb_count", "cpu0"), 212499247);
	assert_int_equal(rig_value_of(rig, "domain0.ttwu_wake_remote", "cpu1"), 1437804657);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(version_15_has_nine_fields_and_times_in_nanoseconds),
		RIG_TEST(version_15_tells_an_idle_cpus_looks_first),
		RIG_TEST(version_14_has_three_fields_more),
		RIG_TEST(version_16_tells_a_busy_cpus_looks_first),
		RIG_TEST(version_17_names_domains_and_kinds_of_imbalance),
		RIG_TEST(what_has_no_name_here_is_called_by_its_place),
		RIG_TEST(a_cpu_that_goes_and_comes_is_another_generation),
		RIG_TEST(domains_are_left_out_when_not_asked_for),
		RIG_TEST(broken_lines_cost_themselves),
		RIG_TEST(the_exporters_machine_has_the_exporters_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
