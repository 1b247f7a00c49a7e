/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/lists.h"

#include <ctype.h>

#include "analysis/compare.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum reported { NEVER, TO_2021, ALWAYS };

/* The denied families, and whether the report list shows them all the same (D.2). */
static const struct {
	const char *name;
	enum reported reported;
} denied_families[] = {
	{ "agent",         NEVER   }, /* ours: what measuring cost is asked for, not compared */
	{ "boot-meminfo",  ALWAYS  }, { "boot-slabinfo", ALWAYS  }, { "boot-time",     ALWAYS  },
	{ "buddyinfo",     NEVER   }, { "cpuidle",       ALWAYS  }, { "diskstats",     NEVER   },
	{ "interrupts",    TO_2021 }, { "iostat",        ALWAYS  }, { "lock_stat",     ALWAYS  },
	{ "max_iostat",    NEVER   }, { "meminfo",       ALWAYS  }, { "mpstat",        ALWAYS  },
	{ "numa-meminfo",  ALWAYS  }, { "numa-numastat", ALWAYS  }, { "numa-vmstat",   ALWAYS  },
	{ "pagetypeinfo",  NEVER   }, { "perf-profile",  ALWAYS  }, { "perf-stat",     ALWAYS  },
	{ "proc-vmstat",   ALWAYS  }, { "sched_debug",   ALWAYS  }, { "slabinfo",      TO_2021 },
	{ "softirqs",      TO_2021 }, { "tcrypt",        NEVER   }, { "time",          ALWAYS  },
	{ "turbostat",     ALWAYS  }, { "uptime",        ALWAYS  }, { "vmstat",        ALWAYS  },
	{ "zoneinfo",      NEVER   },
};

static const char *const denied_keys[] = {
	"aim7.cpu", "aim7.jti", "aim7.real", "aim7.jobs-per-min-per-task",
	"dmesg.boot_failures", "dmesg.boot_successes", "dmesg.timestamp:*", "dmesg.bootstage*", "dmesg.backtrace*",
	"dmesg.calltrace*",
	"last_state.exit_fail", "last_state.OOM", "last_state.soft_timeout", "last_state.kvm_fail",
	"last_state.wget_*", "last_state.post_run", "last_state.*.exit_code*",
};

static const char *const perf_metrics[] = {
	"boot-meminfo.DirectMap1G*", "boot-meminfo.DirectMap2M*", "boot-meminfo.DirectMap4k*",
	"boot-meminfo.KernelStack*", "boot-meminfo.MemFree*", "boot-meminfo.MemTotal*", "boot-meminfo.PageTables*",
	"boot-meminfo.Slab*", "boot-meminfo.VmallocUsed*", "boot-memory.bootmem*", "boot-memory.code*",
	"boot-memory.init*", "boot-slabinfo.*", "boot-time.*", "energy.*",
	"interrupts.CAL:Function_call_interrupts*", "iostat.*", "lock_stat.*.contentions*", "perf-c2c.HITM.total*",
	"perf-profile.children.cycles-pp.native_queued_spin_lock_slowpath*", "perf-stat.*", "pmeter.*",
	"proc-vmstat.*", "time.?*", "turbostat.%Busy*", "turbostat.Bzy_MHz*", "turbostat.C1%*", "turbostat.C1E%*",
	"turbostat.CorWatt*", "turbostat.Pk%pc10*", "turbostat.Pkg%pc2*", "turbostat.Pkg%pc3*", "turbostat.Pkg%pc6*",
	"turbostat.Pkg%pc7*", "turbostat.Pkg%pc8*", "turbostat.Pkg%pc9*", "turbostat.PkgTmp*", "turbostat.PkgWatt*",
	"turbostat.POLL%*", "turbostat.RAMWatt*", "turbostat.SYS%LPI*", "vmstat.cpu.*", "vmstat.io.*",
	"vmstat.swap.*", "vmstat.system.*", "*.time.?*",
};

/* D.4: the first pattern that matches decides. */
static const struct {
	const char *pattern;
	double at_least;
} thresholds[] = {
	{ "*.time.elapsed_time*",                  10 },
	{ "*.time.file_system_inputs",             10000 },
	{ "*.time.file_system_outputs",            10000 },
	{ "*.time.involuntary_context_switches",   1000 },
	{ "*.time.voluntary_context_switches",     1000 },
	{ "*.time.major_page_faults",              1000 },
	{ "*.time.minor_page_faults",              1000 },
	{ "*.time.socket_messages_received",       10000 },
	{ "*.time.socket_messages_sent",           10000 },
	{ "*.time.swaps",                          1000 },
	{ "*.time.system_time",                    10 },
	{ "*.time.user_time",                      10 },
	{ "*vmstat*nr_*",                          100 },
	{ "dd.kill_time",                          10 },
	{ "dd.startup_time",                       10 },
	{ "interrupts.*",                          100 },
	{ "iostat.*.avgrq-sz",                     200 },
	{ "iostat.*.await",                        50 },
	{ "iostat.*.r_await",                      50 },
	{ "iostat.*.w_await",                      50 },
	{ "iostat.*.util",                         10 },
	{ "iostat.*.r/s",                          50 },
	{ "iostat.*.w/s",                          50 },
	{ "iostat.*.rkB/s",                        100 },
	{ "iostat.*.wkB/s",                        100 },
	{ "latency_stats.*",                       10000 },
	{ "perf-c2c.HITM.total",                   3000 },
	{ "perf-profile.*",                        1 },
	{ "proc-vmstat.allocstall",                100 },
	{ "proc-vmstat.compact_fail",              100 },
	{ "proc-vmstat.compact_stall",             100 },
	{ "proc-vmstat.htlb_buddy_alloc_fail",     100 },
	{ "proc-vmstat.kswapd_high_wmark_hit_quickly", 100 },
	{ "proc-vmstat.kswapd_low_wmark_hit_quickly",  100 },
	{ "proc-vmstat.pgmigrate_fail",            100 },
	{ "sysbench-fileio.latency_95th_ms",       10 },
	{ "vmstat.cpu.id",                         10 },
	{ "vmstat.cpu.st",                         10 },
	{ "vmstat.cpu.us",                         10 },
	{ "vmstat.cpu.wa",                         10 },
	{ "vmstat.cpu.sy",                         50 },
	{ "vmstat.io.bi",                          100 },
	{ "vmstat.io.bo",                          100 },
	{ "vmstat.system.cs",                      100 },
	{ "vmstat.system.in",                      100 },
	{ "xfstests.*.seconds",                    10 },
};

static const char *const hidden_on_vm[] = {
	"boot-meminfo", "boot-memory", "proc-vmstat", "numa-vmstat", "meminfo", "memmap", "numa-meminfo",
};

struct text key_family(const char *key)
{
	return text_n(key, strcspn(key, "."));
}

bool key_is_of(const char *key, const char *family)
{
	return text_is(key_family(key), family);
}

static bool matches_one(const char *key, const char *const *patterns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_glob(text_of(key), patterns[i]))
			return true;
	return false;
}

bool key_is_denied(const char *key, bool present_day)
{
	for (size_t i = 0; i < COUNT(denied_families); i++)
		if (key_is_of(key, denied_families[i].name))
			return denied_families[i].reported == NEVER ||
			       (denied_families[i].reported == TO_2021 && present_day);
	return matches_one(key, denied_keys, COUNT(denied_keys));
}

bool family_is_testcase(struct text family, const char *testcase)
{
	if (!testcase)
		return false;
	if (strcmp(testcase, "fio-basic") == 0)
		testcase = "fio";
	return text_is(family, testcase);
}

bool key_is_perf_metric(const char *key, const char *testcase)
{
	return family_is_testcase(key_family(key), testcase) ||
	       matches_one(key, perf_metrics, COUNT(perf_metrics));
}

bool key_is_result(const char *key, const char *testcase)
{
	return family_is_testcase(key_family(key), testcase) && !strstr(key, ".time.") && !is_function_stat(key) &&
	       !matches_one(key, denied_keys, COUNT(denied_keys));
}

static bool starts(const char *key, const char *prefix)
{
	return text_starts(text_of(key), prefix);
}

static bool is_log_stat(const char *key)
{
	return starts(key, "dmesg.") || starts(key, "kmsg.") || starts(key, "last_state.") || starts(key, "stderr.");
}

/* `.+\.(error|warn|fail)[^_]*$`: where the word begins, its dot included, or NULL. */
static const char *failing_word(const char *key)
{
	static const char *const words[] = { ".error", ".warn", ".fail" };
	const char *underscore = strrchr(key, '_');
	const char *from = underscore ? underscore + 1 : key;
	const char *found = NULL;

	if (from == key && *from)
		from++; /* something stands before the dot */
	for (size_t i = 0; i < COUNT(words); i++)
		for (const char *at = strstr(from, words[i]); at; at = strstr(at + 1, words[i]))
			if (!found || at > found)
				found = at;
	return found;
}

bool is_function_stat(const char *key)
{
	struct text whole = text_of(key);

	if (strstr(key, ".time.") || strstr(key, ".timestamp:") || strstr(key, ".bootstage:"))
		return false;
	return is_log_stat(key) || failing_word(key) || text_glob(whole, "?*.pass") ||
	       (*key && strstr(key + 1, "killed_by")) || text_glob(whole, "kmemleak.?*unreferenced_object.?*") ||
	       text_glob(whole, "xfstests.?*fail") || text_ends(whole, ".lock_hotplug") ||
	       text_ends(whole, ".rcu_hotplug");
}

size_t key_siblings(const char *key, size_t *ret_stem, const char *ret_ending[static SIBLINGS_MAX])
{
	const char *failing = failing_word(key);

	if (is_log_stat(key))
		return 0;
	if (text_glob(text_of(key), "?*.pass")) {
		*ret_stem = strlen(key) - strlen(".pass");
		ret_ending[0] = ".fail";
		ret_ending[1] = ".error";
		ret_ending[2] = ".warn";
		return 3;
	}
	if (!failing)
		return 0;
	*ret_stem = (size_t)(failing - key);
	ret_ending[0] = ".pass";
	return 1;
}

bool is_hidden_on_machine(const char *key, const char *tbox_group)
{
	if (!tbox_group)
		return false;
	if (starts(tbox_group, "vh-"))
		return true;
	if (!starts(tbox_group, "vm-"))
		return false;
	for (size_t i = 0; i < COUNT(hidden_on_vm); i++)
		if (key_is_of(key, hidden_on_vm[i]))
			return true;
	return false;
}

static bool is_large_by_family(const char *key, double largest, double delta)
{
	if (key_is_of(key, "iostat"))
		return largest > 1;
	if (key_is_of(key, "pagetypeinfo") || key_is_of(key, "buddyinfo") || key_is_of(key, "slabinfo"))
		return delta > 100;
	if (key_is_of(key, "proc-vmstat") || strstr(key, "meminfo"))
		return largest > 1000;
	if (key_is_of(key, "lock_stat"))
		return delta > (strstr(key, "time") ? 1000 : 10000);
	if (key_is_of(key, "interrupts") || key_is_of(key, "softirqs"))
		return largest > 10000;
	return true;
}

bool is_large_enough(const char *key, double largest, double delta, bool max_half_only)
{
	for (size_t i = 0; i < COUNT(thresholds); i++) {
		double v = thresholds[i].at_least;

		if (text_glob(text_of(key), thresholds[i].pattern))
			return largest >= v && (max_half_only || delta >= (double)((long)v / 2));
	}
	return is_large_by_family(key, largest, delta);
}

bool key_is_numbered(const char *key)
{
	const char *dot = strrchr(key, '.');

	return key_is_of(key, "sched_debug") && dot && isdigit((unsigned char)dot[1]) &&
	       dot[1 + strspn(dot + 1, "0123456789")] == '\0';
}

bool key_is_points(const char *key)
{
	return text_ends(text_of(key), "%") || text_starts(text_of(key), "perf-profile");
}
