/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * turbostat.<column>: the summary row of turbostat over the whole run (spec A.3.4), made of what the collectors
 * turbostat, cpuidle, interrupts, energy and powercap counted. D is what a counter counted, T the seconds between the
 * first and the last sample, tsc the mean D TSC of a CPU.
 *
 *   Avg_MHz Busy% Bzy_MHz TSC_MHz SMI          mean over CPUs of D APERF / T, of D MPERF / tsc ...
 *   CPU%c1 CPU%c3 CPU%c6 CPU%c7                mean over CPUs, over cores
 *   Pkg%pc2 ... Pk%pc10 Totl%C0 Any%C0 ...     mean over packages
 *   CoreTmp PkgTmp                             the largest, of all samples
 *   UncMHz GFXMHz GFXAMHz                      mean over samples
 *   IRQ <state> <state>%                       of interrupts and cpuidle, each over its own samples
 *
 * Where MPERF does not count at the rate of the TSC, tsc' = tsc x base_hz / tsc_hz stands for tsc.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/reduce.h"
#include "analysis/turbostat.h"

struct turbostat {
	double longest;
	double core_degrees, package_degrees; /* largest; 0: none was seen */
	struct level uncore; /* MHz */
};

/* ---- samples: what cannot be told by sums ---- */

static void degrees(const struct sight *s, const char *metric, double *largest)
{
	int row = track_row(s->track, metric), target = track_row(s->track, "temperature_target");
	uint64_t raw, of = 0;

	for (int column = 0; column < (int)s->track->instances.count && of == 0; column++)
		if (track_value(s->track, s->sample, target, column, &raw))
			of = raw >> 16 & 0xff;
	for (int column = 0; column < (int)s->track->instances.count && of; column++)
		if (track_value(s->track, s->sample, row, column, &raw) && (raw >> 16 & 0x7f) <= of)
			*largest = fmax(*largest, (double)(of - (raw >> 16 & 0x7f)));
}

static int turbostat_sample(void *state, const struct sight *s)
{
	struct turbostat *t = state;
	int row = track_row(s->track, "uncore_perf_status");
	uint64_t raw;

	t->longest = fmax(t->longest, s->seconds);
	degrees(s, "core_therm_status", &t->core_degrees);
	degrees(s, "package_therm_status", &t->package_degrees);
	for (int column = 0; row >= 0 && column < (int)s->track->instances.count; column++)
		if (track_value(s->track, s->sample, row, column, &raw))
			level_add(&t->uncore, s->phase, 100.0 * (double)(raw & 0x7f));
	return 0;
}

/* ---- the whole run ---- */

bool turbostat_steps(const struct track *t, const struct count_names *names, int column, double *ret)
{
	const char *const both[] = { names->of_register, names->event };
	bool found = false;

	*ret = 0;
	for (size_t i = 0; i < 2; i++) {
		int row = both[i] ? track_row(t, both[i]) : -1;
		const struct slot *s = row < 0 ? NULL : track_slot(t, row, column);

		if (!s || s->count < 2)
			continue;
		*ret += (double)s->steps;
		found = true;
	}
	return found;
}

bool turbostat_sum(const struct track *t, const struct count_names *names, double *sum, size_t *count)
{
	double steps;

	*sum = 0;
	*count = 0;
	for (int column = 0; column < (int)t->instances.count; column++) {
		if (!turbostat_steps(t, names, column, &steps))
			continue;
		*sum += steps;
		++*count;
	}
	return *count > 0;
}

bool turbostat_register(const struct track *t, const char *name, int column, uint64_t *ret)
{
	int row = track_row(t, name);
	int from = column < 0 ? 0 : column, to = column < 0 ? (int)t->instances.count : column + 1;

	for (int at = from; row >= 0 && at < to; at++) {
		const struct slot *s = track_slot(t, row, at);

		if (s->seen == 0)
			continue;
		*ret = s->last;
		return true;
	}
	return false;
}

int turbostat_owner(const struct track *t, const char *what, int column)
{
	char name[32];
	uint64_t cpu;

	if (!turbostat_register(t, what, column, &cpu))
		return -1;
	(void)snprintf(name, sizeof(name), "cpu%llu", (unsigned long long)cpu);
	return track_column(t, name);
}

bool is_intel_model(const struct pairs *facts, const unsigned char *models)
{
	const char *vendor = pairs_get(facts, "cpu.vendor");
	double family, model;

	if (!vendor || strcmp(vendor, "GenuineIntel") != 0 || !fact_number(facts, "cpu.family", &family) ||
	    !fact_number(facts, "cpu.model", &model) || family != 6)
		return false;
	for (; *models; models++)
		if (*models == model)
			return true;
	return false;
}

/* Clocks whose ratio is of 133 1/3 MHz: Nehalem and Westmere. */
static const unsigned char clock_133[] = { 0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f, 0 };

/* MPERF counts at the base clock, the TSC at another one: clients from Skylake on. */
static const unsigned char mperf_apart[] = { 0x4e, 0x5e, 0x8e, 0x9e, 0xa5, 0xa6, 0x66, 0x7d, 0x7e, 0x8c, 0x8d, 0xa7,
					     0x97, 0x9a, 0xbe, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xb5, 0xc5, 0xc6, 0xbd, 0 };

static const struct count_names tsc_names = { "tsc", "msr/tsc/" }, aperf_names = { "aperf", "msr/aperf/" },
				mperf_names = { "mperf", "msr/mperf/" }, smi_names = { "smi", "msr/smi/" };

/* Shares of tsc', a mean over those that have them. */
static const struct {
	struct count_names names;
	const char *column;
} shares[] = {
	{ { "c1", "cstate_core/c1-residency/" }, "CPU%c1" },
	{ { "c3", "cstate_core/c3-residency/" }, "CPU%c3" },
	{ { "c6", "cstate_core/c6-residency/" }, "CPU%c6" },
	{ { "c7", "cstate_core/c7-residency/" }, "CPU%c7" },
	{ { "pc2", "cstate_pkg/c2-residency/" }, "Pkg%pc2" },
	{ { "pc3", "cstate_pkg/c3-residency/" }, "Pkg%pc3" },
	{ { "pc6", "cstate_pkg/c6-residency/" }, "Pkg%pc6" },
	{ { "pc7", "cstate_pkg/c7-residency/" }, "Pkg%pc7" },
	{ { "pc8", "cstate_pkg/c8-residency/" }, "Pkg%pc8" },
	{ { "pc9", "cstate_pkg/c9-residency/" }, "Pkg%pc9" },
	{ { "pc10", "cstate_pkg/c10-residency/" }, "Pk%pc10" },
	{ { "weighted_core_c0", NULL }, "Totl%C0" },
	{ { "any_core_c0", NULL }, "Any%C0" },
	{ { "any_gfxe_c0", NULL }, "GFX%C0" },
	{ { "both_core_gfxe_c0", NULL }, "CPUGFX%" },
};

#define IDLE_STATES 4 /* of `shares`, the first ones: those of a core, C1 before the deeper ones */

/* What is not there is no zero, and what is zero is no key. */
static int put(struct stats *ret, const char *column, double value)
{
	return value > 0 ? stats_setf(ret, value, "turbostat.%s", column) : 0;
}

/* C1 where nothing counts it: what is left of each CPU's time. */
static double time_in_c1(const struct track *t, double tweak, size_t *cpus)
{
	double sum = 0;
	bool counted = false;

	*cpus = 0;
	for (int column = 0; column < (int)t->instances.count; column++) {
		int core = turbostat_owner(t, "core", column);
		double rest, steps;

		if (!turbostat_steps(t, &tsc_names, column, &rest) || !turbostat_steps(t, &mperf_names, column, &steps))
			continue;
		rest = rest * tweak - steps;
		for (size_t i = 1; i < IDLE_STATES && core >= 0; i++)
			if (turbostat_steps(t, &shares[i].names, core, &steps)) {
				rest -= steps;
				counted = true;
			}
		sum += fmax(rest, 0);
		++*cpus;
	}
	if (!counted)
		*cpus = 0; /* nobody tells what is deeper */
	return sum;
}

static int put_shares(const struct track *t, double tsc, double tweak, struct stats *ret)
{
	double sum;
	size_t count;
	int r = 0;

	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares) && r == 0; i++) {
		if (!turbostat_sum(t, &shares[i].names, &sum, &count) || sum <= 0)
			count = 0;
		if (count == 0 && i == 0)
			sum = time_in_c1(t, tweak, &count);
		if (count)
			r = put(ret, shares[i].column, 100 * sum / (double)count / (tsc * tweak));
	}
	return r;
}

static int put_clocks(const struct turbostat_run *run, struct stats *ret)
{
	const struct track *t = run->track;
	double tsc, aperf = 0, mperf = 0, smi, base_hz = 0, tweak = 1;
	size_t tscs, aperfs, mperfs, count;
	uint64_t raw;
	int r = 0;

	if (turbostat_register(t, "platform_info", -1, &raw))
		base_hz = (double)(raw >> 8 & 0xff) * (is_intel_model(run->facts, clock_133) ? 4e8 / 3 : 1e8);
	if (turbostat_sum(t, &aperf_names, &aperf, &aperfs))
		r = put(ret, "Avg_MHz", aperf / (double)aperfs / 1e6 / run->seconds);
	if (r == 0 && turbostat_sum(t, &smi_names, &smi, &count))
		r = put(ret, "SMI", smi);
	if (r < 0 || !turbostat_sum(t, &tsc_names, &tsc, &tscs) || tsc <= 0)
		return r;
	tsc /= (double)tscs;
	if (base_hz > 0 && is_intel_model(run->facts, mperf_apart))
		tweak = base_hz / (tsc / run->seconds);
	r = put(ret, "TSC_MHz", tsc / 1e6 / run->seconds);
	if (r == 0 && turbostat_sum(t, &mperf_names, &mperf, &mperfs))
		r = put(ret, "Busy%", 100 * mperf / (double)mperfs / (tsc * tweak));
	if (r == 0 && aperf > 0 && mperf > 0)
		r = put(ret, "Bzy_MHz", (base_hz > 0 ? base_hz : tsc / run->seconds) / 1e6 * aperf / mperf);
	return r < 0 ? r : put_shares(t, tsc, tweak, ret);
}

/* ---- files ---- */

static double mean_of(const struct track *t, const char *metric)
{
	int row = track_row(t, metric);
	struct level all = { 0 };

	for (int column = 0; row >= 0 && column < (int)t->instances.count; column++) {
		const struct slot *s = track_slot(t, row, column);

		if (s->level.count)
			level_add(&all, PHASE_INSIDE, level_mean(&s->level));
	}
	return all.count ? level_mean(&all) : 0;
}

static int put_time(const struct track *t, double seconds, const char *metric, double per_second, const char *column,
		    struct stats *ret)
{
	struct count_names names = { metric, NULL };
	double sum;
	size_t count;

	return seconds > 0 && turbostat_sum(t, &names, &sum, &count)
		       ? put(ret, column, 100 * sum / (per_second * seconds))
		       : 0;
}

static int put_files(const struct turbostat_run *run, const struct turbostat *state, struct stats *ret)
{
	double uncore = mean_of(run->track, "current_freq_khz") / 1e3;
	int r = put_time(run->track, run->seconds, "rc6_residency_ms", 1e3, "GFX%rc6", ret);

	if (r == 0)
		r = put(ret, "GFXMHz", mean_of(run->track, "rps_cur_freq_mhz"));
	if (r == 0)
		r = put(ret, "GFXAMHz", mean_of(run->track, "rps_act_freq_mhz"));
	if (uncore <= 0 && state->uncore.count)
		uncore = level_mean(&state->uncore);
	return r < 0 ? r : put(ret, "UncMHz", uncore);
}

/* ---- other collectors ---- */

static double seconds_of(const struct track *t)
{
	return (double)(t->last_ns - t->first_ns) / 1e9;
}

static int put_interrupts(const struct track *t, struct stats *ret)
{
	double sum = 0;

	for (int row = 0; t && row < (int)t->metrics.count; row++)
		for (int column = 0; column < (int)t->instances.count; column++)
			if (*names_at(&t->instances, column) && is_counter(&t->meaning[row]))
				sum += (double)track_slot(t, row, column)->steps;
	return put(ret, "IRQ", sum);
}

/* "C1.usage" and "C1.time" are the columns C1 and C1%. */
static int put_state(const struct track *t, int row, double seconds, size_t cpus, struct buf *key, struct stats *ret)
{
	struct text name = text_of(t->meaning[row].name);
	bool is_time = text_ends(name, ".time");
	cleanup_buf struct buf column = { 0 };
	double sum = 0;

	if (!is_counter(&t->meaning[row]) || (!is_time && !text_ends(name, ".usage")))
		return 0;
	for (int cpu = 0; cpu < (int)t->instances.count; cpu++)
		sum += (double)track_slot(t, row, cpu)->steps;
	name.end -= is_time ? strlen(".time") : strlen(".usage");
	(void)buf_printf(&column, "%.*s%s", TEXT_ARGS(name), is_time ? "%" : "");
	buf_clear(key);
	if (column.failed || key_of("turbostat", "", column.data, key) < 0)
		return -ENOMEM;
	if (is_time)
		sum = 100 * sum / (double)cpus / (seconds * 1e6);
	return sum > 0 ? stats_set(ret, key->data, sum) : 0;
}

static int put_states(const struct track *t, struct stats *ret)
{
	cleanup_buf struct buf key = { 0 };
	double seconds = t ? seconds_of(t) : 0;
	size_t cpus = 0;
	int r = 0;

	if (seconds <= 0)
		return 0;
	for (int column = 0; column < (int)t->instances.count; column++)
		cpus += *names_at(&t->instances, column) != '\0'; /* "" is the machine's */
	for (int row = 0; cpus && row < (int)t->metrics.count && r == 0; row++)
		r = put_state(t, row, seconds, cpus, &key, ret);
	if (r == 0)
		r = put_time(t, seconds, "low_power_idle_cpu_residency_us", 1e6, "CPU%LPI", ret);
	return r < 0 ? r : put_time(t, seconds, "low_power_idle_system_residency_us", 1e6, "SYS%LPI", ret);
}

static int turbostat_finish(void *state, const struct view_end *end, struct stats *ret)
{
	struct turbostat *t = state;
	struct turbostat_run run = { view_track(end, "turbostat"), end->facts, 0, t->longest };
	int r = 0;

	if (run.track)
		run.seconds = seconds_of(run.track);
	if (run.seconds > 0)
		r = put_clocks(&run, ret);
	if (r == 0 && run.seconds > 0)
		r = put_files(&run, t, ret);
	if (r == 0)
		r = put(ret, "CoreTmp", t->core_degrees);
	if (r == 0)
		r = put(ret, "PkgTmp", t->package_degrees);
	if (r == 0)
		r = put_interrupts(view_track(end, "interrupts"), ret);
	if (r == 0)
		r = put_states(view_track(end, "cpuidle"), ret);
	return r < 0 ? r : turbostat_energy(&run, end, ret);
}

static const struct view_key keys[] = {
	{ "turbostat.Avg_MHz",   UNIT_NONE,    "Cycles a second that a CPU ran, idle time included, MHz." },
	{ "turbostat.Busy%",     UNIT_PERCENT, "Time in which a CPU was not idle." },
	{ "turbostat.Bzy_MHz",   UNIT_NONE,    "The clock of a CPU while it was not idle, MHz." },
	{ "turbostat.TSC_MHz",   UNIT_NONE,    "The rate of the time-stamp counter, MHz." },
	{ "turbostat.IRQ",       UNIT_COUNT,   "Interrupts of all CPUs." },
	{ "turbostat.SMI",       UNIT_COUNT,   "System management interrupts of all CPUs." },
	{ "turbostat.<state>",   UNIT_COUNT,   "How often that idle state was entered, all CPUs." },
	{ "turbostat.<state>%",  UNIT_PERCENT, "Time in that idle state as cpuidle counts it, mean of the CPUs." },
	{ "turbostat.CPU%c1",    UNIT_PERCENT, "Time in C1, mean of the CPUs: counted, else what the other states leave." },
	{ "turbostat.CPU%{c3,c6,c7}", UNIT_PERCENT, "Time in that state as the hardware counts it, mean of the cores." },
	{ "turbostat.{CoreTmp,PkgTmp}", UNIT_CELSIUS, "The warmest core, the warmest package, of all samples." },
	{ "turbostat.Pkg%{pc2,pc3,pc6,pc7,pc8,pc9}", UNIT_PERCENT, "Time in that state, mean of the packages." },
	{ "turbostat.Pk%pc10",   UNIT_PERCENT, "Time in package state 10, mean of the packages." },
	{ "turbostat.Totl%C0",   UNIT_PERCENT, "Time in which cores were not idle, summed up over cores, mean of the packages." },
	{ "turbostat.Any%C0",    UNIT_PERCENT, "Time in which any core was not idle." },
	{ "turbostat.GFX%C0",    UNIT_PERCENT, "Time in which the graphics engine was not idle." },
	{ "turbostat.CPUGFX%",   UNIT_PERCENT, "Time in which a core and the graphics engine were not idle." },
	{ "turbostat.{PkgWatt,CorWatt,GFXWatt,RAMWatt}", UNIT_WATTS, "Power of packages, cores, graphics, memory: sum of the packages." },
	{ "turbostat.{PKG_%,RAM_%}", UNIT_PERCENT, "Time throttled for a power limit." },
	{ "turbostat.{CPU%LPI,SYS%LPI}", UNIT_PERCENT, "Time in the deepest idle state of all CPUs, of the system." },
	{ "turbostat.UncMHz",    UNIT_NONE,    "The uncore's clock, MHz." },
	{ "turbostat.GFX%rc6",   UNIT_PERCENT, "Time of the graphics engine in RC6." },
	{ "turbostat.{GFXMHz,GFXAMHz}", UNIT_NONE, "The graphics engine's clock as asked for, as it is, MHz." },
	{ 0 },
};

static const char *const collectors[] = { "turbostat", NULL };

const struct view view_turbostat = { "turbostat",      collectors, sizeof(struct turbostat), turbostat_sample,
				     turbostat_finish, NULL, keys };
