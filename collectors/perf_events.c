/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/perf_events.h"

#include <errno.h>
#include <stdlib.h>

#include "base/take.h"
#include "collectors/perf_encode.h"

static const char default_groups[] =
	"{cpu-cycles,instructions,cache-references,cache-misses,branch-instructions,branch-misses}"
	"{dTLB-loads,dTLB-load-misses}{dTLB-stores,dTLB-store-misses}{iTLB-loads,iTLB-load-misses}"
	"{node-loads,node-load-misses}{node-stores,node-store-misses}"
	/* Never multiplexed, so that one group of them is only cheaper to read. */
	"{cpu-clock,task-clock,page-faults,context-switches,cpu-migrations,minor-faults,major-faults}";

/* Level 1 of the breakdown: since Ice Lake by registers of its own, before by four counters. */
static const struct {
	const char *shown_by, *groups;
} topdown[] = {
	{ "slots", "{slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound}" },
	{ "topdown-total-slots", "{topdown-total-slots,topdown-slots-issued,topdown-slots-retired,"
				 "topdown-fetch-bubbles,topdown-recovery-bubbles}" },
};

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "perf events: no memory");
}

int perf_events_leave_out(struct perf_events *e, const char *name, const char *why, struct err *err)
{
	if (pairs_get(&e->without, name))
		return 0;
	return pairs_set(&e->without, name, why) < 0 ? no_memory(err) : 0;
}

static bool has_event(const struct perf_events *e, struct text name, size_t pmu)
{
	for (size_t i = 0; i < e->count; i++)
		if (e->at[i].pmu == pmu && text_is(name, e->at[i].name))
			return true;
	return false;
}

/* Append an event to the last group, which it begins when `begins`. */
static int add(struct perf_events *e, struct text name, const struct perf_found *found, bool begins, struct err *err)
{
	struct perf_event *events = e->at;
	struct perf_group *groups = e->groups;

	if (has_event(e, name, found->pmu))
		return 0;
	if (e->count == e->room) {
		e->room = e->room ? 2 * e->room : 32;
		events = realloc(e->at, e->room * sizeof(*events));
		if (!events)
			return no_memory(err);
		e->at = events;
	}
	if (begins && e->group_count == e->group_room) {
		e->group_room = e->group_room ? 2 * e->group_room : 16;
		groups = realloc(e->groups, e->group_room * sizeof(*groups));
		if (!groups)
			return no_memory(err);
		e->groups = groups;
	}
	events[e->count] = (struct perf_event){ text_copy(name), found->code, found->pmu, found->factor };
	if (!events[e->count].name)
		return no_memory(err);
	if (begins)
		groups[e->group_count++] = (struct perf_group){ .first = e->count, .pmu = found->pmu };
	groups[e->group_count - 1].count++;
	e->count++;
	return 0;
}

/* ---- one group ---- */

struct member {
	struct text name;
	struct perf_found *found;
	size_t count;
};

struct members {
	struct member at[PERF_GROUP_MAX];
	size_t count;
};

static void members_free(struct members *m)
{
	for (size_t i = 0; i < m->count; i++)
		free(m->at[i].found);
}

static const struct perf_found *found_for(const struct member *m, size_t pmu)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->found[i].pmu == pmu)
			return &m->found[i];
	return NULL;
}

/* Is it an event of all cores that this kind of core lacks? One of another PMU only stands in another group. */
static bool is_lacking(const struct perf_events *e, const struct member *m, size_t pmu)
{
	if (!e->pmus.at[pmu].core || found_for(m, pmu) || memchr(m->name.at, '/', text_len(m->name)) ||
	    memmem(m->name.at, text_len(m->name), "::", 2))
		return false;
	return m->count == 0 || e->pmus.at[m->found[0].pmu].core;
}

/* The group's part on one PMU: whole, or not at all. */
static int add_part(struct perf_events *e, const struct members *m, size_t pmu, struct err *err)
{
	bool begins = true;

	for (size_t i = 0; i < m->count; i++) {
		cleanup_buf struct buf name = { 0 };

		if (!is_lacking(e, &m->at[i], pmu))
			continue;
		if (m->at[i].count == 0)
			return 0; /* why has been said */
		if (buf_printf(&name, "%s/%.*s/", e->pmus.at[pmu].name, TEXT_ARGS(m->at[i].name)) < 0)
			return no_memory(err);
		return perf_events_leave_out(e, name.data, "that kind of core does not have it, nor its group", err);
	}
	for (size_t i = 0; i < m->count; i++) {
		const struct perf_found *found = found_for(&m->at[i], pmu);
		size_t count = e->count;

		if (!found)
			continue;
		if (add(e, m->at[i].name, found, begins || e->apart, err) < 0)
			return err->code;
		begins = begins && e->count == count;
	}
	return 0;
}

static int add_group(struct perf_events *e, const struct members *m, struct err *err)
{
	int r = 0;

	for (size_t pmu = 0; pmu < e->pmus.count && r == 0; pmu++)
		for (size_t i = 0; i < m->count && r == 0; i++)
			if (found_for(&m->at[i], pmu) || (m->at[i].count > 0 && is_lacking(e, &m->at[i], pmu))) {
				r = add_part(e, m, pmu, err);
				break;
			}
	return r;
}

/* ---- the list ---- */

static bool is_separator(char c)
{
	return c == ',' || c == ' ' || c == '\t' || c == '\n';
}

static int wrong(struct text at, const char *what, struct err *err)
{
	return err_set(err, -EINVAL, "events: at \"%.*s\": %s", text_len(at) > 60 ? 60 : (int)text_len(at), at.at,
		       what);
}

/* The next event's name, from the front of `rest`; 0: there is none before its end or a '}'. */
static int next_name(struct text *rest, struct text *ret, struct err *err)
{
	const char *at;
	bool terms = false;

	while (rest->at < rest->end && is_separator(*rest->at))
		rest->at++;
	for (at = rest->at; at < rest->end; at++) {
		if (*at == '/')
			terms = !terms;
		else if (!terms && (is_separator(*at) || *at == '{' || *at == '}'))
			break;
	}
	if (terms)
		return wrong(*rest, "the second '/' is missing", err);
	*ret = (struct text){ rest->at, at };
	rest->at = at;
	return text_len(*ret) > 0;
}

/* The cores' PMU shows the event in sysfs. */
static bool cores_show(struct perf_events *e, const char *event)
{
	bool shown = false;

	for (size_t i = 0; i < e->pmus.count && !shown; i++) {
		cleanup_buf struct buf path = { 0 };

		if (e->pmus.at[i].core &&
		    buf_printf(&path, PERF_DEVICES "/%s/events/%s", e->pmus.at[i].name, event) == 0)
			shown = host_has(e->pmus.host, path.data);
	}
	return shown;
}

static int read_list(struct perf_events *e, struct text rest, bool words, struct err *err);

/* A word that stands for groups. 0: it is none, or 1. */
static int read_word(struct perf_events *e, struct text name, struct err *err)
{
	bool all = text_is(name, "default");
	int r = 0;

	if (!all && !text_is(name, "topdown"))
		return 0;
	r = perf_pmus_cores(&e->pmus, err);
	if (r == 0 && all)
		r = read_list(e, text_of(default_groups), false, err);
	/* The older form costs the cores four counters more: only when it is asked for. */
	for (size_t i = 0; i < (all ? 1 : 2) && r == 0; i++) {
		if (!cores_show(e, topdown[i].shown_by))
			continue;
		r = read_list(e, text_of(topdown[i].groups), false, err);
		return r < 0 ? r : 1;
	}
	if (r == 0 && !all)
		r = perf_events_leave_out(e, "topdown", "the cores show no such events in sysfs", err);
	return r < 0 ? r : 1;
}

static int add_member(struct perf_events *e, struct members *m, struct text name, struct err *err)
{
	struct member *one = &m->at[m->count];
	struct err why = { 0 };
	int r;

	if (m->count == PERF_GROUP_MAX)
		return wrong(name, "a group has no more than 32 events", err);
	*one = (struct member){ .name = name };
	m->count++;
	r = perf_encode(&e->pmus, name, &one->found, &one->count, &why);
	if (r == -ENOMEM || r == -EINVAL) {
		*err = why;
		return err_prefix(err, "events: %.*s: ", text_len(name) > 60 ? 60 : (int)text_len(name), name.at);
	}
	if (r < 0) {
		cleanup_free char *copy = text_copy(name);

		return copy ? perf_events_leave_out(e, copy, why.text, err) : no_memory(err);
	}
	return 0;
}

/* One event, or a group that begins with '{'. */
static int read_item(struct perf_events *e, struct text *rest, bool words, struct err *err)
{
	struct members m = { 0 };
	struct text begin = *rest, name = { 0 };
	bool group = text_skip(rest, "{");
	int r;

	do {
		r = next_name(rest, &name, err);
		if (r == 1 && words && !group) {
			r = read_word(e, name, err);
			if (r != 0)
				return r < 0 ? r : 0;
			r = 1;
		}
		if (r == 1 && add_member(e, &m, name, err) < 0)
			r = err->code;
	} while (r == 1 && group);
	if (r >= 0 && group && !text_skip(rest, "}"))
		r = wrong(begin, rest->at < rest->end ? "a group in a group" : "the '}' is missing", err);
	else if (r == 0 && !group && rest->at < rest->end)
		r = wrong(*rest, "a '}' without its '{'", err);
	if (r >= 0)
		r = add_group(e, &m, err);
	members_free(&m);
	return r;
}

static int read_list(struct perf_events *e, struct text rest, bool words, struct err *err)
{
	int r = 0;

	while (r == 0) {
		while (rest.at < rest.end && is_separator(*rest.at))
			rest.at++;
		if (rest.at == rest.end)
			break;
		r = read_item(e, &rest, words, err);
	}
	return r;
}

int perf_events_make(struct perf_events *e, const struct host *host, const char *list, struct err *err)
{
	int r = perf_pmus_open(&e->pmus, host, err);

	return r < 0 ? r : read_list(e, text_of(list), true, err);
}

void perf_events_free(struct perf_events *e)
{
	for (size_t i = 0; i < e->count; i++)
		free(e->at[i].name);
	free(e->at);
	free(e->groups);
	pairs_free(&e->without);
	perf_pmus_close(&e->pmus);
	*e = (struct perf_events){ 0 };
}
