/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "analysis/reduce.h"

static int put(struct buf *ret, const char *part)
{
	size_t from = ret->len;
	int r = buf_puts(ret, part);

	if (r < 0)
		return r;
	for (char *c = ret->data + from; c < ret->data + ret->len; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			*c = '-';
	return 0;
}

/* In /proc/stat "softirq" is the head of a line and a column of the line "cpu", too. The line's total keeps the name,
 * the collector calls it otherwise; the columns are put behind "cpu". */
static const char *const cpu_columns[] = { "user", "nice",    "system", "idle",	 "iowait",
					   "irq",  "softirq", "steal",	"guest", "guest_nice" };

static void proc_stat_names(const char **instance, const char **metric)
{
	if (**instance)
		return;
	if (strcmp(*metric, "softirqs") == 0)
		*metric = "softirq";
	else
		for (size_t i = 0; i < sizeof(cpu_columns) / sizeof(*cpu_columns); i++)
			if (strcmp(*metric, cpu_columns[i]) == 0)
				*instance = "cpu";
}

/* The kernel test robot has families of their own for two files of control groups. */
static void cgroup_names(const char **collector, const char **metric)
{
	static const char *const families[][2] = {
		{ "memory.stat.", "memory--stat" },
		{ "memory.numa_stat.", "memory--numa_stat" },
	};

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		size_t length = strlen(families[i][0]);

		if (strncmp(*metric, families[i][0], length) != 0)
			continue;
		*collector = families[i][1];
		*metric += length;
		return;
	}
}

static bool is_metric_first(const char *collector)
{
	static const char *const names[] = { "diskstats", "sched_debug", "latency_stats" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], collector) == 0)
			return true;
	return false;
}

int key_of(const char *collector, const char *instance, const char *metric, struct buf *ret)
{
	bool metric_first = is_metric_first(collector);
	const char *second, *third;

	if (strcmp(collector, "proc-stat") == 0)
		proc_stat_names(&instance, &metric);
	if (strcmp(collector, "lock_stat") == 0 && strcmp(metric, "times") == 0)
		metric = ""; /* the instance tells all: "<class>.contentions.<function>" */
	if (strcmp(collector, "cgroup") == 0)
		cgroup_names(&collector, &metric);
	if (strcmp(collector, "pagetypeinfo") == 0 && strcmp(metric, "blocks") == 0)
		metric = ""; /* as the robot calls it: what the type has in all */
	second = metric_first ? metric : instance;
	third = metric_first ? instance : metric;
	(void)put(ret, collector);
	if (*second) {
		(void)buf_putc(ret, '.');
		(void)put(ret, second);
	}
	if (*third) {
		(void)buf_putc(ret, '.');
		(void)put(ret, third);
	}
	return ret->failed;
}
