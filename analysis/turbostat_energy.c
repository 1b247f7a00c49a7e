/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Watts of the best source that there is (spec A.3.4): the registers, in the units of the model; perf's energy events,
 * in 2^-32 J; powercap's zones of the driver intel-rapl (the same energy is shown by intel-rapl-mmio again).
 *
 * A 32-bit counter tells nothing where it may have gone more than half way round between two samples: at WATTS_MOST, of
 * which a package of today takes less.
 */
#include "analysis/turbostat.h"

#define WATTS_MOST 1000.0

/* The kernel's arch/x86/events/rapl.c: memory is counted in 15.3 uJ (2^-16 J) whatever the unit register says. */
static const unsigned char memory_unit_fixed[] = { 0x3f, 0x4f, 0x56, 0x55, 0x6a, 0x6c, 0x57, 0x85, 0 };

/* Silvermont and Airmont: the field is a power of two of microjoules. */
static const unsigned char unit_of_microjoules[] = { 0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0 };

enum domain { PACKAGE, CORES, GRAPHICS, MEMORY };

static const struct {
	const char *column;
	const char *of_register, *amd_register;
	const char *events[2]; /* all of them are summed up */
	const char *zone; /* the beginning of its name */
} domains[] = {
	[PACKAGE] = { "PkgWatt", "pkg_energy_status", "amd_pkg_energy_status", { "energy-pkg" }, "package-" },
	[CORES] = { "CorWatt", "pp0_energy_status", "amd_core_energy_status", { "energy-cores", "energy-core" }, "core" },
	[GRAPHICS] = { "GFXWatt", "pp1_energy_status", NULL, { "energy-gpu" }, "uncore" },
	[MEMORY] = { "RAMWatt", "dram_energy_status", NULL, { "energy-ram" }, "dram" },
};

/* Of the package that this CPU is in. */
static bool units_of(const struct track *t, const char *name, int column, uint64_t *ret)
{
	int package = turbostat_owner(t, "package", column);

	return turbostat_register(t, name, package < 0 ? column : package, ret) || turbostat_register(t, name, -1, ret);
}

static bool joules_per_count(const struct turbostat_run *run, enum domain domain, bool amd, int column, double *ret)
{
	uint64_t units;

	if (!units_of(run->track, amd ? "amd_rapl_power_unit" : "rapl_power_unit", column, &units))
		return false;
	*ret = 1.0 / (double)(UINT64_C(1) << (units >> 8 & 0x1f));
	if (!amd && is_intel_model(run->facts, unit_of_microjoules))
		*ret = 1e-6 * (double)(UINT64_C(1) << (units >> 8 & 0x1f));
	if (!amd && domain == MEMORY && is_intel_model(run->facts, memory_unit_fixed))
		*ret = 15.3e-6;
	return true;
}

static bool watts_of_registers(const struct turbostat_run *run, enum domain domain, double *ret)
{
	const struct track *t = run->track;
	bool found = false;

	*ret = 0;
	for (int i = 0; i < 2; i++) {
		struct count_names names = { i ? domains[domain].amd_register : domains[domain].of_register, NULL };

		for (int column = 0; column < (int)t->instances.count; column++) {
			double steps, unit;

			if (!turbostat_steps(t, &names, column, &steps) ||
			    !joules_per_count(run, domain, i, column, &unit) ||
			    run->longest > unit * 2147483648.0 / WATTS_MOST)
				continue;
			*ret += steps * unit / run->seconds;
			found = true;
		}
	}
	return found && *ret > 0;
}

static bool watts_of_events(const struct track *energy, enum domain domain, double *ret)
{
	double seconds = energy ? (double)(energy->last_ns - energy->first_ns) / 1e9 : 0, sum = 0, one;
	size_t count;

	for (size_t i = 0; i < 2 && seconds > 0 && domains[domain].events[i]; i++) {
		struct count_names names = { domains[domain].events[i], NULL };

		if (turbostat_sum(energy, &names, &one, &count))
			sum += one;
	}
	*ret = seconds > 0 ? sum / 4294967296.0 / seconds : 0;
	return sum > 0;
}

/* "powercap.intel-rapl:0:1/dram.watts" of every package. */
static bool watts_of_zones(const struct stats *stats, enum domain domain, double *ret)
{
	*ret = 0;
	for (size_t i = 0; i < stats->count; i++) {
		struct text key = text_of(stats->at[i].key), zone;

		if (text_skip(&key, "powercap.intel-rapl:") && text_cut(&key, "/", &zone) && text_ends(key, ".watts") &&
		    text_starts(key, domains[domain].zone))
			*ret += stats->at[i].value;
	}
	return *ret > 0;
}

static int put_throttled(const struct turbostat_run *run, const char *name, const char *column, struct stats *ret)
{
	const struct track *t = run->track;
	struct count_names names = { name, NULL };
	double sum = 0, steps;
	uint64_t units;

	for (int cpu = 0; cpu < (int)t->instances.count; cpu++) {
		unsigned shift;

		if (!turbostat_steps(t, &names, cpu, &steps) || !units_of(t, "rapl_power_unit", cpu, &units))
			continue;
		shift = units >> 16 & 0xf;
		sum += steps / (double)(1u << (shift ? shift : 0xa));
	}
	return sum > 0 ? stats_setf(ret, 100 * sum / run->seconds, "turbostat.%s", column) : 0;
}

int turbostat_energy(const struct turbostat_run *run, const struct view_end *end, struct stats *ret)
{
	bool registers = run->track && run->seconds > 0;
	int r = 0;

	for (size_t i = 0; i < sizeof(domains) / sizeof(*domains) && r == 0; i++) {
		enum domain domain = (enum domain)i;
		double watts;

		if ((registers && watts_of_registers(run, domain, &watts)) ||
		    watts_of_events(view_track(end, "energy"), domain, &watts) || watts_of_zones(ret, domain, &watts))
			r = stats_setf(ret, watts, "turbostat.%s", domains[i].column);
	}
	if (r == 0 && registers)
		r = put_throttled(run, "pkg_perf_status", "PKG_%", ret);
	return r == 0 && registers ? put_throttled(run, "dram_perf_status", "RAM_%", ret) : r;
}
