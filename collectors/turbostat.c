/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the columns of turbostat are made of, raw, each instance a CPU: what a core or a package shares is of its first
 * CPU. The best source that there is gives each:
 *
 *   dev/cpu/<N>/msr                                              a register: "mperf"
 *   sys/bus/event_source/devices/{msr,cstate_core,cstate_pkg}    a perf event that counts the same: "msr/mperf/"
 *   sys/devices/system/cpu/intel_uncore_frequency and the like   instance "", or the die's folder
 *
 * Energy by perf events is the collector energy's, by sysfs powercap's; idle states and interrupts have collectors of
 * their own. analysis/view_turbostat.c makes the columns of them all.
 *
 * "core" and "package" tell the first CPU of each CPU's core and package. A register that faults on a CPU is absent
 * there; the others stand. The 32-bit energy counters of a package of 1 kW begin anew after 65 s at the finest unit
 * (15.3 uJ), so that they are read every 10 s.
 */
#include "collectors/turbostat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/take.h"
#include "collectors/digits.h"
#include "collectors/pmu.h"

static const char *const source_names[SOURCES] = { "msr", "perf", "sysfs", "energy", "powercap" };

const struct hint turbostat_hints[] = {
	/* key                    kind       unit           help                                              exponent fold */
	{ "tsc",                  COUNTER,   UNIT_COUNT,     "Time-stamp counter." },
	{ "aperf",                COUNTER,   UNIT_COUNT,     "Cycles while not idle, at the clock that the CPU ran at." },
	{ "mperf",                COUNTER,   UNIT_COUNT,     "Cycles while not idle, at the base clock." },
	{ "smi",                  COUNTER32, UNIT_COUNT,     "System management interrupts." },
	{ "core",                 GAUGE,     UNIT_NONE,      "The first CPU of this CPU's core." },
	{ "package",              GAUGE,     UNIT_NONE,      "The first CPU of this CPU's package." },
	{ "c1",                   COUNTER,   UNIT_COUNT,     "Time of the core in C1, in cycles of the time-stamp counter." },
	{ "c3",                   COUNTER,   UNIT_COUNT,     "Time of the core in C3, in cycles of the time-stamp counter." },
	{ "c6",                   COUNTER,   UNIT_COUNT,     "Time of the core in C6, in cycles of the time-stamp counter." },
	{ "c7",                   COUNTER,   UNIT_COUNT,     "Time of the core in C7, in cycles of the time-stamp counter." },
	{ "pc*",                  COUNTER,   UNIT_COUNT,     "Time of the package in that idle state, in cycles of the time-stamp counter." },
	{ "core_therm_status",    GAUGE,     UNIT_NONE,      "IA32_THERM_STATUS: degrees below the target in bits 22:16." },
	{ "package_therm_status", GAUGE,     UNIT_NONE,      "IA32_PACKAGE_THERM_STATUS: degrees below the target in bits 22:16." },
	{ "temperature_target",   GAUGE,     UNIT_NONE,      "MSR_TEMPERATURE_TARGET: the target in bits 23:16." },
	{ "platform_info",        GAUGE,     UNIT_NONE,      "MSR_PLATFORM_INFO: the base clock in bits 15:8." },
	{ "uncore_perf_status",   GAUGE,     UNIT_NONE,      "The uncore's clock in bits 6:0, in 100 MHz." },
	{ "weighted_core_c0",     COUNTER,   UNIT_COUNT,     "Cycles of the time-stamp counter, times cores that were not idle." },
	{ "any_core_c0",          COUNTER,   UNIT_COUNT,     "Cycles in which any core was not idle." },
	{ "any_gfxe_c0",          COUNTER,   UNIT_COUNT,     "Cycles in which the graphics engine was not idle." },
	{ "both_core_gfxe_c0",    COUNTER,   UNIT_COUNT,     "Cycles in which a core and the graphics engine were not idle." },
	{ "rapl_power_unit",      GAUGE,     UNIT_NONE,      "MSR_RAPL_POWER_UNIT: units of power, energy and time." },
	{ "amd_rapl_power_unit",  GAUGE,     UNIT_NONE,      "MSR_AMD_RAPL_POWER_UNIT: units of power, energy and time." },
	{ "*_energy_status",      COUNTER32, UNIT_NONE,      "Energy, in units of rapl_power_unit; 32 bits." },
	{ "*_perf_status",        COUNTER32, UNIT_NONE,      "Time throttled for its power limit, in units of rapl_power_unit." },
	{ "msr/smi/",             COUNTER32, UNIT_COUNT,     "System management interrupts, by a perf event." },
	{ "msr/*/",               COUNTER,   UNIT_COUNT,     "The register of that name, by a perf event." },
	{ "cstate_*/*/",          COUNTER,   UNIT_COUNT,     "Time in that idle state, in cycles of the time-stamp counter, by a perf event." },
	{ "current_freq_khz",     GAUGE,     UNIT_KILOHERTZ, "The uncore's clock." },
	{ "rc6_residency_ms",     COUNTER,   UNIT_MILLISECONDS, "Time of the graphics engine in RC6." },
	{ "rps_act_freq_mhz",     GAUGE,     UNIT_NONE,      "The graphics engine's clock as it is, MHz." },
	{ "rps_cur_freq_mhz",     GAUGE,     UNIT_NONE,      "The graphics engine's clock as asked for, MHz." },
	{ 0 },
};

static int by_instance(const void *a, const void *b)
{
	const struct reading *x = a, *y = b;

	if (x->instance != y->instance)
		return x->instance < y->instance ? -1 : 1;
	return (x->metric > y->metric) - (x->metric < y->metric);
}

static int turbostat_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct turbostat *t = state;
	int r;

	t->collector = self;
	t->host = host;
	r = turbostat_learn(t, err);
	if (r == 0 && t->count == 0 && t->fixed_count == t->places_told) {
		*err = t->no_msr.code ? t->no_msr : t->no_event;
		return err->code ? err->code : err_set(err, -ENODATA, "turbostat: no register of these answers here");
	}
	if (r == 0 && turbostat_watts(t) < 0)
		r = err_set(err, -ENOMEM, "turbostat: no memory");
	if (r == 0)
		r = watch_open(&t->online, host, CPU_FOLDER "online", err);
	if (t->count)
		qsort(t->readings, t->count, sizeof(*t->readings), by_instance);
	t->shape = (struct shape){
		.collector = self->name,
		.metrics = t->metrics,
		.metric_count = t->names.count,
		.instances = (const char *const *)t->instances.at,
		.instance_count = t->instances.count,
	};
	return r;
}

static const struct shape *turbostat_shape(const void *state)
{
	return &((const struct turbostat *)state)->shape;
}

/* One answer is enough; no counter is opened that is not to be read. */
static int turbostat_probe(const struct collector *self, const struct host *host, struct err *err)
{
	struct turbostat t = { 0 };
	int r = turbostat_open(self, &t, host, err);

	self->close(&t);
	return r;
}

static int turbostat_notes(const void *state, struct pairs *ret)
{
	const struct turbostat *t = state;
	int r = 0;

	for (int i = 0; i < SOURCES && r == 0; i++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "source.%s", source_names[i]);
		if (t->columns[i].len)
			r = pairs_set(ret, name, t->columns[i].data);
	}
	if (r == 0 && t->no_msr.code)
		r = pairs_set(ret, "without.msr", t->no_msr.text);
	if (r == 0 && t->no_event.code)
		r = pairs_set(ret, "without.event", t->no_event.text);
	if (r == 0 && t->missing.len)
		r = pairs_set(ret, "without.registers", t->missing.data);
	return r;
}

/* ---- sample ---- */

static int read_file(struct reading *r, uint64_t *value, struct err *err)
{
	struct text text;
	int result = procfile_read(&r->file, &text, err);

	if (result < 0)
		return result;
	return digits_u64(text.at, text.end, value) ? 0 : err_set(err, -EBADMSG, "%s: no number", r->file.path);
}

static int number_of(struct turbostat *t, struct reading *r, uint64_t *value, struct err *err)
{
	int result;

	if (r->source == BY_FILE)
		return read_file(r, value, err);
	result = r->source == BY_EVENT ? pmu_event_read(r->counter, value)
				       : msr_read(&t->msr, r->nth, r->address, value);
	if (result < 0 && r->source == BY_REGISTER)
		return err_set(err, result, "dev/cpu/%u/msr: register 0x%x: %s", t->msr.cpus.at[r->nth], r->address,
			       err_name(result));
	return result < 0 ? err_set(err, result, "%s of %s: %s", names_at(&t->names, (int)r->metric),
				    names_at(&t->instances, (int)r->instance), err_name(result))
			  : 0;
}

static int turbostat_sample(void *state, struct sample *out, struct err *err)
{
	struct turbostat *t = state;
	int failed = watch_check(&t->online, err);

	if (failed == -ESTALE)
		return failed;
	for (size_t i = 0; i < t->fixed_count; i++)
		sample_put(out, t->fixed[i].metric, t->fixed[i].instance, t->fixed[i].value);
	for (size_t i = 0; i < t->count; i++) {
		uint64_t value;
		int r = number_of(t, &t->readings[i], &value, err);

		if (r == 0)
			sample_put(out, t->readings[i].metric, t->readings[i].instance, value);
		else
			failed = r;
	}
	return failed;
}

static void turbostat_close(void *state)
{
	struct turbostat *t = state;

	for (size_t i = 0; i < t->count; i++) {
		take_close_fd(&t->readings[i].counter);
		if (t->readings[i].source == BY_FILE)
			procfile_close(&t->readings[i].file);
	}
	msr_close(&t->msr);
	free(t->readings);
	free(t->fixed);
	free(t->places);
	free(t->instance_of);
	free(t->metrics);
	names_free(&t->names);
	names_free(&t->instances);
	watch_close(&t->online);
	for (int i = 0; i < SOURCES; i++)
		buf_free(&t->columns[i]);
	buf_free(&t->missing);
}

const struct collector collector_turbostat = {
	.name = "turbostat",
	.description = "Clocks, idle states, temperatures and energy as the processor counts them",
	.source = "msr/msr.txt " CPU_FOLDER
		  "intel_uncore_frequency/*/current_freq_khz sys/class/drm/card0/gt/gt0/rc6_residency_ms "
		  "sys/class/drm/card0/gt/gt0/rps_cur_freq_mhz sys/class/drm/card0/gt/gt0/rps_act_freq_mhz " CPU_FOLDER
		  "online",
	.hints = turbostat_hints,
	.state_size = sizeof(struct turbostat),
	.interval_ms = 10000,
	.dear = true,
	.probe = turbostat_probe,
	.open = turbostat_open,
	.shape = turbostat_shape,
	.sample = turbostat_sample,
	.close = turbostat_close,
	.notes = turbostat_notes,
};
