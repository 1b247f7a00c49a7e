/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What control groups count: v2, v1, or both beside each other; where they are mounted is asked of the kernel.
 *
 *   4:memory:/lab/job      proc/self/cgroup: the group of this program, in each hierarchy; "0::" is v2
 *   33 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory      proc/self/mountinfo
 *
 * The instance "job" is the group of this program, whose command inherits it: its path may differ from run to run, its
 * name does not. Groups of the option `groups` have their path as name. A group that goes away is a new generation;
 * one that is not there at opening is not measured.
 */
#include <errno.h>
#include <stdio.h>

#include "base/take.h"
#include "collectors/files.h"

struct cgroup {
	struct files files; /* first: files_shape() and files_sample() look for it there */
	char *groups;
	struct buf mounts;
};

static const struct option options[] = {
	{ "groups", OPT_TEXT, offsetof(struct cgroup, groups), "",
	  "Groups to measure, blanks between: \"system.slice lab/job\"; without one, that of the command." },
	{ 0 },
};

static const struct hint hints[] = {
	/* key                       kind     unit               help                                          exponent */
	{ "cpu.stat*_usec",          COUNTER, UNIT_MICROSECONDS, "CPU time of the group, or time it was throttled." },
	{ "cpu.stat.*_time",         COUNTER, UNIT_NANOSECONDS,  "Time in which the group was throttled or ran in bursts." },
	{ "cpu.stat*",               COUNTER, UNIT_COUNT,        "Periods of the CPU limit, and those that hit it." },
	{ "cpuacct.stat.*",          COUNTER, UNIT_TICKS,        "CPU time of the group." },
	{ "cpuacct.*",               COUNTER, UNIT_NANOSECONDS,  "CPU time of the group." },
	{ "*.pressure.*.total",      COUNTER, UNIT_MICROSECONDS, "Time in which tasks of the group had to wait." },
	{ "*.pressure.*.avg*",       GAUGE,   UNIT_PERCENT,      "The kernel's own moving average of it.", 2 },
	{ "memory.stat.*pg*",        COUNTER, UNIT_COUNT,        "Page faults, reclaim and paging of the group." },
	{ "memory.stat.*workingset*", COUNTER, UNIT_COUNT,       "Refaults and activations of the working set." },
	{ "memory.stat.thp_*",       COUNTER, UNIT_COUNT,        "Huge pages that were given." },
	{ "memory.stat.zswp*",       COUNTER, UNIT_COUNT,        "Pages that went through compressed swap." },
	{ "memory.stat.*swp*",       COUNTER, UNIT_COUNT,        "Pages swapped." },
	{ "memory.stat.numa_*",      COUNTER, UNIT_COUNT,        "Work of NUMA balancing." },
	{ "memory.stat.*",           GAUGE,   UNIT_BYTES,        "Memory of the group, as the kernel names it." },
	{ "memory.numa_stat.workingset*", COUNTER, UNIT_COUNT,   "Refaults and activations by node." },
	{ "memory.numa_stat.pg*",    COUNTER, UNIT_PAGES,        "Pages moved between tiers of memory, by node." },
	{ "memory.numa_stat.*",      GAUGE,   UNIT_NONE,         "Memory of the group by node: bytes in v2, pages in v1." },
	{ "*events*",                COUNTER, UNIT_COUNT,        "How often a limit was met." },
	{ "*failcnt",                COUNTER, UNIT_COUNT,        "How often the limit refused memory." },
	{ "memory.*",                GAUGE,   UNIT_BYTES,        "Memory charged to the group." },
	{ "hugetlb.*",               GAUGE,   UNIT_BYTES,        "Huge pages charged to the group." },
	{ "io.stat.*bytes",          COUNTER, UNIT_BYTES,        "Bytes read, written, discarded, by device." },
	{ "io.stat.*ios",            COUNTER, UNIT_COUNT,        "Requests that read, wrote, discarded, by device." },
	{ "io.stat.*",               GAUGE,   UNIT_NONE,         "What the cost model of the device tells." },
	{ "blkio.*queued*",          GAUGE,   UNIT_COUNT,        "Requests that wait." },
	{ "blkio.*bytes*",           COUNTER, UNIT_BYTES,        "Bytes read, written, discarded, by device." },
	{ "blkio.*time*",            COUNTER, UNIT_NONE,         "Time of the group's requests, by device." },
	{ "blkio.*",                 COUNTER, UNIT_COUNT,        "Requests, by device and direction." },
	{ "*",                       GAUGE,   UNIT_COUNT,        "What the group has now, as the kernel names it." },
	{ 0 },
};

/* The files that count; the others set limits. */
static const char *const counting[] = {
	"*.stat", "*.stat.local", "*.numa_stat", "*.current", "*.peak", "*.pressure", "memory*.events", "memory.events.local",
	"pids.events", "hugetlb.*.events", "cpuacct.usage", "cpuacct.usage_user", "cpuacct.usage_sys",
	"*.usage_in_bytes", "*.max_usage_in_bytes", "*.failcnt", "blkio.*io_service*", "blkio.*io_wait_time*",
	"blkio.*io_merged*", "blkio.*io_queued*", "blkio.*sectors*", "blkio.time*",
};

struct mount {
	struct text point, root, options;
	bool v2;
};

/* The next mount of control groups: a line of mountinfo, or of proc/mounts, which does not tell the root. */
static bool next_mount(struct text *rest, struct mount *ret)
{
	struct text line;

	while (text_line(rest, &line)) {
		struct text words[16] = { { 0 } };
		size_t count = 0, dash = 0;

		for (; count < 16 && text_word(&line, &words[count]); count++)
			if (count >= 6 && dash == 0 && text_is(words[count], "-"))
				dash = count;
		if (dash && count > dash + 3)
			*ret = (struct mount){ words[4], words[3], words[dash + 3], text_is(words[dash + 1], "cgroup2") };
		else if (!dash && count >= 4)
			*ret = (struct mount){ words[1], text_of("/"), words[3], text_is(words[2], "cgroup2") };
		else
			continue;
		if (ret->v2 || text_is(words[dash ? dash + 1 : 2], "cgroup"))
			return true;
	}
	return false;
}

/* Of a recording: is what it calls mounted in it? */
static bool any_mounted(const struct host *host, struct text mounts)
{
	struct mount m;

	while (next_mount(&mounts, &m)) {
		cleanup_free char *point = text_copy(m.point);

		if (point && host_has(host, point))
			return true;
	}
	return false;
}

/* A recording that does not tell its mounts has them where they usually are: v1 has a folder for each controller. */
static int guess_mounts(const struct host *host, struct buf *ret, struct err *err)
{
	static const char *const v1[] = { "cpu*", "memory", "blkio", "pids", "hugetlb", "net_*", "perf_event",
					  "devices", "freezer", "systemd" };
	struct names entries = { 0 };
	bool unified = false;
	int r = host_list(host, "sys/fs/cgroup", &entries, err);

	for (size_t i = 0; i < entries.count; i++) {
		const char *name = entries.at[i];

		for (size_t k = 0; k < sizeof(v1) / sizeof(*v1); k++)
			if (text_glob(text_of(name), v1[k]) && !strchr(name, '.'))
				(void)buf_printf(ret, "cgroup /sys/fs/cgroup/%s cgroup rw,%s 0 0\n", name, name);
		unified = unified || strcmp(name, "unified") == 0;
	}
	names_free(&entries);
	(void)buf_printf(ret, "cgroup2 /sys/fs/cgroup%s cgroup2 rw 0 0\n", unified ? "/unified" : "");
	return r < 0 ? r : ret->failed ? err_set(err, -ENOMEM, "cgroup: no memory") : 0;
}

/* Is one of the comma's words in the other's? */
static bool has_controller(struct text words, struct text controllers)
{
	struct text first = controllers;

	(void)text_cut(&controllers, ",", &first);
	for (struct text option; text_len(words) > 0;) {
		if (!text_cut(&words, ",", &option)) {
			option = words;
			words.at = words.end;
		}
		if (text_same(option, first))
			return true;
	}
	return false;
}

static int add_folder(struct files *f, const struct mount *m, struct text path, const char *instance, struct err *err)
{
	cleanup_buf struct buf folder = { 0 };
	struct names entries = { 0 };
	struct err ignored;
	size_t root = text_len(m->root);
	char file[512];
	int r = 0;

	if (root > 1 && text_len(path) >= root && memcmp(path.at, m->root.at, root) == 0)
		path.at += root; /* the mount shows only what is below its root */
	while (text_skip(&path, "/"))
		;
	(void)buf_printf(&folder, "%.*s/%.*s", (int)text_len(m->point) - 1, m->point.at + 1, TEXT_ARGS(path));
	if (folder.failed)
		return err_set(err, -ENOMEM, "cgroup: no memory");
	if (host_list(f->host, folder.data, &entries, &ignored) == -ENOMEM)
		r = err_set(err, -ENOMEM, "cgroup: no memory");
	for (size_t i = 0; i < entries.count && r == 0; i++)
		for (size_t k = 0; k < sizeof(counting) / sizeof(*counting); k++) {
			if (!text_glob(text_of(entries.at[i]), counting[k]))
				continue;
			if (snprintf(file, sizeof(file), "%s/%s", folder.data, entries.at[i]) < (int)sizeof(file))
				r = files_add(f, file, entries.at[i], instance, err);
			break;
		}
	names_free(&entries);
	return r;
}

/* A group of that path in every hierarchy. */
static int add_group(struct cgroup *c, struct text path, const char *instance, struct err *err)
{
	struct text mounts = buf_text(&c->mounts);
	struct mount m;
	int r = 0;

	while (r == 0 && next_mount(&mounts, &m))
		r = add_folder(&c->files, &m, path, instance, err);
	return r;
}

/* Where this program is, hierarchy by hierarchy. */
static int add_own(struct cgroup *c, struct text own, struct err *err)
{
	struct text line, controllers = { 0 };
	int r = 0;

	while (r == 0 && text_line(&own, &line)) {
		struct text mounts = buf_text(&c->mounts);
		struct mount m;
		bool v2;

		if (!text_u64(&line, &(uint64_t){ 0 }) || !text_skip(&line, ":"))
			continue;
		v2 = text_skip(&line, ":");
		if (!v2 && !text_cut(&line, ":", &controllers))
			continue;
		while (r == 0 && next_mount(&mounts, &m))
			if (v2 ? m.v2 : !m.v2 && has_controller(m.options, controllers))
				r = add_folder(&c->files, &m, line, "job", err);
	}
	return r;
}

static int add_named(struct cgroup *c, struct err *err)
{
	struct text rest = text_of(c->groups), path;
	int r = 0;

	while (r == 0 && text_word(&rest, &path)) {
		cleanup_free char *name = text_copy(path);

		r = name ? add_group(c, path, name, err) : err_set(err, -ENOMEM, "cgroup: no memory");
	}
	return r;
}

static int cgroup_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct cgroup *c = state;
	cleanup_buf struct buf own = { 0 };
	int r;

	files_begin(&c->files, self, host);
	r = host_read(host, "proc/self/mountinfo", &c->mounts, err);
	if (r == -ENOENT)
		r = host_read(host, "proc/mounts", &c->mounts, err);
	if (!host->live && (r == -ENOENT || (r == 0 && !any_mounted(host, buf_text(&c->mounts)))) &&
	    host_has(host, "sys/fs/cgroup"))
		r = guess_mounts(host, &c->mounts, err);
	if (r < 0)
		return r;
	if (text_len(text_trim(text_of(c->groups))) > 0)
		r = add_named(c, err);
	else if (host_read(host, "proc/self/cgroup", &own, err) == 0)
		r = add_own(c, buf_text(&own), err);
	else
		r = add_group(c, text_of("/"), "job", err); /* a recording that does not tell */
	if (r == 0 && c->files.count == 0 && c->files.denied.code == 0)
		return err_set(err, -ENOENT, "cgroup: the group counts nothing here; name others with the option groups");
	return r < 0 ? r : files_end(&c->files, err);
}

static int cgroup_probe(const struct collector *self, const struct host *host, struct err *err)
{
	if (host_has(host, "proc/self/mountinfo") || host_has(host, "proc/mounts") || host_has(host, "sys/fs/cgroup"))
		return 0;
	return err_set(err, -ENOENT, "%s: no such file", self->source);
}

static void cgroup_close(void *state)
{
	struct cgroup *c = state;

	files_close(&c->files);
	buf_free(&c->mounts);
}

const struct collector collector_cgroup = {
	.name = "cgroup",
	.description = "What the command's control group, or named ones, use",
	.source = "proc/self/mountinfo proc/mounts proc/self/cgroup",
	.options = options,
	.hints = hints,
	.state_size = sizeof(struct cgroup),
	.probe = cgroup_probe,
	.open = cgroup_open,
	.shape = files_shape,
	.sample = files_sample,
	.close = cgroup_close,
};
