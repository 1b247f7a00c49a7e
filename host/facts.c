/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/facts.h"

#include <errno.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "host/cpuid.h"
#include "host/cpuinfo.h"
#include "host/processor.h"
#include "host/settings.h"
#include "host/topology.h"

#define CPUS  "sys/devices/system/cpu"
#define TRIES 64 /* so many first CPUs may be off; where none of them has a file, none has */

const char *const host_facts_sources[] = {
	"proc/sys/kernel/hostname",
	"proc/sys/kernel/osrelease",
	"proc/sys/kernel/version",
	"proc/sys/kernel/arch",
	"proc/sys/kernel/random/boot_id",
	"proc/version",
	"proc/cmdline",
	"proc/cpuinfo",
	"proc/meminfo",
	CPUS "/online",
	"proc/config.gz",
	"proc/sys/kernel/nmi_watchdog",
	CPUS "/smt/control",
	CPUS "/vulnerabilities/*",
	CPUS "/cpuidle/current_driver",
	CPUS "/cpuidle/current_governor",
	CPUS "/cpuidle/current_governor_ro",
	CPUS "/cpufreq/boost",
	CPUS "/intel_pstate/no_turbo",
	CPUS "/intel_pstate/status",
	CPUS "/amd_pstate/status",
	CPUS "/cpu*/cpufreq/base_frequency",
	CPUS "/cpu*/cpufreq/energy_performance_preference",
	CPUS "/cpu*/acpi_cppc/nominal_freq",
	CPUS "/cpufreq/policy*/base_frequency",
	CPUS "/cpufreq/policy*/energy_performance_preference",
	"sys/devices/system/clocksource/clocksource0/current_clocksource",
	"sys/kernel/mm/transparent_hugepage/enabled",
	CPUS "/cpu*/microcode/version",
	CPUS "/cpu*/cpufreq/scaling_governor",
	CPUS "/cpu*/cpufreq/scaling_driver",
	CPUS "/cpufreq/policy*/scaling_governor",
	CPUS "/cpufreq/policy*/scaling_driver",
	CPUS "/cpu*/topology/*_list",
	CPUS "/cpu*/cache/index*/level",
	CPUS "/cpu*/cache/index*/type",
	CPUS "/cpu*/cache/index*/size",
	"sys/devices/system/node/online",
	"sys/devices/system/node/node*/cpulist",
	"sys/devices/system/node/node*/distance",
	NULL,
};

/* A file is a fact. Of several rows for one fact the first that can be read tells it. A star stands for the first of
 * its folder, in natural order, that has the file: CPUs and policies are set alike. */
static const struct {
	const char *fact, *path;
} files[] = {
	{ "host.name", "proc/sys/kernel/hostname" },
	{ "host.boot_id", "proc/sys/kernel/random/boot_id" },
	{ "kernel.release", "proc/sys/kernel/osrelease" },
	{ "kernel.version", "proc/sys/kernel/version" },
	{ "kernel.cmdline", "proc/cmdline" },
	{ "arch", "proc/sys/kernel/arch" },
	{ "cpu.microcode", CPUS "/cpu*/microcode/version" },
	{ "cpu.governor", CPUS "/cpufreq/policy*/scaling_governor" },
	{ "cpu.governor", CPUS "/cpu*/cpufreq/scaling_governor" },
	{ "cpu.driver", CPUS "/cpufreq/policy*/scaling_driver" },
	{ "cpu.driver", CPUS "/cpu*/cpufreq/scaling_driver" },
	{ "cpu.smt", CPUS "/smt/control" },
	{ "cpu.driver_mode", CPUS "/intel_pstate/status" },
	{ "cpu.driver_mode", CPUS "/amd_pstate/status" },
	{ "cpu.no_turbo", CPUS "/intel_pstate/no_turbo" },
	{ "cpu.boost", CPUS "/cpufreq/boost" },
	{ "cpu.preference", CPUS "/cpufreq/policy*/energy_performance_preference" },
	{ "cpu.preference", CPUS "/cpu*/cpufreq/energy_performance_preference" },
	{ "cpu.idle_driver", CPUS "/cpuidle/current_driver" },
	{ "cpu.idle_governor", CPUS "/cpuidle/current_governor" },
	{ "cpu.idle_governor", CPUS "/cpuidle/current_governor_ro" },
	{ "kernel.clocksource", "sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ "kernel.nmi_watchdog", "proc/sys/kernel/nmi_watchdog" },
};

/* The folder of the star's names is listed, but no more of its files are opened than it takes: on 1,152 CPUs a whole
 * host_glob() would be dear. */
int fact_read_first(const struct host *host, const char *pattern, struct buf *content, struct text *ret)
{
	const char *star = strchr(pattern, '*');
	const char *prefix = star ? (const char *)memrchr(pattern, '/', (size_t)(star - pattern)) + 1 : NULL;
	struct names names = { 0 };
	char path[512];
	struct err ignored;
	int tries = 0;
	int r;

	if (!star)
		return fact_read(host, pattern, content, ret);
	*ret = text_n("", 0);
	(void)snprintf(path, sizeof(path), "%.*s", (int)(prefix - 1 - pattern), pattern);
	r = host_list(host, path, &names, &ignored) == -ENOMEM ? -ENOMEM : 0;
	for (size_t i = 0; i < names.count && r == 0 && ret->at == ret->end; i++) {
		if (strncmp(names.at[i], prefix, (size_t)(star - prefix)) != 0)
			continue;
		if (tries++ == TRIES)
			break;
		(void)snprintf(path, sizeof(path), "%.*s%s%s", (int)(prefix - pattern), pattern, names.at[i], star + 1);
		r = fact_read(host, path, content, ret);
	}
	names_free(&names);
	return r;
}

static int file_facts(const struct host *host, struct pairs *ret)
{
	cleanup_buf struct buf content = { 0 };
	struct text text;
	int r = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && r == 0; i++) {
		if (pairs_get(ret, files[i].fact))
			continue;
		r = fact_read_first(host, files[i].path, &content, &text);
		if (r == 0 && text.at < text.end)
			r = pairs_set_text(ret, text_of(files[i].fact), text);
	}
	return r;
}

/* "Linux version 5.18.0-rc1 (who@where) (compiler) #1 SMP ...": for recordings without proc/sys. */
static int version_facts(const struct host *host, struct pairs *ret)
{
	cleanup_buf struct buf content = { 0 };
	struct text text, release;
	const char *number;
	int r = fact_read(host, "proc/version", &content, &text);

	if (r < 0 || !text_skip(&text, "Linux version ") || !text_word(&text, &release))
		return r;
	if (!pairs_get(ret, "kernel.release"))
		r = pairs_set_text(ret, text_of("kernel.release"), release);
	number = text.at < text.end ? memrchr(text.at, '#', text_len(text)) : NULL;
	if (r == 0 && number && !pairs_get(ret, "kernel.version"))
		r = pairs_set_text(ret, text_of("kernel.version"), (struct text){ number, text.end });
	return r;
}

static int memory_facts(const struct host *host, struct pairs *ret)
{
	cleanup_buf struct buf content = { 0 };
	struct text text, line;
	uint64_t kib;
	int r = fact_read(host, "proc/meminfo", &content, &text);

	while (r == 0 && text_line(&text, &line))
		if (text_skip(&line, "MemTotal:") && text_u64(&line, &kib))
			return pairs_setf(ret, "memory.total_kib", "%llu", (unsigned long long)kib);
	return r;
}

static int cpu_facts(const struct host *host, struct pairs *ret)
{
	cleanup_buf struct buf content = { 0 };
	const char *name;
	struct text text;
	int r = fact_read(host, "proc/cpuinfo", &content, &text);

	if (r == 0)
		r = cpuinfo_facts(text, ret);
	if (r == 0)
		r = topology_facts(host, ret);
	if (r == 0 && host->live)
		r = cpuid_facts(ret);
	name = r == 0 ? processor_code_name(ret) : NULL;
	return name ? pairs_set(ret, "cpu.code_name", name) : r;
}

int host_arch(const struct host *host, struct buf *content, struct text *ret)
{
	struct text rest, line;
	struct utsname name;
	int r;

	*ret = text_n("", 0);
	if (host->live && uname(&name) == 0) {
		buf_clear(content);
		r = buf_puts(content, name.machine);
		*ret = buf_text(content);
		return r;
	}
	r = fact_read(host, "host", content, &rest);
	while (r == 0 && text_line(&rest, &line))
		if (text_skip(&line, "arch "))
			*ret = text_trim(line);
	return r;
}

int host_facts(const struct host *host, struct pairs *ret, struct err *err)
{
	cleanup_buf struct buf content = { 0 };
	struct text arch;
	int r = host_arch(host, &content, &arch);

	if (r == 0 && arch.at < arch.end)
		r = pairs_set_text(ret, text_of("arch"), arch);
	if (r == 0)
		r = cpu_facts(host, ret);
	if (r == 0)
		r = file_facts(host, ret);
	if (r == 0)
		r = version_facts(host, ret);
	if (r == 0)
		r = memory_facts(host, ret);
	if (r == 0)
		r = setting_facts(host, ret);
	if (r == 0)
		r = pairs_setf(ret, "page.size", "%ld", host->page_size);
	if (r == 0)
		r = pairs_setf(ret, "ticks", "%ld", host->ticks_per_second);
	return r < 0 ? err_set(err, -ENOMEM, "facts of %s: no memory", host->root) : 0;
}

/* Is [at, end) digits, at least one? */
static bool is_number(const char *at, const char *end)
{
	if (at == end)
		return false;
	for (; at < end; at++)
		if (*at < '0' || *at > '9')
			return false;
	return true;
}

void tbox_group(const char *host_name, char *ret, size_t size)
{
	struct text name = text_of(host_name), head = name, tail = { name.end, name.end };
	const char *dash = memrchr(name.at, '-', text_len(name));
	size_t n;

	if (dash && dash > name.at && is_number(dash + 1, name.end))
		head.end = tail.at = tail.end = dash;
	for (dash = head.at; (dash = memchr(dash, '-', (size_t)(head.end - dash))); dash++) {
		const char *next = memchr(dash + 1, '-', (size_t)(head.end - dash - 1));

		if (next && dash > head.at && is_number(dash + 1, next)) {
			tail = (struct text){ next, head.end };
			head.end = dash;
			break;
		}
	}
	if (size == 0)
		return;
	n = text_len(head) < size ? text_len(head) : size - 1;
	memcpy(ret, head.at, n);
	for (; n + 1 < size && tail.at < tail.end; n++)
		ret[n] = *tail.at++;
	ret[n] = '\0';
}
