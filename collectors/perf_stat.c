/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hardware and software events, counted by the kernel's perf events (spec A.3.8).
 *
 * An instance is a PMU ("cpu"; "cpu_core" and "cpu_atom"; "software"; "uncore_imc_0"), whose CPUs are added up, or with
 * per-cpu=yes a PMU on a CPU ("cpu.CPU3"). A metric is an event; beside each group, named by its first event, stand the
 * time in which it was enabled and in which it counted, summed over its CPUs, and on how many of these it counted since
 * the sample before. An event that counted on none of them is absent. The first sample after opening is the zero point.
 */
#include "collectors/perf_stat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/take.h"
#include "collectors/perf_counters.h"
#include "collectors/perf_ratios.h"
#include "host/procfile.h"

#define ONLINE	   "sys/devices/system/cpu/online"
#define WATCHDOG   "proc/sys/kernel/nmi_watchdog"
#define GROUP_ROWS 3 /* enabled, running, counted */

/* Where the numbers of one group go. */
struct target {
	int *rows;	   /* [events + GROUP_ROWS] */
	struct perf_total *totals;
	size_t *instances; /* [totals] */
	size_t count;	   /* of totals: 1, or one a place */
	uint64_t *sums;
};

struct perf_stat {
	char *events, *scope, *ratios_file;
	bool groups, per_cpu;
	struct perf_counters counters;
	struct target *targets; /* [counters.count] */
	struct names names, instances;
	struct metric *metrics;
	struct shape shape;
	struct procfile online;
	char *online_at_open; /* NULL: not watched */
	size_t online_length;
	struct buf ratios;
	bool watchdog;
};

static const struct option options[] = {
	{ "events", OPT_TEXT, offsetof(struct perf_stat, events), "default",
	  "Events by name, groups in braces: \"default,{INST_RETIRED:ANY_P,cycles},sched:sched_switch\"." },
	{ "scope", OPT_TEXT, offsetof(struct perf_stat, scope), "system",
	  "\"system\": all CPUs; \"command\": the command and what it starts, alone." },
	{ "groups", OPT_BOOL, offsetof(struct perf_stat, groups), "yes", "Count the events of a group at the same time." },
	{ "per-cpu", OPT_BOOL, offsetof(struct perf_stat, per_cpu), "no", "Keep the CPUs apart." },
	{ "ratios", OPT_TEXT, offsetof(struct perf_stat, ratios_file), "",
	  "A YAML file of ratios to make of events, \"name: cache-misses / instructions * 1000\"." },
	{ 0 },
};

static const struct hint hints[] = {
	/* key                  kind     unit              help */
	{ "*.enabled",          COUNTER, UNIT_NANOSECONDS, "Time in which the group of this event was to be counted, summed over CPUs." },
	{ "*.running",          COUNTER, UNIT_NANOSECONDS, "Time in which it had counters; less than enabled where groups took turns." },
	{ "*.counted",          GAUGE,   UNIT_COUNT,       "CPUs, or boxes, on which the group counted since the sample before." },
	{ "cpu-clock*",         COUNTER, UNIT_NANOSECONDS, "Time that went by, summed over CPUs." },
	{ "task-clock*",        COUNTER, UNIT_NANOSECONDS, "Time that went by, or in which the command ran." },
	{ "cpu-cycles",         COUNTER, UNIT_COUNT,       "Cycles in which the CPU was not halted." },
	{ "instructions",       COUNTER, UNIT_COUNT,       "Instructions retired." },
	{ "cache-references",   COUNTER, UNIT_COUNT,       "Accesses to the last cache." },
	{ "cache-misses",       COUNTER, UNIT_COUNT,       "Accesses that the last cache did not have." },
	{ "branch-instructions", COUNTER, UNIT_COUNT,      "Branches retired." },
	{ "branch-misses",      COUNTER, UNIT_COUNT,       "Branches that were predicted wrongly." },
	{ "dTLB-load*",         COUNTER, UNIT_COUNT,       "Loads that asked the data TLB, or that it did not have." },
	{ "dTLB-store*",        COUNTER, UNIT_COUNT,       "Stores that asked the data TLB, or that it did not have." },
	{ "iTLB-load*",         COUNTER, UNIT_COUNT,       "Fetches that asked the instruction TLB, or that it did not have." },
	{ "node-load*",         COUNTER, UNIT_COUNT,       "Loads from memory, or from that of another node." },
	{ "node-store*",        COUNTER, UNIT_COUNT,       "Stores to memory, or to that of another node." },
	{ "page-faults",        COUNTER, UNIT_COUNT,       "Page faults." },
	{ "minor-faults",       COUNTER, UNIT_COUNT,       "Page faults that needed no reading." },
	{ "major-faults",       COUNTER, UNIT_COUNT,       "Page faults that had to read." },
	{ "context-switches",   COUNTER, UNIT_COUNT,       "Switches from one task to another." },
	{ "cpu-migrations",     COUNTER, UNIT_COUNT,       "Tasks that moved to another CPU." },
	{ "*slots*",            COUNTER, UNIT_COUNT,       "Issue slots of the pipeline." },
	{ "topdown-*",          COUNTER, UNIT_COUNT,       "Issue slots of the pipeline, by what became of them." },
	{ "*",                  COUNTER, UNIT_COUNT,       "An event that was asked for by its name." },
	{ 0 },
};

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "perf-stat: no memory");
}

/* ---- open ---- */

/* The watchdog holds one counter of each CPU: six events may fit into none of the groups that the kernel accepts. */
static bool watchdog_is_on(const struct host *host)
{
	cleanup_buf struct buf text = { 0 };
	struct err ignored;

	return host_read(host, WATCHDOG, &text, &ignored) == 0 && text_is(text_trim(buf_text(&text)), "1");
}

static int watch_online(struct perf_stat *p, const struct host *host, struct err *err)
{
	struct text first;
	int r = procfile_open(&p->online, host, ONLINE, err);

	if (r < 0)
		return r;
	first = procfile_first(&p->online);
	p->online_at_open = text_copy(first);
	p->online_length = text_len(first);
	return p->online_at_open ? 0 : no_memory(err);
}

static int name_rows(struct perf_stat *p, const struct perf_counter *c, struct target *t, struct err *err)
{
	static const char *const endings[GROUP_ROWS] = { "enabled", "running", "counted" };

	t->rows = calloc(c->count + GROUP_ROWS, sizeof(*t->rows));
	if (!t->rows)
		return no_memory(err);
	for (size_t i = 0; i < c->count + GROUP_ROWS; i++) {
		cleanup_buf struct buf name = { 0 };

		(void)buf_puts(&name, p->counters.events.at[c->first + (i < c->count ? i : 0)].name);
		if (i >= c->count)
			(void)buf_printf(&name, ".%s", endings[i - c->count]);
		t->rows[i] = name.failed ? -1 : names_add(&p->names, buf_text(&name));
		if (t->rows[i] < 0)
			return no_memory(err);
	}
	return 0;
}

static int name_instances(struct perf_stat *p, const struct perf_counter *c, struct target *t, struct err *err)
{
	const char *pmu = p->counters.events.pmus.at[c->pmu].name;
	bool apart = p->per_cpu && !p->counters.command;

	t->count = apart ? c->place_count : 1;
	t->totals = calloc(t->count, sizeof(*t->totals));
	t->instances = calloc(t->count, sizeof(*t->instances));
	t->sums = calloc(t->count * c->count, sizeof(*t->sums));
	if (!t->totals || !t->instances || !t->sums)
		return no_memory(err);
	for (size_t i = 0; i < t->count; i++) {
		cleanup_buf struct buf name = { 0 };
		int column;

		(void)buf_puts(&name, pmu);
		if (apart)
			(void)buf_printf(&name, ".CPU%d", c->places[i].cpu);
		column = name.failed ? -1 : names_add(&p->instances, buf_text(&name));
		if (column < 0)
			return no_memory(err);
		t->instances[i] = (size_t)column;
		t->totals[i].events = t->sums + i * c->count;
	}
	return 0;
}

static int make_shape(struct perf_stat *p, const struct collector *self, struct err *err)
{
	p->targets = calloc(p->counters.count, sizeof(*p->targets));
	if (!p->targets)
		return no_memory(err);
	for (size_t i = 0; i < p->counters.count; i++)
		if (name_rows(p, &p->counters.at[i], &p->targets[i], err) < 0 ||
		    name_instances(p, &p->counters.at[i], &p->targets[i], err) < 0)
			return err->code;
	p->metrics = calloc(p->names.count, sizeof(*p->metrics));
	if (!p->metrics)
		return no_memory(err);
	for (size_t i = 0; i < p->names.count; i++) {
		p->metrics[i].name = names_at(&p->names, (int)i);
		hint_apply(self->hints, &p->metrics[i]);
	}
	p->shape = (struct shape){ .collector = self->name,
				   .metrics = p->metrics,
				   .metric_count = p->names.count,
				   .instances = (const char *const *)p->instances.at,
				   .instance_count = p->instances.count };
	return 0;
}

int perf_stat_open_by(const struct collector *self, void *state, const struct host *host, const struct perf_edge *edge,
		      struct err *err)
{
	struct perf_stat *p = state;
	bool command = strcmp(p->scope, "command") == 0;
	int r = 0;

	p->online.fd = -1;
	p->counters.edge = edge;
	p->counters.host = host;
	if (!command && strcmp(p->scope, "system") != 0)
		return err_set(err, -EINVAL, "perf-stat: scope is \"system\" or \"command\", not '%s'", p->scope);
	if (command && host->command == 0)
		return err_set(err, -ESRCH, "perf-stat: scope=command, and there is no command");
	p->counters.command = command ? host->command : 0;
	p->watchdog = watchdog_is_on(host);
	p->counters.group_most = p->watchdog ? 4 : 0;
	if (*p->ratios_file)
		r = perf_ratios_read(p->ratios_file, &p->ratios, err);
	if (r == 0 && !command)
		r = watch_online(p, host, err);
	if (r == 0)
		r = perf_counters_open(&p->counters, p->events, p->groups, err);
	return r < 0 ? r : make_shape(p, self, err);
}

static int perf_stat_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	return perf_stat_open_by(self, state, host, &perf_edge_kernel, err);
}

/* Whether whole CPUs may be counted; a clock is the cheapest that can be asked for. */
static int perf_stat_probe(const struct collector *self, const struct host *host, struct err *err)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.disabled = 1 };
	int fd;

	if (!host->live)
		return err_set(err, -ENOTSUP, "a recorded tree has no counters");
	fd = perf_edge_kernel.open(NULL, &attr, -1, 0, -1);
	if (fd == -ENODEV)
		return 0; /* CPU 0 is off */
	if (fd == -ENOSYS)
		return err_set(err, fd, "this kernel has no perf events (CONFIG_PERF_EVENTS)");
	if (fd == -EACCES || fd == -EPERM)
		return perf_not_allowed(host, false, err);
	if (fd < 0)
		return err_set(err, fd, "perf_event_open: %s", err_name(fd));
	perf_edge_kernel.close(NULL, fd);
	return 0;
}

static const struct shape *perf_stat_shape(const void *state)
{
	return &((const struct perf_stat *)state)->shape;
}

/* ---- sample ---- */

/* A CPU that came or went: its counters are to be opened, or are gone. */
static int look_at_online(struct perf_stat *p, struct err *err)
{
	struct text now;

	if (!p->online_at_open)
		return 0;
	if (procfile_read(&p->online, &now, err) == 0 && text_len(now) == p->online_length &&
	    memcmp(now.at, p->online_at_open, p->online_length) == 0)
		return 0;
	return err_set(err, -ESTALE, "%s: the CPUs changed", ONLINE);
}

static void put_group(const struct perf_counter *c, const struct target *t, struct sample *out)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct perf_total *total = &t->totals[i];
		const int *rows = t->rows;

		for (size_t event = 0; event < c->count && total->counted > 0; event++)
			sample_put(out, (size_t)rows[event], t->instances[i], total->events[event]);
		rows += c->count;
		sample_put(out, (size_t)rows[0], t->instances[i], total->enabled);
		sample_put(out, (size_t)rows[1], t->instances[i], total->running);
		sample_put(out, (size_t)rows[2], t->instances[i], total->counted);
	}
}

static int perf_stat_sample(void *state, struct sample *out, struct err *err)
{
	struct perf_stat *p = state;
	int r = look_at_online(p, err), failed = -ENODEV;
	bool any = false;

	if (r < 0)
		return r;
	for (size_t i = 0; i < p->counters.count; i++) {
		const struct perf_counter *c = &p->counters.at[i];
		struct target *t = &p->targets[i];
		bool read = false;

		for (size_t k = 0; k < t->count; k++)
			t->totals[k].counted = 0;
		for (size_t k = 0; k < c->place_count; k++) {
			r = perf_counters_read(&p->counters, c, &c->places[k], &t->totals[t->count > 1 ? k : 0]);
			failed = r < 0 ? r : failed;
			read = read || r == 0;
		}
		if (read)
			put_group(c, t, out);
		any = any || read;
	}
	return any ? 0 : err_set(err, failed, "perf events: no counter can be read: %s", err_name(failed));
}

/* ---- notes ---- */

static bool is_first_of_reason(const struct pairs *without, size_t nth)
{
	for (size_t i = 0; i < nth; i++)
		if (strcmp(without->at[i].value, without->at[nth].value) == 0)
			return false;
	return true;
}

/* "node-loads, node-stores: cpu does not have it; ..." */
static int note_without(const struct pairs *without, struct pairs *ret)
{
	cleanup_buf struct buf text = { 0 };

	for (size_t i = 0; i < without->count; i++) {
		if (!is_first_of_reason(without, i))
			continue;
		(void)buf_printf(&text, "%s%s", text.len ? "; " : "", without->at[i].name);
		for (size_t k = i + 1; k < without->count; k++)
			if (strcmp(without->at[i].value, without->at[k].value) == 0)
				(void)buf_printf(&text, ", %s", without->at[k].name);
		(void)buf_printf(&text, ": %s", without->at[i].value);
	}
	return text.failed ? -ENOMEM : text.len ? pairs_set(ret, "without", text.data) : 0;
}

static bool counts_cores(const struct perf_stat *p)
{
	for (size_t i = 0; i < p->counters.count; i++)
		if (p->counters.events.pmus.at[p->counters.at[i].pmu].core)
			return true;
	return false;
}

static int perf_stat_notes(const void *state, struct pairs *ret)
{
	const struct perf_stat *p = state;
	int r = note_without(&p->counters.events.without, ret);

	if (r == 0 && p->counters.full)
		r = pairs_setf(ret, "limit",
			       "EMFILE: %" PRIu64 " descriptors are needed, the limit of open files is %" PRIu64
			       " (ulimit -Hn)", p->counters.wanted, p->counters.limit);
	if (r == 0 && p->watchdog && counts_cores(p))
		r = pairs_set(ret, "nmi-watchdog", "on: it holds a counter of each CPU, and groups are of 4 events at most "
						   "(sysctl kernel.nmi_watchdog=0)");
	if (r == 0 && p->counters.command)
		r = pairs_set(ret, "scope", p->counters.user_only ?
						    "the command alone, outside of the kernel (perf_event_paranoid)" :
						    "the command alone");
	if (r == 0 && p->ratios.len)
		r = pairs_set(ret, "ratios", p->ratios.data);
	return r;
}

static void perf_stat_close(void *state)
{
	struct perf_stat *p = state;

	for (size_t i = 0; p->targets && i < p->counters.count; i++) {
		free(p->targets[i].rows);
		free(p->targets[i].totals);
		free(p->targets[i].instances);
		free(p->targets[i].sums);
	}
	free(p->targets);
	perf_counters_close(&p->counters);
	procfile_close(&p->online);
	free(p->online_at_open);
	names_free(&p->names);
	names_free(&p->instances);
	free(p->metrics);
	buf_free(&p->ratios);
}

const struct collector collector_perf_stat = {
	.name = "perf-stat",
	.description = "Hardware and software events by name, counted on all CPUs",
	.source = "proc/sys/kernel/perf_event_paranoid proc/sys/kernel/nmi_watchdog sys/devices/system/cpu/online "
		  "sys/bus/event_source/devices/*/type sys/bus/event_source/devices/*/cpumask "
		  "sys/bus/event_source/devices/*/cpus sys/bus/event_source/devices/*/events/* "
		  "sys/bus/event_source/devices/*/format/*",
	.options = options,
	.hints = hints,
	.state_size = sizeof(struct perf_stat),
	.dear = true, /* one call into each CPU for each group */
	.probe = perf_stat_probe,
	.open = perf_stat_open,
	.shape = perf_stat_shape,
	.sample = perf_stat_sample,
	.close = perf_stat_close,
	.notes = perf_stat_notes,
};
