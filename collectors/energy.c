/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   sys/bus/event_source/devices/power/events/energy-pkg          event=0x02
 *   sys/bus/event_source/devices/power/events/energy-pkg.scale    2.3283064365386962890625e-10, which is 2^-32
 *
 * Energy by perf events: the kernel knows each model's units and widens its 32-bit counters to 64. One of the CPUs of
 * "cpumask" counts for its package, an instance each. power_core, where it is, counts for cores.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/take.h"
#include "collectors/collector.h"
#include "collectors/pmu.h"
#include "collectors/watch.h"

#define SCALE "2.3283064365386962890625e-10" /* of all: arch/x86/events/rapl.c shifts to it */

static const char *const pmus[] = { "power", "power_core" };

struct counter {
	int fd;
	size_t metric, instance;
};

struct energy {
	struct counter *counters;
	size_t count, room;
	struct names names, instances;
	struct metric *metrics;
	struct watch online;
	struct err denied; /* why the last event that is there was not counted */
	struct shape shape;
};

static const struct hint hints[] = {
	/* key        kind     unit       help */
	{ "energy-*", COUNTER, UNIT_NONE, "Energy of that domain, in 2^-32 J." },
	{ 0 },
};

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "energy: no memory");
}

static int learn_metric(struct energy *e, const char *name)
{
	struct metric *metrics;
	int row = names_add(&e->names, text_of(name));

	metrics = row < 0 ? NULL : realloc(e->metrics, e->names.room * sizeof(*metrics));
	if (!metrics)
		return -ENOMEM;
	e->metrics = metrics;
	metrics[row] = (struct metric){ .name = names_at(&e->names, row) };
	hint_apply(hints, &metrics[row]);
	return row;
}

static int add_counter(struct energy *e, int fd, const char *name, unsigned cpu, struct err *err)
{
	cleanup_fd int owned = fd;
	char instance[32];
	int metric = learn_metric(e, name), column;

	(void)snprintf(instance, sizeof(instance), "cpu%u", cpu);
	column = names_add(&e->instances, text_of(instance));
	if (metric < 0 || column < 0)
		return no_memory(err);
	if (e->count == e->room) {
		size_t room = e->room ? 2 * e->room : 16;
		struct counter *grown = realloc(e->counters, room * sizeof(*grown));

		if (!grown)
			return no_memory(err);
		e->counters = grown;
		e->room = room;
	}
	e->counters[e->count++] = (struct counter){ take_fd(&owned), (size_t)metric, (size_t)column };
	return 0;
}

static bool has_scale(const struct host *host, const char *pmu, const char *event)
{
	cleanup_buf struct buf content = { .ceiling = 4096 };
	struct err ignored;
	char path[256];

	return snprintf(path, sizeof(path), PMU_FOLDER "%s/events/%s.scale", pmu, event) < (int)sizeof(path) &&
	       host_read(host, path, &content, &ignored) == 0 && text_is(text_trim(buf_text(&content)), SCALE);
}

static int count_event(struct energy *e, const struct host *host, const char *pmu, const char *name, struct err *err)
{
	struct pmu_event event;
	int r = pmu_event_find(host, pmu, name, &event, &e->denied);

	if (r == 0 && !has_scale(host, pmu, name))
		r = err_set(&e->denied, -EOPNOTSUPP, "%s/%s/: not in units of 2^-32 J", pmu, name);
	for (size_t i = 0; i < event.cpus.count && r == 0; i++) {
		int fd = pmu_event_open(&event, event.cpus.at[i]);

		if (fd == -EMFILE || fd == -ENFILE)
			r = err_set(err, fd, "energy: %s/%s/: %s", pmu, name, pmu_refused(fd));
		else if (fd < 0)
			(void)err_set(&e->denied, fd, "%s/%s/: %s", pmu, name, pmu_refused(fd));
		else
			r = add_counter(e, fd, name, event.cpus.at[i], err);
	}
	cpulist_free(&event.cpus);
	return r == -ENOMEM || r == -EMFILE || r == -ENFILE ? r : 0;
}

static int count_pmu(struct energy *e, const struct host *host, const char *pmu, struct err *err)
{
	struct names events = { 0 };
	char path[128];
	struct err ignored;
	int r = 0;

	(void)snprintf(path, sizeof(path), PMU_FOLDER "%s/events", pmu);
	if (host_list(host, path, &events, &ignored) == -ENOMEM)
		r = no_memory(err);
	for (size_t i = 0; i < events.count && r == 0; i++)
		if (!strchr(events.at[i], '.')) /* "energy-pkg.unit" is no event */
			r = count_event(e, host, pmu, events.at[i], err);
	names_free(&events);
	return r;
}

static int energy_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct energy *e = state;
	int r = 0;

	for (size_t i = 0; i < sizeof(pmus) / sizeof(*pmus) && r == 0; i++)
		r = count_pmu(e, host, pmus[i], err);
	if (r == 0 && e->count == 0) {
		if (!e->denied.code)
			return err_set(err, -ENOENT, PMU_FOLDER "power: the kernel has no energy events for this processor");
		*err = e->denied;
		return err->code;
	}
	if (r == 0)
		r = watch_open(&e->online, host, "sys/devices/system/cpu/online", err);
	e->shape = (struct shape){
		.collector = self->name,
		.metrics = e->metrics,
		.metric_count = e->names.count,
		.instances = (const char *const *)e->instances.at,
		.instance_count = e->instances.count,
	};
	return r;
}

static const struct shape *energy_shape(const void *state)
{
	return &((const struct energy *)state)->shape;
}

static int energy_probe(const struct collector *self, const struct host *host, struct err *err)
{
	struct energy e = { 0 };
	int r = energy_open(self, &e, host, err);

	self->close(&e);
	return r;
}

static int energy_sample(void *state, struct sample *out, struct err *err)
{
	struct energy *e = state;
	int failed = watch_check(&e->online, err);

	for (size_t i = 0; i < e->count && failed != -ESTALE; i++) {
		const struct counter *c = &e->counters[i];
		uint64_t value;
		int r = pmu_event_read(c->fd, &value);

		if (r == 0)
			sample_put(out, c->metric, c->instance, value);
		else
			failed = err_set(err, r, "%s of %s: %s", names_at(&e->names, (int)c->metric),
					 names_at(&e->instances, (int)c->instance), err_name(r));
	}
	return failed;
}

static void energy_close(void *state)
{
	struct energy *e = state;

	for (size_t i = 0; i < e->count; i++)
		take_close_fd(&e->counters[i].fd);
	free(e->counters);
	free(e->metrics);
	names_free(&e->names);
	names_free(&e->instances);
	watch_close(&e->online);
}

const struct collector collector_energy = {
	.name = "energy",
	.description = "Energy of packages, cores and memory by perf events",
	.source = PMU_FOLDER "power/events/* " PMU_FOLDER "power_core/events/*",
	.hints = hints,
	.state_size = sizeof(struct energy),
	.interval_ms = 10000,
	.dear = true,
	.probe = energy_probe,
	.open = energy_open,
	.shape = energy_shape,
	.sample = energy_sample,
	.close = energy_close,
};
