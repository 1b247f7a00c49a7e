/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collectors/perf_pmus.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/take.h"

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "perf events: no memory");
}

/* A small file of a PMU; -ENOENT where there is none. */
static int read_file(const struct perf_pmus *p, struct text pmu, const char *file, struct buf *ret, struct err *err)
{
	cleanup_buf struct buf path = { 0 };

	buf_clear(ret);
	if (buf_printf(&path, PERF_DEVICES "/%.*s/%s", TEXT_ARGS(pmu), file) < 0)
		return no_memory(err);
	return host_read(p->host, path.data, ret, err);
}

int perf_pmus_open(struct perf_pmus *p, const struct host *host, struct err *err)
{
	cleanup_buf struct buf online = { 0 };
	int r;

	*p = (struct perf_pmus){ .host = host };
	r = host_read(host, "sys/devices/system/cpu/online", &online, err);
	return r < 0 ? r : cpulist_parse(buf_text(&online), &p->online, err);
}

void perf_pmus_close(struct perf_pmus *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->at[i].name);
		cpulist_free(&p->at[i].cpus);
	}
	free(p->at);
	cpulist_free(&p->online);
	*p = (struct perf_pmus){ 0 };
}

/* Those of `wanted` that are online; all of them when `wanted` is NULL. */
static int take_cpus(const struct perf_pmus *p, const struct cpulist *wanted, struct cpulist *ret, struct err *err)
{
	ret->at = malloc((p->online.count + 1) * sizeof(*ret->at));
	if (!ret->at)
		return no_memory(err);
	ret->count = 0;
	for (size_t i = 0; i < p->online.count; i++)
		if (!wanted || cpulist_has(wanted, p->online.at[i]))
			ret->at[ret->count++] = p->online.at[i];
	return 0;
}

static int read_cpus(const struct perf_pmus *p, struct perf_pmu *pmu, struct err *err)
{
	cleanup_buf struct buf text = { 0 };
	struct cpulist wanted = { 0 };
	struct text name = text_of(pmu->name);
	struct err ignored;
	int r = read_file(p, name, "cpumask", &text, &ignored);

	pmu->shared = r == 0;
	if (r < 0)
		r = read_file(p, name, "cpus", &text, &ignored);
	if (r < 0)
		return r == -ENOMEM ? no_memory(err) : take_cpus(p, NULL, &pmu->cpus, err);
	r = cpulist_parse(buf_text(&text), &wanted, err);
	if (r < 0)
		return r == -ENOMEM ? r : err_set(err, -EBADMSG, "%s/%s: no list of CPUs", PERF_DEVICES, pmu->name);
	r = take_cpus(p, &wanted, &pmu->cpus, err);
	cpulist_free(&wanted);
	return r;
}

static int read_type(const struct perf_pmus *p, struct text name, uint32_t *ret, struct err *err)
{
	cleanup_buf struct buf text = { 0 };
	struct text rest;
	uint64_t type;
	int r;

	if (text_is(name, "software") || text_is(name, "tracepoint")) {
		*ret = text_is(name, "software") ? PERF_TYPE_SOFTWARE : PERF_TYPE_TRACEPOINT;
		return 0;
	}
	r = read_file(p, name, "type", &text, err);
	if (r < 0)
		return r;
	rest = text_trim(buf_text(&text));
	if (!text_u64(&rest, &type) || text_len(rest) > 0 || type > UINT32_MAX)
		return err_set(err, -EBADMSG, "%s/%.*s/type: no number", PERF_DEVICES, TEXT_ARGS(name));
	*ret = (uint32_t)type;
	return 0;
}

int perf_pmus_find(struct perf_pmus *p, struct text name, struct err *err)
{
	struct perf_pmu *pmu;
	uint32_t type = 0;
	int r;

	for (size_t i = 0; i < p->count; i++)
		if (text_is(name, p->at[i].name))
			return (int)i;
	if (text_len(name) == 0 || memchr(name.at, '/', text_len(name)) || *name.at == '.')
		return err_set(err, -ENOENT, "there is no PMU of that name");
	r = read_type(p, name, &type, err);
	if (r < 0)
		return r;
	if (p->count == p->room) {
		size_t room = p->room ? 2 * p->room : 8;
		struct perf_pmu *at = realloc(p->at, room * sizeof(*at));

		if (!at)
			return no_memory(err);
		p->at = at;
		p->room = room;
	}
	pmu = &p->at[p->count];
	*pmu = (struct perf_pmu){ .name = text_copy(name), .type = type };
	if (!pmu->name)
		return no_memory(err);
	p->count++; /* close finds it from here on */
	r = read_cpus(p, pmu, err);
	return r < 0 ? r : (int)(p->count - 1);
}

/* The folders; none where the kernel has no perf events. */
static int list_devices(const struct perf_pmus *p, struct names *ret, struct err *err)
{
	struct err ignored;
	int r = host_list(p->host, PERF_DEVICES, ret, &ignored);

	return r == -ENOMEM ? no_memory(err) : 0;
}

int perf_pmus_of_type(struct perf_pmus *p, uint32_t type, struct err *err)
{
	struct names devices = { 0 };
	struct err ignored;
	uint32_t other;
	int r;

	for (size_t i = 0; i < p->count; i++)
		if (p->at[i].type == type)
			return (int)i;
	r = list_devices(p, &devices, err);
	for (size_t i = 0; i < devices.count && r == 0; i++) {
		struct text name = text_of(devices.at[i]);

		if (read_type(p, name, &other, &ignored) < 0 || other != type)
			continue;
		r = perf_pmus_find(p, name, err);
		names_free(&devices);
		return r;
	}
	names_free(&devices);
	return r < 0 ? r : err_set(err, -ENOENT, "%s has no PMU of type %u", PERF_DEVICES, (unsigned)type);
}

/* Architectures whose older kernels do not say which PMU is that of the cores. */
static bool is_core_by_name(const char *name)
{
	return strncmp(name, "armv", 4) == 0 || strcmp(name, "cpum_cf") == 0;
}

static int add_core(struct perf_pmus *p, const char *name, struct err *err)
{
	int nth = perf_pmus_find(p, text_of(name), err);

	if (nth < 0)
		return nth == -ENOMEM ? nth : 0;
	p->at[nth].core = true;
	return 0;
}

int perf_pmus_cores(struct perf_pmus *p, struct err *err)
{
	struct names devices = { 0 };
	int r = 0;

	if (p->cores_known)
		return 0;
	p->cores_known = true;
	if (host_has(p->host, PERF_DEVICES "/cpu/type"))
		return add_core(p, "cpu", err);
	r = list_devices(p, &devices, err);
	for (size_t i = 0; i < devices.count && r == 0; i++) {
		cleanup_buf struct buf path = { 0 };

		if (buf_printf(&path, PERF_DEVICES "/%s/cpus", devices.at[i]) < 0)
			r = no_memory(err);
		else if (is_core_by_name(devices.at[i]) || host_has(p->host, path.data))
			r = add_core(p, devices.at[i], err);
	}
	names_free(&devices);
	return r;
}

bool perf_pmu_is_hybrid(const struct perf_pmu *pmu)
{
	return pmu->core && strncmp(pmu->name, "cpu_", 4) == 0;
}

/* "3" or "_3": what tells the boxes of one kind apart. */
static bool is_number(struct text t)
{
	(void)text_skip(&t, "_");
	if (text_len(t) == 0)
		return false;
	for (; t.at < t.end; t.at++)
		if (*t.at < '0' || *t.at > '9')
			return false;
	return true;
}

int perf_pmus_match(const struct perf_pmus *p, struct text name, struct names *ret, struct err *err)
{
	cleanup_free char *copy = text_copy(name);
	struct names devices = { 0 };
	int r = copy ? list_devices(p, &devices, err) : no_memory(err);

	for (size_t i = 0; i < devices.count && r == 0; i++) {
		struct text device = text_of(devices.at[i]), kind = device;
		bool wanted = text_is(device, copy);

		for (int pass = 0; pass < 2 && !wanted; pass++) {
			kind = device;
			if (pass == 1 && !text_skip(&kind, "uncore_"))
				break;
			wanted = text_is(kind, copy) || (text_skip(&kind, copy) && is_number(kind));
		}
		if (wanted && names_add(ret, device) < 0)
			r = no_memory(err);
	}
	names_free(&devices);
	return r;
}
