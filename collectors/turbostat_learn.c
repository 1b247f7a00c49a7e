/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/turbostat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/take.h"
#include "collectors/pmu.h"
#include "collectors/turbostat_registers.h"

/* One instance each where a folder may be there several times: its name. */
static const struct {
	const char *pattern, *columns;
	bool each;
} files[] = {
	{ CPU_FOLDER "intel_uncore_frequency/*/current_freq_khz", "UncMHz", true },
	{ "sys/class/drm/card0/gt/gt0/rc6_residency_ms", "GFX%rc6", false },
	{ "sys/class/drm/card0/gt/gt0/rps_cur_freq_mhz", "GFXMHz", false },
	{ "sys/class/drm/card0/gt/gt0/rps_act_freq_mhz", "GFXAMHz", false },
};

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "turbostat: no memory");
}

static int learn_metric(struct turbostat *t, const char *name)
{
	struct metric *metrics;
	int row = names_add(&t->names, text_of(name));

	if (row < 0)
		return -ENOMEM;
	metrics = realloc(t->metrics, t->names.room * sizeof(*metrics));
	if (!metrics)
		return -ENOMEM;
	t->metrics = metrics;
	metrics[row] = (struct metric){ .name = names_at(&t->names, row) };
	hint_apply(turbostat_hints, &metrics[row]);
	return row;
}

static struct reading *add_reading(struct turbostat *t, enum source source, int metric, size_t instance)
{
	if (t->count == t->room) {
		size_t room = t->room ? 2 * t->room : 64;
		struct reading *grown = realloc(t->readings, room * sizeof(*grown));

		if (!grown)
			return NULL;
		t->readings = grown;
		t->room = room;
	}
	t->readings[t->count] = (struct reading){
		.source = source, .metric = (size_t)metric, .instance = instance, .counter = -1, .file.fd = -1
	};
	return &t->readings[t->count++];
}

static int add_fixed(struct turbostat *t, int metric, size_t instance, uint64_t value)
{
	if (t->fixed_count == t->fixed_room) {
		size_t room = t->fixed_room ? 2 * t->fixed_room : 64;
		struct fixed *grown = realloc(t->fixed, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		t->fixed = grown;
		t->fixed_room = room;
	}
	t->fixed[t->fixed_count++] = (struct fixed){ (size_t)metric, instance, value };
	return 0;
}

int turbostat_note(struct turbostat *t, enum source source, const char *columns)
{
	if (!columns)
		return 0;
	return buf_printf(&t->columns[source], "%s%s", t->columns[source].len ? " " : "", columns);
}

/* Is the nth CPU the one that measures for its scope? */
static bool owns(const struct turbostat *t, size_t nth, enum scope scope)
{
	unsigned cpu = t->msr.cpus.at[nth];

	return scope == PER_THREAD || (scope == PER_CORE ? t->places[nth].core : t->places[nth].package) == cpu;
}

/* On which CPUs does it answer? */
static int learn_register(struct turbostat *t, const struct turbostat_register *one, bool *found)
{
	*found = false;
	for (size_t nth = 0; nth < t->msr.cpus.count; nth++) {
		struct reading *reading;
		uint64_t value;
		int metric;

		if (!owns(t, nth, one->scope) || msr_read(&t->msr, nth, one->address, &value) < 0)
			continue;
		metric = learn_metric(t, one->metric);
		if (metric < 0)
			return metric;
		*found = true;
		if (one->fixed) {
			if (add_fixed(t, metric, t->instance_of[nth], value) < 0)
				return -ENOMEM;
			continue;
		}
		reading = add_reading(t, BY_REGISTER, metric, t->instance_of[nth]);
		if (!reading)
			return -ENOMEM;
		reading->nth = nth;
		reading->address = one->address;
	}
	return 0;
}

static int count_event(struct turbostat *t, const struct turbostat_register *one, const struct pmu_event *event,
		       bool *found, struct err *err)
{
	char name[64];

	(void)snprintf(name, sizeof(name), "%s/%s/", one->pmu, one->event);
	for (size_t nth = 0; nth < t->msr.cpus.count; nth++) {
		struct reading *reading;
		cleanup_fd int fd = -1;
		int metric;

		if (event->cpus.count ? !cpulist_has(&event->cpus, t->msr.cpus.at[nth]) : !owns(t, nth, one->scope))
			continue;
		fd = pmu_event_open(event, t->msr.cpus.at[nth]);
		if (fd == -EMFILE || fd == -ENFILE)
			return err_set(err, fd, "turbostat: %s: %s", name, pmu_refused(fd));
		if (fd < 0) {
			(void)err_set(&t->no_event, fd, "%s: %s", name, pmu_refused(fd));
			continue;
		}
		metric = learn_metric(t, name);
		reading = metric < 0 ? NULL : add_reading(t, BY_EVENT, metric, t->instance_of[nth]);
		if (!reading)
			return no_memory(err);
		reading->counter = take_fd(&fd);
		*found = true;
	}
	return 0;
}

static int learn_event(struct turbostat *t, const struct turbostat_register *one, bool *found, struct err *err)
{
	struct pmu_event event;
	struct err why;
	int r = pmu_event_find(t->host, one->pmu, one->event, &event, &why);

	if (r == 0)
		r = count_event(t, one, &event, found, err);
	else
		r = r == -ENOMEM ? no_memory(err) : 0;
	cpulist_free(&event.cpus);
	return r;
}

static int learn_registers(struct turbostat *t, struct err *err)
{
	int r = 0;

	for (const struct turbostat_register *one = turbostat_registers; one->metric && r == 0; one++) {
		bool found = false;

		if (one->on && !one->on(&t->processor))
			continue;
		if (!t->no_msr.code && learn_register(t, one, &found) < 0)
			return no_memory(err);
		if (found) {
			if (turbostat_note(t, BY_REGISTER, one->columns) < 0)
				return no_memory(err);
			continue;
		}
		if (!t->no_msr.code)
			(void)buf_printf(&t->missing, "%s%s 0x%x", t->missing.len ? ", " : "", one->metric,
					 one->address);
		if (one->pmu)
			r = learn_event(t, one, &found, err);
		if (r == 0 && found && turbostat_note(t, BY_EVENT, one->columns) < 0)
			r = no_memory(err);
	}
	return r;
}

/* The folder that the pattern's star stands for. */
static struct text folder_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *before = memrchr(path, '/', (size_t)(slash - path));

	return (struct text){ before + 1, slash };
}

static int learn_files(struct turbostat *t, size_t nth, struct err *err)
{
	struct names paths = { 0 };
	int r = host_glob(t->host, files[nth].pattern, &paths, err);
	bool found = false;

	for (size_t i = 0; i < paths.count && r == 0; i++) {
		struct procfile file;
		struct reading *reading = NULL;
		struct err ignored;
		int metric, instance;

		r = procfile_open(&file, t->host, paths.at[i], &ignored);
		if (r < 0) { /* one that cannot be read gives nothing */
			r = r == -ENOMEM ? r : 0;
			continue;
		}
		metric = learn_metric(t, strrchr(paths.at[i], '/') + 1);
		instance = names_add(&t->instances, files[nth].each ? folder_of(paths.at[i]) : text_of(""));
		if (metric >= 0 && instance >= 0)
			reading = add_reading(t, BY_FILE, metric, (size_t)instance);
		if (!reading) {
			procfile_close(&file);
			r = no_memory(err);
			continue;
		}
		reading->file = file;
		found = true;
	}
	if (r == 0 && found && turbostat_note(t, BY_FILE, files[nth].columns) < 0)
		r = no_memory(err);
	names_free(&paths);
	return r;
}

/* The instances of the CPUs, and which of them measures for its core and its package. */
static int learn_places(struct turbostat *t, struct err *err)
{
	size_t count = t->msr.cpus.count;
	int core, package;

	t->places = calloc(count + 1, sizeof(*t->places));
	t->instance_of = calloc(count + 1, sizeof(*t->instance_of));
	if (!t->places || !t->instance_of || places_read(t->host, &t->msr.cpus, t->places) < 0)
		return no_memory(err);
	for (size_t nth = 0; nth < count; nth++) {
		char name[32];
		int instance;

		(void)snprintf(name, sizeof(name), "cpu%u", t->msr.cpus.at[nth]);
		instance = names_add(&t->instances, text_of(name));
		if (instance < 0)
			return no_memory(err);
		t->instance_of[nth] = (size_t)instance;
	}
	core = learn_metric(t, "core");
	package = learn_metric(t, "package");
	if (core < 0 || package < 0)
		return no_memory(err);
	for (size_t nth = 0; nth < count; nth++)
		if (add_fixed(t, core, t->instance_of[nth], t->places[nth].core) < 0 ||
		    add_fixed(t, package, t->instance_of[nth], t->places[nth].package) < 0)
			return no_memory(err);
	t->places_told = t->fixed_count;
	return 0;
}

int turbostat_learn(struct turbostat *t, struct err *err)
{
	int r = msr_open(&t->msr, t->host, &t->no_msr);

	if (r == -ENOMEM || processor_read(t->host, &t->processor) < 0)
		return no_memory(err);
	r = learn_places(t, err);
	if (r == 0)
		r = learn_registers(t, err);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && r == 0; i++)
		r = learn_files(t, i, err);
	return r;
}
