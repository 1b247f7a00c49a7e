/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare() by the rules of assay, from runs to rows and text (spec/statistics). */
#include <errno.h>
#include <stdio.h>

#include <jansson.h>

#include "tests/analysis/compare_rig.h"
#include "tests/support/alloc_count.h"

static int open_assay(void **state)
{
	struct rig *rig;

	if (rig_open(state) < 0)
		return -1;
	rig = *state;
	rig->options.rules = RULES_ASSAY;
	rig->testcase = "hackbench";
	return 0;
}

static const struct compare_table *table(const struct rig *rig)
{
	assert_true(rig->c.table_count > 0);
	return &rig->c.tables[0];
}

static const struct verdict *verdict_of_head(const struct rig *rig, const char *key, size_t head)
{
	const struct compare_row *row = row_of(rig, key);

	assert_non_null(row);
	assert_non_null(row->cells[head].verdict);
	return row->cells[head].verdict;
}

/* Every run of both columns began where `places` says, column by column. */
static void stand(struct rig *rig, const int *places)
{
	for (size_t i = 0; i < rig->count; i++) {
		rig->runs[i].when = 1000 + 60 * places[i];
		rig->runs[i].host = "lkp-csl-2sp9";
	}
}

#define STAND(rig, ...) stand(rig, (const int[]){ __VA_ARGS__ })

static const char *text_of_rig(struct rig *rig)
{
	buf_clear(&rig->out);
	assert_int_equal(report_text(&rig->c, &rig->out), 0);
	return rig->out.data;
}

static bool has_warning(const struct rig *rig, const char *part)
{
	for (size_t i = 0; i < table(rig)->warning_count; i++)
		if (strstr(table(rig)->warnings[i], part))
			return true;
	return false;
}

static void put_results(struct rig *rig)
{
	put(rig, "base", "hackbench.throughput", 1000, 1002, 998, 1001);
	put(rig, "head", "hackbench.throughput", 1100, 1103, 1098, 1101);
	put(rig, "base", "hackbench.same", 1000, 1000.1, 999.9, 1000);
	put(rig, "head", "hackbench.same", 1000.1, 1000, 1000, 999.9);
	put(rig, "base", "hackbench.wild", 1000, 1300, 800, 1100);
	put(rig, "head", "hackbench.wild", 1050, 900, 1250, 1150);
}

static void tells_every_result_whether_it_changed_or_not(void **state)
{
	struct rig *rig = *state;
	const struct verdict *v;

	put_results(rig);
	run_compare(rig);
	v = verdict_of_head(rig, "hackbench.throughput", 1);
	assert_int_equal(v->word, VERDICT_CHANGED);
	assert_true(v->percent && v->low > 9.5 && v->low < 10.03 && v->high > 10.03 && v->high < 10.6);
	assert_int_equal(verdict_of_head(rig, "hackbench.same", 1)->word, VERDICT_UNCHANGED);
	v = verdict_of_head(rig, "hackbench.wild", 1);
	assert_int_equal(v->word, VERDICT_UNDECIDED);
	assert_true(v->detectable > 30 && v->runs_needed > 500);
	assert_non_null(strstr(text_of_rig(rig), "hackbench.throughput: changed by +10.0% [+"));
	assert_non_null(strstr(text_of_rig(rig), "hackbench.same: unchanged within ±1%, "));
	assert_non_null(strstr(text_of_rig(rig), "hackbench.wild: undecided, "));
}

static void takes_for_results_those_that_the_benchmark_is_about(void **state)
{
	struct rig *rig = *state;

	put_results(rig);
	rig->options.kpis = (const char *const[]){ "hackbench.throughput", "hackbench.not_there" };
	rig->options.kpi_count = 2;
	run_compare(rig);
	assert_true(row_of(rig, "hackbench.throughput")->kpi);
	assert_null(row_of(rig, "hackbench.wild"));
	rig->options.kpis = (const char *const[]){ "hackbench.not_there" };
	rig->options.kpi_count = 1;
	run_compare(rig);
	assert_true(row_of(rig, "hackbench.wild")->kpi);
}

static void tells_a_result_of_one_run_a_side_without_a_verdict(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "hackbench.throughput", 1000);
	put(rig, "head", "hackbench.throughput", 2000);
	run_compare(rig);
	assert_int_equal(verdict_of_head(rig, "hackbench.throughput", 1)->word, VERDICT_NONE);
	assert_non_null(strstr(text_of_rig(rig), "hackbench.throughput: too few runs to tell"));
	assert_non_null(strstr(rig->out.data, "1000          +100.0%       2000"));
}

static void put_cpus(struct rig *rig)
{
	char key[32];

	for (int cpu = 0; cpu < 6; cpu++) {
		double up = cpu < 4 ? 200 : 0;

		(void)snprintf(key, sizeof(key), "softirqs.CPU%d.RCU", cpu);
		put(rig, "base", key, 1000, 1003, 998 + cpu, 1001);
		put(rig, "head", key, 1001 + up, 1002 + up, 999 + up, 1004 + up);
	}
}

static void makes_one_line_of_the_cpus_and_says_how_many_changed(void **state)
{
	struct rig *rig = *state;
	const struct compare_row *row;

	put_cpus(rig);
	run_compare(rig);
	row = row_of(rig, "softirqs.CPU*.RCU");
	assert_non_null(row);
	assert_int_equal(table(rig)->row_count, 1);
	assert_int_equal(row->members, 6);
	assert_int_equal(row->cells[1].verdict->changed, 4);
	assert_true(fabs(row->cells[0].mean - 1001.125) < 1e-9); /* of an average CPU */
	assert_non_null(strstr(line_of(rig, "softirqs.CPU*.RCU"), "softirqs.CPU*.RCU  4/6"));
	assert_int_equal(row->listed_count, 0);
}

static void lists_the_changed_cpus_on_request(void **state)
{
	struct rig *rig = *state;
	const struct compare_row *row;

	put_cpus(rig);
	rig->options.expand = true;
	run_compare(rig);
	row = row_of(rig, "softirqs.CPU*.RCU");
	assert_int_equal(row->listed_count, 4);
	assert_string_equal(row->listed[0].key, "softirqs.CPU0.RCU");
	assert_non_null(strstr(text_of_rig(rig), "  softirqs.CPU3.RCU\n"));
	assert_null(strstr(rig->out.data, "softirqs.CPU4.RCU"));
}

static void takes_absent_for_missing_and_not_for_zero(void **state)
{
	struct rig *rig = *state;
	const struct compare_row *row;

	put(rig, "base", "meminfo.Active", 1000, MISSING, 1002, 1001);
	put(rig, "head", "meminfo.Active", 2000, 2001, MISSING, 2003);
	run_compare(rig);
	row = row_of(rig, "meminfo.Active");
	assert_non_null(row);
	assert_true(fabs(row->cells[0].mean - 1001) < 1e-9);
	assert_int_equal(row->cells[0].have, 3);
	assert_int_equal(row->cells[0].runs, 4);
	assert_true(fabs(row->cells[1].change - 100 * 1000.3333333333 / 1001) < 1e-6);
}

static void reads_an_absent_symbol_as_none_in_a_run_that_was_profiled(void **state)
{
	struct rig *rig = *state;
	const struct compare_row *row;

	put(rig, "base", "perf-profile.self.cycles-pp.f", 5, 5, 5, 5);
	put(rig, "head", "perf-profile.self.cycles-pp.f", 5, 5, 5, MISSING);
	put(rig, "base", "perf-profile.self.cycles-pp.g", MISSING, MISSING, MISSING, MISSING);
	put(rig, "head", "perf-profile.self.cycles-pp.g", 3.1, 3.2, 3.3, MISSING);
	rig->options.all = true;
	run_compare(rig);
	row = row_of(rig, "perf-profile.self.cycles-pp.g");
	assert_non_null(row);
	assert_int_equal(row->cells[0].have, 4);
	assert_int_equal(row->cells[1].have, 3); /* the last run has no profile at all */
}

static void names_the_keys_that_one_side_lacks(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "meminfo.Old", 1, 2, 3, 4);
	put(rig, "head", "meminfo.Young", 1, 2, 3, 4);
	put(rig, "head", "meminfo.Rare", 1, 2, MISSING, MISSING);
	run_compare(rig);
	assert_int_equal(table(rig)->only_base_count, 1);
	assert_string_equal(table(rig)->only_base[0], "meminfo.Old");
	assert_int_equal(table(rig)->only_head_count, 1);
	assert_string_equal(table(rig)->only_head[0], "meminfo.Young");
	assert_int_equal(table(rig)->row_count, 0);
	assert_non_null(strstr(text_of_rig(rig), "only in head: meminfo.Young\n"));
}

static void says_new_and_gone_where_there_is_no_percentage(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "proc-vmstat.oom_kill", 0, 0, 0, 0);
	put(rig, "head", "proc-vmstat.oom_kill", 900, 910, 905, 901);
	put(rig, "base", "proc-vmstat.pswpin", 900, 910, 905, 901);
	put(rig, "head", "proc-vmstat.pswpin", 0, 0, 0, 0);
	run_compare(rig);
	assert_string_equal(line_of(rig, "proc-vmstat.oom_kill"),
			    "      0.00             new      904.00        proc-vmstat.oom_kill");
	assert_string_equal(line_of(rig, "proc-vmstat.pswpin"),
			    "    904.00            gone        0.00        proc-vmstat.pswpin");
}

static void filters_only_after_all_were_judged(void **state)
{
	struct rig *rig = *state;
	double q;

	put(rig, "base", "meminfo.A", 1000, 1003, 998, 1001);
	put(rig, "head", "meminfo.A", 1100, 1102, 1099, 1104);
	for (int i = 0; i < 20; i++) {
		char key[32];

		(void)snprintf(key, sizeof(key), "slabinfo.c%02d.num_objs", i);
		put(rig, "base", key, 1000 + i, 1010, 990, 1003);
		put(rig, "head", key, 1005, 995, 1008 - i, 1001);
	}
	run_compare(rig);
	q = verdict_of_head(rig, "meminfo.A", 1)->q;
	rig->options.filter = "meminfo.*";
	run_compare(rig);
	assert_int_equal(table(rig)->heads[1].tested, 21);
	assert_true(fabs(verdict_of_head(rig, "meminfo.A", 1)->q - q) < 1e-15);
	rig->options.filter = "slabinfo.*";
	run_compare(rig);
	assert_null(row_of(rig, "meminfo.A"));
	rig->options.filter = NULL;
	rig->options.family = "meminfo";
	run_compare(rig);
	assert_non_null(row_of(rig, "meminfo.A"));
	rig->options.family = "mem";
	run_compare(rig);
	assert_null(row_of(rig, "meminfo.A"));
}

/* ---- earlier runs ---- */

static void put_earlier(struct rig *rig, size_t from)
{
	rig->options.history = rig->runs + from;
	rig->options.history_count = rig->count - from;
	for (size_t i = 0; i < from; i++) {
		rig->runs[i].host = "lkp-csl-2sp9";
		rig->runs[i].when = 10000 + 60 * (double)((i * 5) % from);
	}
	for (size_t i = from; i < rig->count; i++) {
		rig->runs[i].host = "lkp-csl-2sp9";
		rig->runs[i].when = 1000 + (double)i;
	}
	for (size_t i = 0; i < rig->count; i++)
		stats_sort(&rig->stats[i]);
	assert_int_equal(compare(rig->runs, from, &rig->options, &rig->c, &rig->err), 0);
}

static void put_two_and_earlier(struct rig *rig)
{
	put(rig, "base", "meminfo.A", 1000, 1002, 1003);
	put(rig, "head", "meminfo.A", 1020, 1023, 1021);
	put(rig, "v6.9", "meminfo.A", 970, 972, 971, 973, 969, 970, 972, 971);
	put(rig, "v6.8", "meminfo.A", 980, 982, 981, 983, 979, 980, 982, 981);
}

static void believes_earlier_runs_about_the_noise(void **state)
{
	struct rig *rig = *state;
	double se;

	put_two_and_earlier(rig);
	put_earlier(rig, 6);
	assert_int_equal(table(rig)->history_runs, 16);
	assert_int_equal(verdict_of_head(rig, "meminfo.A", 1)->flags & VERDICT_HISTORY, VERDICT_HISTORY);
	assert_true(fabs(verdict_of_head(rig, "meminfo.A", 1)->df - 18) < 1e-9); /* 4 and twice 7 */
	se = verdict_of_head(rig, "meminfo.A", 1)->se;
	assert_true(se > 0.0008 && se < 0.0016);
	assert_non_null(strstr(text_of_rig(rig), "noise known from 16 earlier runs, too"));
}

static void does_not_ask_another_machine_or_another_parameter(void **state)
{
	struct rig *rig = *state;

	put_two_and_earlier(rig);
	put_earlier(rig, 6);
	for (size_t i = 6; i < 14; i++)
		rig->runs[i].host = "another";
	assert_int_equal(pairs_set(&rig->axes[14], "nr_threads", "8"), 0);
	comparison_free(&rig->c);
	assert_int_equal(compare(rig->runs, 6, &rig->options, &rig->c, &rig->err), 0);
	assert_int_equal(table(rig)->history_runs, 7);
}

static void has_no_use_for_a_set_of_one_run(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "meminfo.A", 1000, 1002, 1003);
	put(rig, "head", "meminfo.A", 1020, 1023, 1021);
	put(rig, "v6.9", "meminfo.A", 970);
	put(rig, "v6.8", "meminfo.A", 980);
	put_earlier(rig, 6);
	assert_int_equal(table(rig)->history_runs, 0);
}

/* ---- the order of the runs ---- */

static void put_quiet(struct rig *rig)
{
	put(rig, "base", "meminfo.A", 1000, 1003, 998, 1001);
	put(rig, "head", "meminfo.A", 1001, 1002, 999, 1004);
}

static void warns_when_one_side_ran_after_the_other(void **state)
{
	struct rig *rig = *state;

	put_quiet(rig);
	STAND(rig, 0, 1, 2, 3, 4, 5, 6, 7);
	run_compare(rig);
	assert_string_equal(table(rig)->heads[1].order, "blocked");
	assert_true(has_warning(rig, "the runs of base were before those of head"));
}

static void is_content_with_sides_that_took_turns(void **state)
{
	struct rig *rig = *state;

	put_quiet(rig);
	STAND(rig, 0, 3, 5, 6, 1, 2, 4, 7); /* A B B A B A A B */
	run_compare(rig);
	assert_string_equal(table(rig)->heads[1].order, "alternating");
	assert_int_equal(table(rig)->warning_count, 0);
	assert_non_null(strstr(text_of_rig(rig), "4 runs of base against 4 of head, order alternating\n"));
}

static void says_when_the_order_is_not_known(void **state)
{
	struct rig *rig = *state;

	put_quiet(rig);
	run_compare(rig);
	assert_string_equal(table(rig)->heads[1].order, "unknown");
	assert_true(has_warning(rig, "order of the runs is not known"));
}

static void takes_a_boot_for_one_where_there_are_three_a_side(void **state)
{
	static const char *const boots[] = { "b1", "b1", "b2", "b3", "h1", "h2", "h2", "h3" };
	struct rig *rig = *state;

	put(rig, "base", "meminfo.A", 1000, 1004, 998, 1001);
	put(rig, "head", "meminfo.A", 1101, 1102, 1098, 1104);
	for (size_t i = 0; i < rig->count; i++)
		rig->runs[i].boot = boots[i];
	run_compare(rig);
	assert_true(table(rig)->by_boot);
	assert_int_equal(table(rig)->units[0], 3);
	assert_true(fabs(row_of(rig, "meminfo.A")->cells[0].mean - (1002 + 998 + 1001) / 3.0) < 1e-9);
	assert_non_null(strstr(text_of_rig(rig), "3 boots of base against 3 of head"));
}

static void warns_when_boots_are_too_few_to_tell_them_apart(void **state)
{
	struct rig *rig = *state;

	put_quiet(rig);
	for (size_t i = 0; i < rig->count; i++)
		rig->runs[i].boot = i < 4 ? "b1" : "h1";
	run_compare(rig);
	assert_false(table(rig)->by_boot);
	assert_true(has_warning(rig, "1 boot on a side"));
	for (size_t i = 0; i < rig->count; i++)
		rig->runs[i].boot = "same";
	run_compare(rig);
	assert_false(has_warning(rig, "boot"));
}

static void fact(struct pairs *facts, const char *name, const char *value)
{
	assert_int_equal(pairs_set(facts, name, value), 0);
}

static void warns_where_the_machines_differ_in_what_matters(void **state)
{
	struct rig *rig = *state;
	struct pairs base = { 0 }, head = { 0 };

	put_quiet(rig);
	for (size_t i = 0; i < rig->count; i++)
		rig->runs[i].facts = i < 4 ? &base : &head;
	fact(&base, "cpu.microcode", "0x1d");
	fact(&head, "cpu.microcode", "0x2a");
	fact(&base, "cpu.smt", "on");
	fact(&head, "cpu.smt", "on");
	fact(&base, "cpu.governor", "performance"); /* the other side does not tell */
	fact(&base, "host.boot_id", "b1");
	fact(&head, "host.boot_id", "h1");
	fact(&base, "memory.total_kib", "131072000");
	fact(&head, "memory.total_kib", "131071000");
	fact(&base, "kernel.cmdline", "BOOT_IMAGE=/vmlinuz-6.11 quiet");
	fact(&head, "kernel.cmdline", "BOOT_IMAGE=/vmlinuz-6.12 quiet");
	fact(&base, "kernel.log", "read");
	fact(&head, "kernel.log", "unknown: Operation not permitted");
	fact(&base, "mitigation.mds", "Not affected");
	fact(&head, "mitigation.mds", "Mitigation: Clear CPU buffers; SMT vulnerable, and more words than one line can hold");
	run_compare(rig);
	assert_true(has_warning(rig, "cpu.microcode differs: 0x1d in base, 0x2a in head"));
	assert_true(has_warning(rig, "mitigation.mds differs: Not affected in base, Mitigation: Clear CPU buffers; SMT "
				     "vulnerable, and more word... in head"));
	assert_true(has_warning(rig, "kernel.log differs: read in base, unknown: Operation not permitted in head"));
	assert_false(has_warning(rig, "cpu.smt"));
	assert_false(has_warning(rig, "cpu.governor"));
	assert_false(has_warning(rig, "boot_id"));
	assert_false(has_warning(rig, "memory"));
	assert_false(has_warning(rig, "cmdline"));
	assert_non_null(strstr(text_of_rig(rig), "warning: cpu.microcode differs: 0x1d in base, 0x2a in head\n"));
	fact(&head, "memory.total_kib", "65536000");
	fact(&head, "kernel.cmdline", "BOOT_IMAGE=/vmlinuz-6.12 quiet mitigations=off");
	run_compare(rig);
	assert_true(has_warning(rig, "memory.total_kib differs: 131072000 in base, 65536000 in head"));
	assert_true(has_warning(rig, "kernel.cmdline differs: quiet in base, quiet mitigations=off in head"));
	pairs_free(&base);
	pairs_free(&head);
}

static void warns_of_no_fact_that_both_sides_have_in_each_of_its_values(void **state)
{
	struct rig *rig = *state;
	struct pairs odd = { 0 }, even = { 0 };

	put_quiet(rig);
	for (size_t i = 0; i < rig->count; i++)
		rig->runs[i].facts = i % 2 ? &odd : &even;
	fact(&odd, "cpu.governor", "performance");
	fact(&even, "cpu.governor", "powersave");
	run_compare(rig);
	assert_false(has_warning(rig, "cpu.governor"));
	rig->runs[0].facts = rig->runs[2].facts = &odd;
	run_compare(rig);
	assert_true(has_warning(rig, "cpu.governor differs: performance in base, powersave or performance in head"));
	pairs_free(&odd);
	pairs_free(&even);
}

static void counts_the_differing_facts_that_it_does_not_list(void **state)
{
	struct rig *rig = *state;
	struct pairs base = { 0 }, head = { 0 };

	put_quiet(rig);
	for (size_t i = 0; i < rig->count; i++)
		rig->runs[i].facts = i < 4 ? &base : &head;
	for (int i = 0; i < 15; i++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "mitigation.fault%d", i);
		fact(&base, name, "Not affected");
		fact(&head, name, "Vulnerable");
	}
	run_compare(rig);
	assert_true(has_warning(rig, "mitigation.fault10 differs"));
	assert_false(has_warning(rig, "mitigation.fault11"));
	assert_true(has_warning(rig, "4 more facts of the machines differ"));
	pairs_free(&base);
	pairs_free(&head);
}

/* ---- blocks ---- */

static void shows_the_largest_differences_of_too_few_runs_without_a_claim(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "meminfo.A", 1000, 1003);
	put(rig, "head", "meminfo.A", 3001, 3002);
	put(rig, "base", "meminfo.B", 1000, 1003);
	put(rig, "head", "meminfo.B", 1000, 1002);
	rig->options.top = 1;
	run_compare(rig);
	assert_true(table(rig)->few);
	assert_true(has_warning(rig, "too few runs"));
	assert_int_equal(table(rig)->row_count, 1);
	assert_false(row_of(rig, "meminfo.A")->changed);
}

static void counts_failures_over_all_runs_with_fishers_p(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "dmesg.WARNING:at_mm/slub.c:#", 1, MISSING, MISSING, MISSING);
	put(rig, "base", "meminfo.A", 1, 1, 1, 1);
	put(rig, "head", "meminfo.A", 1, 1, 1, 1);
	rig->runs[0].incomplete = true;
	run_compare(rig);
	assert_string_equal(line_of(rig, "dmesg.WARNING:at_mm/slub.c:#"),
			    "          1:4          -25%            :4     dmesg.WARNING:at_mm/slub.c:#  p = 1");
}

static void says_what_moves_with_the_first_result(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "hackbench.throughput", 1000, 1010, 990, 1020, 980, 1005);
	put(rig, "head", "hackbench.throughput", 1200, 1212, 1188, 1224, 1176, 1206);
	put(rig, "base", "vmstat.system.cs", 5000, 5052, 4949, 5101, 4902, 5023); /* goes along */
	put(rig, "head", "vmstat.system.cs", 6000, 6061, 5938, 6121, 5881, 6031);
	put(rig, "base", "meminfo.Slab", 7000, 7010, 7011, 7009, 7010, 7000); /* does not */
	put(rig, "head", "meminfo.Slab", 9000, 9010, 9011, 9009, 9010, 9000);
	run_compare(rig);
	assert_true(table(rig)->related_count >= 1);
	assert_string_equal(table(rig)->related[0]->key, "vmstat.system.cs");
	assert_true(table(rig)->related[0]->moves >= 0.5);
	assert_non_null(strstr(text_of_rig(rig), "most related to the change of hackbench.throughput"));
}

static void finds_what_became_noisier(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "meminfo.A", 1000, 1001, 999, 1000, 1001, 999);
	put(rig, "head", "meminfo.A", 1000, 1300, 700, 1100, 900, 1200);
	put(rig, "base", "meminfo.B", 1000, 1001, 999, 1000, 1001, 999);
	put(rig, "head", "meminfo.B", 1000, 1001, 999, 1000, 1001, 999);
	run_compare(rig);
	assert_int_equal(table(rig)->noise_count, 0);
	rig->options.noise = true;
	run_compare(rig);
	assert_int_equal(table(rig)->noise_count, 1);
	assert_string_equal(table(rig)->noise[0].key, "meminfo.A");
	assert_non_null(strstr(text_of_rig(rig), "the noise changed:\n"));
}

static void keeps_weak_evidence_apart(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "meminfo.A", 1000, 1060, 960, 1010);
	put(rig, "head", "meminfo.A", 1060, 1110, 1030, 1090);
	rig->options.weak = true;
	run_compare(rig);
	assert_int_equal(table(rig)->row_count, 0);
	assert_int_equal(table(rig)->weak_count, 1);
	assert_non_null(strstr(text_of_rig(rig), "weak evidence"));
}

static void shows_every_key_on_request(void **state)
{
	struct rig *rig = *state;

	put_quiet(rig);
	put_cpus(rig);
	rig->options.all = true;
	run_compare(rig);
	assert_int_equal(table(rig)->row_count, 7);
	assert_false(row_of(rig, "meminfo.A")->changed);
	assert_true(row_of(rig, "softirqs.CPU0.RCU")->changed);
	assert_false(row_of(rig, "softirqs.CPU5.RCU")->changed);
}

static void sets_every_head_against_the_base(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "meminfo.A", 1000, 1003, 998, 1001);
	put(rig, "one", "meminfo.A", 1001, 1002, 999, 1004);
	put(rig, "two", "meminfo.A", 1101, 1102, 1099, 1104);
	run_compare(rig);
	assert_int_equal(verdict_of_head(rig, "meminfo.A", 1)->word, VERDICT_UNDECIDED);
	assert_int_equal(verdict_of_head(rig, "meminfo.A", 2)->word, VERDICT_CHANGED);
	assert_int_equal(table(rig)->heads[1].shown, 0);
	assert_int_equal(table(rig)->heads[2].shown, 1);
}

static void prints_interval_and_q_on_request(void **state)
{
	struct rig *rig = *state;

	put(rig, "base", "meminfo.A", 1000, 1003, 998, 1001);
	put(rig, "head", "meminfo.A", 1100, 1102, 1099, 1104);
	rig->options.intervals = true;
	run_compare(rig);
	assert_non_null(strstr(text_of_rig(rig), "         %stddev     %change         %stddev"
						 "          [95% interval]         q\n"));
	assert_non_null(
		strstr(rig->out.data, "+10.1%       1101               [+9.7%, +10.5%]  8.39e-10  meminfo.A\n"));
}

static void says_the_same_as_json(void **state)
{
	struct rig *rig = *state;
	json_t *file, *t, *cell;

	put_results(rig);
	put_cpus(rig);
	run_compare(rig);
	buf_clear(&rig->out);
	assert_int_equal(report_json(&rig->c, &rig->out), 0);
	file = json_loadb(rig->out.data, rig->out.len, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(file);
	assert_string_equal(json_string_value(json_object_get(file, "rules")), "assay");
	t = json_array_get(json_object_get(file, "tables"), 0);
	assert_int_equal(json_integer_value(json_object_get(json_array_get(json_object_get(t, "heads"), 0), "shown")),
			 1);
	cell = json_array_get(json_object_get(json_array_get(json_object_get(t, "rows"), 3), "cells"), 1);
	assert_string_equal(json_string_value(json_object_get(cell, "verdict")), "changed");
	assert_int_equal(json_integer_value(json_object_get(cell, "members_changed")), 4);
	json_decref(file);
}

static void refuses_options_of_the_other_rules(void **state)
{
	struct rig *rig = *state;

	put_quiet(rig);
	rig->options.gap = 0.5;
	assert_int_equal(compare(rig->runs, rig->count, &rig->options, &rig->c, &rig->err), -EINVAL);
	rig->options.gap = 0;
	rig->options.q = 1.5;
	assert_int_equal(compare(rig->runs, rig->count, &rig->options, &rig->c, &rig->err), -EINVAL);
	rig->options.q = 0.1;
	rig->options.rules = RULES_LKP;
	assert_int_equal(compare(rig->runs, rig->count, &rig->options, &rig->c, &rig->err), -EINVAL);
}

static void says_so_when_there_is_no_memory(void **state)
{
	struct rig *rig = *state;
	size_t n = 1;

	put_results(rig);
	put_cpus(rig);
	rig->options.noise = rig->options.expand = true;
	for (size_t i = 0; i < rig->count; i++)
		stats_sort(&rig->stats[i]);
	for (;; n++) {
		int r;

		alloc_fail_at(n);
		r = compare(rig->runs, rig->count, &rig->options, &rig->c, &rig->err);
		alloc_fail_at(0);
		if (r == 0)
			break;
		assert_int_equal(r, -ENOMEM);
		assert_int_equal(rig->c.table_count, 0);
		assert_true(n < 2000);
	}
	assert_true(n > 20);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_assay, rig_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(tells_every_result_whether_it_changed_or_not),
		TEST(takes_for_results_those_that_the_benchmark_is_about),
		TEST(tells_a_result_of_one_run_a_side_without_a_verdict),
		TEST(makes_one_line_of_the_cpus_and_says_how_many_changed),
		TEST(lists_the_changed_cpus_on_request),
		TEST(takes_absent_for_missing_and_not_for_zero),
		TEST(reads_an_absent_symbol_as_none_in_a_run_that_was_profiled),
		TEST(names_the_keys_that_one_side_lacks),
		TEST(says_new_and_gone_where_there_is_no_percentage),
		TEST(filters_only_after_all_were_judged),
		TEST(believes_earlier_runs_about_the_noise),
		TEST(does_not_ask_another_machine_or_another_parameter),
		TEST(has_no_use_for_a_set_of_one_run),
		TEST(warns_when_one_side_ran_after_the_other),
		TEST(is_content_with_sides_that_took_turns),
		TEST(says_when_the_order_is_not_known),
		TEST(takes_a_boot_for_one_where_there_are_three_a_side),
		TEST(warns_when_boots_are_too_few_to_tell_them_apart),
		TEST(warns_where_the_machines_differ_in_what_matters),
		TEST(warns_of_no_fact_that_both_sides_have_in_each_of_its_values),
		TEST(counts_the_differing_facts_that_it_does_not_list),
		TEST(shows_the_largest_differences_of_too_few_runs_without_a_claim),
		TEST(counts_failures_over_all_runs_with_fishers_p),
		TEST(says_what_moves_with_the_first_result),
		TEST(finds_what_became_noisier),
		TEST(keeps_weak_evidence_apart),
		TEST(shows_every_key_on_request),
		TEST(sets_every_head_against_the_base),
		TEST(prints_interval_and_q_on_request),
		TEST(says_the_same_as_json),
		TEST(refuses_options_of_the_other_rules),
		TEST(says_so_when_there_is_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
