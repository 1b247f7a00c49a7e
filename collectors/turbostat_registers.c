/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/turbostat_registers.h"

static bool intel(const struct processor *p)
{
	return p->vendor == VENDOR_INTEL && p->family >= 6;
}

static bool amd(const struct processor *p)
{
	return p->vendor == VENDOR_AMD && p->family >= 0x17;
}

static bool is_knights(const struct processor *p)
{
	return p->family == 6 && (p->model == 0x57 || p->model == 0x85);
}

/* Knights count C6 of a core elsewhere. */
static bool knights(const struct processor *p)
{
	return intel(p) && is_knights(p);
}

static bool not_knights(const struct processor *p)
{
	return intel(p) && !is_knights(p);
}

/* The small cores of Silvermont and after have a counter of C1 itself; on others the address is not defined. */
static bool counts_c1(const struct processor *p)
{
	static const unsigned char models[] = { 0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0x5d, 0x86, 0x96, 0x9c, 0xaf, 0xb6, 0xdd };

	for (size_t i = 0; i < sizeof(models); i++)
		if (intel(p) && p->family == 6 && p->model == models[i])
			return true;
	return false;
}

const struct turbostat_register turbostat_registers[] = {
	{ "tsc", 0x10, PER_THREAD, false, NULL, "TSC_MHz", "msr", "tsc" },
	{ "aperf", 0xe8, PER_THREAD, false, NULL, "Avg_MHz Bzy_MHz", "msr", "aperf" },
	{ "mperf", 0xe7, PER_THREAD, false, NULL, "Busy%", "msr", "mperf" },
	{ "smi", 0x34, PER_THREAD, false, intel, "SMI", "msr", "smi" },
	{ "c1", 0x660, PER_CORE, false, counts_c1, "CPU%c1", "cstate_core", "c1-residency" },
	{ "c3", 0x3fc, PER_CORE, false, not_knights, "CPU%c3", "cstate_core", "c3-residency" },
	{ "c6", 0x3fd, PER_CORE, false, not_knights, "CPU%c6", "cstate_core", "c6-residency" },
	{ "c6", 0x3ff, PER_CORE, false, knights, "CPU%c6", "cstate_core", "c6-residency" },
	{ "c7", 0x3fe, PER_CORE, false, not_knights, "CPU%c7", "cstate_core", "c7-residency" },
	{ "core_therm_status", 0x19c, PER_CORE, false, intel, "CoreTmp", NULL, NULL },
	{ "package_therm_status", 0x1b1, PER_PACKAGE, false, intel, "PkgTmp", NULL, NULL },
	{ "temperature_target", 0x1a2, PER_PACKAGE, true, intel, NULL, NULL, NULL },
	{ "platform_info", 0xce, PER_PACKAGE, true, intel, NULL, NULL, NULL },
	{ "uncore_perf_status", 0x621, PER_PACKAGE, false, not_knights, "UncMHz", NULL, NULL },
	{ "pc2", 0x60d, PER_PACKAGE, false, intel, "Pkg%pc2", "cstate_pkg", "c2-residency" },
	{ "pc3", 0x3f8, PER_PACKAGE, false, intel, "Pkg%pc3", "cstate_pkg", "c3-residency" },
	{ "pc6", 0x3f9, PER_PACKAGE, false, intel, "Pkg%pc6", "cstate_pkg", "c6-residency" },
	{ "pc7", 0x3fa, PER_PACKAGE, false, intel, "Pkg%pc7", "cstate_pkg", "c7-residency" },
	{ "pc8", 0x630, PER_PACKAGE, false, intel, "Pkg%pc8", "cstate_pkg", "c8-residency" },
	{ "pc9", 0x631, PER_PACKAGE, false, intel, "Pkg%pc9", "cstate_pkg", "c9-residency" },
	{ "pc10", 0x632, PER_PACKAGE, false, intel, "Pk%pc10", "cstate_pkg", "c10-residency" },
	{ "weighted_core_c0", 0x658, PER_PACKAGE, false, intel, "Totl%C0", NULL, NULL },
	{ "any_core_c0", 0x659, PER_PACKAGE, false, intel, "Any%C0", NULL, NULL },
	{ "any_gfxe_c0", 0x65a, PER_PACKAGE, false, intel, "GFX%C0", NULL, NULL },
	{ "both_core_gfxe_c0", 0x65b, PER_PACKAGE, false, intel, "CPUGFX%", NULL, NULL },
	{ "rapl_power_unit", 0x606, PER_PACKAGE, true, intel, NULL, NULL, NULL },
	{ "pkg_energy_status", 0x611, PER_PACKAGE, false, intel, "PkgWatt", NULL, NULL },
	{ "pp0_energy_status", 0x639, PER_PACKAGE, false, intel, "CorWatt", NULL, NULL },
	{ "pp1_energy_status", 0x641, PER_PACKAGE, false, intel, "GFXWatt", NULL, NULL },
	{ "dram_energy_status", 0x619, PER_PACKAGE, false, intel, "RAMWatt", NULL, NULL },
	{ "pkg_perf_status", 0x613, PER_PACKAGE, false, intel, "PKG_%", NULL, NULL },
	{ "dram_perf_status", 0x61b, PER_PACKAGE, false, intel, "RAM_%", NULL, NULL },
	{ "amd_rapl_power_unit", 0xc0010299, PER_PACKAGE, true, amd, NULL, NULL, NULL },
	{ "amd_core_energy_status", 0xc001029a, PER_CORE, false, amd, "CorWatt", NULL, NULL },
	{ "amd_pkg_energy_status", 0xc001029b, PER_PACKAGE, false, amd, "PkgWatt", NULL, NULL },
	{ 0 },
};
