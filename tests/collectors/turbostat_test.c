/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a device of registers to the columns: every expected value is computed by hand. */
#include "tests/support/rig.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/reduce.h"
#include "tests/support/alloc_count.h"
#include "tests/support/fake_pmu.h"
#include "tests/support/shared.h"
#ifdef ASSAY_FUSE
#include "tests/support/msr_device.h"
#endif

extern const struct collector collector_turbostat;

#define GIGA UINT64_C(1000000000)

/* ---- a machine of two packages, each of one core of two threads ---- */

static void machine(struct rig *rig, const char *vendor, int family, int model)
{
	char cpuinfo[256];

	(void)snprintf(cpuinfo, sizeof(cpuinfo),
		       "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\nstepping\t: 2\nflags\t\t: msr\n\n",
		       vendor, family, model);
	rig_file(rig, "proc/cpuinfo", cpuinfo);
	rig_file(rig, "sys/devices/system/cpu/online", "0-3\n");
	for (int cpu = 0; cpu < 4; cpu++) {
		char path[128];

		(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
		rig_file(rig, path, cpu < 2 ? "0-1\n" : "2-3\n");
		(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/topology/core_siblings_list", cpu);
		rig_file(rig, path, cpu < 2 ? "0-1\n" : "2-3\n");
	}
}

/* ---- samples to columns ---- */

struct told {
	struct reduce *reduce;
	struct stats stats;
	struct err err;
};

static void told_begin(struct told *t, const char *vendor, const char *family, const char *model)
{
	struct pairs axes = { 0 }, facts = { 0 };

	*t = (struct told){ 0 };
	assert_int_equal(reduce_open(&t->reduce, &t->err), 0);
	assert_int_equal(pairs_set(&facts, "cpu.vendor", vendor), 0);
	assert_int_equal(pairs_set(&facts, "cpu.family", family), 0);
	assert_int_equal(pairs_set(&facts, "cpu.model", model), 0);
	assert_int_equal(reduce_events.facts(t->reduce, &axes, &facts, &t->err), 0);
	pairs_free(&facts);
}

static void tell(struct told *t, struct rig *rig, unsigned seconds)
{
	struct snapshot snapshot = { .monotonic_ns = seconds * GIGA, .samples = &rig->run.sample, .count = 1 };

	rig->run.sample.begin_ns = seconds * GIGA;
	assert_int_equal(reduce_events.snapshot(t->reduce, &snapshot, &t->err), 0);
}

static void told_end(struct told *t)
{
	assert_int_equal(reduce_finish(t->reduce, &t->stats, &t->err), 0);
	reduce_close(t->reduce);
}

static void column(const struct told *t, const char *key, double want)
{
	double have;

	if (!stats_get(&t->stats, key, &have))
		fail_msg("%s is not there, should be %.17g", key, want);
	if (have < want - 1e-9 * want || have > want + 1e-9 * want)
		fail_msg("%s is %.17g, should be %.17g", key, have, want);
}

static void no_column(const struct told *t, const char *key)
{
	double have;

	if (stats_get(&t->stats, key, &have))
		fail_msg("%s is %.17g, should not be there", key, have);
}

static const char *note(struct rig *rig, struct pairs *notes, const char *name)
{
	assert_int_equal(collector_run_notes(&rig->run, notes), 0);
	return pairs_get(notes, name);
}

#ifdef ASSAY_FUSE
static void device(struct rig *rig)
{
	if (msr_device_mount(rig->folder, 4))
		return;
	print_message("# no file system in user space here\n");
	skip();
}

/* A Haswell-EP at 2.5 GHz: memory is counted in 15.3 uJ, the rest in 2^-14 J and 2^-10 s. */
static void haswell(struct rig *rig)
{
	machine(rig, "GenuineIntel", 6, 63);
	device(rig);
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		msr_device_set(cpu, 0x10, 900 * GIGA + cpu);
		msr_device_set(cpu, 0xe7, 100 * GIGA + cpu);
		msr_device_set(cpu, 0xe8, 120 * GIGA + cpu);
		msr_device_set(cpu, 0x34, 5);
		msr_device_set(cpu, 0x3fc, 11 * GIGA);
		msr_device_set(cpu, 0x3fd, 12 * GIGA);
		msr_device_set(cpu, 0x60d, 13 * GIGA);
		msr_device_set(cpu, 0xce, 0x80838f3011900);
		msr_device_set(cpu, 0x606, 0xa0e03);
		msr_device_set(cpu, 0x1a2, 0x5e0a00);
		msr_device_set(cpu, 0x19c, 0x88300000);
		msr_device_set(cpu, 0x1b1, 0x88280000);
		msr_device_set(cpu, 0x613, 0xffffff00);
	}
	msr_device_set(0, 0x3fe, 14 * GIGA); /* the other core has no such register */
	msr_device_set(0, 0x611, 0xfffff000);
	msr_device_set(2, 0x611, 1000);
	msr_device_set(0, 0x619, 2000);
	msr_device_set(0, 0x19c, 0x88200000); /* 32 below 94 */
}

/* What goes by in 10 s. */
static void haswell_works(void)
{
	static const uint64_t mperf[] = { 5000000000, 2500000000, 0, 5000000000 };
	static const uint64_t aperf[] = { 6000000000, 3000000000, 0, 6000000000 };

	for (unsigned cpu = 0; cpu < 4; cpu++) {
		msr_device_add(cpu, 0x10, 25 * GIGA);
		msr_device_add(cpu, 0xe7, mperf[cpu]);
		msr_device_add(cpu, 0xe8, aperf[cpu]);
	}
	msr_device_add(3, 0x34, 2);
	msr_device_add(0, 0x3fc, 1 * GIGA);
	msr_device_add(0, 0x3fd, 10 * GIGA);
	msr_device_add(2, 0x3fd, 15 * GIGA);
	msr_device_add(0, 0x3fe, 2500000000);
	msr_device_add(0, 0x60d, 5 * GIGA);
	msr_device_set(0, 0x611, 0x100000); /* all the way round: 0x101000 = 1052672 of 1/16384 J, 64.25 J */
	msr_device_add(2, 0x611, 1638400); /* 100 J */
	msr_device_add(0, 0x619, 1000000); /* 15.3 J */
	msr_device_set(0, 0x613, 0x300); /* round as well: 1024 of 1/1024 s */
	msr_device_set(0, 0x19c, 0x88250000);
	msr_device_set(2, 0x1b1, 0x881f0000); /* 31 below 94 */
}

static void columns_follow_from_the_registers(void **state)
{
	struct rig *rig = *state;
	struct told t;

	haswell(rig);
	rig_start(rig, &collector_turbostat);
	assert_false(rig_has_of(rig, "c7", "cpu2"));
	assert_false(rig_has_of(rig, "pkg_energy_status", "cpu1"));
	assert_int_equal(rig_value_of(rig, "core", "cpu3"), 2);
	told_begin(&t, "GenuineIntel", "6", "63");
	tell(&t, rig, 10);
	haswell_works();
	rig_again(rig);
	tell(&t, rig, 20);
	told_end(&t);

	column(&t, "turbostat.TSC_MHz", 2500);
	column(&t, "turbostat.Busy%", 12.5);
	column(&t, "turbostat.Avg_MHz", 375);
	column(&t, "turbostat.Bzy_MHz", 3000);
	column(&t, "turbostat.SMI", 2);
	column(&t, "turbostat.CPU%c3", 2);
	column(&t, "turbostat.CPU%c6", 50);
	column(&t, "turbostat.CPU%c7", 10); /* of the core that has it */
	column(&t, "turbostat.CPU%c1", 30.5); /* 6.5, 9, 10 and 5 of 25 */
	column(&t, "turbostat.Pkg%pc2", 10);
	column(&t, "turbostat.PkgWatt", 16.425);
	column(&t, "turbostat.RAMWatt", 1.53);
	column(&t, "turbostat.PKG_%", 10);
	column(&t, "turbostat.CoreTmp", 62);
	column(&t, "turbostat.PkgTmp", 63);
	no_column(&t, "turbostat.CorWatt");
	no_column(&t, "turbostat.Pkg%pc6");
	no_column(&t, "turbostat.cpu0.aperf");
	stats_free(&t.stats);
}

static void a_register_that_begins_to_fault_loses_its_columns_only(void **state)
{
	struct rig *rig = *state;
	struct told t;

	haswell(rig);
	rig_start(rig, &collector_turbostat);
	told_begin(&t, "GenuineIntel", "6", "63");
	tell(&t, rig, 10);
	haswell_works();
	msr_device_fault(0, 0x611, EIO);
	msr_device_fault(2, 0x611, EIO);
	assert_int_equal(rig_sample(rig), -EIO);
	assert_string_equal(rig->err.text, "dev/cpu/2/msr: register 0x611: Input/output error");
	assert_false(rig_has_of(rig, "pkg_energy_status", "cpu0"));
	tell(&t, rig, 20);
	told_end(&t);
	no_column(&t, "turbostat.PkgWatt");
	column(&t, "turbostat.Busy%", 12.5);
	column(&t, "turbostat.RAMWatt", 1.53);
	stats_free(&t.stats);
}

static void samples_too_far_apart_for_32_bits_tell_no_watts(void **state)
{
	struct rig *rig = *state;
	struct told t;

	haswell(rig);
	rig_start(rig, &collector_turbostat);
	told_begin(&t, "GenuineIntel", "6", "63");
	tell(&t, rig, 10);
	haswell_works();
	rig_again(rig);
	tell(&t, rig, 60); /* 2^31 x 15.3 uJ are 33 s at 1 kW, 2^31 x 61 uJ are 131 s */
	told_end(&t);
	no_column(&t, "turbostat.RAMWatt");
	column(&t, "turbostat.PkgWatt", 3.285);
	stats_free(&t.stats);
}

static void amd_counts_each_cores_energy(void **state)
{
	struct rig *rig = *state;
	struct told t;

	machine(rig, "AuthenticAMD", 25, 1);
	device(rig);
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		msr_device_set(cpu, 0x10, GIGA);
		msr_device_set(cpu, 0xe7, GIGA);
		msr_device_set(cpu, 0xe8, GIGA);
		msr_device_set(cpu, 0xc0010299, 0xa1003); /* 2^-16 J */
		msr_device_set(cpu, 0xc001029a, 0xffffffff);
		msr_device_set(cpu, 0xc001029b, 7);
		msr_device_set(cpu, 0x611, 7); /* not of this maker */
	}
	rig_start(rig, &collector_turbostat);
	assert_false(rig_has_of(rig, "amd_core_energy_status", "cpu1"));
	told_begin(&t, "AuthenticAMD", "25", "1");
	tell(&t, rig, 100);
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		msr_device_add(cpu, 0x10, 28 * GIGA);
		msr_device_add(cpu, 0xe7, 14 * GIGA);
		msr_device_add(cpu, 0xe8, 21 * GIGA);
	}
	msr_device_set(0, 0xc001029a, 65535); /* 65536: 1 J */
	msr_device_set(2, 0xc001029a, 131071); /* 2 J */
	msr_device_add(0, 0xc001029b, 65536 * 900);
	msr_device_add(2, 0xc001029b, 65536 * 600);
	rig_again(rig);
	tell(&t, rig, 110);
	told_end(&t);
	column(&t, "turbostat.CorWatt", 0.3);
	column(&t, "turbostat.PkgWatt", 150);
	column(&t, "turbostat.Busy%", 50);
	column(&t, "turbostat.Bzy_MHz", 4200); /* no base clock: tsc x D APERF / D MPERF */
	no_column(&t, "turbostat.CPU%c1");
	stats_free(&t.stats);
}

static void a_sample_allocates_nothing_and_notes_tell_the_sources(void **state)
{
	struct rig *rig = *state;
	struct pairs notes = { 0 };
	size_t before;

	haswell(rig);
	rig_file(rig, "sys/devices/system/cpu/intel_uncore_frequency/package_00_die_00/current_freq_khz", "1200000\n");
	rig_start(rig, &collector_turbostat);
	before = alloc_count();
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(alloc_count() - before, 0);
	assert_int_equal(rig_value_of(rig, "current_freq_khz", "package_00_die_00"), 1200000);
	assert_string_equal(note(rig, &notes, "turbostat.source.msr"),
			    "TSC_MHz Avg_MHz Bzy_MHz Busy% SMI CPU%c3 CPU%c6 CPU%c7 CoreTmp PkgTmp Pkg%pc2 PkgWatt RAMWatt "
			    "PKG_%");
	assert_string_equal(pairs_get(&notes, "turbostat.source.sysfs"), "UncMHz");
	assert_non_null(strstr(pairs_get(&notes, "turbostat.without.registers"), "pp0_energy_status 0x639"));
	pairs_free(&notes);
}

static void a_cpu_that_goes_is_noticed(void **state)
{
	struct rig *rig = *state;

	haswell(rig);
	rig_start(rig, &collector_turbostat);
	rig_file(rig, "sys/devices/system/cpu/online", "0-2\n");
	msr_device_refuse(3, ENXIO);
	assert_int_equal(rig_sample(rig), 0);
	assert_int_equal(rig->run.shape.generation, 2);
	assert_false(rig_has_of(rig, "tsc", "cpu3"));
	assert_true(rig_has_of(rig, "tsc", "cpu2"));
}
#endif

/* ---- without the device ---- */

static void events(struct rig *rig)
{
	machine(rig, "GenuineIntel", 6, 63);
	rig_file(rig, "sys/bus/event_source/devices/msr/type", "9\n");
	rig_file(rig, "sys/bus/event_source/devices/msr/events/tsc", "event=0x00\n");
	rig_file(rig, "sys/bus/event_source/devices/msr/events/aperf", "event=0x01\n");
	rig_file(rig, "sys/bus/event_source/devices/msr/events/mperf", "event=0x02\n");
	rig_file(rig, "sys/bus/event_source/devices/cstate_core/type", "11\n");
	rig_file(rig, "sys/bus/event_source/devices/cstate_core/cpumask", "0,2\n");
	rig_file(rig, "sys/bus/event_source/devices/cstate_core/events/c6-residency", "event=0x02\n");
	rig->host.live = true; /* perf is of the live machine; here nobody is asked */
	fake_count = 0;
	fake_refusal = 0;
}

static void perf_events_stand_in_for_registers(void **state)
{
	struct rig *rig = *state;
	struct pairs notes = { 0 };
	struct told t;

	events(rig);
	rig_start(rig, &collector_turbostat);
	told_begin(&t, "GenuineIntel", "6", "63");
	tell(&t, rig, 10);
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		fake_add(9, 0, cpu, 25 * GIGA);
		fake_add(9, 1, cpu, 10 * GIGA);
		fake_add(9, 2, cpu, 5 * GIGA);
	}
	fake_add(11, 2, 0, 10 * GIGA);
	fake_add(11, 2, 2, 5 * GIGA);
	rig_again(rig);
	assert_true(rig_value_of(rig, "msr/aperf/", "cpu3") == 10 * GIGA);
	tell(&t, rig, 20);
	told_end(&t);
	column(&t, "turbostat.Busy%", 20);
	column(&t, "turbostat.Avg_MHz", 1000);
	column(&t, "turbostat.Bzy_MHz", 5000);
	column(&t, "turbostat.CPU%c6", 30);
	column(&t, "turbostat.CPU%c1", 50);
	assert_string_equal(note(rig, &notes, "turbostat.source.perf"), "TSC_MHz Avg_MHz Bzy_MHz Busy% CPU%c6");
	assert_string_equal(pairs_get(&notes, "turbostat.without.msr"),
			    "dev/cpu/0/msr: No such file or directory: the kernel's msr driver is not there; modprobe msr, "
			    "or CONFIG_X86_MSR");
	pairs_free(&notes);
	stats_free(&t.stats);
}

static void notes_tell_which_collector_gives_the_watts(void **state)
{
	struct rig *rig = *state;
	struct pairs notes = { 0 };

	events(rig);
	rig_file(rig, "sys/bus/event_source/devices/power/type", "14\n");
	rig_file(rig, "sys/bus/event_source/devices/power/cpumask", "0,2\n");
	rig_file(rig, "sys/bus/event_source/devices/power/events/energy-pkg", "event=0x02\n");
	rig_file(rig, "sys/class/powercap/intel-rapl:0/name", "package-0\n");
	rig_file(rig, "sys/class/powercap/intel-rapl:0/energy_uj", "7\n");
	rig_file(rig, "sys/class/powercap/intel-rapl:0:1/name", "dram\n");
	rig_file(rig, "sys/class/powercap/intel-rapl:0:1/energy_uj", "7\n");
	rig_file(rig, "sys/class/powercap/intel-rapl:0:0/name", "core\n"); /* that cannot be read */
	rig_start(rig, &collector_turbostat);
	assert_string_equal(note(rig, &notes, "turbostat.source.energy"), "PkgWatt");
	assert_string_equal(pairs_get(&notes, "turbostat.source.powercap"), "RAMWatt");
	pairs_free(&notes);
}

static void without_permission_the_device_is_what_is_asked_for(void **state)
{
	struct rig *rig = *state;

	events(rig);
	fake_refusal = EACCES;
	assert_int_equal(collector_probe(&collector_turbostat, &rig->host, &rig->err), -ENOENT);
	assert_non_null(strstr(rig->err.text, "modprobe msr"));
}

static void a_processor_without_registers_says_so(void **state)
{
	struct rig *rig = *state;

	rig_file(rig, "proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\n");
	rig_file(rig, "sys/devices/system/cpu/online", "0\n");
	assert_int_equal(collector_probe(&collector_turbostat, &rig->host, &rig->err), -ENOENT);
	assert_string_equal(rig->err.text,
			    "this processor shows no model-specific registers (no flag msr in proc/cpuinfo)");
}

static void unpack(const char *archive, const char *folder)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		(void)execlp("tar", "tar", "-xzf", archive, "-C", folder, "--exclude=*/cpu/cpu[0-9]*", (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* The base clock in register 0xce of recorded machines is the one of their name. */
static void recorded_machines_tell_their_base_clock(void **state)
{
	static const struct {
		const char *tree;
		unsigned megahertz;
	} machines[] = {
		{ "pepc-clx4s0", 2400 }, { "pepc-ivbep1", 2700 }, { "pepc-knl0", 1400 }, { "pepc-dnv0", 2100 },
	};
	struct rig *rig = *state;
	size_t seen = 0;

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		char path[512], relative[128];
		struct told t;

		(void)snprintf(relative, sizeof(relative), "roots/%s.tar.gz", machines[i].tree);
		if (!shared_path(path, sizeof(path), relative))
			continue;
		unpack(path, rig->folder);
		(void)snprintf(path, sizeof(path), "%s/%s", rig->folder, machines[i].tree);
		rig_root(rig, path);
		rig_start(rig, &collector_turbostat);
		assert_true((rig_value_of(rig, "platform_info", "cpu0") >> 8 & 0xff) * 100 == machines[i].megahertz);
		assert_false(rig_has_of(rig, "tsc", "cpu0"));
		told_begin(&t, "GenuineIntel", "6", "63");
		tell(&t, rig, 1);
		rig_again(rig);
		tell(&t, rig, 11);
		told_end(&t);
		no_column(&t, "turbostat.TSC_MHz");
		no_column(&t, "turbostat.PkgTmp");
		stats_free(&t.stats);
		seen++;
	}
	if (seen == 0)
		skip();
}

static int teardown(void **state)
{
#ifdef ASSAY_FUSE
	struct rig *rig = *state;

	collector_run_close(&rig->run);
	msr_device_unmount();
#endif
	return rig_teardown(state);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, rig_setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef ASSAY_FUSE
		TEST(columns_follow_from_the_registers),
		TEST(a_register_that_begins_to_fault_loses_its_columns_only),
		TEST(samples_too_far_apart_for_32_bits_tell_no_watts),
		TEST(amd_counts_each_cores_energy),
		TEST(a_sample_allocates_nothing_and_notes_tell_the_sources),
		TEST(a_cpu_that_goes_is_noticed),
#endif
		TEST(perf_events_stand_in_for_registers),
		TEST(notes_tell_which_collector_gives_the_watts),
		TEST(without_permission_the_device_is_what_is_asked_for),
		TEST(a_processor_without_registers_says_so),
		TEST(recorded_machines_tell_their_base_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
