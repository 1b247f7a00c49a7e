/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   cpu  3200 0 320 32000 10 0 5 0 0 0     all CPUs, in ticks; older kernels print fewer columns
 *   cpu0 100 0 10 1000 1 0 1 0 0 0         found by number: CPUs come, go and have gaps
 *   intr 178868 0 0 7 ...                  total, then each interrupt: up to 160 kB, of which only the total is taken
 *   ctxt 790277
 *   btime 1796076299
 *   processes 10430
 *   procs_running 3
 *   procs_blocked 0
 *   softirq 138292 0 22696 ...             total, then by kind
 *
 * The shape has the columns and the keys that are there. A line without a number behind its key gives nothing. Of two
 * lines "cpu" (containers have been seen to print both) the one counts whose user time is the sum of the CPUs'. A CPU
 * that went away is absent; a new one, or a new key, is -ESTALE.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "collectors/collector.h"
#include "collectors/digits.h"
#include "host/procfile.h"

#define COLUMNS_MOST 24 /* of a line; what stands behind is not recorded */

static const char *const cpu_names[] = { "user", "nice",    "system", "idle",  "iowait",
					 "irq",  "softirq", "steal",  "guest", "guest_nice" };
static const char *const softirq_names[] = { "HI",	 "TIMER",   "NET_TX", "NET_RX",	 "BLOCK",
					     "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };

#define CPU_NAMES     (sizeof(cpu_names) / sizeof(*cpu_names))
#define SOFTIRQ_NAMES (sizeof(softirq_names) / sizeof(*softirq_names))

struct row {
	uint32_t instance;
	uint32_t metric;   /* of its first number */
	uint32_t columns;  /* 0: gives nothing */
	bool is_cpu;
	uint64_t taken_in; /* the sample that took it last */
};

struct proc_stat {
	const struct collector *collector;
	struct procfile file;
	struct names keys; /* one a row */
	struct row *rows;
	size_t row_room;
	struct names names; /* of the metrics; those of the CPUs first */
	struct metric *metrics;
	struct names instances; /* "" first */
	uint64_t samples;
	bool per_cpu;
	struct shape shape;
};

static const struct option options[] = {
	{ "per_cpu", OPT_BOOL, offsetof(struct proc_stat, per_cpu), "no",
	  "Tell the times of each CPU and node in percent, too: mpstat.cpu.<n>.*, mpstat.node.<n>.*." },
	{ 0 },
};

/* intr and softirq are sums of what is counted in 32 bits: where a part wraps, the sum steps back by 2^32. */
static const struct hint hints[] = {
	/* key             kind       unit          help */
	{ "intr",          COUNTER32, UNIT_COUNT,   "Interrupts, all together." },
	{ "ctxt",          COUNTER,   UNIT_COUNT,   "Context switches." },
	{ "btime",         GAUGE,     UNIT_SECONDS, "When the machine was booted, since 1970." },
	{ "processes",     COUNTER,   UNIT_COUNT,   "Processes and threads created." },
	{ "procs_running", GAUGE,     UNIT_COUNT,   "Threads that run or could." },
	{ "procs_blocked", GAUGE,     UNIT_COUNT,   "Threads that wait for a device." },
	{ "softirqs",      COUNTER32, UNIT_COUNT,   "Deferred work of interrupts, all together." },
	{ "softirqs.*",    COUNTER32, UNIT_COUNT,   "Deferred work of interrupts, by kind." },
	{ "user",          COUNTER,   UNIT_TICKS,   "Time in programs, that of guests included." },
	{ "nice",          COUNTER,   UNIT_TICKS,   "Time in programs of low priority, that of guests included." },
	{ "system",        COUNTER,   UNIT_TICKS,   "Time in the kernel." },
	{ "idle",          COUNTER,   UNIT_TICKS,   "Time without anything to do." },
	{ "iowait",        COUNTER,   UNIT_TICKS,   "Idle time while a thread waited for a device; may step back." },
	{ "irq",           COUNTER,   UNIT_TICKS,   "Time in interrupts." },
	{ "softirq",       COUNTER,   UNIT_TICKS,   "Time in deferred work of interrupts." },
	{ "steal",         COUNTER,   UNIT_TICKS,   "Time that the hypervisor gave to others." },
	{ "guest",         COUNTER,   UNIT_TICKS,   "Time of guests; a part of user." },
	{ "guest_nice",    COUNTER,   UNIT_TICKS,   "Time of guests of low priority; a part of nice." },
	{ "cpu_column*",   COUNTER,   UNIT_TICKS,   "Time, in a column that newer kernels print." },
	{ "*",             COUNTER,   UNIT_COUNT,   "What the kernel counts under that name." },
	{ 0 },
};

/* ---- open ---- */

static bool is_cpu_line(struct text line)
{
	return text_skip(&line, "cpu") && line.at < line.end &&
	       (is_blank(*line.at) || (*line.at >= '0' && *line.at <= '9'));
}

static uint32_t count_numbers(struct text rest)
{
	const char *at = rest.at;
	uint64_t ignored;
	uint32_t count = 0;

	while (count < COLUMNS_MOST && (at = number_u64(at, rest.end, &ignored)) && is_number_end(at, rest.end))
		count++;
	return count;
}

static int no_memory(const struct proc_stat *p, struct err *err)
{
	return err_set(err, -ENOMEM, "%s: no memory", p->collector->name);
}

static int learn_metric(struct proc_stat *p, const char *name, struct err *err)
{
	int row = names_add(&p->names, text_of(name));
	struct metric *metrics;

	if (row < 0)
		return no_memory(p, err);
	metrics = realloc(p->metrics, p->names.room * sizeof(*metrics));
	if (!metrics)
		return no_memory(p, err);
	p->metrics = metrics;
	metrics[row] = (struct metric){ .name = names_at(&p->names, row) };
	hint_apply(p->collector->hints, &metrics[row]);
	return row;
}

/* All lines of CPUs share their metrics: as many as the widest of them has columns. */
static int learn_cpu_columns(struct proc_stat *p, struct text rest, struct err *err)
{
	struct text line, key;
	uint32_t most = 0;

	while (text_line(&rest, &line)) {
		uint32_t count;

		text_skip_blanks(&line);
		if (!is_cpu_line(line) || !text_word(&line, &key))
			continue;
		count = count_numbers(line);
		most = count > most ? count : most;
	}
	for (uint32_t i = 0; i < most; i++) {
		char name[32];
		int r;

		(void)snprintf(name, sizeof(name), "cpu_column%u", i + 1);
		r = learn_metric(p, i < CPU_NAMES ? cpu_names[i] : name, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* "ctxt", "page", "page.1": the first number of a line has its key's name. The column "softirq" of the CPUs is time,
 * so the line of that name, which counts, has the name of its own file: "softirqs", "softirqs.RCU". */
static int learn_numbers(struct proc_stat *p, struct text key, struct row *row, struct err *err)
{
	bool softirq = text_is(key, "softirq");

	if (text_is(key, "intr"))
		row->columns = 1;
	for (uint32_t i = 0; i < row->columns; i++) {
		size_t expected = p->names.count;
		char name[128];
		int r;

		if (i == 0)
			(void)snprintf(name, sizeof(name), "%.*s%s", TEXT_ARGS(key), softirq ? "s" : "");
		else if (softirq && i <= SOFTIRQ_NAMES)
			(void)snprintf(name, sizeof(name), "softirqs.%s", softirq_names[i - 1]);
		else
			(void)snprintf(name, sizeof(name), "%.*s%s.%u", TEXT_ARGS(key), softirq ? "s" : "", i);
		r = learn_metric(p, name, err);
		if (r < 0)
			return r;
		if ((size_t)r != expected) {
			row->columns = i; /* called as another metric is: not the kernel's line */
			break;
		}
		if (i == 0)
			row->metric = (uint32_t)r;
	}
	return 0;
}

static int learn_line(struct proc_stat *p, struct text line, struct err *err)
{
	struct text key;
	size_t count = p->keys.count;
	struct row *row;
	int index;

	if (!text_word(&line, &key))
		return 0;
	index = names_add(&p->keys, key);
	if (index < 0)
		return no_memory(p, err);
	if ((size_t)index < count)
		return 0;
	if (count == p->row_room) {
		size_t room = count ? 2 * count : 64;

		row = realloc(p->rows, room * sizeof(*row));
		if (!row)
			return no_memory(p, err);
		p->rows = row;
		p->row_room = room;
	}
	row = &p->rows[index];
	*row = (struct row){ .columns = count_numbers(line) };
	row->is_cpu = is_cpu_line((struct text){ key.at, line.end });
	if (!row->is_cpu)
		return learn_numbers(p, key, row, err);
	if (text_is(key, "cpu"))
		return 0; /* the instance "" */
	index = names_add(&p->instances, key);
	row->instance = (uint32_t)index;
	return index < 0 ? no_memory(p, err) : 0;
}

static int proc_stat_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct proc_stat *p = state;
	struct text rest = { 0 }, line;
	int r;

	p->collector = self;
	r = procfile_open(&p->file, host, self->source, err);
	if (r == 0)
		rest = procfile_first(&p->file);
	if (r == 0 && names_add(&p->instances, text_of("")) < 0)
		r = no_memory(p, err);
	if (r == 0)
		r = learn_cpu_columns(p, rest, err);
	while (r == 0 && text_line(&rest, &line))
		r = learn_line(p, line, err);
	p->shape = (struct shape){
		.collector = self->name,
		.metrics = p->metrics,
		.metric_count = p->names.count,
		.instances = (const char *const *)p->instances.at,
		.instance_count = p->instances.count,
	};
	return r;
}

static const struct shape *proc_stat_shape(const void *state)
{
	return &((const struct proc_stat *)state)->shape;
}

/* ---- sample ---- */

/* The row of the line at `at`; `behind` its key. -1: an empty line. -2: a key that is new. */
static int row_of(const struct proc_stat *p, const char *at, const char *end, size_t guess, const char **behind)
{
	const char *stop = at;
	int row;

	if (guess < p->keys.count) {
		size_t length = p->keys.length[guess];

		if ((size_t)(end - at) > length && at[length] == ' ' && memcmp(at, p->keys.at[guess], length) == 0) {
			*behind = at + length;
			return (int)guess;
		}
	}
	at = stop = skip_blanks(at, end);
	while (stop < end && !is_blank(*stop) && *stop != '\n')
		stop++;
	*behind = stop;
	if (stop == at)
		return -1;
	row = names_find(&p->keys, (struct text){ at, stop }, -1);
	return row < 0 ? -2 : row;
}

static const char *take_numbers(const struct proc_stat *p, const struct row *row, const char *at, const char *end,
				struct sample *out)
{
	uint64_t value;

	for (uint32_t i = 0; i < row->columns; i++) {
		at = number_u64(at, end, &value);
		if (!at || !is_number_end(at, end))
			return NULL;
		sample_put(out, row->metric + i, row->instance, value);
	}
	return at;
}

static bool is_line_end(const char *at, const char *end)
{
	at = skip_blanks(at, end);
	return at == end || *at == '\n' || *at == '\r';
}

static bool more_numbers(const char *at, const char *end)
{
	uint64_t ignored;

	at = number_u64(at, end, &ignored);
	return at && is_number_end(at, end);
}

/* A second line "cpu": it counts if its user time is the sum of the CPUs'. */
static void settle_cpu(const struct proc_stat *p, const struct row *row, const char *at, const char *end,
		       struct sample *out)
{
	uint64_t user, sum = 0;

	if (row->columns == 0)
		return;
	for (size_t i = 1; i < p->shape.instance_count; i++)
		if (sample_has(out, sample_slot(out, 0, i)))
			sum += (uint64_t)out->values[sample_slot(out, 0, i)];
	if (number_u64(at, end, &user) && user == sum)
		(void)take_numbers(p, row, at, end, out);
}

static int proc_stat_sample(void *state, struct sample *out, struct err *err)
{
	struct proc_stat *p = state;
	struct text text;
	const char *behind, *second = NULL;
	const struct row *second_row = NULL;
	size_t next = 0; /* the kernel's order rarely changes: guess the row after the last */
	int bad = 0;
	int r = procfile_read(&p->file, &text, err);

	if (r < 0)
		return r;
	p->samples++;
	for (const char *at = text.at; at < text.end; at = next_line(behind, text.end)) {
		int index = row_of(p, at, text.end, next, &behind);
		struct row *row;

		if (index == -2)
			return err_set(err, -ESTALE, "%s: new line", p->file.path);
		if (index < 0)
			continue;
		row = &p->rows[index];
		if (row->taken_in == p->samples) {
			if (row->is_cpu && row->instance == 0) {
				second = behind;
				second_row = row;
			}
			continue;
		}
		row->taken_in = p->samples;
		next = (size_t)index + 1;
		at = take_numbers(p, row, behind, text.end, out);
		if (at && row->is_cpu && row->columns < COLUMNS_MOST && more_numbers(at, text.end))
			return err_set(err, -ESTALE, "%s: new column", p->file.path);
		if (!at || (row->is_cpu && !is_line_end(at, text.end)))
			bad = err_set(err, -EBADMSG, "%s: no number after %s", p->file.path, names_at(&p->keys, index));
		behind = at ? at : behind;
	}
	if (second)
		settle_cpu(p, second_row, second, text.end, out);
	return bad;
}

/* The times of all CPUs are recorded at any rate; what is made of them is the reader's business. */
static int proc_stat_notes(const void *state, struct pairs *ret)
{
	return ((const struct proc_stat *)state)->per_cpu ? pairs_set(ret, "per_cpu", "yes") : 0;
}

static void proc_stat_close(void *state)
{
	struct proc_stat *p = state;

	free(p->rows);
	free(p->metrics);
	names_free(&p->keys);
	names_free(&p->names);
	names_free(&p->instances);
	procfile_close(&p->file);
}

const struct collector collector_proc_stat = {
	.name = "proc-stat",
	.description = "Time of the CPUs, interrupts, context switches, processes",
	.source = "proc/stat",
	.options = options,
	.hints = hints,
	.state_size = sizeof(struct proc_stat),
	.open = proc_stat_open,
	.shape = proc_stat_shape,
	.sample = proc_stat_sample,
	.close = proc_stat_close,
	.notes = proc_stat_notes,
};
