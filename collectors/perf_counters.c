/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/perf_counters.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/take.h"

#define PARANOID "proc/sys/kernel/perf_event_paranoid"
#define RESERVE	 128 /* descriptors that are left to the others */

__extension__ typedef unsigned __int128 wide;

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "perf events: no memory");
}

int perf_not_allowed(const struct host *host, bool command, struct err *err)
{
	cleanup_buf struct buf text = { 0 };
	struct err ignored;
	struct text level;

	(void)host_read(host, PARANOID, &text, &ignored);
	level = text_trim(buf_text(&text));
	return err_set(err, -EACCES,
		       "perf_event_paranoid is %.*s: %s needs CAP_PERFMON, or sysctl kernel.perf_event_paranoid=%s; a "
		       "container may forbid it all the same%s",
		       text_len(level) > 8 ? 8 : (int)text_len(level), level.at,
		       command ? "counting the command" : "counting on whole CPUs", command ? "2" : "-1",
		       command ? "" : " (scope=command counts the command alone)");
}

/* ---- one group ---- */

/* How opening a group ended; else 0 or -ENOMEM. */
enum {
	LACKING = 1, /* the PMU does not have one of the events */
	TOO_LARGE,   /* or does not have one, which alone cannot be told apart */
	FORBIDDEN,
	NO_ROOM
};

static void close_event(const struct perf_counters *c, const struct perf_counter *counter, size_t event)
{
	for (size_t i = 0; i < counter->place_count; i++) {
		int *fd = &counter->places[i].fds[event];

		if (*fd >= 0)
			c->edge->close(c->edge->context, *fd);
		*fd = -1;
	}
}

static void close_counter(const struct perf_counters *c, struct perf_counter *counter)
{
	/* The leader last: its members would be made leaders of their own. */
	for (size_t event = counter->count; event-- > 0;)
		close_event(c, counter, event);
	free(counter->places);
	*counter = (struct perf_counter){ 0 };
}

/* Places, their values and descriptors are one piece of memory. */
static int make_places(const struct perf_counters *c, const struct perf_group *group, struct perf_counter *ret)
{
	const struct cpulist *cpus = &c->events.pmus.at[group->pmu].cpus;
	size_t places = c->command ? 1 : cpus->count, slots = places * group->count;
	uint64_t *values;
	int *fds;

	*ret = (struct perf_counter){ .first = group->first, .count = group->count, .pmu = group->pmu };
	ret->places = calloc(1, places * sizeof(*ret->places) + slots * (sizeof(*values) + sizeof(*fds)) + 1);
	if (!ret->places)
		return -ENOMEM;
	ret->place_count = places;
	values = (uint64_t *)(ret->places + places);
	fds = (int *)(values + slots);
	for (size_t i = 0; i < places; i++) {
		ret->places[i].cpu = c->command ? -1 : (int)cpus->at[i];
		ret->places[i].values = values + i * group->count;
		ret->places[i].fds = fds + i * group->count;
		for (size_t event = 0; event < group->count; event++)
			ret->places[i].fds[event] = -1;
	}
	return 0;
}

static int open_one(struct perf_counters *c, size_t nth, int cpu, int leader)
{
	const struct perf_code *code = &c->events.at[nth].code;
	struct perf_event_attr attr = {
		.type = code->type,
		.size = sizeof(attr),
		.config = code->config[0],
		.config1 = code->config[1],
		.config2 = code->config[2],
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_user = code->exclude_user,
		.exclude_kernel = code->exclude_kernel || c->user_only,
		.exclude_hv = code->exclude_hypervisor || c->user_only,
		.inherit = c->command != 0,
		/* Members that join a group which counts already are not always set to work: all begin together. */
		.disabled = leader < 0,
		.enable_on_exec = c->command != 0 && leader < 0,
	};
	int process = c->command ? c->command : -1;
	int fd = c->edge->open(c->edge->context, &attr, process, cpu, leader);

	if (fd != -EACCES || !c->command || c->user_only || code->exclude_kernel)
		return fd;
	attr.exclude_kernel = attr.exclude_hv = 1; /* one's own programs may be counted outside of the kernel */
	fd = c->edge->open(c->edge->context, &attr, process, cpu, leader);
	c->user_only = fd >= 0;
	return fd;
}

static int ending_of(int r, bool first)
{
	switch (r) {
	case -EMFILE:
	case -ENFILE:
		return NO_ROOM;
	case -EACCES:
	case -EPERM:
		return FORBIDDEN;
	case -ENOMEM:
		return -ENOMEM;
	case -EINVAL:
		return first ? LACKING : TOO_LARGE;
	default:
		return LACKING;
	}
}

/* One event on all places. Not on one of them alone: then it is closed on all. */
static int open_event(struct perf_counters *c, struct perf_counter *counter, size_t event)
{
	size_t opened = 0;
	int ending = 0;

	for (size_t i = 0; i < counter->place_count && ending == 0; i++) {
		struct perf_place *place = &counter->places[i];
		int leader = event == 0 ? -1 : place->fds[0], fd;

		if (event > 0 && leader < 0)
			continue;
		fd = open_one(c, counter->first + event, place->cpu, leader);
		if (fd >= 0)
			place->fds[event] = fd;
		if (fd >= 0 && (uint64_t)fd + (c->limit > 4 * RESERVE ? RESERVE : c->limit / 4) >= c->limit)
			ending = NO_ROOM;			 /* the kernel hands out the lowest that is free */
		else if (fd < 0 && (fd != -ENODEV || event > 0)) /* a CPU that went away meanwhile */
			ending = ending_of(fd, event == 0);
		opened += fd >= 0;
	}
	if (ending == 0 && opened == 0)
		ending = LACKING;
	if (ending != 0)
		close_event(c, counter, event);
	return ending;
}

static int keep(struct perf_counters *c, const struct perf_counter *counter)
{
	struct perf_counter *at = c->at;

	if (c->count == c->room) {
		size_t room = c->room ? 2 * c->room : 16;

		at = realloc(c->at, room * sizeof(*at));
		if (!at)
			return -ENOMEM;
		c->at = at;
		c->room = room;
	}
	at[c->count++] = *counter;
	for (size_t i = 0; i < counter->place_count; i++) {
		struct perf_place *place = &counter->places[i];

		place->fd = place->fds[0];
		if (place->fd >= 0 && !c->command)
			(void)c->edge->enable(c->edge->context,
					      place->fd); /* else reading shows that it never counts */
	}
	return 0;
}

/* All of it, and on NO_ROOM as much of it as there is room for; `*opened` events. */
static int open_group(struct perf_counters *c, const struct perf_group *group, size_t *opened)
{
	struct perf_counter counter;
	int ending = make_places(c, group, &counter);

	for (*opened = 0; ending == 0 && *opened < group->count; *opened += ending == 0)
		ending = open_event(c, &counter, *opened);
	if (ending == NO_ROOM)
		counter.count = *opened;
	if (counter.count > 0 && (ending == 0 || ending == NO_ROOM)) {
		if (keep(c, &counter) == 0)
			return ending;
		ending = -ENOMEM;
	}
	close_counter(c, &counter);
	return ending;
}

/* Does the PMU have each of them, when it is alone? */
static int try_each(struct perf_counters *c, const struct perf_group *group)
{
	int cpu = c->command ? -1 : (int)c->events.pmus.at[group->pmu].cpus.at[0];

	for (size_t i = 0; i < group->count; i++) {
		int fd = open_one(c, group->first + i, cpu, -1);

		if (fd < 0)
			return ending_of(fd, true);
		c->edge->close(c->edge->context, fd);
	}
	return 0;
}

static size_t parted(size_t count)
{
	return count > 2 ? (count - 1) / 2 * 2 : 1; /* pairs stay together: a ratio is made of them */
}

/* As one group, or as several where it is too large for the PMU. */
static int open_parts(struct perf_counters *c, const struct perf_group *group, size_t most, size_t *opened)
{
	struct perf_group rest = *group;
	int ending = 0;

	*opened = 0;
	if (most > 0 && group->count > most)
		ending = try_each(c, group);
	while (ending == 0 && rest.count > 0) {
		struct perf_group part = rest;
		size_t done;

		while (most > 0 && part.count > most)
			part.count = parted(part.count);
		ending = open_group(c, &part, &done);
		if (ending == TOO_LARGE && most == 0)
			ending = try_each(c, group);
		if (ending == TOO_LARGE || (ending == 0 && done < part.count)) {
			most = parted(part.count);
			ending = 0;
			continue;
		}
		*opened += ending == 0 || ending == NO_ROOM ? done : 0;
		rest.first += part.count;
		rest.count -= part.count;
	}
	return ending;
}

/* ---- all groups ---- */

static int left_out(struct perf_counters *c, size_t nth, const char *why, struct err *err)
{
	const struct perf_pmu *pmu = &c->events.pmus.at[c->events.at[nth].pmu];
	cleanup_buf struct buf name = { 0 };

	if (perf_pmu_is_hybrid(pmu) || pmu->shared)
		(void)buf_printf(&name, "%s/%s/", pmu->name, c->events.at[nth].name);
	else
		(void)buf_puts(&name, c->events.at[nth].name);
	return name.failed ? no_memory(err) : perf_events_leave_out(&c->events, name.data, why, err);
}

static int told(struct perf_counters *c, const struct perf_group *group, size_t from, int ending, struct err *err)
{
	struct err why;
	int r = 0;

	if (ending == NO_ROOM)
		(void)err_set(&why, -EMFILE, "EMFILE: no descriptors are left");
	else if (ending == FORBIDDEN)
		(void)perf_not_allowed(c->host, c->command != 0, &why);
	else
		(void)err_set(&why, -ENOENT, "%s does not have %s", c->events.pmus.at[group->pmu].name,
			      group->count > 1 ? "it or another of its group" : "it");
	for (size_t i = from; i < group->count && r == 0; i++)
		r = left_out(c, group->first + i, why.text, err);
	return r;
}

static uint64_t descriptors_for(const struct perf_counters *c)
{
	uint64_t wanted = 0;

	for (size_t i = 0; i < c->events.group_count; i++) {
		const struct perf_group *g = &c->events.groups[i];

		wanted += g->count * (c->command ? 1 : c->events.pmus.at[g->pmu].cpus.count);
	}
	return wanted;
}

/* Nothing was opened: the reason of the first event. */
static int nothing(const struct perf_counters *c, bool forbidden, struct err *err)
{
	if (c->full)
		return err_set(err, -EMFILE,
			       "EMFILE: %" PRIu64 " descriptors are needed, the limit of open files is %" PRIu64
			       " (ulimit -Hn)",
			       c->wanted, c->limit);
	if (forbidden)
		return perf_not_allowed(c->host, c->command != 0, err);
	if (c->events.without.count == 0)
		return err_set(err, -ENOENT, "no event is asked for");
	return err_set(err, -ENOENT, "no event can be counted; %s: %s", c->events.without.at[0].name,
		       c->events.without.at[0].value);
}

int perf_counters_open(struct perf_counters *c, const char *list, bool groups, struct err *err)
{
	bool forbidden = false;
	int r;

	c->events.apart = !groups;
	r = perf_events_make(&c->events, c->host, list, err);
	if (r < 0)
		return r;
	c->wanted = descriptors_for(c);
	c->limit = c->edge->allow(c->edge->context, c->wanted);
	for (size_t i = 0; i < c->events.group_count; i++) {
		const struct perf_group *group = &c->events.groups[i];
		bool core = c->events.pmus.at[group->pmu].core;
		size_t opened = 0;
		int ending = NO_ROOM;

		if (c->events.pmus.at[group->pmu].cpus.count == 0)
			ending = LACKING;
		else if (!c->full)
			ending = open_parts(c, group, core ? c->group_most : 0, &opened);
		if (ending == -ENOMEM)
			return no_memory(err);
		c->full = c->full || ending == NO_ROOM;
		forbidden = forbidden || ending == FORBIDDEN;
		if (ending != 0 && told(c, group, opened, ending, err) < 0)
			return err->code;
	}
	return c->count > 0 ? 0 : nothing(c, forbidden, err);
}

void perf_counters_close(struct perf_counters *c)
{
	for (size_t i = c->count; i-- > 0;)
		close_counter(c, &c->at[i]);
	free(c->at);
	perf_events_free(&c->events);
	c->at = NULL;
	c->count = c->room = 0;
}

/* ---- reading ---- */

static uint64_t scaled(uint64_t value, uint64_t enabled, uint64_t running)
{
	return running >= enabled ? value : (uint64_t)((wide)value * enabled / running);
}

int perf_counters_read(const struct perf_counters *c, const struct perf_counter *counter, struct perf_place *place,
		       struct perf_total *total)
{
	uint64_t at[3 + PERF_GROUP_MAX]; /* number of events, enabled, running, values */
	size_t size = (3 + counter->count) * sizeof(*at);
	uint64_t enabled, running;
	long n;

	if (place->fd < 0)
		return -ENODEV;
	n = c->edge->read(c->edge->context, place->fd, at, size);
	if (n < 0)
		return (int)n;
	if ((size_t)n != size || at[0] != counter->count)
		return -ENODEV; /* the CPU went away, and the group with it */
	if (!place->begun) {
		place->enabled = place->seen_enabled = at[1];
		place->running = place->seen_running = at[2];
		memcpy(place->values, at + 3, counter->count * sizeof(*at));
		place->begun = true;
	}
	total->enabled += at[1] - place->seen_enabled;
	total->running += at[2] - place->seen_running;
	place->seen_enabled = at[1];
	place->seen_running = at[2];
	enabled = at[1] - place->enabled;
	running = at[2] - place->running;
	if (running == 0 && enabled > 0)
		return 0; /* others had the PMU all the time */
	total->counted++;
	for (size_t i = 0; i < counter->count; i++) {
		uint64_t value = at[3 + i];

		if (value > place->values[i])
			total->events[i] += scaled(value - place->values[i], enabled, running) *
					    c->events.at[counter->first + i].factor;
		place->values[i] = value;
	}
	place->enabled = at[1];
	place->running = at[2];
	return 0;
}
