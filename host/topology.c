/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/topology.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/take.h"
#include "host/cpulist.h"
#include "host/places.h"

#define CPUS  "sys/devices/system/cpu"
#define NODES "sys/devices/system/node"

int fact_read(const struct host *host, const char *path, struct buf *content, struct text *ret)
{
	struct err ignored;
	int r;

	buf_clear(content);
	r = host_read(host, path, content, &ignored);
	*ret = r < 0 ? text_n("", 0) : text_trim(buf_text(content));
	return r == -ENOMEM ? r : 0;
}

/* The first of a CPU's files `names` that is a list of CPUs. An empty one when none is. */
static int read_list(const struct host *host, unsigned cpu, const char *const names[2], struct buf *content,
		     struct cpulist *ret)
{
	*ret = (struct cpulist){ 0 };
	for (int i = 0; i < 2 && ret->count == 0; i++) {
		char path[128];
		struct text text;
		struct err ignored;

		cpulist_free(ret);
		(void)snprintf(path, sizeof(path), CPUS "/cpu%u/topology/%s", cpu, names[i]);
		if (fact_read(host, path, content, &text) < 0 || cpulist_parse(text, ret, &ignored) == -ENOMEM)
			return -ENOMEM;
	}
	return 0;
}

/* Since Linux 5.3; before it. */
static const char *const core_lists[2] = { "core_cpus_list", "thread_siblings_list" };
static const char *const package_lists[2] = { "package_cpus_list", "core_siblings_list" };

#define NOBODY UINT_MAX

/*
 * Into which groups do the files `names` part the CPUs? owner[cpu] is the lowest of `cpus` in its group, NOBODY where the
 * CPU does not tell. A file lists all of its CPU's group, so one of each group is read. -ENOMEM.
 */
static int read_groups(const struct host *host, const struct cpulist *cpus, const char *const names[2], unsigned *owner)
{
	cleanup_buf struct buf content = { 0 };

	for (size_t i = 0; i < CPULIST_MAX; i++)
		owner[i] = NOBODY;
	for (size_t i = 0; i < cpus->count; i++) {
		struct cpulist group;
		bool tells;

		if (owner[cpus->at[i]] != NOBODY)
			continue;
		if (read_list(host, cpus->at[i], names, &content, &group) < 0)
			return -ENOMEM;
		tells = cpulist_has(&group, cpus->at[i]); /* a list without the CPU itself is none */
		for (size_t k = 0; k < group.count && tells; k++)
			if (owner[group.at[k]] == NOBODY)
				owner[group.at[k]] = cpus->at[i];
		cpulist_free(&group);
	}
	return 0;
}

/* 0 groups: a CPU does not tell. */
static int count_groups(const struct host *host, const struct cpulist *online, const char *const names[2], size_t *ret)
{
	cleanup_free unsigned *owner = malloc(CPULIST_MAX * sizeof(*owner));

	*ret = 0;
	if (!owner || read_groups(host, online, names, owner) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < online->count; i++) {
		if (owner[online->at[i]] == NOBODY) {
			*ret = 0;
			return 0;
		}
		*ret += owner[online->at[i]] == online->at[i];
	}
	return 0;
}

int places_read(const struct host *host, const struct cpulist *cpus, struct place_of *ret)
{
	cleanup_free unsigned *owner = malloc(CPULIST_MAX * sizeof(*owner));

	if (!owner || read_groups(host, cpus, core_lists, owner) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < cpus->count; i++)
		ret[i].core = owner[cpus->at[i]] == NOBODY ? cpus->at[i] : owner[cpus->at[i]];
	if (read_groups(host, cpus, package_lists, owner) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < cpus->count; i++)
		ret[i].package = owner[cpus->at[i]] == NOBODY ? cpus->at[0] : owner[cpus->at[i]];
	return 0;
}

static int set_groups(const struct host *host, const struct cpulist *online, struct pairs *ret)
{
	static const struct {
		const char *fact;
		const char *const *names;
	} parts[] = {
		{ "cpu.cores", core_lists },
		{ "cpu.sockets", package_lists },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		size_t groups;

		if (count_groups(host, online, parts[i].names, &groups) < 0 ||
		    (groups && pairs_setf(ret, parts[i].fact, "%zu", groups) < 0))
			return -ENOMEM;
	}
	return 0;
}

/* "32K" and "1024M" as KiB. */
static bool cache_kib(struct text size, uint64_t *ret)
{
	if (!text_u64(&size, ret) || *ret == 0 || *ret >> 40)
		return false;
	if (text_is(size, "M"))
		*ret *= 1024;
	return text_is(size, "K") || text_is(size, "M");
}

/* "cpu.cache.l1d" of a folder cpu0/cache/index0; NULL when it is none that has a name. */
static int cache_name(const struct host *host, const char *folder, struct buf *content, const char **ret)
{
	char path[300];
	struct text text;
	uint64_t level;

	*ret = NULL;
	(void)snprintf(path, sizeof(path), "%s/level", folder);
	if (fact_read(host, path, content, &text) < 0)
		return -ENOMEM;
	if (!text_u64(&text, &level))
		return 0;
	(void)snprintf(path, sizeof(path), "%s/type", folder);
	if (fact_read(host, path, content, &text) < 0)
		return -ENOMEM;
	if (level == 1)
		*ret = text_is(text, "Instruction") ? "cpu.cache.l1i" : "cpu.cache.l1d";
	else if (!text_is(text, "Instruction"))
		*ret = level == 2 ? "cpu.cache.l2" : level == 3 ? "cpu.cache.l3" : NULL;
	return 0;
}

static int set_caches(const struct host *host, unsigned cpu, struct pairs *ret)
{
	cleanup_buf struct buf content = { 0 };
	struct names folders = { 0 };
	char path[300];
	struct err ignored;
	int r;

	(void)snprintf(path, sizeof(path), CPUS "/cpu%u/cache/index*", cpu);
	r = host_glob(host, path, &folders, &ignored) == -ENOMEM ? -ENOMEM : 0;
	for (size_t i = 0; i < folders.count && r == 0; i++) {
		const char *name;
		struct text text;
		uint64_t kib;

		r = cache_name(host, folders.at[i], &content, &name);
		if (r < 0 || !name)
			continue;
		(void)snprintf(path, sizeof(path), "%s/size", folders.at[i]);
		r = fact_read(host, path, &content, &text);
		if (r == 0 && cache_kib(text, &kib))
			r = pairs_setf(ret, name, "%llu", (unsigned long long)kib);
	}
	names_free(&folders);
	return r;
}

/* sysfs before 2.6.26 has no list of the nodes, only their folders. */
static int set_nodes(const struct host *host, struct pairs *ret)
{
	cleanup_buf struct buf content = { 0 };
	struct cpulist nodes = { 0 };
	struct names folders = { 0 };
	struct err ignored;
	struct text text;
	size_t count = 0;
	int r = fact_read(host, NODES "/online", &content, &text);

	if (r == 0 && cpulist_parse(text, &nodes, &ignored) == -ENOMEM)
		r = -ENOMEM;
	count = nodes.count;
	cpulist_free(&nodes);
	if (r == 0 && count == 0) {
		r = host_glob(host, NODES "/node*", &folders, &ignored) == -ENOMEM ? -ENOMEM : 0;
		for (size_t i = 0; i < folders.count; i++) {
			const char *number = folders.at[i] + sizeof(NODES "/node") - 1;

			count += *number >= '0' && *number <= '9';
		}
		names_free(&folders);
	}
	return r == 0 && count ? pairs_setf(ret, "node.count", "%zu", count) : r;
}

/* node.<n>.cpus of each node that has some. */
static int set_node_cpus(const struct host *host, struct pairs *ret)
{
	cleanup_buf struct buf content = { 0 };
	struct names files = { 0 };
	struct err ignored;
	int r = host_glob(host, NODES "/node*/cpulist", &files, &ignored) == -ENOMEM ? -ENOMEM : 0;

	for (size_t i = 0; i < files.count && r == 0; i++) {
		struct text number = text_of(files.at[i] + sizeof(NODES "/node") - 1), text;
		char fact[64];
		uint64_t node;

		if (!text_u64(&number, &node))
			continue;
		(void)snprintf(fact, sizeof(fact), "node.%llu.cpus", (unsigned long long)node);
		r = fact_read(host, files.at[i], &content, &text);
		if (r == 0 && text_len(text) > 0)
			r = pairs_set_text(ret, text_of(fact), text);
	}
	names_free(&files);
	return r;
}

int topology_facts(const struct host *host, struct pairs *ret)
{
	cleanup_buf struct buf content = { 0 };
	struct cpulist online = { 0 };
	struct err ignored;
	struct text text;
	int r = fact_read(host, CPUS "/online", &content, &text);

	if (r == 0 && cpulist_parse(text, &online, &ignored) == -ENOMEM)
		r = -ENOMEM;
	if (r == 0 && online.count) {
		r = pairs_set_text(ret, text_of("cpu.online"), text);
		if (r == 0)
			r = pairs_setf(ret, "cpu.threads", "%zu", online.count);
		if (r == 0)
			r = set_groups(host, &online, ret);
	}
	if (r == 0)
		r = set_caches(host, online.count ? online.at[0] : 0, ret);
	cpulist_free(&online);
	if (r == 0)
		r = set_nodes(host, ret);
	return r == 0 ? set_node_cpus(host, ret) : r;
}
