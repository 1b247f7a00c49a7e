/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which source tells each domain's power: a register; an energy event of perf, which the collector energy counts; a
 * zone of powercap, of the collector of that name. The view takes them in that order; here it is told which it will be.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/take.h"
#include "collectors/pmu.h"
#include "collectors/turbostat.h"

#define ZONES "sys/class/powercap/"

static const struct {
	const char *column;
	const char *registers[2], *events[2]; /* of "power", of "power_core" */
	const char *zone; /* the beginning of its name */
} domains[] = {
	{ "PkgWatt", { "pkg_energy_status", "amd_pkg_energy_status" }, { "energy-pkg" }, "package-" },
	{ "CorWatt", { "pp0_energy_status", "amd_core_energy_status" }, { "energy-cores", "energy-core" }, "core" },
	{ "GFXWatt", { "pp1_energy_status" }, { "energy-gpu" }, "uncore" },
	{ "RAMWatt", { "dram_energy_status" }, { "energy-ram" }, "dram" },
};

static bool has_register(const struct turbostat *t, const char *const names[2])
{
	for (size_t i = 0; i < 2; i++)
		if (names[i] && names_find(&t->names, text_of(names[i]), 0) >= 0)
			return true;
	return false;
}

/* May it be counted? It is tried on one CPU. */
static bool has_event(const struct host *host, const char *pmu, const char *event)
{
	struct pmu_event found;
	struct err ignored;
	cleanup_fd int fd = -1;

	if (event && pmu_event_find(host, pmu, event, &found, &ignored) == 0) {
		fd = found.cpus.count ? pmu_event_open(&found, found.cpus.at[0]) : -1;
		cpulist_free(&found.cpus);
	}
	return fd >= 0;
}

static bool has_zone(const struct host *host, const struct names *zones, const char *name)
{
	for (size_t i = 0; i < zones->count; i++) {
		cleanup_buf struct buf content = { .ceiling = 256 };
		char path[256];
		struct err ignored;

		if (strncmp(zones->at[i], "intel-rapl:", strlen("intel-rapl:")) != 0 ||
		    snprintf(path, sizeof(path), ZONES "%s/name", zones->at[i]) >= (int)sizeof(path) ||
		    host_read(host, path, &content, &ignored) < 0 || !text_starts(buf_text(&content), name))
			continue;
		(void)snprintf(path, sizeof(path), ZONES "%s/energy_uj", zones->at[i]);
		buf_clear(&content);
		if (host_read(host, path, &content, &ignored) == 0)
			return true;
	}
	return false;
}

int turbostat_watts(struct turbostat *t)
{
	struct names zones = { 0 };
	struct err ignored;
	int r = host_list(t->host, ZONES, &zones, &ignored) == -ENOMEM ? -ENOMEM : 0;

	for (size_t i = 0; i < sizeof(domains) / sizeof(*domains) && r == 0; i++) {
		if (has_register(t, domains[i].registers))
			continue;
		if (has_event(t->host, "power", domains[i].events[0]) ||
		    has_event(t->host, "power_core", domains[i].events[1]))
			r = turbostat_note(t, OF_ENERGY, domains[i].column);
		else if (has_zone(t->host, &zones, domains[i].zone))
			r = turbostat_note(t, OF_POWERCAP, domains[i].column);
	}
	names_free(&zones);
	return r;
}
