/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of vmstat (spec A.3.2), with their fractions. Levels as of the command's time, rates over the window. */
#include "analysis/view.h"

enum { PROCS_R, PROCS_B, MEMORY_SWPD, MEMORY_FREE, MEMORY_BUFF, MEMORY_CACHE, LEVELS };
enum { SWAP_SI, SWAP_SO, IO_BI, IO_BO, SYSTEM_IN, SYSTEM_CS, FLOWS };

struct vmstat {
	struct level level[LEVELS];
	struct flow flow[FLOWS];
	double ticks[CPU_TIMES], total;
};

static const char *const level_names[LEVELS] = {
	[PROCS_R] = "procs.r",	       [PROCS_B] = "procs.b",	      [MEMORY_SWPD] = "memory.swpd",
	[MEMORY_FREE] = "memory.free", [MEMORY_BUFF] = "memory.buff", [MEMORY_CACHE] = "memory.cache",
};

static const struct {
	const char *name, *collector, *metric;
} flows[FLOWS] = {
	[SWAP_SI] = { "swap.si", "proc-vmstat", "pswpin" }, [SWAP_SO] = { "swap.so", "proc-vmstat", "pswpout" },
	[IO_BI] = { "io.bi", "proc-vmstat", "pgpgin" }, /* the kernel counts these two in KiB */
	[IO_BO] = { "io.bo", "proc-vmstat", "pgpgout" },    [SYSTEM_IN] = { "system.in", "proc-stat", "intr" },
	[SYSTEM_CS] = { "system.cs", "proc-stat", "ctxt" },
};

static void level(struct vmstat *v, const struct sight *s, int which, const char *metric, const char *other,
		  double sign)
{
	double value, more = 0;

	if (!sight_value(s, metric, &value))
		return;
	if (other && !sight_value(s, other, &more))
		return;
	level_add(&v->level[which], s->phase, value + sign * more);
}

static int vmstat_sample(void *state, const struct sight *s)
{
	struct vmstat *v = state;
	double ticks[CPU_TIMES], total, step;

	level(v, s, PROCS_R, "procs_running", NULL, 0);
	level(v, s, PROCS_B, "procs_blocked", NULL, 0);
	level(v, s, MEMORY_SWPD, "SwapTotal", "SwapFree", -1);
	level(v, s, MEMORY_FREE, "MemFree", NULL, 0);
	level(v, s, MEMORY_BUFF, "Buffers", NULL, 0);
	level(v, s, MEMORY_CACHE, "Cached", "SReclaimable", 1);
	for (int i = 0; i < FLOWS; i++)
		if (strcmp(s->track->collector, flows[i].collector) == 0 &&
		    sight_step(s, track_row(s->track, flows[i].metric), track_column(s->track, ""), &step))
			flow_add(&v->flow[i], step, s->seconds);
	if (cpu_ticks(s, track_column(s->track, ""), ticks, &total)) {
		for (int i = 0; i < CPU_TIMES; i++)
			v->ticks[i] += ticks[i];
		v->total += total;
	}
	return 0;
}

static int put_cpu(const struct vmstat *v, struct stats *ret)
{
	const double *t = v->ticks;
	const struct {
		const char *name;
		double ticks;
	} cpu[] = {
		{ "us", t[CPU_USER] + t[CPU_NICE] },
		{ "sy", t[CPU_SYSTEM] + t[CPU_IRQ] + t[CPU_SOFTIRQ] },
		{ "id", t[CPU_IDLE] },
		{ "wa", t[CPU_IOWAIT] },
		{ "st", t[CPU_STEAL] },
		{ "gu", t[CPU_GUEST] },
	};
	int r = 0;

	for (size_t i = 0; i < sizeof(cpu) / sizeof(*cpu) && r == 0; i++)
		if (v->total > 0 && cpu[i].ticks > 0)
			r = stats_setf(ret, 100 * cpu[i].ticks / v->total, "vmstat.cpu.%s", cpu[i].name);
	return r;
}

static int vmstat_finish(void *state, const struct view_end *end, struct stats *ret)
{
	struct vmstat *v = state;
	double page_size = 0;
	bool know_page = fact_number(end->facts, "page.size", &page_size);
	int r = put_cpu(v, ret);

	for (int i = 0; i < LEVELS && r == 0; i++)
		if (v->level[i].count && v->level[i].max > 0)
			r = stats_setf(ret, level_mean(&v->level[i]), "vmstat.%s", level_names[i]);
	for (int i = 0; i < FLOWS && r == 0; i++) {
		double scale = 1;

		if (i == SWAP_SI || i == SWAP_SO) {
			if (!know_page)
				continue;
			scale = page_size / 1024;
		}
		if (v->flow[i].seconds > 0 && v->flow[i].amount > 0)
			r = stats_setf(ret, v->flow[i].amount * scale / v->flow[i].seconds, "vmstat.%s", flows[i].name);
	}
	return r;
}

static const struct view_key keys[] = {
	{ "vmstat.procs.{r,b}",                   UNIT_COUNT,   "Tasks that run or are ready, and tasks that wait for I/O." },
	{ "vmstat.memory.{swpd,free,buff,cache}", UNIT_KIB,     "Swap in use, memory free, buffers, page cache with reclaimable slabs." },
	{ "vmstat.swap.{si,so}",                  UNIT_KIB,     "KiB swapped in and out in a second." },
	{ "vmstat.io.{bi,bo}",                    UNIT_KIB,     "KiB read from and written to block devices in a second." },
	{ "vmstat.system.{in,cs}",                UNIT_COUNT,   "Interrupts and context switches in a second." },
	{ "vmstat.cpu.{us,sy,id,wa,st,gu}",       UNIT_PERCENT, "Share of all CPUs' time; us with nice, sy with interrupts." },
	{ 0 },
};

static const char *const collectors[] = { "proc-stat", "meminfo", "proc-vmstat", NULL };

const struct view view_vmstat = { "vmstat", collectors, sizeof(struct vmstat), vmstat_sample, vmstat_finish, NULL, keys };
