/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The collector by a kernel that counts what the test says. */
#include "tests/support/rig.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/alloc_count.h"
#include "tests/support/fake_perf.h"
#include "tests/support/shared.h"

#define DEVICES "sys/bus/event_source/devices/"
#define SECOND	UINT64_C(1000000000)

enum { HARDWARE = 0, SOFTWARE = 1, CYCLES = 0, INSTRUCTIONS = 1, REFERENCES = 2, MISSES = 3, BRANCHES = 4 };

static struct collector perf;

static int setup(void **state)
{
	fake_reset();
	perf = fake_perf_stat();
	return rig_setup(state);
}

static void machine(struct rig *rig, const char *online)
{
	rig_file(rig, "sys/devices/system/cpu/online", online);
	rig_file(rig, DEVICES "cpu/type", "4\n");
}

static void start(struct rig *rig, const char *events)
{
	static const char *options[3] = { "events" }; /* lent until the collector is closed */

	options[1] = events;
	if (rig_open_with(rig, &perf, options) < 0)
		fail_msg("%s", rig->err.text);
	rig_again(rig);
}

static const char *note(struct rig *rig, const char *name)
{
	static char kept[1024];
	struct pairs notes = { 0 };

	assert_int_equal(collector_run_notes(&rig->run, &notes), 0);
	(void)snprintf(kept, sizeof(kept), "%s", pairs_get(&notes, name) ? pairs_get(&notes, name) : "");
	pairs_free(&notes);
	return kept;
}

static void sums_over_cpus_and_scales_each_by_its_own_share(void **state)
{
	struct rig *rig = *state;

	machine(rig, "0-2\n");
	start(rig, "cache-misses");
	assert_int_equal(rig_value_of(rig, "cache-misses", "cpu"), 0);
	assert_int_equal(rig_value_of(rig, "cache-misses.counted", "cpu"), 3);
	fake_at(HARDWARE, MISSES, 0)->value = 5000;
	fake_time(fake_at(HARDWARE, MISSES, 0), SECOND, SECOND / 2);
	fake_time(fake_at(HARDWARE, MISSES, 1), SECOND, 0); /* never counted */
	fake_at(HARDWARE, MISSES, 2)->value = 3000;
	fake_time(fake_at(HARDWARE, MISSES, 2), 2 * SECOND, 2 * SECOND);
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "cache-misses", "cpu"), 13000);
	assert_int_equal(rig_value_of(rig, "cache-misses.counted", "cpu"), 2);
	assert_int_equal(rig_value_of(rig, "cache-misses.enabled", "cpu"), 4 * SECOND);
	assert_int_equal(rig_value_of(rig, "cache-misses.running", "cpu"), 2 * SECOND + SECOND / 2);
}

static void what_never_counted_is_absent_and_what_was_missed_is_made_up_for_later(void **state)
{
	struct rig *rig = *state;

	machine(rig, "0\n");
	start(rig, "cache-misses");
	fake_time(fake_at(HARDWARE, MISSES, 0), SECOND, 0);
	rig_again(rig);
	assert_false(rig_has_of(rig, "cache-misses", "cpu"));
	assert_int_equal(rig_value_of(rig, "cache-misses.counted", "cpu"), 0);
	fake_time(fake_at(HARDWARE, MISSES, 0), SECOND, SECOND / 2);
	fake_at(HARDWARE, MISSES, 0)->value = 100;
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "cache-misses", "cpu"), 400); /* half of one of two seconds */
}

static void one_read_a_group_and_cpu_and_no_allocation(void **state)
{
	struct rig *rig = *state;
	size_t before;

	machine(rig, "0-255\n");
	start(rig, "default");
	fake.reads = 0;
	before = alloc_count();
	rig_again(rig);
	assert_int_equal(alloc_count(), before);
	assert_int_equal(fake.reads, 7 * 256);
	assert_int_equal(fake_count(HARDWARE, CYCLES), 256);
	assert_int_equal(rig->run.shape.instance_count, 2); /* cpu, software */
	assert_int_equal(rig->run.shape.metric_count, 23 + 7 * 3);
	assert_int_equal(fake_at(HARDWARE, CYCLES, 255)->leader, fake_at(HARDWARE, MISSES, 255)->leader);
}

static void a_group_is_parted_where_the_pmu_has_too_few_counters(void **state)
{
	struct rig *rig = *state;

	machine(rig, "0-1\n");
	fake.general = 2; /* and one each for cycles and instructions */
	start(rig, "default");
	assert_int_equal(fake_at(HARDWARE, CYCLES, 1)->leader, fake_at(HARDWARE, MISSES, 1)->leader);
	assert_int_not_equal(fake_at(HARDWARE, CYCLES, 1)->leader, fake_at(HARDWARE, BRANCHES, 1)->leader);
	assert_int_equal(fake_at(HARDWARE, BRANCHES, 1)->leader, fake_at(HARDWARE, BRANCHES + 1, 1)->leader);
	assert_true(rig_has_of(rig, "branch-instructions.running", "cpu"));
	assert_string_equal(note(rig, "perf-stat.without"), "");
}

static int no_references(const struct perf_event_attr *attr, int cpu)
{
	return attr->type == HARDWARE && attr->config == REFERENCES ? -ENOENT : attr->type == 3 && attr->config == 6 ? -EINVAL : 0;
}

static void a_group_is_left_out_when_the_pmu_lacks_one_of_its_events(void **state)
{
	struct rig *rig = *state;

	machine(rig, "0-1\n");
	fake.refuse = no_references;
	start(rig, "default");
	assert_int_equal(fake_count(HARDWARE, CYCLES), 0);
	assert_int_equal(fake_count(3, 3), 2);
	assert_int_equal(fake_count(3, 0x10006), 0); /* node-loads is not there: neither is node-load-misses */
	assert_string_equal(note(rig, "perf-stat.without"),
			    "cpu-cycles, instructions, cache-references, cache-misses, branch-instructions, branch-misses, "
			    "node-loads, node-load-misses: cpu does not have it or another of its group");
}

static void the_watchdogs_counter_is_reckoned_with(void **state)
{
	struct rig *rig = *state;

	machine(rig, "0-1\n");
	rig_file(rig, "proc/sys/kernel/nmi_watchdog", "1\n");
	start(rig, "default");
	assert_int_equal(fake_at(HARDWARE, CYCLES, 1)->leader, fake_at(HARDWARE, MISSES, 1)->leader);
	assert_int_not_equal(fake_at(HARDWARE, CYCLES, 1)->leader, fake_at(HARDWARE, BRANCHES, 1)->leader);
	assert_non_null(strstr(note(rig, "perf-stat.nmi-watchdog"), "holds a counter"));
}

static void all_begin_together(void **state)
{
	struct rig *rig = *state;

	machine(rig, "0-1\n");
	start(rig, "{cpu-clock,page-faults}");
	assert_true(fake_at(SOFTWARE, 0, 1)->attr.disabled);
	assert_false(fake_at(SOFTWARE, 2, 1)->attr.disabled);
	assert_true(fake_at(SOFTWARE, 0, 1)->enabled);
	assert_int_equal(fake_at(SOFTWARE, 0, 1)->attr.read_format, 1 | 2 | 8);
	assert_int_equal(fake_at(SOFTWARE, 0, 1)->process, -1);
	assert_false(fake_at(SOFTWARE, 0, 1)->attr.inherit);
}

static void a_command_is_counted_from_its_execution_on_with_what_it_starts(void **state)
{
	struct rig *rig = *state;
	const char *const options[] = { "events", "{cycles,instructions},cs", "scope", "command", NULL };
	struct fake_fd *leader;

	machine(rig, "0-1\n");
	assert_int_equal(rig_open_with(rig, &perf, options), -ESRCH);
	assert_string_equal(rig->err.text, "perf-stat: scope=command, and there is no command");
	rig->host.command = 4711;
	assert_int_equal(rig_open_with(rig, &perf, options), 0);
	leader = fake_at(HARDWARE, CYCLES, -1);
	assert_int_equal(leader->process, 4711);
	assert_true(leader->attr.inherit && leader->attr.enable_on_exec && leader->attr.disabled);
	assert_true(fake_at(HARDWARE, INSTRUCTIONS, -1)->attr.inherit);
	assert_false(fake_at(HARDWARE, INSTRUCTIONS, -1)->attr.enable_on_exec);
	assert_false(leader->enabled);
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "cycles", "cpu"), 0); /* it slept: that is no share of nothing */
	leader->value = 70;
	fake_time(leader, SECOND, SECOND);
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "cycles", "cpu"), 70);
	assert_string_equal(note(rig, "perf-stat.scope"), "the command alone");
}

static int kernel_is_forbidden(const struct perf_event_attr *attr, int cpu)
{
	return attr->exclude_kernel ? 0 : -EACCES;
}

static void says_what_would_allow_counting(void **state)
{
	struct rig *rig = *state;
	const char *const command[] = { "events", "cycles", "scope", "command", NULL };

	machine(rig, "0-1\n");
	rig_file(rig, "proc/sys/kernel/perf_event_paranoid", "2\n");
	fake.refuse = kernel_is_forbidden;
	assert_int_equal(rig_open(rig, &perf), -EACCES);
	assert_string_equal(rig->err.text,
			    "perf_event_paranoid is 2: counting on whole CPUs needs CAP_PERFMON, or sysctl "
			    "kernel.perf_event_paranoid=-1; a container may forbid it all the same (scope=command counts "
			    "the command alone)");
	rig->host.command = 4711;
	assert_int_equal(rig_open_with(rig, &perf, command), 0);
	assert_true(fake_at(HARDWARE, CYCLES, -1)->attr.exclude_hv);
	assert_string_equal(note(rig, "perf-stat.scope"), "the command alone, outside of the kernel (perf_event_paranoid)");
}

static int only_references(const struct perf_event_attr *attr, int cpu)
{
	return attr->config == REFERENCES ? -ENOENT : 0;
}

static void says_why_there_is_nothing_to_count(void **state)
{
	const char *const options[] = { "events", "cache-references", NULL };
	const char *const nothing[] = { "events", " , ", NULL };
	const char *const scope[] = { "scope", "all", NULL };
	struct rig *rig = *state;

	machine(rig, "0-1\n");
	fake.refuse = only_references;
	assert_int_equal(rig_open_with(rig, &perf, options), -ENOENT);
	assert_string_equal(rig->err.text, "no event can be counted; cache-references: cpu does not have it");
	assert_int_equal(rig_open_with(rig, &perf, nothing), -ENOENT);
	assert_string_equal(rig->err.text, "no event is asked for");
	assert_int_equal(rig_open_with(rig, &perf, scope), -EINVAL);
	assert_int_equal(fake_count(HARDWARE, REFERENCES), 0);
}

static void a_cpu_that_comes_begins_a_new_generation(void **state)
{
	struct rig *rig = *state;

	machine(rig, "0-1\n");
	start(rig, "cycles");
	fake_at(HARDWARE, CYCLES, 0)->value = 500;
	fake_time(fake_at(HARDWARE, CYCLES, 0), SECOND, SECOND);
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "cycles", "cpu"), 500);
	rig_file(rig, "sys/devices/system/cpu/online", "0,2-3\n");
	rig_again(rig);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_int_equal(fake_count(HARDWARE, CYCLES), 3);
	assert_null(fake_at(HARDWARE, CYCLES, 1));
	assert_int_equal(rig_value_of(rig, "cycles", "cpu"), 0);
}

static int cpu_1_is_gone(const struct perf_event_attr *attr, int cpu)
{
	return cpu == 1 ? -ENODEV : 0;
}

static void a_cpu_that_went_away_while_opening_is_done_without(void **state)
{
	struct rig *rig = *state;

	machine(rig, "0-2\n");
	fake.refuse = cpu_1_is_gone;
	start(rig, "{cycles,instructions}");
	assert_int_equal(fake_count(HARDWARE, INSTRUCTIONS), 2);
	assert_int_equal(rig_value_of(rig, "cycles.counted", "cpu"), 2);
}

static void cpus_are_kept_apart_when_that_is_asked_for(void **state)
{
	const char *const options[] = { "events", "cycles,cs", "per-cpu", "yes", NULL };
	struct rig *rig = *state;

	machine(rig, "0,3\n");
	assert_int_equal(rig_open_with(rig, &perf, options), 0);
	rig_again(rig);
	fake_at(HARDWARE, CYCLES, 3)->value = 9;
	fake_time(fake_at(HARDWARE, CYCLES, 3), 10, 5);
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "cycles", "cpu.CPU0"), 0);
	assert_int_equal(rig_value_of(rig, "cycles", "cpu.CPU3"), 18);
	assert_int_equal(rig_value_of(rig, "cs", "software.CPU3"), 0);
}

static void counts_are_multiplied_as_sysfs_says(void **state)
{
	struct rig *rig = *state;

	machine(rig, "0\n");
	rig_file(rig, DEVICES "cpu/format/event", "config:0-7\n");
	rig_file(rig, DEVICES "cpu/events/topdown-total-slots", "event=0x3c\n");
	rig_file(rig, DEVICES "cpu/events/topdown-total-slots.scale", "4\n");
	start(rig, "topdown-total-slots");
	fake_at(4, 0x3c, 0)->value = 25;
	fake_time(fake_at(4, 0x3c, 0), 10, 10);
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "topdown-total-slots", "cpu"), 100);
}

static void a_shared_counter_of_hours_does_not_overflow(void **state)
{
	struct rig *rig = *state;

	machine(rig, "0\n");
	start(rig, "cycles");
	fake_at(HARDWARE, CYCLES, 0)->value = UINT64_C(1) << 56;
	fake_time(fake_at(HARDWARE, CYCLES, 0), 3 * SECOND * 86400, SECOND * 86400);
	rig_again(rig);
	assert_true(rig_value_of(rig, "cycles", "cpu") == 3 * (UINT64_C(1) << 56));
}

/* ---- ratios of the user ---- */

static void ratios_are_read_from_a_file_of_yaml_and_noted(void **state)
{
	struct rig *rig = *state;
	char path[400];
	const char *options[] = { "ratios", path, NULL };

	machine(rig, "0\n");
	(void)snprintf(path, sizeof(path), "%s/ratios.yaml", rig->folder);
	rig_file(rig, "ratios.yaml", "# ours\nstall%: 100 * stalled-cycles-backend / cpu-cycles\n\"x\": \"(a:b + c) / d\"\n");
	assert_int_equal(rig_open_with(rig, &perf, options), 0);
	assert_string_equal(note(rig, "perf-stat.ratios"),
			    "stall%: 100 * stalled-cycles-backend / cpu-cycles\nx: (a:b + c) / d\n");
}

static void says_where_a_file_of_ratios_is_wrong(void **state)
{
	static const char *const broken[][2] = {
		{ "a: b / c\nd: [1]\n", ":2: an expression is wanted, such as cache-misses / instructions" },
		{ "- a\n", ":1: one mapping of names to expressions is wanted" },
		{ "a b: c\n", ":1: a name has neither blanks nor colons" },
		{ "a: 'b\n", ":2: found unexpected end of stream" },
		{ "# nothing\n", ": there is no ratio in it" },
	};
	struct rig *rig = *state;
	char path[400], want[600];
	const char *options[] = { "ratios", path, NULL };

	machine(rig, "0\n");
	(void)snprintf(path, sizeof(path), "%s/ratios.yaml", rig->folder);
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		rig_file(rig, "ratios.yaml", broken[i][0]);
		assert_int_equal(rig_open_with(rig, &perf, options), -EINVAL);
		(void)snprintf(want, sizeof(want), "%s%s", path, broken[i][1]);
		assert_string_equal(rig->err.text, want);
	}
	rig_remove(rig, "ratios.yaml");
	assert_int_equal(rig_open_with(rig, &perf, options), -ENOENT);
}

/* ---- data/cases ---- */

static json_t *case_json(const char *relative)
{
	char path[512];
	struct buf text;
	json_t *json;

	if (!shared_path(path, sizeof(path), relative))
		return NULL;
	text = read_whole(path);
	json = json_loadb(text.data, text.len, 0, NULL);
	buf_free(&text);
	assert_non_null(json);
	return json;
}

static void feed(json_t *reads, size_t nth)
{
	const char *cpu;
	json_t *times;

	json_object_foreach(json_object_get(reads, "cpus"), cpu, times) {
		json_t *at = json_array_get(times, nth);
		struct fake_fd *fd = fake_at(HARDWARE, MISSES, (int)(*cpu - '0'));

		fd->value = (uint64_t)json_integer_value(json_object_get(at, "value"));
		fd->time_enabled = (uint64_t)json_integer_value(json_object_get(at, "enabled"));
		fd->time_running = (uint64_t)json_integer_value(json_object_get(at, "running"));
	}
}

static void case_025_a_counter_that_never_ran_has_no_value(void **state)
{
	json_t *reads = case_json("cases/025-perf-time-running-zero/reads.json");
	const char *const options[] = { "events", "cache-misses", "per-cpu", "yes", NULL };
	struct rig *rig = *state;

	if (!reads)
		skip();
	machine(rig, "0-2\n");
	for (int apart = 0; apart < 2; apart++) {
		fake_reset();
		assert_int_equal(rig_open_with(rig, &perf, apart ? options : (const char *const[]){ "events", "cache-misses", NULL }), 0);
		feed(reads, 0);
		rig_again(rig);
		feed(reads, 1);
		rig_again(rig);
		if (!apart) {
			assert_int_equal(rig_value_of(rig, "cache-misses", "cpu"), 13000);
			assert_int_equal(rig_value_of(rig, "cache-misses.counted", "cpu"), 2);
			continue;
		}
		assert_int_equal(rig_value_of(rig, "cache-misses", "cpu.CPU0"), 10000);
		assert_false(rig_has_of(rig, "cache-misses", "cpu.CPU1"));
		assert_int_equal(rig_value_of(rig, "cache-misses", "cpu.CPU2"), 3000);
		assert_int_equal(100 * rig_value_of(rig, "cache-misses.running", "cpu.CPU0") /
					 rig_value_of(rig, "cache-misses.enabled", "cpu.CPU0"), 50);
	}
	json_decref(reads);
}

static void case_026_two_kinds_of_cores(void **state)
{
	struct rig *rig = *state;
	char path[512];

	if (!shared_path(path, sizeof(path), "cases/026-hybrid-two-core-pmus/root"))
		skip();
	rig_root(rig, path);
	start(rig, "cycles,slots");
	assert_int_equal(fake_count(HARDWARE, 0x400000000), 12);
	assert_int_equal(fake_count(HARDWARE, 0xa00000000), 8);
	assert_int_equal(fake_count(4, 0x400), 12);
	assert_int_equal(rig_value_of(rig, "cycles.counted", "cpu_core"), 12);
	assert_int_equal(rig_value_of(rig, "cycles.counted", "cpu_atom"), 8);
	for (int cpu = 0; cpu < 20; cpu++) {
		struct fake_fd *cycles = fake_at(HARDWARE, cpu < 12 ? 0x400000000 : 0xa00000000, cpu);

		fake_time(cycles, SECOND, cpu == 0 ? SECOND : 0); /* 1 of 20 counted */
		cycles->value = cpu == 0 ? 1000000 : 0;
	}
	fake_at(4, 0x400, 3)->value = 3000;
	rig_again(rig);
	assert_int_equal(rig_value_of(rig, "cycles", "cpu_core"), 1000000);
	assert_false(rig_has_of(rig, "cycles", "cpu_atom"));
	assert_int_equal(rig_value_of(rig, "slots", "cpu_core"), 3000);
	assert_false(rig_has_of(rig, "slots", "cpu_atom"));
	assert_string_equal(note(rig, "perf-stat.without"),
			    "cpu_atom/slots/: that kind of core does not have it, nor its group");
}

static void case_027_what_does_not_fit_into_the_limit_is_left_out_by_whole_events(void **state)
{
	static const char six[] = "cpu-cycles,instructions,cache-references,cache-misses,branch-instructions,branch-misses";
	json_t *scenario = case_json("cases/027-perf-emfile-224-cpus/scenario.json");
	struct rig *rig = *state;

	if (!scenario)
		skip();
	assert_int_equal(json_integer_value(json_object_get(scenario, "cpus")), 224);
	json_decref(scenario);
	machine(rig, "0-223\n");
	fake.soft = 1024;
	fake.hard = 4096;
	start(rig, six);
	for (unsigned event = 0; event < 6; event++)
		assert_int_equal(fake_count(HARDWARE, event), 224);
	assert_string_equal(note(rig, "perf-stat.limit"), "");
	for (int grouped = 0; grouped < 2; grouped++) {
		char list[200];

		collector_run_close(&rig->run);
		fake_reset();
		fake.soft = 1024;
		fake.hard = 1100;
		(void)snprintf(list, sizeof(list), grouped ? "{%s}" : "%s", six);
		start(rig, list);
		for (unsigned event = 0; event < 6; event++)
			assert_int_equal(fake_count(HARDWARE, event), event < 4 ? 224 : 0);
		assert_int_equal(rig_value_of(rig, "cpu-cycles.counted", "cpu"), 224);
		assert_string_equal(note(rig, "perf-stat.limit"),
				    "EMFILE: 1344 descriptors are needed, the limit of open files is 1100 (ulimit -Hn)");
		assert_string_equal(note(rig, "perf-stat.without"),
				    "branch-instructions, branch-misses: EMFILE: no descriptors are left");
	}
	collector_run_close(&rig->run);
	fake_reset();
	fake.soft = fake.hard = 100;
	assert_int_equal(rig_open(rig, &perf), -EMFILE);
	assert_string_equal(rig->err.text,
			    "EMFILE: 5152 descriptors are needed, the limit of open files is 100 (ulimit -Hn)");
}

static void a_recorded_tree_has_no_counters(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(collector_probe(&collector_perf_stat, &rig->host, &rig->err), -ENOTSUP);
	assert_string_equal(rig->err.text, "a recorded tree has no counters");
}

static void leaves_no_descriptor_open(void **state)
{
	struct rig *rig = *state;

	machine(rig, "0-3\n");
	fake.refuse = no_references;
	fake.general = 3;
	start(rig, "default");
	collector_run_close(&rig->run);
	assert_true(fake.top > 3);
	for (int fd = 3; fd < fake.top; fd++)
		assert_false(fake.fd[fd].open);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sums_over_cpus_and_scales_each_by_its_own_share),
		TEST(what_never_counted_is_absent_and_what_was_missed_is_made_up_for_later),
		TEST(one_read_a_group_and_cpu_and_no_allocation),
		TEST(a_group_is_parted_where_the_pmu_has_too_few_counters),
		TEST(a_group_is_left_out_when_the_pmu_lacks_one_of_its_events),
		TEST(the_watchdogs_counter_is_reckoned_with),
		TEST(all_begin_together),
		TEST(a_command_is_counted_from_its_execution_on_with_what_it_starts),
		TEST(says_what_would_allow_counting),
		TEST(says_why_there_is_nothing_to_count),
		TEST(a_cpu_that_comes_begins_a_new_generation),
		TEST(a_cpu_that_went_away_while_opening_is_done_without),
		TEST(cpus_are_kept_apart_when_that_is_asked_for),
		TEST(counts_are_multiplied_as_sysfs_says),
		TEST(a_shared_counter_of_hours_does_not_overflow),
		TEST(ratios_are_read_from_a_file_of_yaml_and_noted),
		TEST(says_where_a_file_of_ratios_is_wrong),
		TEST(case_025_a_counter_that_never_ran_has_no_value),
		TEST(case_026_two_kinds_of_cores),
		TEST(case_027_what_does_not_fit_into_the_limit_is_left_out_by_whole_events),
		TEST(a_recorded_tree_has_no_counters),
		TEST(leaves_no_descriptor_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
