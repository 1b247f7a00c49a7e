/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   sys/devices/system/cpu/cpu<N>/cpuidle/state<K>/{name,time,usage}     label; microseconds; entries
 *                                              .../{above,below,rejected,s2idle/time,s2idle/usage}   when asked for
 *   sys/devices/system/cpu/cpuidle/low_power_idle_{cpu,system}_residency_us   of the machine, the instance ""
 *
 * CPUs may have different states (hybrid machines), and only the number tells two states of one CPU apart: the second
 * "C1" of a CPU is "C1-state<K>", a state without a name is "state<K>". Going offline takes a CPU's files away; the
 * list of online CPUs is watched.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collectors/collector.h"
#include "collectors/digits.h"
#include "collectors/watch.h"

#define FOLDER "sys/devices/system/cpu"

/* Of a state: its file, and what it is called. */
static const struct {
	const char *file, *name;
} fields[] = {
	{ "time", "time" },	{ "usage", "usage" },	    { "above", "above" },	    { "below", "below" },
	{ "rejected", "rejected" }, { "s2idle/time", "s2idle_time" }, { "s2idle/usage", "s2idle_usage" },
};
static const char *const of_machine[] = { "low_power_idle_cpu_residency_us", "low_power_idle_system_residency_us" };

#define FIELDS	     (sizeof(fields) / sizeof(*fields))
#define FIELDS_ALWAYS 2

struct number {
	struct procfile file;
	size_t metric, instance;
};

struct cpuidle {
	bool detail;
	const struct collector *collector;
	const struct host *host;
	struct number *numbers;
	size_t count, room;
	struct names names; /* of the metrics */
	struct metric *metrics;
	struct names instances;
	struct watch online;
	int descriptors; /* files above are opened anew at each sample */
	struct shape shape;
};

static const struct option options[] = {
	{ "detail", OPT_BOOL, offsetof(struct cpuidle, detail), "no",
	  "Tell also how often a state was too deep, not deep enough or refused, and its part in suspend." },
	{ 0 },
};

static const struct hint hints[] = {
	/* key               kind     unit               help                                 exponent fold */
	{ "*.time",         COUNTER, UNIT_MICROSECONDS, "Time in that idle state.",           0,       FOLD_SUM },
	{ "*.usage",        COUNTER, UNIT_COUNT,        "How often that idle state was taken.", 0,     FOLD_SUM },
	{ "*.above",        COUNTER, UNIT_COUNT,        "How often a state less deep would have been right.", 0, FOLD_SUM },
	{ "*.below",        COUNTER, UNIT_COUNT,        "How often a deeper state would have been right.", 0, FOLD_SUM },
	{ "*.rejected",     COUNTER, UNIT_COUNT,        "How often the processor refused that state.", 0, FOLD_SUM },
	{ "*.s2idle_time",  COUNTER, UNIT_MICROSECONDS, "Time in that state while the machine was suspended to idle.", 0, FOLD_SUM },
	{ "*.s2idle_usage", COUNTER, UNIT_COUNT,        "How often that state was taken while the machine was suspended to idle.", 0, FOLD_SUM },
	{ "low_power_idle_cpu_residency_us",    COUNTER, UNIT_MICROSECONDS, "Time in which all CPUs were in their deepest state." },
	{ "low_power_idle_system_residency_us", COUNTER, UNIT_MICROSECONDS, "Time in which all of the platform was in its deepest state." },
	{ 0 },
};

/* ---- open ---- */

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "cpuidle: no memory");
}

static bool is_numbered(const char *name, const char *prefix)
{
	struct text rest = text_of(name);

	return text_skip(&rest, prefix) && text_len(rest) > 0 &&
	       strspn(rest.at, "0123456789") == text_len(rest);
}

/* What the state is called; `names` are those of the CPU's states before it. */
static int state_name(const struct cpuidle *c, const char *folder, const char *state, struct names *names,
		      struct buf *ret)
{
	cleanup_buf struct buf label = { .ceiling = 256 };
	char path[256];
	struct text name;
	struct err ignored;
	size_t count = names->count;

	(void)snprintf(path, sizeof(path), "%s/name", folder);
	if (host_read(c->host, path, &label, &ignored) < 0)
		buf_clear(&label);
	name = text_trim(buf_text(&label));
	if (text_len(name) == 0 || text_is(name, "<null>"))
		name = text_of(state);
	(void)buf_add_text(ret, name);
	if (names_add(names, name) < 0)
		return -ENOMEM;
	if (names->count == count)
		(void)buf_printf(ret, "-%s", state);
	return ret->failed;
}

static int learn_metric(struct cpuidle *c, struct text name, struct err *err)
{
	int row = names_add(&c->names, name);
	struct metric *metrics;

	if (row < 0)
		return no_memory(err);
	metrics = realloc(c->metrics, c->names.room * sizeof(*metrics));
	if (!metrics)
		return no_memory(err);
	c->metrics = metrics;
	metrics[row] = (struct metric){ .name = names_at(&c->names, row) };
	hint_apply(hints, &metrics[row]);
	return row;
}

/* A file that cannot be opened gives nothing. */
static int learn_file(struct cpuidle *c, const char *path, int metric, int instance, struct err *err)
{
	struct number *numbers;
	struct err ignored;
	int r;

	if (c->count == c->room) {
		size_t room = c->room ? 2 * c->room : 64;

		numbers = realloc(c->numbers, room * sizeof(*numbers));
		if (!numbers)
			return no_memory(err);
		c->numbers = numbers;
		c->room = room;
	}
	numbers = &c->numbers[c->count];
	r = procfile_open(&numbers->file, c->host, path, &ignored);
	if (procfile_passes(r))
		r = procfile_open_unread(&numbers->file, c->host, path, &ignored);
	if (r == -ENOMEM || r == -EMFILE || r == -ENFILE)
		return err_set(err, r, "%s", ignored.text);
	if (r < 0)
		return 0;
	if (numbers->file.fd > c->descriptors) {
		(void)close(numbers->file.fd);
		numbers->file.fd = -1;
		numbers->file.reopen = true;
	}
	numbers->metric = (size_t)metric;
	numbers->instance = (size_t)instance;
	c->count++;
	return 0;
}

static int learn_state(struct cpuidle *c, const char *cpu, const char *state, struct names *names, struct err *err)
{
	cleanup_buf struct buf name = { 0 };
	char folder[192], path[256];
	size_t length;
	int instance, r = 0;

	if (snprintf(folder, sizeof(folder), FOLDER "/%s/cpuidle/%s", cpu, state) >= (int)sizeof(folder))
		return 0;
	if (state_name(c, folder, state, names, &name) < 0)
		return no_memory(err);
	length = name.len;
	instance = names_add(&c->instances, text_of(cpu));
	if (instance < 0)
		return no_memory(err);
	for (size_t i = 0; i < (c->detail ? FIELDS : FIELDS_ALWAYS) && r == 0; i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", folder, fields[i].file);
		if (i >= FIELDS_ALWAYS && !host_has(c->host, path))
			continue;
		(void)buf_printf(&name, ".%s", fields[i].name);
		r = name.failed ? no_memory(err) : learn_metric(c, buf_text(&name), err);
		r = r < 0 ? r : learn_file(c, path, r, instance, err);
		name.len = length;
	}
	return r;
}

static int learn_machine(struct cpuidle *c, struct err *err)
{
	char path[128];
	int r = 0;

	for (size_t i = 0; i < sizeof(of_machine) / sizeof(*of_machine) && r == 0; i++) {
		int instance, metric;

		(void)snprintf(path, sizeof(path), FOLDER "/cpuidle/%s", of_machine[i]);
		if (!host_has(c->host, path))
			continue;
		instance = names_add(&c->instances, text_of(""));
		metric = instance < 0 ? no_memory(err) : learn_metric(c, text_of(of_machine[i]), err);
		r = metric < 0 ? metric : learn_file(c, path, metric, instance, err);
	}
	return r;
}

static int learn_cpu(struct cpuidle *c, const char *cpu, struct err *err)
{
	struct names states = { 0 }, names = { 0 };
	char path[128];
	struct err ignored;
	int r = 0;

	if (snprintf(path, sizeof(path), FOLDER "/%s/cpuidle", cpu) >= (int)sizeof(path))
		return 0;
	if (host_list(c->host, path, &states, &ignored) == -ENOMEM)
		r = no_memory(err);
	for (size_t i = 0; i < states.count && r == 0; i++)
		if (is_numbered(names_at(&states, (int)i), "state"))
			r = learn_state(c, cpu, names_at(&states, (int)i), &names, err);
	names_free(&states);
	names_free(&names);
	return r;
}

/* Three quarters of what the process may have: the others need some, too. */
static int most_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur > 1 << 20)
		return 1 << 20;
	return (int)(limit.rlim_cur / 4 * 3);
}

static int cpuidle_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct cpuidle *c = state;
	struct names cpus = { 0 };
	int r;

	c->collector = self;
	c->host = host;
	c->descriptors = most_descriptors();
	r = host_list(host, FOLDER, &cpus, err);
	for (size_t i = 0; i < cpus.count && r == 0; i++)
		if (is_numbered(names_at(&cpus, (int)i), "cpu"))
			r = learn_cpu(c, names_at(&cpus, (int)i), err);
	names_free(&cpus);
	if (r == 0)
		r = learn_machine(c, err);
	if (r == 0 && c->count == 0)
		r = err_set(err, -ENOENT, FOLDER "/cpu*/cpuidle/state*: no such file: no idle states here");
	if (r == 0)
		r = watch_open(&c->online, host, FOLDER "/online", err);
	c->shape = (struct shape){
		.collector = self->name,
		.metrics = c->metrics,
		.metric_count = c->names.count,
		.instances = (const char *const *)c->instances.at,
		.instance_count = c->instances.count,
	};
	return r;
}

static const struct shape *cpuidle_shape(const void *state)
{
	return &((const struct cpuidle *)state)->shape;
}

/* ---- sample ---- */

static int cpuidle_sample(void *state, struct sample *out, struct err *err)
{
	struct cpuidle *c = state;
	int failed = watch_check(&c->online, err);

	for (size_t i = 0; i < c->count && failed != -ESTALE; i++) {
		struct number *n = &c->numbers[i];
		struct text text;
		uint64_t value;
		const char *behind;
		int r = procfile_read(&n->file, &text, err);

		if (r == -ENODEV || r == -ENOENT)
			return err->code = -ESTALE; /* the CPU went away between the watch and here */
		if (r == 0) {
			behind = digits_u64(text.at, text.end, &value);
			if (behind && is_number_end(behind, text.end))
				sample_put(out, n->metric, n->instance, value);
			else
				r = err_set(err, -EBADMSG, "%s: no number", n->file.path);
		}
		if (r < 0)
			failed = r;
	}
	return failed;
}

static void cpuidle_close(void *state)
{
	struct cpuidle *c = state;

	for (size_t i = 0; i < c->count; i++)
		procfile_close(&c->numbers[i].file);
	free(c->numbers);
	free(c->metrics);
	names_free(&c->names);
	names_free(&c->instances);
	watch_close(&c->online);
}

const struct collector collector_cpuidle = {
	.name = "cpuidle",
	.description = "Time and entries of each CPU's idle states",
	.source = FOLDER "/cpu*/cpuidle/state*/name " FOLDER "/cpu*/cpuidle/state*/time " FOLDER
		  "/cpu*/cpuidle/state*/usage " FOLDER "/cpuidle/low_power_idle_*_residency_us " FOLDER "/online",
	.options = options,
	.hints = hints,
	.state_size = sizeof(struct cpuidle),
	.interval_ms = 10000,
	.open = cpuidle_open,
	.shape = cpuidle_shape,
	.sample = cpuidle_sample,
	.close = cpuidle_close,
};
