/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of events -> what the kernel is asked for. Codes are those of the vendors' manuals, written down here. */
#include "tests/support/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/perf_events.h"
#include "collectors/perf_names.h"
#include "tests/support/shared.h"

#define DEVICES "sys/bus/event_source/devices/"

enum { HARDWARE = 0, SOFTWARE = 1, TRACEPOINT = 2, CACHE = 3, RAW = 4 };

static int make(struct rig *rig, struct perf_events *e, const char *list)
{
	*e = (struct perf_events){ 0 };
	return perf_events_make(e, &rig->host, list, &rig->err);
}

static void must(struct rig *rig, struct perf_events *e, const char *list)
{
	if (make(rig, e, list) < 0)
		fail_msg("%s: %s", list, rig->err.text);
}

/* The event of that name and PMU. */
static const struct perf_event *event_of(const struct perf_events *e, const char *name, const char *pmu)
{
	for (size_t i = 0; i < e->count; i++)
		if (strcmp(e->at[i].name, name) == 0 && strcmp(e->pmus.at[e->at[i].pmu].name, pmu) == 0)
			return &e->at[i];
	fail_msg("there is no %s of %s", name, pmu);
	return NULL;
}

static void expect_code(const struct perf_events *e, const char *name, const char *pmu, unsigned type, uint64_t config)
{
	const struct perf_code *code = &event_of(e, name, pmu)->code;

	if (code->type != type || code->config[0] != config)
		fail_msg("%s of %s is type %u config %#llx, should be %u and %#llx", name, pmu, code->type,
			 (unsigned long long)code->config[0], type, (unsigned long long)config);
}

static const char *why_not(const struct perf_events *e, const char *name)
{
	const char *why = pairs_get(&e->without, name);

	return why ? why : "nothing is left out";
}

static void tree_online(struct rig *rig, const char *online)
{
	rig_file(rig, "sys/devices/system/cpu/online", online);
}

/* A PMU of the cores with the fields that Intel and AMD have. */
static void tree_cpu(struct rig *rig)
{
	tree_online(rig, "0-3\n");
	rig_file(rig, DEVICES "cpu/type", "4\n");
	rig_file(rig, DEVICES "cpu/format/event", "config:0-7\n");
	rig_file(rig, DEVICES "cpu/format/umask", "config:8-15\n");
	rig_file(rig, DEVICES "cpu/format/inv", "config:23\n");
	rig_file(rig, DEVICES "cpu/format/cmask", "config:24-31\n");
	rig_file(rig, DEVICES "cpu/format/offcore_rsp", "config1:0-63\n");
	rig_file(rig, DEVICES "cpu/events/mem-stores", "event=0xd0,umask=0x82\n");
}

/* spec A.3.8 */
static const struct {
	const char *name;
	unsigned type;
	uint64_t config;
	size_t group;
} defaults[] = {
	{ "cpu-cycles", HARDWARE, 0, 0 },	 { "instructions", HARDWARE, 1, 0 },
	{ "cache-references", HARDWARE, 2, 0 },	 { "cache-misses", HARDWARE, 3, 0 },
	{ "branch-instructions", HARDWARE, 4, 0 }, { "branch-misses", HARDWARE, 5, 0 },
	{ "dTLB-loads", CACHE, 0x00003, 1 },	 { "dTLB-load-misses", CACHE, 0x10003, 1 },
	{ "dTLB-stores", CACHE, 0x00103, 2 },	 { "dTLB-store-misses", CACHE, 0x10103, 2 },
	{ "iTLB-loads", CACHE, 0x00004, 3 },	 { "iTLB-load-misses", CACHE, 0x10004, 3 },
	{ "node-loads", CACHE, 0x00006, 4 },	 { "node-load-misses", CACHE, 0x10006, 4 },
	{ "node-stores", CACHE, 0x00106, 5 },	 { "node-store-misses", CACHE, 0x10106, 5 },
	{ "cpu-clock", SOFTWARE, 0, 6 },	 { "task-clock", SOFTWARE, 1, 6 },
	{ "page-faults", SOFTWARE, 2, 6 },	 { "context-switches", SOFTWARE, 3, 6 },
	{ "cpu-migrations", SOFTWARE, 4, 6 },	 { "minor-faults", SOFTWARE, 5, 6 },
	{ "major-faults", SOFTWARE, 6, 6 },
};

static void the_default_groups_are_those_of_the_test_robot(void **state)
{
	struct rig *rig = *state;
	struct perf_events e;

	tree_cpu(rig);
	must(rig, &e, "default");
	assert_int_equal(e.count, sizeof(defaults) / sizeof(*defaults));
	assert_int_equal(e.group_count, 7);
	for (size_t i = 0; i < e.count; i++) {
		const struct perf_group *group = &e.groups[defaults[i].group];

		assert_string_equal(e.at[i].name, defaults[i].name);
		assert_int_equal(e.at[i].code.type, defaults[i].type);
		assert_int_equal(e.at[i].code.config[0], defaults[i].config);
		assert_true(i >= group->first && i < group->first + group->count);
	}
	assert_int_equal(e.without.count, 0);
	assert_int_equal(e.pmus.at[e.at[0].pmu].cpus.count, 4);
	perf_events_free(&e);
}

static void every_event_is_a_group_when_groups_are_off(void **state)
{
	struct rig *rig = *state;
	struct perf_events e = { .apart = true };

	tree_cpu(rig);
	assert_int_equal(perf_events_make(&e, &rig->host, "{cycles,instructions},cs", &rig->err), 0);
	assert_int_equal(e.group_count, 3);
	perf_events_free(&e);
}

static void a_machine_without_a_pmu_counts_software_events(void **state)
{
	struct rig *rig = *state;
	struct perf_events e;

	tree_online(rig, "0-1\n");
	must(rig, &e, "default");
	assert_int_equal(e.count, 7);
	assert_int_equal(e.group_count, 1);
	assert_int_equal(e.without.count, 16);
	assert_string_equal(why_not(&e, "cpu-cycles"), "the cores show no PMU (a guest has one only if it is given one)");
	perf_events_free(&e);
}

static void hybrid_parts_count_each_event_on_each_kind_of_core(void **state)
{
	struct rig *rig = *state;
	struct perf_events e;

	tree_online(rig, "0-19\n");
	rig_file(rig, DEVICES "cpu_core/type", "4\n");
	rig_file(rig, DEVICES "cpu_core/cpus", "0-11\n");
	rig_file(rig, DEVICES "cpu_core/events/slots", "event=0x00,umask=0x4\n");
	rig_file(rig, DEVICES "cpu_core/events/topdown-retiring", "event=0x00,umask=0x80\n");
	rig_file(rig, DEVICES "cpu_core/format/event", "config:0-7\n");
	rig_file(rig, DEVICES "cpu_core/format/umask", "config:8-15\n");
	rig_file(rig, DEVICES "cpu_atom/type", "10\n");
	rig_file(rig, DEVICES "cpu_atom/cpus", "12-19\n");
	rig_file(rig, DEVICES "cpu_atom/events/topdown-retiring", "event=0xc2,umask=0x0\n");
	rig_file(rig, DEVICES "cpu_atom/format/event", "config:0-7\n");
	rig_file(rig, DEVICES "cpu_atom/format/umask", "config:8-15\n");
	must(rig, &e, "cpu-cycles,dTLB-loads,r1c2,{slots,topdown-retiring},cpu_atom/topdown-retiring/,page-faults");
	expect_code(&e, "cpu-cycles", "cpu_core", HARDWARE, 0x400000000);
	expect_code(&e, "cpu-cycles", "cpu_atom", HARDWARE, 0xa00000000);
	expect_code(&e, "dTLB-loads", "cpu_core", CACHE, 0x400000003);
	expect_code(&e, "dTLB-loads", "cpu_atom", CACHE, 0xa00000003);
	expect_code(&e, "r1c2", "cpu_core", 4, 0x1c2);
	expect_code(&e, "r1c2", "cpu_atom", 10, 0x1c2);
	expect_code(&e, "slots", "cpu_core", 4, 0x400);
	expect_code(&e, "topdown-retiring", "cpu_core", 4, 0x8000);
	expect_code(&e, "cpu_atom/topdown-retiring/", "cpu_atom", 10, 0xc2);
	expect_code(&e, "page-faults", "software", SOFTWARE, 2);
	assert_string_equal(why_not(&e, "cpu_atom/slots/"), "that kind of core does not have it, nor its group");
	assert_int_equal(e.count, 10);
	assert_int_equal(e.pmus.at[event_of(&e, "cpu-cycles", "cpu_core")->pmu].cpus.count, 12);
	assert_int_equal(e.pmus.at[event_of(&e, "cpu-cycles", "cpu_atom")->pmu].cpus.count, 8);
	perf_events_free(&e);
}

static void arm_cores_are_known_by_their_cpus(void **state)
{
	struct rig *rig = *state;
	struct perf_events e;

	tree_online(rig, "0-79\n");
	rig_file(rig, DEVICES "armv8_pmuv3_0/type", "8\n");
	rig_file(rig, DEVICES "armv8_pmuv3_0/cpus", "0-79\n");
	rig_file(rig, DEVICES "armv8_pmuv3_0/format/event", "config:0-15\n");
	rig_file(rig, DEVICES "armv8_pmuv3_0/events/inst_retired", "event=0x0008\n");
	rig_file(rig, DEVICES "armv8_pmuv3_0/events/cpu_cycles", "event=0x0011\n");
	rig_file(rig, DEVICES "armv8_pmuv3_0/events/l1d_cache_refill", "event=0x0003\n");
	must(rig, &e, "default,inst_retired,cpu_cycles,armv8_pmuv3_0/l1d_cache_refill/");
	expect_code(&e, "cpu-cycles", "armv8_pmuv3_0", HARDWARE, 0);
	expect_code(&e, "node-store-misses", "armv8_pmuv3_0", CACHE, 0x10106);
	expect_code(&e, "inst_retired", "armv8_pmuv3_0", 8, 0x08);
	expect_code(&e, "cpu_cycles", "armv8_pmuv3_0", 8, 0x11);
	expect_code(&e, "armv8_pmuv3_0/l1d_cache_refill/", "armv8_pmuv3_0", 8, 0x03);
	perf_events_free(&e);
}

static void terms_set_the_bits_that_sysfs_names(void **state)
{
	struct rig *rig = *state;
	struct perf_events e;

	tree_cpu(rig);
	must(rig, &e,
	     "cpu/event=0x3c,umask=1/ cpu/event=60,inv,cmask=0x10/k cpu/mem-stores,umask=0x81/ cpu/config=0x1ff,config1=7/u "
	     "cpu/mem-stores,offcore_rsp=0xffffffffffffffff/");
	expect_code(&e, "cpu/event=0x3c,umask=1/", "cpu", 4, 0x13c);
	expect_code(&e, "cpu/event=60,inv,cmask=0x10/k", "cpu", 4, 0x1080003c);
	assert_true(event_of(&e, "cpu/event=60,inv,cmask=0x10/k", "cpu")->code.exclude_user);
	assert_false(event_of(&e, "cpu/event=60,inv,cmask=0x10/k", "cpu")->code.exclude_kernel);
	expect_code(&e, "cpu/mem-stores,umask=0x81/", "cpu", 4, 0x81d0);
	expect_code(&e, "cpu/config=0x1ff,config1=7/u", "cpu", 4, 0x1ff);
	assert_int_equal(event_of(&e, "cpu/config=0x1ff,config1=7/u", "cpu")->code.config[1], 7);
	assert_true(event_of(&e, "cpu/mem-stores,offcore_rsp=0xffffffffffffffff/", "cpu")->code.config[1] == UINT64_MAX);
	perf_events_free(&e);
}

static void says_what_is_wrong_with_terms(void **state)
{
	static const char *const broken[][2] = {
		{ "cpu/event=0x1ff/", "events: cpu/event=0x1ff/: cpu/format/event: 0x1ff has more bits than there is room for" },
		{ "cpu/event=/", "events: cpu/event=/: \"event=\" is no term such as umask=0x1" },
		{ "cpu/event=1x/", "events: cpu/event=1x/: \"event=1x\" is no term such as umask=0x1" },
		{ "cpu/event=1/z", "events: cpu/event=1/z: behind the second '/' only u, k and h are known" },
		{ "cpu/event=1", "events: at \"cpu/event=1\": the second '/' is missing" },
		{ "{cycles", "events: at \"{cycles\": the '}' is missing" },
		{ "cycles}", "events: at \"}\": a '}' without its '{'" },
		{ "{cycles,{instructions}}", "events: at \"{cycles,{instructions}}\": a group in a group" },
		{ "cy\x01""cles", "events: cy\x01""cles: not the name of an event" },
	};
	struct rig *rig = *state;
	struct perf_events e;

	tree_cpu(rig);
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		assert_int_equal(make(rig, &e, broken[i][0]), -EINVAL);
		assert_string_equal(rig->err.text, broken[i][1]);
		perf_events_free(&e);
	}
}

static void leaves_out_what_the_machine_does_not_have(void **state)
{
	struct rig *rig = *state;
	struct perf_events e;

	tree_cpu(rig);
	must(rig, &e, "cycles,uncore_imc/cas_count_read/,cpu/nosuch=1/,sched:sched_switch,topdown,{slots,cs}");
	assert_int_equal(e.count, 2);
	assert_string_equal(why_not(&e, "uncore_imc/cas_count_read/"), "sys/bus/event_source/devices has no uncore_imc");
	assert_string_equal(why_not(&e, "cpu/nosuch=1/"), "neither events nor format of cpu know nosuch");
	assert_non_null(strstr(why_not(&e, "sched:sched_switch"), "mount -t tracefs"));
	assert_string_equal(why_not(&e, "topdown"), "the cores show no such events in sysfs");
	assert_int_equal(e.group_count, 2); /* page faults and the like are of another PMU than the cores */
	perf_events_free(&e);
}

static void boxes_of_the_uncore_are_counted_one_by_one_on_a_cpu_of_each_socket(void **state)
{
	struct rig *rig = *state;
	struct perf_events e;

	tree_cpu(rig);
	tree_online(rig, "0-27\n");
	for (int box = 0; box < 3; box++) {
		char path[128], type[16];

		(void)snprintf(path, sizeof(path), DEVICES "uncore_imc_%d/type", box);
		(void)snprintf(type, sizeof(type), "%d\n", 20 + box);
		rig_file(rig, path, type);
		(void)snprintf(path, sizeof(path), DEVICES "uncore_imc_%d/cpumask", box);
		rig_file(rig, path, "0,14\n");
		(void)snprintf(path, sizeof(path), DEVICES "uncore_imc_%d/format/event", box);
		rig_file(rig, path, "config:0-7\n");
		(void)snprintf(path, sizeof(path), DEVICES "uncore_imc_%d/format/umask", box);
		rig_file(rig, path, "config:8-15\n");
		(void)snprintf(path, sizeof(path), DEVICES "uncore_imc_%d/events/cas_count_read", box);
		rig_file(rig, path, "event=0x04,umask=0x03\n");
	}
	rig_file(rig, DEVICES "uncore_imc_free_running/type", "40\n");
	must(rig, &e, "{uncore_imc/cas_count_read/,uncore_imc/event=0x04,umask=0x0c/},imc_2/cas_count_read/");
	assert_int_equal(e.count, 7);
	assert_int_equal(e.group_count, 4);
	expect_code(&e, "uncore_imc/cas_count_read/", "uncore_imc_1", 21, 0x304);
	expect_code(&e, "uncore_imc/event=0x04,umask=0x0c/", "uncore_imc_2", 22, 0xc04);
	expect_code(&e, "imc_2/cas_count_read/", "uncore_imc_2", 22, 0x304);
	assert_int_equal(e.pmus.at[e.at[0].pmu].cpus.count, 2);
	assert_int_equal(e.pmus.at[e.at[0].pmu].cpus.at[1], 14);
	assert_true(e.pmus.at[e.at[0].pmu].shared);
	perf_events_free(&e);
}

static void tracepoints_are_known_by_tracefs(void **state)
{
	struct rig *rig = *state;
	struct perf_events e;

	tree_online(rig, "0-1\n");
	rig_file(rig, "sys/kernel/tracing/events/sched/sched_switch/id", "314\n");
	rig_file(rig, "sys/kernel/debug/tracing/events/irq/irq_handler_entry/id", "97\n");
	must(rig, &e, "sched:sched_switch irq:irq_handler_entry");
	expect_code(&e, "sched:sched_switch", "tracepoint", TRACEPOINT, 314);
	expect_code(&e, "irq:irq_handler_entry", "tracepoint", TRACEPOINT, 97);
	perf_events_free(&e);
}

static void modifiers_choose_where_it_is_counted(void **state)
{
	struct rig *rig = *state;
	const struct perf_code *code;
	struct perf_events e;

	tree_cpu(rig);
	must(rig, &e, "cycles:u,instructions:uk,r01c2:k,L1-dcache-load-misses:k");
	code = &event_of(&e, "cycles:u", "cpu")->code;
	assert_true(!code->exclude_user && code->exclude_kernel && code->exclude_hypervisor);
	code = &event_of(&e, "instructions:uk", "cpu")->code;
	assert_true(!code->exclude_user && !code->exclude_kernel && code->exclude_hypervisor);
	expect_code(&e, "r01c2:k", "cpu", RAW, 0x1c2);
	expect_code(&e, "L1-dcache-load-misses:k", "cpu", CACHE, 0x10000);
	perf_events_free(&e);
}

static void the_top_down_breakdown_is_counted_where_the_cores_have_it(void **state)
{
	static const char *const level_1[] = { "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound" };
	struct rig *rig = *state;
	struct perf_events e;
	char path[128], terms[40];

	tree_cpu(rig);
	rig_file(rig, DEVICES "cpu/events/slots", "event=0x00,umask=0x4\n");
	for (unsigned i = 0; i < 4; i++) {
		(void)snprintf(path, sizeof(path), DEVICES "cpu/events/%s", level_1[i]);
		(void)snprintf(terms, sizeof(terms), "event=0x00,umask=0x8%u\n", i);
		rig_file(rig, path, terms);
	}
	must(rig, &e, "default");
	assert_int_equal(e.count, 23 + 5);
	assert_int_equal(e.groups[7].count, 5);
	expect_code(&e, "slots", "cpu", 4, 0x400);
	expect_code(&e, "topdown-be-bound", "cpu", 4, 0x8300);
	perf_events_free(&e);
}

static void the_older_breakdown_is_counted_when_it_is_asked_for_with_its_factors(void **state)
{
	static const char *const events[][2] = {
		{ "topdown-total-slots", "event=0x3c,umask=0x0" },	{ "topdown-slots-issued", "event=0x0e,umask=0x1" },
		{ "topdown-slots-retired", "event=0xc2,umask=0x2" },	{ "topdown-fetch-bubbles", "event=0x9c,umask=0x1" },
		{ "topdown-recovery-bubbles", "event=0x0d,umask=0x3,cmask=1" },
	};
	struct rig *rig = *state;
	struct perf_events e;
	char path[128];

	tree_cpu(rig);
	for (size_t i = 0; i < 5; i++) {
		(void)snprintf(path, sizeof(path), DEVICES "cpu/events/%s", events[i][0]);
		rig_file(rig, path, events[i][1]);
	}
	rig_file(rig, DEVICES "cpu/events/topdown-total-slots.scale", "4\n");
	rig_file(rig, DEVICES "cpu/events/topdown-recovery-bubbles.scale", "4\n");
	must(rig, &e, "default");
	assert_int_equal(e.count, 23);
	perf_events_free(&e);
	must(rig, &e, "topdown");
	assert_int_equal(e.count, 5);
	assert_int_equal(e.group_count, 1);
	expect_code(&e, "topdown-recovery-bubbles", "cpu", 4, 0x100030d);
	assert_int_equal(event_of(&e, "topdown-total-slots", "cpu")->factor, 4);
	assert_int_equal(event_of(&e, "topdown-slots-issued", "cpu")->factor, 1);
	perf_events_free(&e);
}

/* ---- recorded trees of PMUs ---- */

static bool fakefs(struct rig *rig, const char *name)
{
	char from[400], command[900], path[400];

	(void)snprintf(path, sizeof(path), "roots/pcp-pmu-fakefs/%s", name);
	if (!shared_path(from, sizeof(from), path))
		return false;
	(void)snprintf(command, sizeof(command), "%s/sys", rig->folder);
	if (fork() == 0) {
		(void)execlp("cp", "cp", "-rT", "--no-preserve=mode", from, command, (char *)NULL);
		_exit(127);
	}
	(void)wait(NULL);
	return true;
}

static void pmus_that_other_programs_are_tested_with(void **state)
{
	struct rig *rig = *state;
	struct perf_events e;

	if (!fakefs(rig, "syspmu"))
		skip();
	tree_online(rig, "0-31\n");
	must(rig, &e, "pmu1/foo/,pmu1/bar/,pmu2/cm_event3/,pmu2/event=0x7f/");
	expect_code(&e, "pmu1/foo/", "pmu1", 0, 0x1f);
	expect_code(&e, "pmu1/bar/", "pmu1", 0, 0x10);
	expect_code(&e, "pmu2/cm_event3/", "pmu2", 2, 0x03);
	expect_code(&e, "pmu2/event=0x7f/", "pmu2", 2, 0x7f);
	assert_int_equal(e.pmus.at[event_of(&e, "pmu1/foo/", "pmu1")->pmu].cpus.count, 32);
	assert_int_equal(e.pmus.at[event_of(&e, "pmu2/cm_event3/", "pmu2")->pmu].cpus.count, 4);
	perf_events_free(&e);
}

static void a_value_that_an_event_asks_for_must_be_given(void **state)
{
	struct rig *rig = *state;
	struct perf_events e;

	if (!fakefs(rig, "syspmu_core"))
		skip();
	tree_online(rig, "0-31\n");
	assert_int_equal(make(rig, &e, "pmu1/event1/"), -EINVAL);
	assert_string_equal(rig->err.text, "events: pmu1/event1/: a value must be given for domain");
	perf_events_free(&e);
	must(rig, &e, "pmu1/event1,domain=2,core=5/");
	expect_code(&e, "pmu1/event1,domain=2,core=5/", "pmu1", 0, 0xa0ULL << 32 | 5 << 16 | 2);
	perf_events_free(&e);
}

static void a_broken_event_of_sysfs_costs_that_event(void **state)
{
	struct rig *rig = *state;
	struct perf_events e;

	if (!fakefs(rig, "syspmu_fail_event"))
		skip();
	tree_online(rig, "0-31\n");
	must(rig, &e, "pmu1/foo/,pmu1/bar/,pmu2/cm_event2/");
	assert_int_equal(e.count, 2);
	assert_string_equal(why_not(&e, "pmu1/bar/"), "neither events nor format of pmu1 know abc");
	perf_events_free(&e);
}

/* ---- libpfm4 ---- */

struct known {
	const char *name;
	uint64_t config;
};

/* In a process of its own: the library looks at its environment once. */
static void expect_by_library(struct rig *rig, const char *pmu, const struct known *known, size_t count)
{
	int status;
	pid_t pid;

	tree_cpu(rig);
	(void)fflush(stdout);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		int wrong = 0;

		(void)setenv("LIBPFM_FORCE_PMU", pmu, 1);
		(void)setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
		for (size_t i = 0; i < count; i++) {
			struct perf_events e;
			int r = make(rig, &e, known[i].name);

			if (r < 0 || e.count != 1 || e.at[0].code.type != RAW || e.at[0].code.config[0] != known[i].config) {
				print_message("# %s::%s: %s %#llx\n", pmu, known[i].name,
					      r < 0 ? rig->err.text : e.count ? "" : why_not(&e, known[i].name),
					      e.count ? (unsigned long long)e.at[0].code.config[0] : 0);
				wrong++;
			}
			perf_events_free(&e);
		}
		(void)fflush(stdout);
		_exit(wrong);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* Intel SDM volume 3, chapter 20: the architectural events, and the fields of IA32_PERFEVTSELx. */
static const struct known intel[] = {
	{ "UNHALTED_CORE_CYCLES", 0x3c }, { "INST_RETIRED:ANY_P", 0xc0 },	   { "LONGEST_LAT_CACHE:MISS", 0x412e },
	{ "BR_INST_RETIRED.ALL_BRANCHES", 0xc4 }, { "BR_MISP_RETIRED:ALL_BRANCHES", 0xc5 }, { "INST_RETIRED:ANY_P:c=1:i", 0x18000c0 },
	{ "INST_RETIRED:ANY_P:u", 0xc0 },
};
/* AMD's processor programming references of families 17h and 19h. */
static const struct known amd[] = {
	{ "CYCLES_NOT_IN_HALT", 0x76 }, { "RETIRED_INSTRUCTIONS", 0xc0 }, { "RETIRED_BRANCH_INSTRUCTIONS", 0xc2 },
	{ "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xc3 },
};

static void intels_events_are_known_by_name(void **state)
{
	static const char *const pmus[] = { "skx", "icx", "spr", "hsw", "ivb" };

	for (size_t i = 0; i < sizeof(pmus) / sizeof(*pmus); i++)
		expect_by_library(*state, pmus[i], intel, sizeof(intel) / sizeof(*intel));
}

static void events_of_one_model_are_known_by_name(void **state)
{
	static const struct known skylake[] = { { "L2_RQSTS:MISS", 0x3f24 }, { "DTLB_LOAD_MISSES:WALK_COMPLETED", 0xe08 } };
	static const struct known sapphire[] = { { "DTLB_LOAD_MISSES:WALK_COMPLETED", 0xe12 } };
	static const struct known ivy[] = { { "DTLB_LOAD_MISSES:WALK_COMPLETED", 0x8208 } };

	expect_by_library(*state, "skx", skylake, 2);
	expect_by_library(*state, "spr", sapphire, 1);
	expect_by_library(*state, "ivb", ivy, 1);
}

static void amds_events_are_known_by_name(void **state)
{
	static const char *const pmus[] = { "amd64_fam17h_zen1", "amd64_fam17h_zen2", "amd64_fam19h_zen4" };

	for (size_t i = 0; i < sizeof(pmus) / sizeof(*pmus); i++)
		expect_by_library(*state, pmus[i], amd, sizeof(amd) / sizeof(*amd));
}

static void a_name_that_nobody_knows_is_left_out(void **state)
{
	struct rig *rig = *state;
	struct perf_events e;

	tree_cpu(rig);
	must(rig, &e, "NO_SUCH_EVENT");
	assert_int_equal(e.count, 0);
	assert_string_equal(why_not(&e, "NO_SUCH_EVENT"), "libpfm4 knows no such event of this machine's PMUs");
	perf_events_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* First: later ones load the library into this process, and its children could not load it otherwise. */
		RIG_TEST(intels_events_are_known_by_name),
		RIG_TEST(events_of_one_model_are_known_by_name),
		RIG_TEST(amds_events_are_known_by_name),
		RIG_TEST(the_default_groups_are_those_of_the_test_robot),
		RIG_TEST(every_event_is_a_group_when_groups_are_off),
		RIG_TEST(a_machine_without_a_pmu_counts_software_events),
		RIG_TEST(hybrid_parts_count_each_event_on_each_kind_of_core),
		RIG_TEST(arm_cores_are_known_by_their_cpus),
		RIG_TEST(terms_set_the_bits_that_sysfs_names),
		RIG_TEST(says_what_is_wrong_with_terms),
		RIG_TEST(leaves_out_what_the_machine_does_not_have),
		RIG_TEST(boxes_of_the_uncore_are_counted_one_by_one_on_a_cpu_of_each_socket),
		RIG_TEST(tracepoints_are_known_by_tracefs),
		RIG_TEST(modifiers_choose_where_it_is_counted),
		RIG_TEST(the_top_down_breakdown_is_counted_where_the_cores_have_it),
		RIG_TEST(the_older_breakdown_is_counted_when_it_is_asked_for_with_its_factors),
		RIG_TEST(pmus_that_other_programs_are_tested_with),
		RIG_TEST(a_value_that_an_event_asks_for_must_be_given),
		RIG_TEST(a_broken_event_of_sysfs_costs_that_event),
		RIG_TEST(a_name_that_nobody_knows_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
