/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of faults of data/cases that concern these families: each row of an expect.md is looked up in what the
 * collector gives. Rows of other families, and what only the comparing side computes (rates, percentages), are left to
 * others; how many were looked up is asserted, so that none falls out unseen.
 */
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/process_stat.h"
#include "tests/support/rig.h"
#include "tests/support/shared.h"

#define TREES 4

/* Where a value is: which collector, metric and instance; several metrics to be summed up end at NULL. */
struct place {
	const char *collector, *instance;
	char metrics[10][128];
	size_t metric_count;
	bool all_instances;
	double factor;
};

static const char *const ticks[] = { "user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal" };

static bool starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static void one(struct place *p, const char *collector, const char *metric, const char *instance)
{
	p->collector = collector;
	p->instance = instance;
	p->factor = 1;
	p->metric_count = 1;
	(void)snprintf(p->metrics[0], sizeof(p->metrics[0]), "%s", metric);
}

static bool place_stat(const char *object, const char *field, struct place *p)
{
	if (strcmp(field, "total") == 0 && starts(object, "cpu")) {
		one(p, "proc-stat", "", object);
		p->metric_count = sizeof(ticks) / sizeof(*ticks);
		for (size_t i = 0; i < p->metric_count; i++)
			(void)snprintf(p->metrics[i], sizeof(p->metrics[i]), "%s", ticks[i]);
	} else if (starts(object, "cpu")) {
		one(p, "proc-stat", field, strcmp(object, "cpu") == 0 ? "" : object);
	} else {
		one(p, "proc-stat", strcmp(object, "softirq") == 0 ? "softirqs" : object, "");
	}
	return true;
}

static bool place_node(const char *object, const char *field, struct place *p)
{
	if (starts(field, "numa_"))
		one(p, "numa-numastat", field, object);
	else
		one(p, "numa-meminfo", strcmp(field, "MemTotal_bytes") == 0 ? "MemTotal" : field, object);
	if (strcmp(field, "MemTotal_bytes") == 0)
		p->factor = 1024;
	return true;
}

static bool place_disk(const char *object, const char *field, struct place *p)
{
	static const char *const names[][2] = {
		{ "read_ms", "read_ticks" }, { "reads", "read_ios" }, { "sectors_read", "read_sectors" },
		{ "sectors_written", "write_sectors" }, { "io_ms", "io_ticks" }, { "flush_ms", "flush_ticks" },
		{ "flushes", "flush_ios" }, { "discards", "discard_ios" }, { "discard_ms", "discard_ticks" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i][0], field) == 0)
			one(p, "diskstats", names[i][1], object);
	assert_true(p->metric_count == 1);
	return true;
}

/* "LOC" is called "LOC:Local_timer_interrupts": what begins with the label and its colon. */
static bool place_column(struct rig *rig, const char *collector, const char *object, const char *field, struct place *p)
{
	static char cpu[32];
	size_t length = strlen(object);

	if (strcmp(field, "devices") == 0)
		return false;
	(void)snprintf(cpu, sizeof(cpu), "CPU%s", starts(field, "cpu") ? field + 3 : "");
	one(p, collector, object, strcmp(field, "total") == 0 ? "" : cpu);
	p->all_instances = strcmp(field, "sum") == 0;
	for (size_t m = 0; m < rig->run.shape.metric_count; m++) {
		const char *name = rig->run.shape.metrics[m].name;

		if (strncmp(name, object, length) == 0 && (name[length] == ':' || name[length] == '\0'))
			(void)snprintf(p->metrics[0], sizeof(p->metrics[0]), "%s", name);
	}
	return true;
}

static bool place_pressure(const char *area, const char *object, const char *field, struct place *p)
{
	char metric[64];

	(void)snprintf(metric, sizeof(metric), "%s.%s", object, strcmp(field, "total_us") == 0 ? "total" : field);
	one(p, "pressure", metric, area + strlen("proc/pressure/"));
	p->factor = starts(field, "avg") ? 0.01 : 1;
	return true;
}

/* The n-th state that the CPU has, as states are numbered from 0 in the case. */
static bool place_idle(struct rig *rig, const char *object, const char *field, struct place *p)
{
	static char cpu[32];
	const char *slash = strchr(object, '/');
	const char *ending = strcmp(field, "time_us") == 0 ? ".time" : ".usage";
	size_t n, seen = 0;

	if (!slash || strcmp(field, "name") == 0)
		return false; /* see idle_names() */
	(void)snprintf(cpu, sizeof(cpu), "%.*s", (int)(slash - object), object);
	n = (size_t)(slash[strlen("/state")] - '0');
	for (size_t m = 0; m < rig->run.shape.metric_count; m++) {
		const char *name = rig->run.shape.metrics[m].name;

		if (strcmp(strrchr(name, '.'), ending) == 0 && rig_has_of(rig, name, cpu) && seen++ == n)
			one(p, "cpuidle", name, cpu);
	}
	assert_true(p->metric_count == 1);
	return true;
}

static bool place_softnet(const char *object, const char *field, struct place *p)
{
	static char cpu[32];

	(void)snprintf(cpu, sizeof(cpu), "CPU%s", object + strlen("cpu"));
	one(p, "softnet", strcmp(field, "backlog") == 0 ? "softnet_backlog_len" : field, cpu);
	return true;
}

/* "intel-rapl:0" is the zone; its instance has its name behind a slash. Watts and packages: see analysis/. */
static bool place_zone(struct rig *rig, const char *object, const char *field, struct place *p)
{
	size_t length = strlen(object);

	for (size_t i = 0; i < rig->run.shape.instance_count; i++) {
		const char *instance = rig->run.shape.instances[i];

		if (strncmp(instance, object, length) == 0 && instance[length] == '/')
			one(p, "powercap", "energy_uj", instance);
	}
	if (strcmp(field, "name") == 0)
		assert_string_equal(p->instance, "intel-rapl:0:0/core");
	return strcmp(field, "energy_uj") == 0;
}

/* "node0" is a node, "node0/DMA" a zone of it, whose items are under "pages." but for "protection[2]". */
static bool place_memory_zone(const char *object, const char *field, struct place *p)
{
	static char instance[64];
	char metric[64];
	char *slash;
	int i;

	(void)snprintf(instance, sizeof(instance), "%s", object);
	slash = strchr(instance, '/');
	if (slash)
		*slash = '.';
	i = field[strcspn(field, "[")] == '[' ? field[strcspn(field, "[") + 1] - '0' : -1;
	if (i >= 0)
		(void)snprintf(metric, sizeof(metric), "protection.%d", i);
	else
		(void)snprintf(metric, sizeof(metric), "%s%s", slash ? "pages." : "", field);
	one(p, "zoneinfo", metric, instance);
	return true;
}

/* Domains' CPUs are no numbers: see domains_keep_their_cpus(). */
static bool place_scheduler(const char *object, const char *field, struct place *p)
{
	static const char *const names[][2] = {
		{ "running_ns", "rq_cpu_time" }, { "running_seconds", "rq_cpu_time" }, { "timeslices", "pcount" },
		{ "waiting_ns", "run_delay" },	 { "waiting_seconds", "run_delay" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i][0], field) == 0)
			one(p, "schedstat", names[i][1], object);
	p->factor = strstr(field, "_seconds") ? 1e-9 : 1;
	return p->metric_count > 0;
}

/* What stands in proc/<pid>/stat and is no number. */
static void check_process_words(struct rig *rig, const char *area, const char *field, const char *expected)
{
	cleanup_buf struct buf text = { 0 };
	struct process_stat stat;

	assert_int_equal(host_read(&rig->host, area, &text, &rig->err), 0);
	assert_true(process_stat_read(buf_text(&text), &stat));
	if (strcmp(field, "comm") == 0)
		assert_true(text_is(stat.name, expected));
	else
		assert_int_equal(stat.state, *expected);
}

/* One process of a tree: a recording has no command, so it is asked for by its number. */
static bool check_process(struct rig *rig, const char *area, const char *object, const char *field, json_t *expected)
{
	const char *const options[] = { "pids", object, NULL };

	if (!text_glob(text_of(area), "proc/*/stat"))
		return false;
	if (json_is_string(expected)) {
		check_process_words(rig, area, field, json_string_value(expected));
		return true;
	}
	if (json_is_null(expected)) {
		assert_int_equal(rig_open_with(rig, collector_find("process"), options), -ESRCH);
		return true;
	}
	assert_int_equal(rig_open_with(rig, collector_find("process"), options), 0);
	assert_int_equal(rig_sample(rig), 0);
	assert_true((double)rig_value(rig, field) == json_number_value(expected));
	return true;
}

static const char *collector_of(const char *area, const char *field)
{
	static const char *const names[][2] = {
		{ "proc/stat", "proc-stat" }, { "proc/interrupts", "interrupts" }, { "proc/softirqs", "softirqs" },
		{ "proc/slabinfo", "slabinfo" }, { "proc/diskstats", "diskstats" }, { "proc/meminfo", "meminfo" },
		{ "proc/pressure/", "pressure" }, { "cpuidle", "cpuidle" },	 { "proc/net/dev", "netdev" },
		{ "proc/net/softnet_stat", "softnet" },
		{ "sys/class/powercap", "powercap" },	      { "sys/class/thermal", "thermal" },
		{ "sys/devices/system/cpu/cpufreq", "cpufreq" }, { "proc/zoneinfo", "zoneinfo" },
		{ "proc/schedstat", "schedstat" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (starts(area, names[i][0]))
			return names[i][1];
	if (strcmp(area, "sys/devices/system/node") == 0)
		return starts(field, "numa_") ? "numa-numastat" : "numa-meminfo";
	return NULL;
}

static bool place_of(struct rig *rig, const char *area, const char *object, const char *field, struct place *p)
{
	*p = (struct place){ 0 };
	if (strstr(field, "percent") || strstr(field, "rate"))
		return false;
	if (strcmp(area, "proc/stat") == 0)
		return place_stat(object, field, p);
	if (strcmp(area, "proc/interrupts") == 0)
		return place_column(rig, "interrupts", object, field, p);
	if (strcmp(area, "proc/softirqs") == 0)
		return place_column(rig, "softirqs", object, field, p);
	if (strcmp(area, "proc/diskstats") == 0)
		return place_disk(object, field, p);
	if (starts(area, "proc/pressure/"))
		return place_pressure(area, object, field, p);
	if (strcmp(area, "cpuidle") == 0)
		return place_idle(rig, object, field, p);
	if (strcmp(area, "sys/devices/system/node") == 0)
		return strcmp(object, "nodes") != 0 && place_node(object, field, p);
	if (strcmp(area, "sys/class/powercap") == 0)
		return place_zone(rig, object, field, p);
	if (strcmp(area, "proc/zoneinfo") == 0)
		return place_memory_zone(object, field, p);
	if (strcmp(area, "proc/schedstat") == 0)
		return place_scheduler(object, field, p);
	if (strcmp(area, "sys/devices/system/cpu/cpufreq") == 0)
		one(p, "cpufreq", strcmp(field, "cpuinfo_cur_freq_khz") == 0 ? "cpuinfo_cur_freq" : "scaling_cur_freq",
		    object);
	if (strcmp(area, "proc/net/softnet_stat") == 0)
		return place_softnet(object, field, p);
	if (strcmp(area, "proc/slabinfo") == 0)
		one(p, "slabinfo", field, object);
	if (strcmp(area, "proc/net/dev") == 0)
		one(p, "netdev", strcmp(field, "rx_dropped") == 0 ? "rx_drop" : field, object);
	if (strcmp(area, "proc/meminfo") == 0) {
		one(p, "meminfo", object, "");
		p->factor = strcmp(field, "bytes") == 0 ? 1024 : 1;
	}
	return p->metric_count > 0;
}

/* The number at a place, or NaN. */
static double value_at(struct rig *rig, const struct place *p, size_t metric)
{
	double sum = NAN;

	for (size_t i = 0; i < rig->run.shape.instance_count; i++) {
		const char *instance = rig->run.shape.instances[i];

		if (!p->all_instances && strcmp(instance, p->instance) != 0)
			continue;
		if (rig_has_of(rig, p->metrics[metric], instance))
			sum = (isnan(sum) ? 0 : sum) +
			      (double)rig_value_of(rig, p->metrics[metric], instance) * p->factor;
	}
	return sum;
}

/* How far a counter goes: one of 32 bits, and one that tells its range itself. 0: to no end that matters. */
static double range_of(struct rig *rig, const struct place *p, size_t i)
{
	struct place range;

	if (rig_metric(rig, p->metrics[i])->kind == COUNTER32)
		return 4294967296.0;
	if (strcmp(p->metrics[i], "energy_uj") != 0)
		return 0;
	one(&range, p->collector, "max_energy_range_uj", p->instance);
	return value_at(rig, &range, 0);
}

/* What went on between two trees: a counter with a range wraps, another that steps back has no progress. */
static double delta_of(struct rig *from, struct rig *to, const struct place *p)
{
	double sum = NAN;

	for (size_t i = 0; i < p->metric_count; i++) {
		double a = value_at(from, p, i), b = value_at(to, p, i);

		if (isnan(a) || isnan(b))
			continue;
		if (b < a)
			b = range_of(to, p, i) > 0 ? b + range_of(to, p, i) : a;
		sum = (isnan(sum) ? 0 : sum) + b - a;
	}
	return sum;
}

static json_t *read_block(const char *folder)
{
	char path[1000];
	struct buf text;
	char *begin, *end;
	json_t *json;

	(void)snprintf(path, sizeof(path), "%s/expect.md", folder);
	text = read_whole(path);
	begin = strstr(text.data, "```json\n");
	assert_non_null(begin);
	begin += strlen("```json\n");
	end = strstr(begin, "\n```");
	assert_non_null(end);
	json = json_loadb(begin, (size_t)(end - begin), JSON_DECODE_INT_AS_REAL, NULL);
	assert_non_null(json);
	buf_free(&text);
	return json;
}

struct trees {
	struct rig *rig[TREES];
	size_t count;
};

static void open_trees(struct trees *t, const char *folder, const char *mode)
{
	for (size_t i = 0; i < TREES; i++) {
		char path[1000];
		void *fresh;

		if (strcmp(mode, "delta") == 0)
			(void)snprintf(path, sizeof(path), "%s/t%zu", folder, i);
		else
			(void)snprintf(path, sizeof(path), "%s/root", folder);
		if (access(path, R_OK) < 0 || (i > 0 && strcmp(mode, "delta") != 0))
			break;
		assert_int_equal(rig_setup(&fresh), 0);
		t->rig[t->count] = fresh;
		rig_root(t->rig[t->count], path);
		t->count++;
	}
}

/* One row: true when it was looked up. */
static bool check_row(struct trees *t, const char *name, json_t *row)
{
	const char *area = json_string_value(json_array_get(row, 0));
	const char *object = json_string_value(json_array_get(row, 1));
	char field[128];
	json_t *expected = json_array_get(row, 3);
	const char *collector;
	size_t from = 0, to = 0;
	struct place p;
	char *dot;
	double found;

	(void)snprintf(field, sizeof(field), "%s", json_string_value(json_array_get(row, 2)));
	if (t->count > 0 && check_process(t->rig[0], area, object, field, expected))
		return true;
	collector = collector_of(area, field);
	if (!collector)
		return false;
	if (text_glob(text_of(field), "t?-t?.*")) {
		from = (size_t)(field[1] - '0');
		to = (size_t)(field[4] - '0');
		memmove(field, field + 6, strlen(field + 6) + 1);
	}
	dot = strstr(field, ".delta");
	if (dot) {
		*dot = '\0';
		to = to ? to : 1;
	}
	assert_true(from < t->count && to < t->count);
	for (size_t i = from;; i = to) {
		if (rig_open(t->rig[i], collector_find(collector)) < 0 && json_is_null(expected))
			return true; /* there is no such file */
		assert_int_equal(rig_sample(t->rig[i]), 0);
		if (i == to)
			break;
	}
	if (!place_of(t->rig[from], area, object, field, &p))
		return false;
	found = dot ? delta_of(t->rig[from], t->rig[to], &p) : value_at(t->rig[from], &p, 0);
	if (json_is_null(expected) != (bool)isnan(found) ||
	    (!json_is_null(expected) && fabs(found - json_number_value(expected)) > 1e-9 * fabs(found)))
		fail_msg("%s: %s %s %s is %.17g", name, area, object, field, found);
	return true;
}

/* The rows of a case that are not numbers, or larger than a double keeps. */
static bool case_root(struct rig *rig, const char *relative)
{
	char path[512], whole[600];

	(void)snprintf(whole, sizeof(whole), "cases/%s", relative);
	if (!shared_path(path, sizeof(path), whole))
		return false;
	rig_root(rig, path);
	return true;
}

static void every_row_that_concerns_these_families(void **state)
{
	char cases[512];
	size_t checked = 0;
	DIR *folder;

	if (!shared_path(cases, sizeof(cases), "cases"))
		skip();
	folder = opendir(cases);
	assert_non_null(folder);
	for (struct dirent *e; (e = readdir(folder));) {
		char path[800];
		struct trees trees = { 0 };
		const char *mode;
		json_t *json, *row;
		size_t i;

		if (e->d_name[0] < '0' || e->d_name[0] > '9')
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", cases, e->d_name);
		json = read_block(path);
		mode = json_string_value(json_object_get(json, "mode"));
		if (strcmp(mode, "parse") == 0 || strcmp(mode, "delta") == 0) {
			open_trees(&trees, path, mode);
			json_array_foreach(json_object_get(json, "rows"), i, row)
				checked += check_row(&trees, e->d_name, row);
		}
		for (i = 0; i < trees.count; i++)
			(void)rig_teardown((void **)&trees.rig[i]);
		json_decref(json);
	}
	(void)closedir(folder);
	print_message("# %zu rows\n", checked);
	assert_true(checked >= 125);
}

static void a_number_near_2_to_the_64_keeps_its_last_digit(void **state)
{
	struct rig *rig = *state;

	if (!case_root(rig, "010-stat-value-near-2-64/t0"))
		skip();
	rig_start(rig, collector_find("proc-stat"));
	assert_true(rig_value_of(rig, "idle", "cpu0") == UINT64_C(11430588482391718111));
}

static void idle_states_keep_their_names(void **state)
{
	struct rig *rig = *state;
	size_t states = 0;

	if (!case_root(rig, "037-cpuidle-odd-names/root"))
		skip();
	rig_start(rig, collector_find("cpuidle"));
	for (size_t m = 0; m < rig->run.shape.metric_count; m++)
		states += rig_has_of(rig, rig->run.shape.metrics[m].name, "cpu0");
	assert_int_equal(states, 2 * 6);
	assert_true(rig_has_of(rig, "haltpoll idle.time", "cpu0"));
	assert_false(rig_has_of(rig, "haltpoll idle.time", "cpu1"));
	assert_true(rig_has_of(rig, "C6.time", "cpu1"));
}

static void only_the_nodes_that_are_there(void **state)
{
	struct rig *rig = *state;

	if (!case_root(rig, "021-numa-nodes-0-and-8/root"))
		skip();
	rig_start(rig, collector_find("numa-meminfo"));
	assert_int_equal(rig->run.shape.instance_count, 2);
}

static void devices_of_an_interrupt_are_its_name(void **state)
{
	struct rig *rig = *state;

	if (!case_root(rig, "004-interrupts-odd-lines/root"))
		skip();
	rig_start(rig, collector_find("interrupts"));
	assert_true(rig_has_of(rig, "42:PCI-MSI.524288-edge.nvme0q0,nvme0q1.extra", "CPU0"));
	assert_true(rig_has_of(rig, "43:PCI-MSI.524289-edge", "CPU0"));
}

static void domains_keep_their_cpus(void **state)
{
	struct pairs notes = { 0 };
	struct rig *rig = *state;

	if (!case_root(rig, "024-schedstat-15-nanoseconds/root"))
		skip();
	rig_start(rig, collector_find("schedstat"));
	assert_int_equal(collector_run_notes(&rig->run, &notes), 0);
	assert_string_equal(pairs_get(&notes, "schedstat.domain0"), "00000000,00000011");
	pairs_free(&notes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_that_concerns_these_families),
		RIG_TEST(a_number_near_2_to_the_64_keeps_its_last_digit),
		RIG_TEST(idle_states_keep_their_names),
		RIG_TEST(only_the_nodes_that_are_there),
		RIG_TEST(devices_of_an_interrupt_are_its_name),
		RIG_TEST(domains_keep_their_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
