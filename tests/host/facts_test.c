/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/cpuinfo.h"
#include "host/processor.h"
#include "tests/support/alloc_count.h"
#include "tests/support/shared.h"

struct rig {
	char folder[256];
	struct host host;
	struct pairs facts;
	struct err err;
};

static int setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	fresh_folder(rig->folder, sizeof(rig->folder));
	*state = rig;
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	pairs_free(&rig->facts);
	remove_tree(rig->folder);
	free(rig);
	return 0;
}

static void put(struct rig *rig, const char *path, const char *content)
{
	write_file(rig->folder, path, content, strlen(content));
}

static void learn(struct rig *rig, const char *root)
{
	assert_int_equal(host_open_root(&rig->host, root, &rig->err), 0);
	assert_int_equal(host_facts(&rig->host, &rig->facts, &rig->err), 0);
	host_close(&rig->host);
}

/* A tree of the shared material, unpacked where it is an archive: `only` is a pattern of its files, NULL: all. */
static void learn_some(struct rig *rig, const char *name, const char *only)
{
	char path[600], command[1400];

	(void)snprintf(command, sizeof(command), "roots/%s.tar.gz", name);
	if (shared_path(path, sizeof(path), command)) {
		pid_t child = fork();
		int status;

		if (child == 0) {
			(void)execlp("tar", "tar", "-xzf", path, "-C", rig->folder, only ? "--wildcards" : NULL, only,
				     (char *)NULL);
			_exit(127);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
		(void)snprintf(path, sizeof(path), "%s/%s", rig->folder, name);
	} else {
		(void)snprintf(command, sizeof(command), "roots/%s", name);
		if (!shared_path(path, sizeof(path), command))
			skip();
	}
	learn(rig, path);
}

static void learn_shared(struct rig *rig, const char *name)
{
	learn_some(rig, name, NULL);
}

static void learn_cpuinfo(struct rig *rig, const char *name)
{
	learn_some(rig, name, "*/proc/cpuinfo");
}

static void has(const struct rig *rig, const char *name, const char *expected)
{
	const char *value = pairs_get(&rig->facts, name);

	if (!value || strcmp(value, expected) != 0)
		fail_msg("%s is %s, not %s", name, value ? value : "absent", expected);
}

static void lacks(const struct rig *rig, const char *name)
{
	if (pairs_get(&rig->facts, name))
		fail_msg("%s is %s, though nothing tells it", name, pairs_get(&rig->facts, name));
}

static void reads_each_fact_from_its_file(void **state)
{
	struct rig *rig = *state;

	put(rig, "host", "page_size 16384\nticks_per_second 250\narch x86_64\n");
	put(rig, "proc/sys/kernel/hostname", "lkp-csl-2sp3\n");
	put(rig, "proc/sys/kernel/osrelease", "6.12.0\n");
	put(rig, "proc/sys/kernel/version", "#1 SMP Mon\n");
	put(rig, "proc/sys/kernel/random/boot_id", "00b108a5-3f8c-4874-bb9f-04c234097336\n");
	put(rig, "proc/cmdline", "root=/dev/vda  quiet\n");
	put(rig, "proc/meminfo", "MemTotal:       16384 kB\nMemFree: 3 kB\n");
	put(rig, "sys/devices/system/cpu/smt/control", "on\n");
	put(rig, "sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n");
	put(rig, "sys/devices/system/cpu/cpufreq/policy10/scaling_governor", "powersave\n");
	put(rig, "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate\n");
	put(rig, "sys/devices/system/cpu/cpu3/microcode/version", "0x1d\n");
	learn(rig, rig->folder);
	has(rig, "host.name", "lkp-csl-2sp3");
	has(rig, "kernel.release", "6.12.0");
	has(rig, "kernel.version", "#1 SMP Mon");
	has(rig, "host.boot_id", "00b108a5-3f8c-4874-bb9f-04c234097336");
	has(rig, "kernel.cmdline", "root=/dev/vda  quiet");
	has(rig, "memory.total_kib", "16384");
	has(rig, "cpu.smt", "on");
	has(rig, "cpu.governor", "performance");
	has(rig, "cpu.driver", "intel_pstate");
	has(rig, "cpu.microcode", "0x1d");
	has(rig, "arch", "x86_64");
	has(rig, "page.size", "16384");
	has(rig, "ticks", "250");
}

static void reads_how_the_machine_is_set(void **state)
{
	struct rig *rig = *state;

	put(rig, "proc/cpuinfo", "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) Gold 6252 CPU @ 2.10GHz\n\n");
	put(rig, "proc/config.gz", "a");
	put(rig, "proc/sys/kernel/nmi_watchdog", "1\n");
	put(rig, "sys/devices/system/cpu/vulnerabilities/mds", "Mitigation: Clear CPU buffers; SMT vulnerable\n");
	put(rig, "sys/devices/system/cpu/vulnerabilities/l1tf", "Not affected\n");
	put(rig, "sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
	put(rig, "sys/devices/system/cpu/intel_pstate/status", "active\n");
	put(rig, "sys/devices/system/cpu/cpufreq/policy0/energy_performance_preference", "balance_power\n");
	put(rig, "sys/devices/system/cpu/cpuidle/current_driver", "intel_idle\n");
	put(rig, "sys/devices/system/cpu/cpuidle/current_governor_ro", "menu\n");
	put(rig, "sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
	put(rig, "sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	put(rig, "sys/devices/system/node/node0/distance", "10 21\n");
	put(rig, "sys/devices/system/node/node1/distance", "21 10\n");
	learn(rig, rig->folder);
	has(rig, "kernel.config_hash", "af63dc4c8601ec8c"); /* of "a", by FNV-1a's own table of examples */
	has(rig, "kernel.nmi_watchdog", "1");
	has(rig, "mitigation.mds", "Mitigation: Clear CPU buffers; SMT vulnerable");
	has(rig, "mitigation.l1tf", "Not affected");
	has(rig, "cpu.no_turbo", "1");
	has(rig, "cpu.driver_mode", "active");
	has(rig, "cpu.preference", "balance_power");
	has(rig, "cpu.idle_driver", "intel_idle");
	has(rig, "cpu.idle_governor", "menu");
	has(rig, "kernel.clocksource", "tsc");
	has(rig, "memory.thp", "madvise");
	has(rig, "node.distances", "10 21; 21 10");
	has(rig, "cpu.base_mhz", "2100");
}

static void takes_the_base_clock_of_the_driver_before_that_of_the_name(void **state)
{
	struct rig *rig = *state;

	put(rig, "proc/cpuinfo", "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) Gold 6252 CPU @ 2.10GHz\n\n");
	put(rig, "sys/devices/system/cpu/cpu1/cpufreq/base_frequency", "2300000\n");
	learn(rig, rig->folder);
	has(rig, "cpu.base_mhz", "2300");
}

static void hashes_the_configuration_of_the_running_release(void **state)
{
	struct rig *rig = *state;

	put(rig, "proc/sys/kernel/osrelease", "6.12.0\n");
	put(rig, "boot/config-6.12.0", "a");
	put(rig, "boot/config-6.13.0", "b");
	learn(rig, rig->folder);
	has(rig, "kernel.config_hash", "af63dc4c8601ec8c");
}

static const char *code_name(const char *vendor, const char *family, const char *model, const char *stepping,
			     const char *called)
{
	struct pairs facts = { 0 };
	const char *name;

	assert_int_equal(pairs_set(&facts, "cpu.vendor", vendor), 0);
	assert_int_equal(pairs_set(&facts, "cpu.family", family), 0);
	assert_int_equal(pairs_set(&facts, "cpu.model", model), 0);
	assert_int_equal(pairs_set(&facts, "cpu.stepping", stepping), 0);
	assert_int_equal(pairs_set(&facts, "cpu.name", called), 0);
	name = processor_code_name(&facts);
	pairs_free(&facts);
	return name ? name : "";
}

static void one_number_may_be_several_designs(void **state)
{
	assert_string_equal(code_name("GenuineIntel", "6", "85", "4", "Xeon Gold 6139"), "Skylake");
	assert_string_equal(code_name("GenuineIntel", "6", "85", "7", "Xeon Gold 6252"), "Cascade Lake");
	assert_string_equal(code_name("GenuineIntel", "6", "85", "11", "Xeon Gold 5318H"), "Cooper Lake");
	assert_string_equal(code_name("GenuineIntel", "6", "63", "4", "Xeon(R) CPU E7-8890 v3"), "Haswell-EX");
	assert_string_equal(code_name("GenuineIntel", "6", "63", "2", "Xeon(R) CPU E5-2680 v3"), "Haswell-EP");
	assert_string_equal(code_name("GenuineIntel", "6", "142", "10", "Core i7-8550U"), "Coffee Lake");
	assert_string_equal(code_name("AuthenticAMD", "23", "49", "0", "AMD EPYC 7742"), "Rome");
	assert_string_equal(code_name("AuthenticAMD", "23", "49", "0", "AMD Ryzen Threadripper 3990X"), "Castle Peak");
	assert_string_equal(code_name("AuthenticAMD", "26", "17", "0", "AMD EPYC 9965"), "Turin Dense");
	assert_string_equal(code_name("HygonGenuine", "24", "0", "1", "Hygon C86"), "Dhyana");
	assert_string_equal(code_name("ARM", "8", "0xd0c", "r3p1", ""), "Neoverse-N1");
	assert_string_equal(code_name("Ampere", "8", "0xac3", "r0p0", ""), "Ampere1");
	assert_string_equal(code_name("GenuineIntel", "6", "255", "1", ""), "");
	assert_string_equal(code_name("ARM", "8", "0xfff", "r0p0", ""), "");
	assert_string_equal(code_name("nobody", "6", "85", "4", ""), "");
}

static void recorded_machines_have_their_code_names(void **state)
{
	static const char *const machines[][2] = {
		{ "pepc-adl0", "Alder Lake" },	      { "pepc-clx4s0", "Cascade Lake" },
		{ "pepc-ivbep1", "Ivy Bridge-EP" },   { "pepc-knl0", "Knights Landing" },
		{ "pepc-dnv0", "Denverton" },	      { "pepc-genoa0", "Genoa" },
		{ "pepc-turin0", "Turin" },	      { "pepc-srf8", "Sierra Forest" },
		{ "pepc-cwf0", "Clearwater Forest" }, { "pepc-lnl0", "Lunar Lake" },
		{ "pepc-ptl-h-4", "Panther Lake" },   { "pepc-spr-nomwait", "Sapphire Rapids" },
		{ "pepc-bdwex0-nocpuidle", "Broadwell-EX" }, { "ul-x86_64-epyc_7451", "Naples" },
		{ "ul-x86_64-i7-11th-2_8GHz", "Tiger Lake" }, { "ul-x86_64-64cpu", "Nehalem-EX" },
		{ "ul-x86_64-dell_e4310", "Westmere" }, { "ul-vbox-win", "Ivy Bridge" },
		{ "hwloc-20em64t-hybrid-1p6c2t-2ca4co1t", "Raptor Lake" },
		{ "hwloc-40intel64-4n10c-pci-conflicts", "Westmere-EX" },
		{ "hwloc-32em64t-2n8c-dax-nvme-mic-dimms", "Sandy Bridge-EP" },
		{ "hwloc-48amd64-4pa2n6c-sparse", "Magny-Cours" }, { "hwloc-128arm-2pa2n8cluster4co", "TSV110" },
		{ "hwloc-nvidia-dgx-gb10", "Cortex-A725" }, { "ul-arm-A510-A710-A715-X3", "Cortex-A510" },
		{ "pcp-cpuinfo-32cpu-amd-6132", "Magny-Cours" },
	};
	char path[600], relative[200];
	size_t seen = 0;

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		void *fresh;

		(void)snprintf(relative, sizeof(relative), "roots/%s.tar.gz", machines[i][0]);
		if (!shared_path(path, sizeof(path), relative)) {
			(void)snprintf(relative, sizeof(relative), "roots/%s", machines[i][0]);
			if (!shared_path(path, sizeof(path), relative))
				continue;
		}
		assert_int_equal(setup(&fresh), 0);
		learn_cpuinfo(fresh, machines[i][0]);
		has(fresh, "cpu.code_name", machines[i][1]);
		assert_int_equal(teardown(&fresh), 0);
		seen++;
	}
	if (seen == 0)
		skip();
}

static void says_nothing_of_what_no_file_tells(void **state)
{
	struct rig *rig = *state;

	put(rig, "proc/meminfo", "MemTotal: a lot\n");
	put(rig, "proc/cmdline", "\n");
	put(rig, "sys/devices/system/cpu/online", "0-x\n");
	learn(rig, rig->folder);
	assert_int_equal(rig->facts.count, 2);
	has(rig, "page.size", "4096");
	has(rig, "ticks", "100");
}

static void takes_the_release_from_proc_version_where_there_is_no_sysctl(void **state)
{
	struct rig *rig = *state;

	put(rig, "proc/version", "Linux version 5.18.0-rc1 (who@where) (gcc 12) #7 SMP PREEMPT Mon\n");
	learn(rig, rig->folder);
	has(rig, "kernel.release", "5.18.0-rc1");
	has(rig, "kernel.version", "#7 SMP PREEMPT Mon");
}

static void counts_by_the_lists_of_sysfs(void **state)
{
	struct rig *rig = *state;
	char path[128];

	put(rig, "sys/devices/system/cpu/online", "0-3,6\n");
	for (int cpu = 0; cpu < 8; cpu++) {
		(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/topology/core_cpus_list", cpu);
		put(rig, path, cpu < 2 ? "0-1\n" : cpu < 4 ? "2-3\n" : "6\n");
		(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/topology/core_siblings_list", cpu);
		put(rig, path, cpu < 4 ? "0-3\n" : "6\n");
	}
	put(rig, "sys/devices/system/node/online", "0,33\n");
	put(rig, "sys/devices/system/node/node0/cpulist", "0-1,6\n");
	put(rig, "sys/devices/system/node/node33/cpulist", "2-3\n");
	put(rig, "sys/devices/system/node/node34/cpulist", "\n");
	learn(rig, rig->folder);
	has(rig, "node.0.cpus", "0-1,6");
	has(rig, "node.33.cpus", "2-3");
	lacks(rig, "node.34.cpus");
	has(rig, "cpu.online", "0-3,6");
	has(rig, "cpu.threads", "5");
	has(rig, "cpu.cores", "3");
	has(rig, "cpu.sockets", "2");
	has(rig, "node.count", "2");
}

static void does_not_count_cores_that_a_cpu_does_not_tell(void **state)
{
	struct rig *rig = *state;

	put(rig, "sys/devices/system/cpu/online", "0-1\n");
	put(rig, "sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0\n");
	put(rig, "sys/devices/system/cpu/cpu1/topology/core_cpus_list", "0\n"); /* not itself */
	learn(rig, rig->folder);
	has(rig, "cpu.threads", "2");
	lacks(rig, "cpu.cores");
	lacks(rig, "cpu.sockets");
}

static void cache(struct rig *rig, int cpu, int index, const char *level, const char *type, const char *size)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/cache/index%d/level", cpu, index);
	put(rig, path, level);
	(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/cache/index%d/type", cpu, index);
	put(rig, path, type);
	(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/cache/index%d/size", cpu, index);
	put(rig, path, size);
}

static void reads_the_caches_of_the_first_online_cpu(void **state)
{
	struct rig *rig = *state;

	put(rig, "sys/devices/system/cpu/online", "2-3\n");
	cache(rig, 0, 0, "1\n", "Data\n", "8K\n");
	cache(rig, 2, 0, "1\n", "Data\n", "48K\n");
	cache(rig, 2, 1, "1\n", "Instruction\n", "32K\n");
	cache(rig, 2, 2, "2\n", "Unified\n", "2M\n");
	cache(rig, 2, 3, "3\n", "Unified\n", "not known\n");
	cache(rig, 2, 4, "4\n", "Unified\n", "128M\n");
	learn(rig, rig->folder);
	has(rig, "cpu.cache.l1d", "48");
	has(rig, "cpu.cache.l1i", "32");
	has(rig, "cpu.cache.l2", "2048");
	lacks(rig, "cpu.cache.l3");
}

static void knows_this_machine(void **state)
{
	struct rig *rig = *state;
	char saved[1000], name[256];
	FILE *file = tmpfile();
	int kept = dup(2);

	assert_non_null(file);
	(void)dup2(fileno(file), 2); /* libcpuid may not speak */
	learn(rig, NULL);
	(void)dup2(kept, 2);
	(void)close(kept);
	rewind(file);
	assert_int_equal(fread(saved, 1, sizeof(saved), file), 0);
	(void)fclose(file);
	assert_int_equal(gethostname(name, sizeof(name)), 0);
	has(rig, "host.name", name);
	(void)snprintf(name, sizeof(name), "%ld", sysconf(_SC_NPROCESSORS_ONLN));
	has(rig, "cpu.threads", name);
	(void)snprintf(name, sizeof(name), "%ld", sysconf(_SC_PAGESIZE));
	has(rig, "page.size", name);
	assert_non_null(pairs_get(&rig->facts, "arch"));
	assert_non_null(pairs_get(&rig->facts, "kernel.release"));
	assert_non_null(pairs_get(&rig->facts, "memory.total_kib"));
}

static void tells_cpuid_and_cpuinfo_the_same(void **state)
{
	static const char *const both[] = { "cpu.vendor", "cpu.family", "cpu.model", "cpu.stepping" };
	struct rig *rig = *state;
	struct buf cpuinfo = { 0 };
	struct pairs file = { 0 };

	learn(rig, NULL);
	if (strcmp(pairs_get(&rig->facts, "arch"), "x86_64") != 0)
		skip();
	cpuinfo = read_whole("/proc/cpuinfo");
	assert_int_equal(cpuinfo_facts(buf_text(&cpuinfo), &file), 0);
	for (size_t i = 0; i < sizeof(both) / sizeof(*both); i++)
		has(rig, both[i], pairs_get(&file, both[i]));
	pairs_free(&file);
	buf_free(&cpuinfo);
}

static void knows_a_machine_with_sparse_nodes(void **state)
{
	struct rig *rig = *state;

	learn_shared(rig, "hwloc-48amd64-4pa2n6c-sparse");
	has(rig, "cpu.online", "0-47");
	has(rig, "cpu.threads", "48");
	has(rig, "cpu.cores", "48");
	has(rig, "cpu.sockets", "4");
	has(rig, "node.count", "8");
	has(rig, "cpu.vendor", "AuthenticAMD");
	has(rig, "cpu.family", "16");
	has(rig, "cpu.model", "9");
	has(rig, "cpu.cache.l1d", "64");
	has(rig, "cpu.cache.l2", "512");
	has(rig, "memory.total_kib", "99202688");
	has(rig, "cpu.governor", "performance");
	lacks(rig, "host.name");
	lacks(rig, "cpu.microcode");
}

static void knows_a_machine_whose_first_cpus_are_off(void **state)
{
	struct rig *rig = *state;

	learn_shared(rig, "hwloc-offline-cpu0-node0");
	has(rig, "cpu.online", "4-20");
	has(rig, "cpu.threads", "17");
	has(rig, "cpu.sockets", "2");
	has(rig, "node.count", "1");
	has(rig, "cpu.microcode", "0x43");
	has(rig, "cpu.cache.l3", "30720");
}

static void knows_an_s390(void **state)
{
	struct rig *rig = *state;

	learn_shared(rig, "ul-s390-lpar");
	has(rig, "cpu.vendor", "IBM/S390");
	has(rig, "cpu.model", "2817");
	has(rig, "cpu.online", "1-5,8-19");
	has(rig, "cpu.threads", "17");
	has(rig, "cpu.cores", "17");
}

static void knows_an_arm_with_several_kinds_of_cores(void **state)
{
	struct rig *rig = *state;

	learn_shared(rig, "ul-arm-A510-A710-A715-X3");
	has(rig, "cpu.vendor", "ARM");
	has(rig, "cpu.model", "0xd46");
	has(rig, "cpu.stepping", "r1p1");
	has(rig, "cpu.threads", "8");
	has(rig, "cpu.governor", "walt");
	has(rig, "cpu.smt", "notimplemented");
}

static void knows_a_power7(void **state)
{
	struct rig *rig = *state;

	learn_shared(rig, "ul-ppc64-POWER7");
	has(rig, "cpu.name", "POWER7 (architected), altivec supported");
	has(rig, "cpu.threads", "16");
	has(rig, "cpu.cores", "4");
	lacks(rig, "cpu.model"); /* that at the file's end is the machine's */
}

static void knows_a_hybrid_of_cores_with_and_without_siblings(void **state)
{
	struct rig *rig = *state;

	learn_shared(rig, "hwloc-20em64t-hybrid-1p6c2t-2ca4co1t");
	has(rig, "cpu.threads", "20");
	has(rig, "cpu.cores", "14");
	has(rig, "cpu.sockets", "1");
	has(rig, "kernel.release", "6.1.0-13-amd64");
}

static void reads_every_architectures_cpuinfo(void **state)
{
	static const struct {
		const char *tree, *fact, *value;
	} rows[] = {
		{ "pcp-cpuinfo-1cpu-alpha", "cpu.model", "EV56" },
		{ "pcp-cpuinfo-1cpu-alpha", "cpu.threads", "1" },
		{ "pcp-cpuinfo-2cpu-umax-s900dp", "cpu.name", "604e" },
		{ "pcp-cpuinfo-2cpu-umax-s900dp", "cpu.threads", "2" },
		{ "pcp-cpuinfo-32cpu-amd-6132", "cpu.name", "AMD Opteron(tm) Processor 6132 HE" },
		{ "pcp-cpuinfo-32cpu-amd-6132", "cpu.cores", "32" },
		{ "pcp-cpuinfo-32cpu-amd-6132", "cpu.sockets", "4" },
		{ "pcp-cpuinfo-4cpu-ia64-linux-2.6.32", "cpu.family", "32" },
		{ "pcp-cpuinfo-4cpu-ia64-linux-2.6.32", "cpu.cores", "4" },
		{ "pcp-cpuinfo-8cpu-aarch64-linux-3.17.0", "cpu.vendor", "APM" },
		{ "pcp-cpuinfo-8cpu-aarch64-linux-3.17.0", "cpu.threads", "8" },
		{ "pcp-s390x-2cpu", "cpu.model", "2827" },
		{ "pcp-s390x-2cpu", "cpu.threads", "2" },
	};
	struct rig *rig = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		learn_shared(rig, rows[i].tree);
		has(rig, rows[i].fact, rows[i].value);
		pairs_free(&rig->facts);
	}
}

static void halves_threads_that_share_a_core(void **state)
{
	struct pairs facts = { 0 };
	static const char cpuinfo[] = "processor\t: 0\nphysical id\t: 0\nsiblings\t: 2\ncore id\t: 0\ncpu cores\t: 1\n\n"
				      "processor\t: 1\nphysical id\t: 0\nsiblings\t: 2\ncore id\t: 0\ncpu cores\t: 1\n\n";

	assert_int_equal(cpuinfo_facts(text_of(cpuinfo), &facts), 0);
	assert_string_equal(pairs_get(&facts, "cpu.threads"), "2");
	assert_string_equal(pairs_get(&facts, "cpu.cores"), "1");
	assert_string_equal(pairs_get(&facts, "cpu.sockets"), "1");
	pairs_free(&facts);
}

static void reads_a_riscv(void **state)
{
	struct pairs facts = { 0 };

	assert_int_equal(cpuinfo_facts(text_of("processor\t: 0\nhart\t: 1\nisa\t: rv64imafdc\nuarch\t: sifive,u74-mc\n"
					       "mvendorid\t: 0x489\nmarchid\t: 0x7\nmimpid\t: 0x4210427\n\n"
					       "processor\t: 1\nmvendorid\t: 0x5b7\n"),
				       &facts),
			 0);
	assert_string_equal(pairs_get(&facts, "cpu.vendor"), "0x489"); /* the first CPU's */
	assert_string_equal(pairs_get(&facts, "cpu.model"), "0x7");
	assert_string_equal(pairs_get(&facts, "cpu.stepping"), "0x4210427");
	assert_string_equal(pairs_get(&facts, "cpu.name"), "sifive,u74-mc");
	assert_string_equal(pairs_get(&facts, "cpu.threads"), "2");
	pairs_free(&facts);
}

static void says_so_without_memory(void **state)
{
	struct rig *rig = *state;
	int r = -1;

	put(rig, "proc/cpuinfo", "processor: 0\nvendor_id: x\nphysical id: 0\ncore id: 0\n");
	put(rig, "sys/devices/system/cpu/online", "0\n");
	put(rig, "sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0\n");
	cache(rig, 0, 0, "1", "Data", "8K");
	assert_int_equal(host_open_root(&rig->host, rig->folder, &rig->err), 0);
	for (size_t n = 1; n < 2000 && r != 0; n++) {
		pairs_free(&rig->facts);
		alloc_fail_at(n);
		r = host_facts(&rig->host, &rig->facts, &rig->err);
		alloc_fail_at(0);
		assert_true(r == 0 || r == -12);
	}
	assert_int_equal(r, 0);
	has(rig, "cpu.cache.l1d", "8");
	host_close(&rig->host);
}

static void groups(const char *host_name, const char *expected)
{
	char group[64];

	tbox_group(host_name, group, sizeof(group));
	assert_string_equal(group, expected);
}

static void groups_boxes_by_their_names(void **state)
{
	groups("lkp-csl-2sp3", "lkp-csl-2sp3");
	groups("box-12", "box");
	groups("lkp-7-hsw", "lkp-hsw");
	groups("lkp-7-hsw-3", "lkp-hsw");
	groups("lkp-hsw-4ex1", "lkp-hsw-4ex1");
	groups("a-1-2-b", "a-2-b"); /* one inner number */
	groups("vm", "vm");
	groups("", "");
	groups("-12", "-12");
	groups("box-", "box-");
	groups("box--1", "box-");
}

static void cuts_a_group_to_its_room(void **state)
{
	char group[8];

	memset(group, 'x', sizeof(group));
	tbox_group("lkp-7-hsw-3", group, 6);
	assert_string_equal(group, "lkp-h");
	assert_int_equal(group[6], 'x');
	tbox_group("machine", group, 4);
	assert_string_equal(group, "mac");
	group[0] = 'x';
	tbox_group("machine", group, 0);
	assert_int_equal(group[0], 'x');
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reads_each_fact_from_its_file),
		TEST(reads_how_the_machine_is_set),
		TEST(takes_the_base_clock_of_the_driver_before_that_of_the_name),
		TEST(hashes_the_configuration_of_the_running_release),
		TEST(one_number_may_be_several_designs),
		TEST(recorded_machines_have_their_code_names),
		TEST(says_nothing_of_what_no_file_tells),
		TEST(takes_the_release_from_proc_version_where_there_is_no_sysctl),
		TEST(counts_by_the_lists_of_sysfs),
		TEST(does_not_count_cores_that_a_cpu_does_not_tell),
		TEST(reads_the_caches_of_the_first_online_cpu),
		TEST(knows_this_machine),
		TEST(tells_cpuid_and_cpuinfo_the_same),
		TEST(knows_a_machine_with_sparse_nodes),
		TEST(knows_a_machine_whose_first_cpus_are_off),
		TEST(knows_an_s390),
		TEST(knows_an_arm_with_several_kinds_of_cores),
		TEST(knows_a_power7),
		TEST(knows_a_hybrid_of_cores_with_and_without_siblings),
		TEST(reads_every_architectures_cpuinfo),
		TEST(halves_threads_that_share_a_core),
		TEST(reads_a_riscv),
		TEST(says_so_without_memory),
		TEST(groups_boxes_by_their_names),
		TEST(cuts_a_group_to_its_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
