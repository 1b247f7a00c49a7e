/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every view over a series whose values were computed by hand. */
#include "tests/analysis/play.h"

static const char *const whole[] = { "" };

static const struct metric stat_metrics[] = {
	{ "user", COUNTER, UNIT_TICKS, 0, FOLD_NONE },	      { "nice", COUNTER, UNIT_TICKS, 0, FOLD_NONE },
	{ "system", COUNTER, UNIT_TICKS, 0, FOLD_NONE },      { "idle", COUNTER, UNIT_TICKS, 0, FOLD_NONE },
	{ "iowait", COUNTER, UNIT_TICKS, 0, FOLD_NONE },      { "irq", COUNTER, UNIT_TICKS, 0, FOLD_NONE },
	{ "softirq", COUNTER, UNIT_TICKS, 0, FOLD_NONE },     { "steal", COUNTER, UNIT_TICKS, 0, FOLD_NONE },
	{ "guest", COUNTER, UNIT_TICKS, 0, FOLD_NONE },	      { "guest_nice", COUNTER, UNIT_TICKS, 0, FOLD_NONE },
	{ "intr", COUNTER32, UNIT_COUNT, 0, FOLD_NONE },      { "ctxt", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
	{ "processes", COUNTER, UNIT_COUNT, 0, FOLD_NONE },   { "procs_running", GAUGE, UNIT_COUNT, 0, FOLD_NONE },
	{ "procs_blocked", GAUGE, UNIT_COUNT, 0, FOLD_NONE }, { "softirqs", COUNTER32, UNIT_COUNT, 0, FOLD_NONE },
	{ "btime", GAUGE, UNIT_SECONDS, 0, FOLD_NONE },
};
static const struct shape stat_shape = { "proc-stat", 1, stat_metrics, 17, whole, 1 };

/*
 * Two intervals, of 1 s and of 3 s:         user nice system idle iowait irq softirq steal guest guest_nice   total
 *                                            30   10   20    100   20     5   10      5     10    4            200
 *                                            90   0    60    400   0      15  30      5     20    0            600
 */
static void play_cpu(struct play *p)
{
	play_open(p);
	PLAY(p, &stat_shape, 10, 1000, 100, 500, 9000, 300, 10, 50, 7, 100, 50, 10000, 20000, 40, 3, 1, 700,
	     1700000000);
	play_mark(p, MARK_COMMAND_START, 10.5);
	PLAY(p, &stat_shape, 11, 1030, 110, 520, 9100, 320, 15, 60, 12, 110, 54, 10100, 20300, 45, 6, 0, 710,
	     1700000000);
	play_mark(p, MARK_COMMAND_END, 13);
	PLAY(p, &stat_shape, 14, 1120, 110, 580, 9500, 320, 30, 90, 17, 130, 54, 11000, 21200, 49, 9, 5, 750,
	     1700000000);
	play_end(p, 0, 0);
	play_finish(p);
}

static void mpstat_is_weighted_by_time(void **state)
{
	struct play p;

	play_cpu(&p);
	expect(&p, "mpstat.cpu.all.usr%", 100.0 * (120 - 30) / 800);
	expect(&p, "mpstat.cpu.all.nice%", 100.0 * (10 - 4) / 800);
	expect(&p, "mpstat.cpu.all.sys%", 10);
	expect(&p, "mpstat.cpu.all.iowait%", 2.5);
	expect(&p, "mpstat.cpu.all.irq%", 2.5);
	expect(&p, "mpstat.cpu.all.soft%", 5);
	expect(&p, "mpstat.cpu.all.steal%", 1.25);
	expect(&p, "mpstat.cpu.all.guest%", 3.75);
	expect(&p, "mpstat.cpu.all.gnice%", 0.5);
	expect(&p, "mpstat.cpu.all.idle%", 62.5);
	expect(&p, "mpstat.max_utilization_pct", 40);
	expect(&p, "mpstat.max_utilization.seconds", 1);
	play_close(&p);
}

static void vmstat_takes_levels_up_to_the_commands_end_and_rates_of_the_window(void **state)
{
	struct play p;

	play_cpu(&p);
	expect(&p, "vmstat.procs.r", 4.5);
	expect(&p, "vmstat.procs.b", 0.5);
	expect(&p, "vmstat.system.in", 250);
	expect(&p, "vmstat.system.cs", 300);
	expect(&p, "vmstat.cpu.us", 16.25);
	expect(&p, "vmstat.cpu.sy", 17.5);
	expect(&p, "vmstat.cpu.id", 62.5);
	expect(&p, "vmstat.cpu.wa", 2.5);
	expect(&p, "vmstat.cpu.st", 1.25);
	expect(&p, "vmstat.cpu.gu", 3.75);
	play_close(&p);
}

static void iostat_tells_cpu_times_as_it_does(void **state)
{
	struct play p;

	play_cpu(&p);
	expect(&p, "iostat.cpu.user", 15);
	expect(&p, "iostat.cpu.nice", 1.25);
	expect(&p, "iostat.cpu.system", 17.5);
	expect(&p, "iostat.cpu.iowait", 2.5);
	expect(&p, "iostat.cpu.steal", 1.25);
	expect(&p, "iostat.cpu.idle", 62.5);
	play_close(&p);
}

static void proc_stat_keeps_its_counts_and_leaves_cpu_times_to_the_views(void **state)
{
	struct play p;

	play_cpu(&p);
	expect(&p, "proc-stat.intr", 1000);
	expect(&p, "proc-stat.ctxt", 1200);
	expect(&p, "proc-stat.processes", 9);
	expect(&p, "proc-stat.softirq", 50);
	expect(&p, "proc-stat.procs_running", 4.5);
	expect_none(&p, "proc-stat.btime");
	expect_none(&p, "proc-stat.cpu.user");
	expect_none(&p, "proc-stat.cpu.softirq");
	play_close(&p);
}

static const struct metric memory_metrics[] = {
	{ "MemTotal", GAUGE, UNIT_KIB, 0, FOLD_NONE },	   { "MemFree", GAUGE, UNIT_KIB, 0, FOLD_NONE },
	{ "Buffers", GAUGE, UNIT_KIB, 0, FOLD_NONE },	   { "Cached", GAUGE, UNIT_KIB, 0, FOLD_NONE },
	{ "SwapTotal", GAUGE, UNIT_KIB, 0, FOLD_NONE },	   { "SwapFree", GAUGE, UNIT_KIB, 0, FOLD_NONE },
	{ "SReclaimable", GAUGE, UNIT_KIB, 0, FOLD_NONE },
};
static const struct shape memory = { "meminfo", 1, memory_metrics, 7, whole, 1 };

static void memory_is_told_by_meminfo_and_vmstat(void **state)
{
	struct play p;

	play_open(&p);
	PLAY(&p, &memory, 0.5, 16000, 9000, 200, 3000, 4000, 3900, 500);
	play_mark(&p, MARK_COMMAND_START, 1);
	PLAY(&p, &memory, 1, 16000, 9000, 100, 3000, 4000, 3900, 500);
	PLAY(&p, &memory, 2, 16000, 6000, 200, 4000, 4000, 3700, 700);
	PLAY(&p, &memory, 3, 16000, 12000, 300, 2000, 4000, 3900, 300);
	play_mark(&p, MARK_COMMAND_END, 3.5);
	PLAY(&p, &memory, 4, 16000, 100, 1, 1, 4000, 0, 1);
	play_finish(&p);
	expect(&p, "meminfo.MemFree", 9000);
	expect(&p, "meminfo.Memused", 7000);
	expect(&p, "meminfo.max_used_kB", 10000);
	expect(&p, "vmstat.memory.free", 9000);
	expect(&p, "vmstat.memory.buff", 200);
	expect(&p, "vmstat.memory.cache", 3500);
	expect(&p, "vmstat.memory.swpd", 150);
	play_close(&p);
}

static const struct metric paging_metrics[] = {
	{ "pgpgin", COUNTER, UNIT_KIB, 0, FOLD_NONE },
	{ "pgpgout", COUNTER, UNIT_KIB, 0, FOLD_NONE },
	{ "pswpin", COUNTER, UNIT_PAGES, 0, FOLD_NONE },
	{ "pswpout", COUNTER, UNIT_PAGES, 0, FOLD_NONE },
};
static const struct shape paging = { "proc-vmstat", 1, paging_metrics, 4, whole, 1 };

static void play_paging(struct play *p)
{
	PLAY(p, &paging, 1, 1000, 5000, 10, 20);
	PLAY(p, &paging, 3.5, 1500, 5100, 20, 70);
	play_finish(p);
}

static void swapping_needs_the_page_size_of_the_machine(void **state)
{
	struct play p;

	play_open(&p);
	play_fact(&p, "page.size", "16384");
	play_paging(&p);
	expect(&p, "vmstat.io.bi", 200);
	expect(&p, "vmstat.io.bo", 40);
	expect(&p, "vmstat.swap.si", 64);
	expect(&p, "vmstat.swap.so", 320);
	play_close(&p);

	play_open(&p);
	play_paging(&p);
	expect(&p, "vmstat.io.bi", 200);
	expect_none(&p, "vmstat.swap.si");
	expect_none(&p, "vmstat.swap.so");
	play_close(&p);
}

static const struct metric disk_metrics[] = {
	{ "read_ios", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
	{ "read_merges", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
	{ "read_sectors", COUNTER, UNIT_SECTORS, 0, FOLD_NONE },
	{ "read_ticks", COUNTER32, UNIT_MILLISECONDS, 0, FOLD_NONE },
	{ "write_ios", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
	{ "write_merges", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
	{ "write_sectors", COUNTER, UNIT_SECTORS, 0, FOLD_NONE },
	{ "write_ticks", COUNTER32, UNIT_MILLISECONDS, 0, FOLD_NONE },
	{ "in_flight", GAUGE, UNIT_COUNT, 0, FOLD_NONE },
	{ "io_ticks", COUNTER32, UNIT_MILLISECONDS, 0, FOLD_NONE },
	{ "time_in_queue", COUNTER32, UNIT_MILLISECONDS, 0, FOLD_NONE },
};
static const char *const disks[] = { "sda", "sda1", "nvme0n1" };
static const struct shape diskstats = { "diskstats", 1, disk_metrics, 11, disks, 3 };

static void disks_are_told_by_their_rates_and_by_intervals_with_requests(void **state)
{
	struct play p;

	play_open(&p);
	/* sda in 2 s: 100 reads of 800 sectors in 200 ms; 50 writes of 1600 in 500 ms. In 2 s more: 10 reads only. */
	PLAY(&p, &diskstats, 1, 1000, 500, 9, 0, 0, 0, 8000, 1, 9, 300, 1, 9, 100, 50, 9, 5, 0, 0, 1000, 1, 9, 700, 1,
	     9, 1, 0, 0, 90, 1, 9, 95, 1, 9);
	PLAY(&p, &diskstats, 3, 1100, 600, 9, 20, 0, 0, 8800, 801, 9, 500, 201, 9, 150, 100, 9, 15, 0, 0, 2600, 1601, 9,
	     1200, 501, 9, 3, 0, 0, 390, 301, 9, 795, 701, 9);
	PLAY(&p, &diskstats, 5, 1110, 610, 9, 20, 0, 0, 8880, 881, 9, 600, 301, 9, 150, 100, 9, 15, 0, 0, 2600, 1601, 9,
	     1200, 501, 9, 0, 0, 0, 490, 401, 9, 895, 801, 9);
	play_finish(&p);
	expect(&p, "iostat.sda.r/s", 27.5);
	expect(&p, "iostat.sda.w/s", 12.5);
	expect(&p, "iostat.sda.rkB/s", 110);
	expect(&p, "iostat.sda.wkB/s", 200);
	expect(&p, "iostat.sda.rrqm/s", 5);
	expect(&p, "iostat.sda.wrqm/s", 2.5);
	expect(&p, "iostat.sda.util", 10);
	expect(&p, "iostat.sda.avgqu-sz", 0.2);
	expect(&p, "iostat.sda.avgqu-sz.max", 0.35);
	expect(&p, "iostat.sda.r_await", (2.0 + 10) / 2);
	expect(&p, "iostat.sda.r_await.max", 10);
	expect(&p, "iostat.sda.w_await", 10);
	expect(&p, "iostat.sda.await", (700.0 / 150 + 10) / 2);
	expect(&p, "iostat.sda.await.max", 10);
	expect(&p, "iostat.sda.svctm", (2.0 + 10) / 2);
	expect(&p, "iostat.sda.svctm.max", 10);
	expect(&p, "iostat.sda.avgrq-sz", (16.0 + 8) / 2);
	expect(&p, "iostat.sda.rareq-sz", 4);
	expect(&p, "iostat.sda.wareq-sz", 16);
	expect_none(&p, "iostat.sda1.r/s");    /* a partition */
	expect_none(&p, "iostat.nvme0n1.r/s"); /* did nothing */
	expect(&p, "diskstats.read_ios.sda1", 110);
	expect(&p, "diskstats.read_ios.nvme0n1", 0);
	expect(&p, "diskstats.in_flight.sda", 4.0 / 3);
	play_close(&p);
}

/* What newer kernels tell, beside reads and writes; await and util stay those of reads and writes. */
static void discards_and_flushes_have_columns_of_their_own(void **state)
{
	static const struct metric metrics[] = {
		{ "discard_ios", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
		{ "discard_merges", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
		{ "discard_sectors", COUNTER, UNIT_SECTORS, 0, FOLD_NONE },
		{ "discard_ticks", COUNTER32, UNIT_MILLISECONDS, 0, FOLD_NONE },
		{ "flush_ios", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
		{ "flush_ticks", COUNTER32, UNIT_MILLISECONDS, 0, FOLD_NONE },
	};
	static const char *const names[] = { "sda" };
	static const struct shape shape = { "diskstats", 1, metrics, 6, names, 1 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 100, 7, 8000, 50, 10, 1);
	PLAY(&p, &shape, 3, 110, 9, 8800, 90, 14, 13);
	play_finish(&p);
	expect(&p, "iostat.sda.d/s", 5);
	expect(&p, "iostat.sda.drqm/s", 1);
	expect(&p, "iostat.sda.dkB/s", 200);
	expect(&p, "iostat.sda.d_await", 4);
	expect(&p, "iostat.sda.dareq-sz", 40);
	expect(&p, "iostat.sda.f/s", 2);
	expect(&p, "iostat.sda.f_await", 3);
	expect_none(&p, "iostat.sda.await");
	expect_none(&p, "iostat.sda.d_await.max");
	play_close(&p);
}

static void knows_partitions_by_their_names(void **state)
{
	static const struct metric reads[] = { { "read_ios", COUNTER, UNIT_COUNT, 0, FOLD_NONE } };
	static const char *const names[] = { "nvme0n1", "nvme0n1p2", "md127", "mmcblk0p1", "sdaa1", "sda", "sdaa" };
	static const struct shape shape = { "diskstats", 1, reads, 1, names, 7 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 1, 1, 1, 1, 1, 1, 1);
	PLAY(&p, &shape, 2, 2, 2, 2, 2, 2, 2, 2);
	play_finish(&p);
	expect(&p, "iostat.nvme0n1.r/s", 1);
	expect_none(&p, "iostat.nvme0n1p2.r/s");
	expect(&p, "iostat.md127.r/s", 1);
	expect(&p, "iostat.mmcblk0p1.r/s", 1); /* its disk is not listed: better shown than lost */
	expect_none(&p, "iostat.sdaa1.r/s");
	expect(&p, "iostat.sdaa.r/s", 1);
	play_close(&p);
}

static void pressure_is_a_share_of_the_time_seen(void **state)
{
	static const struct metric metrics[] = {
		{ "some.total", COUNTER, UNIT_MICROSECONDS, 0, FOLD_NONE },
		{ "full.total", COUNTER, UNIT_MICROSECONDS, 0, FOLD_NONE },
	};
	static const char *const resources[] = { "cpu", "memory" };
	static const struct shape shape = { "pressure", 1, metrics, 2, resources, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 1000000, 500, ABSENT, 400);
	PLAY(&p, &shape, 2, 1250000, 500, ABSENT, 400);
	PLAY(&p, &shape, 5, 2000000, 40500, ABSENT, 20400);
	play_finish(&p);
	expect(&p, "pressure.cpu.some.total", 1000000);
	expect(&p, "pressure.cpu.some%", 25);
	expect_none(&p, "pressure.cpu.full%");
	expect(&p, "pressure.memory.some%", 1);
	expect(&p, "pressure.memory.full%", 0.5);
	play_close(&p);
}

static void a_resource_that_was_away_has_no_share_of_that_time(void **state)
{
	static const struct metric metrics[] = { { "some.total", COUNTER, UNIT_MICROSECONDS, 0, FOLD_NONE } };
	static const char *const resources[] = { "cpu", "memory" };
	static const struct shape shape = { "pressure", 1, metrics, 1, resources, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 1000, 1000);
	PLAY(&p, &shape, 2, 1000, 11000);
	PLAY(&p, &shape, 3, 1000, ABSENT);
	PLAY(&p, &shape, 4, 1000, 900000);
	PLAY(&p, &shape, 5, 1000, 930000);
	play_finish(&p);
	expect(&p, "pressure.memory.some%", 2); /* 10 ms and 30 ms of two seconds */
	expect(&p, "pressure.memory.some.total", 929000);
	play_close(&p);
}

static void energy_begins_anew_at_its_own_range(void **state)
{
	static const struct metric metrics[] = {
		{ "energy_uj", COUNTER, UNIT_JOULES, 6, FOLD_NONE },
		{ "max_energy_range_uj", GAUGE, UNIT_JOULES, 6, FOLD_NONE },
	};
	static const char *const zones[] = { "intel-rapl:0/package-0", "intel-rapl:1/psys" };
	static const struct shape shape = { "powercap", 1, metrics, 2, zones, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 262143000000, 9000000, 262143328850, ABSENT);
	PLAY(&p, &shape, 3, 119671150, 10000000, 262143328850, ABSENT);
	PLAY(&p, &shape, 5, 119671150, 500, 262143328850, ABSENT); /* no range is known: a reset */
	play_finish(&p);
	expect(&p, "powercap.intel-rapl:0/package-0.joules", 120);
	expect(&p, "powercap.intel-rapl:0/package-0.watts", 30);
	expect(&p, "powercap.intel-rapl:1/psys.watts", 0.5);
	expect_none(&p, "powercap.intel-rapl:0/package-0.max_energy_range_uj");
	play_close(&p);
}

static void memory_of_control_groups_has_families_of_its_own(void **state)
{
	static const struct metric metrics[] = {
		{ "memory.stat.anon", GAUGE, UNIT_BYTES, 0, FOLD_NONE },
		{ "memory.stat.pgfault", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
		{ "memory.numa_stat.anon.N1", GAUGE, UNIT_BYTES, 0, FOLD_NONE },
		{ "pids.current", GAUGE, UNIT_COUNT, 0, FOLD_NONE },
	};
	static const char *const groups[] = { "job" };
	static const struct shape shape = { "cgroup", 1, metrics, 4, groups, 1 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 4096, 10, 8192, 3);
	PLAY(&p, &shape, 2, 8192, 25, 8192, 5);
	play_finish(&p);
	expect(&p, "memory--stat.job.anon", 6144);
	expect(&p, "memory--stat.job.pgfault", 15);
	expect(&p, "memory--numa_stat.job.anon.N1", 8192);
	expect(&p, "cgroup.job.pids.current", 4);
	play_close(&p);
}

static void scheduling_is_summed_up_and_of_domains_only_the_sum_is_shown(void **state)
{
	static const struct metric metrics[] = {
		{ "run_delay", COUNTER, UNIT_NANOSECONDS, 0, FOLD_SUM },
		{ "domain0.idle.lb_count", COUNTER32, UNIT_COUNT, 0, FOLD_SUM },
		{ "timestamp", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
	};
	static const char *const cpus[] = { "cpu0", "cpu8", "" };
	static const struct shape shape = { "schedstat", 1, metrics, 3, cpus, 3 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 1000, 4000, ABSENT, 7, 4294967290, ABSENT, ABSENT, ABSENT, 5);
	PLAY(&p, &shape, 2, 1500, 4250, ABSENT, 8, 4, ABSENT, ABSENT, ABSENT, 255);
	play_finish(&p);
	expect(&p, "schedstat.cpu0.run_delay", 500);
	expect(&p, "schedstat.cpu8.run_delay", 250);
	expect(&p, "schedstat.run_delay", 750);
	expect(&p, "schedstat.domain0.idle.lb_count", 11);
	expect_none(&p, "schedstat.cpu0.domain0.idle.lb_count");
	expect_none(&p, "schedstat.timestamp");
	play_close(&p);
}

static void queues_are_told_by_their_spread_over_cpus_then_by_the_mean_over_time(void **state)
{
	static const struct metric metrics[] = {
		{ "cpu.nr_uninterruptible", GAUGE, UNIT_COUNT, 0, FOLD_NONE },
		{ "cfs_rq:/my group.spread0", GAUGE, UNIT_MILLISECONDS, 6, FOLD_NONE },
		{ "sysctl_sched.sysctl_sched_features", GAUGE, UNIT_NONE, 0, FOLD_NONE },
		{ "rt_rq:/.rt_throttled", GAUGE, UNIT_COUNT, 0, FOLD_NONE },
	};
	static const char *const cpus[] = { "", "0", "1", "2" };
	static const struct shape shape = { "sched_debug", 1, metrics, 4, cpus, 4 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, ABSENT, -6, 2, 4, ABSENT, 1500000, -500000, ABSENT, 77, ABSENT, ABSENT, ABSENT, ABSENT, 0, 0, 0);
	play_mark(&p, MARK_COMMAND_START, 1);
	PLAY(&p, &shape, 61, ABSENT, 2, 2, 2, ABSENT, ABSENT, ABSENT, ABSENT, 77, ABSENT, ABSENT, ABSENT, ABSENT, 0, 0, 0);
	play_mark(&p, MARK_COMMAND_END, 90);
	PLAY(&p, &shape, 90, ABSENT, 900, 900, 9, ABSENT, 9, 9, 9, 9, ABSENT, ABSENT, ABSENT, ABSENT, 9, 9, 9);
	play_finish(&p);
	expect(&p, "sched_debug.cpu.nr_uninterruptible.avg", (0 + 2) / 2.0);
	expect(&p, "sched_debug.cpu.nr_uninterruptible.min", (-6 + 2) / 2.0);
	expect(&p, "sched_debug.cpu.nr_uninterruptible.max", (4 + 2) / 2.0);
	expect(&p, "sched_debug.cpu.nr_uninterruptible.stddev", 4.320493798938574 / 2); /* sqrt((36 + 4 + 16) / 3) */
	expect(&p, "sched_debug.cfs_rq:/my-group.spread0.avg", 0.5);
	expect(&p, "sched_debug.cfs_rq:/my-group.spread0.min", -0.5);
	expect(&p, "sched_debug.cfs_rq:/my-group.spread0.stddev", 1);
	expect(&p, "sched_debug.sysctl_sched.sysctl_sched_features", 77);
	expect_none(&p, "sched_debug.sysctl_sched.sysctl_sched_features.avg");
	expect_none(&p, "sched_debug.cpu.nr_uninterruptible");
	expect_none(&p, "sched_debug.cpu.nr_uninterruptible.0");
	expect_none(&p, "sched_debug.0.cpu.nr_uninterruptible");
	expect_none(&p, "sched_debug.rt_rq:/.rt_throttled.max"); /* all zero in the run */
	play_close(&p);
}

static const struct metric latency_metrics[] = { { "hits", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
						 { "sum", COUNTER, UNIT_MICROSECONDS, 0, FOLD_NONE },
						 { "max", GAUGE, UNIT_MICROSECONDS, 0, FOLD_NONE } };

static void sleeping_is_told_by_chain_and_by_the_largest(void **state)
{
	static const char *const before[] = { "old.chain" }, *const after[] = { "new.[f2fs]", "old.chain", "still" };
	static const struct shape first = { "latency_stats", 1, latency_metrics, 3, before, 1 };
	static const struct shape second = { "latency_stats", 2, latency_metrics, 3, after, 3 };
	struct play p;

	for (int cleared = 0; cleared < 2; cleared++) {
		play_open(&p);
		play_fact(&p, "latency_stats.cleared", cleared ? "yes" : "no");
		PLAY(&p, &first, 1, 10, 100, 60);
		play_mark(&p, MARK_COMMAND_START, 1);
		play_mark(&p, MARK_COMMAND_END, 5);
		PLAY(&p, &second, 5, 3, 13, ABSENT, 50, 999, ABSENT, 40, 70, ABSENT);
		play_finish(&p);
		expect(&p, "latency_stats.hits.new.[f2fs]", 3);
		expect(&p, "latency_stats.sum.new.[f2fs]", 50);
		expect(&p, "latency_stats.avg.new.[f2fs]", 16); /* whole us */
		expect(&p, "latency_stats.hits.old.chain", 3);
		expect(&p, "latency_stats.sum.old.chain", 899);
		expect(&p, "latency_stats.avg.old.chain", 299);
		expect(&p, "latency_stats.hits.max", 3);
		expect(&p, "latency_stats.sum.max", 899);
		expect(&p, "latency_stats.avg.max", 299);
		if (cleared) {
			expect(&p, "latency_stats.max.new.[f2fs]", 40);
			expect(&p, "latency_stats.max.max", 70);
		} else {
			expect_none(&p, "latency_stats.max.new.[f2fs]");
			expect_none(&p, "latency_stats.max.max");
		}
		expect_none(&p, "latency_stats.hits.still");
		expect_none(&p, "latency_stats.new.[f2fs].hits");
		play_close(&p);
	}
}

static void a_table_that_is_only_read_at_the_end_is_taken_as_it_is(void **state)
{
	static const char *const chains[] = { "a" };
	static const struct shape shape = { "latency_stats", 1, latency_metrics, 3, chains, 1 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 5, 4, 22, 9);
	play_finish(&p);
	expect(&p, "latency_stats.hits.a", 4);
	expect(&p, "latency_stats.avg.a", 5);
	expect(&p, "latency_stats.max.a", 9);
	play_close(&p);
}

static void locks_are_told_by_what_the_run_did(void **state)
{
	static const struct metric metrics[] = {
		{ "contentions", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
		{ "waittime-max", GAUGE, UNIT_MICROSECONDS, 2, FOLD_NONE },
		{ "waittime-total", COUNTER, UNIT_MICROSECONDS, 2, FOLD_NONE },
		{ "waittime-avg", GAUGE, UNIT_MICROSECONDS, 2, FOLD_NONE },
		{ "times", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
	};
	static const char *const before[] = { "&rq->lock" };
	static const char *const after[] = { "&rq->lock", "new", "new.contentions.do_futex" };
	static const struct shape first = { "lock_stat", 1, metrics, 5, before, 1 };
	static const struct shape second = { "lock_stat", 2, metrics, 5, after, 3 };
	struct play p;

	play_open(&p);
	play_fact(&p, "lock_stat.cleared", "no");
	PLAY(&p, &first, 1, 10, 900, 2000, 200, ABSENT);
	PLAY(&p, &second, 5, 14, 4, ABSENT, 900, 50, ABSENT, 3000, 150, ABSENT, 214, 38, ABSENT, ABSENT, ABSENT, 4);
	play_finish(&p);
	expect(&p, "lock_stat.&rq->lock.contentions", 4);
	expect(&p, "lock_stat.&rq->lock.waittime-total", 10);
	expect(&p, "lock_stat.&rq->lock.waittime-avg", 2.5);
	expect_none(&p, "lock_stat.&rq->lock.waittime-max");
	expect(&p, "lock_stat.new.contentions", 4);
	expect(&p, "lock_stat.new.waittime-avg", 0.375);
	expect(&p, "lock_stat.new.contentions.do_futex", 4);
	play_close(&p);

	play_open(&p);
	play_fact(&p, "lock_stat.cleared", "yes");
	PLAY(&p, &first, 1, 1, 5, 5, 5, ABSENT);
	PLAY(&p, &first, 5, 3, 900, 1005, 335, ABSENT);
	play_finish(&p);
	expect(&p, "lock_stat.&rq->lock.waittime-max", 9);
	expect(&p, "lock_stat.&rq->lock.waittime-avg", 5);
	play_close(&p);
}

static void uptime_is_told_from_both_ends(void **state)
{
	static const struct metric metrics[] = { { "boot", GAUGE, UNIT_SECONDS, 2, FOLD_NONE },
						 { "idle", GAUGE, UNIT_SECONDS, 2, FOLD_NONE } };
	static const struct shape shape = { "uptime", 1, metrics, 2, whole, 1 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 1234, 9876);
	PLAY(&p, &shape, 2, 1334, 9999);
	PLAY(&p, &shape, 3, 1434, 10076);
	play_end(&p, 0, 0);
	play_finish(&p);
	expect(&p, "boot-time.boot", 12.34);
	expect(&p, "boot-time.idle", 98.76);
	expect(&p, "uptime.boot", 14.34);
	expect(&p, "uptime.idle", 100.76);
	assert_int_equal(p.stats.count, 4);
	play_close(&p);
}

static void placement_is_told_by_node_and_of_all(void **state)
{
	static const struct metric metrics[] = {
		{ "numa_hit", COUNTER, UNIT_PAGES, 0, FOLD_NONE },   { "numa_miss", COUNTER, UNIT_PAGES, 0, FOLD_NONE },
		{ "local_node", COUNTER, UNIT_PAGES, 0, FOLD_NONE }, { "other_node", COUNTER, UNIT_PAGES, 0, FOLD_NONE },
	};
	static const char *const nodes[] = { "node0", "node8" };
	static const struct shape shape = { "numa-numastat", 1, metrics, 4, nodes, 2 };
	static const struct metric faults[] = {
		{ "numa_hint_faults", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
		{ "numa_hint_faults_local", COUNTER, UNIT_COUNT, 0, FOLD_NONE },
	};
	static const struct shape vmstat = { "proc-vmstat", 1, faults, 2, whole, 1 };
	struct play p;

	play_open(&p);
	PLAY(&p, &shape, 1, 1000, 50, 10, 0, 900, 50, 110, 0);
	PLAY(&p, &vmstat, 1, 500, 400);
	PLAY(&p, &shape, 2, 1090, 50, 20, 0, 950, 50, 160, 0);
	PLAY(&p, &vmstat, 2, 600, 425);
	play_finish(&p);
	expect(&p, "numa-numastat.node0.numa_hit%", 90);
	expect(&p, "numa-numastat.node0.local_node%", 50);
	expect_none(&p, "numa-numastat.node8.numa_hit%"); /* got nothing */
	expect(&p, "numa-numastat.numa_hit%", 90);
	expect(&p, "numa-numastat.local_node%", 50);
	expect(&p, "proc-vmstat.numa_hint_faults_local%", 25);
	play_close(&p);
}

static void the_memory_that_the_run_found_is_told(void **state)
{
	static const struct metric metrics[] = {
		{ "num_objs", GAUGE, UNIT_COUNT, 0, FOLD_NONE },
		{ "num_slabs", GAUGE, UNIT_COUNT, 0, FOLD_NONE },
		{ "pagesperslab", GAUGE, UNIT_PAGES, 0, FOLD_NONE },
	};
	static const char *const caches[] = { "dentry", "inode" };
	static const struct shape slabs = { "slabinfo", 1, metrics, 3, caches, 2 };
	struct play p;

	play_open(&p);
	PLAY(&p, &memory, 0.5, 16000, 9000, 200, 3000, 0, 0, 500);
	PLAY(&p, &slabs, 0.5, 100, 30, 10, 3, 1, 8);
	play_mark(&p, MARK_COMMAND_START, 1);
	PLAY(&p, &memory, 2, 16000, 1, 1, 1, 1, 1, 1);
	PLAY(&p, &slabs, 2, 999, 999, 999, 999, 1, 8);
	play_finish(&p);
	expect(&p, "boot-meminfo.MemTotal", 16000);
	expect(&p, "boot-meminfo.MemFree", 9000);
	expect_none(&p, "boot-meminfo.SwapTotal");
	expect(&p, "boot-slabinfo.num_objs", 130);
	expect(&p, "boot-slabinfo.num_pages", 10 + 3 * 8);
	play_close(&p);
}

static void every_cpu_is_told_when_asked_for(void **state)
{
	static const struct metric metrics[] = { { "user", COUNTER, UNIT_TICKS, 0, FOLD_NONE },
						 { "idle", COUNTER, UNIT_TICKS, 0, FOLD_NONE } };
	static const char *const instances[] = { "", "cpu0", "cpu7" };
	static const struct shape shape = { "proc-stat", 1, metrics, 2, instances, 3 };
	struct play p;

	for (int asked = 0; asked < 2; asked++) {
		play_open(&p);
		if (asked) {
			play_fact(&p, REDUCE_PER_CPU_FACT, "yes");
			play_fact(&p, "node.0.cpus", "0-3,7-10");
			play_fact(&p, "node.1.cpus", "1-3,5,7");
			play_fact(&p, "node.2.cpus", "4-6,x");
		}
		PLAY(&p, &shape, 1, 200, 150, 50, 1000, 500, 500);
		PLAY(&p, &shape, 2, 300, 200, 100, 1100, 500, 600);
		play_finish(&p);
		expect(&p, "mpstat.cpu.all.usr%", 50);
		if (asked) {
			expect(&p, "mpstat.cpu.0.usr%", 100);
			expect(&p, "mpstat.cpu.7.idle%", 100 * 2.0 / 3);
			expect(&p, "mpstat.node.0.usr%", 100 * 100.0 / 200);
			expect(&p, "mpstat.node.0.idle%", 100 * 100.0 / 200);
			expect(&p, "mpstat.node.1.usr%", 100 * 1.0 / 3);
			expect_none(&p, "mpstat.node.2.usr%");
		} else {
			expect_none(&p, "mpstat.cpu.0.usr%");
		}
		play_close(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mpstat_is_weighted_by_time),
		cmocka_unit_test(vmstat_takes_levels_up_to_the_commands_end_and_rates_of_the_window),
		cmocka_unit_test(iostat_tells_cpu_times_as_it_does),
		cmocka_unit_test(proc_stat_keeps_its_counts_and_leaves_cpu_times_to_the_views),
		cmocka_unit_test(memory_is_told_by_meminfo_and_vmstat),
		cmocka_unit_test(swapping_needs_the_page_size_of_the_machine),
		cmocka_unit_test(disks_are_told_by_their_rates_and_by_intervals_with_requests),
		cmocka_unit_test(discards_and_flushes_have_columns_of_their_own),
		cmocka_unit_test(knows_partitions_by_their_names),
		cmocka_unit_test(pressure_is_a_share_of_the_time_seen),
		cmocka_unit_test(a_resource_that_was_away_has_no_share_of_that_time),
		cmocka_unit_test(energy_begins_anew_at_its_own_range),
		cmocka_unit_test(memory_of_control_groups_has_families_of_its_own),
		cmocka_unit_test(scheduling_is_summed_up_and_of_domains_only_the_sum_is_shown),
		cmocka_unit_test(queues_are_told_by_their_spread_over_cpus_then_by_the_mean_over_time),
		cmocka_unit_test(placement_is_told_by_node_and_of_all),
		cmocka_unit_test(the_memory_that_the_run_found_is_told),
		cmocka_unit_test(sleeping_is_told_by_chain_and_by_the_largest),
		cmocka_unit_test(a_table_that_is_only_read_at_the_end_is_taken_as_it_is),
		cmocka_unit_test(locks_are_told_by_what_the_run_did),
		cmocka_unit_test(uptime_is_told_from_both_ends),
		cmocka_unit_test(every_cpu_is_told_when_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
