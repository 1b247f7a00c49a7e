/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a hostile segment may tell: shapes of any names and meanings, samples with any slots, marks at any time.
 * A byte chooses what comes next, the following ones are its numbers.
 */
#include <stdint.h>
#include <stdlib.h>

#include "analysis/reduce.h"
#include "analysis/series.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *at, *end;
};

static uint8_t byte(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

static uint64_t number(struct input *in)
{
	uint64_t value = 0;

	for (unsigned n = byte(in) % 9; n; n--)
		value = value << 8 | byte(in);
	return value;
}

static const char *const collectors[] = { "proc-stat", "diskstats",   "cpuidle",      "pressure", "uptime",
					  "meminfo",   "proc-vmstat", "numa-meminfo", "x" };
static const char *const names[] = { "user",	   "idle",	    "softirqs", "read_ios", "time_in_queue", "C1.time",
				     "some.total", "boot",	    "MemTotal", "MemFree",  "AnonPages",     "pswpin",
				     "a b\n",	   "procs_running", "",		"iowait" };
static const char *const instances[] = { "", "cpu0", "cpu1", "sda", "sda1", "nvme0n1p1", "9", "p" };

#define PICK(in, list) ((list)[byte(in) % (sizeof(list) / sizeof(*(list)))])

static void tell_sample(struct input *in, struct reduce *reduce, struct series *series)
{
	struct metric metrics[6];
	const char *columns[6];
	struct shape shape = {
		PICK(in, collectors), byte(in) % 4, metrics, 1 + byte(in) % 6, columns, 1 + byte(in) % 6
	};
	struct sample sample = { 0 };
	struct snapshot snapshot = { .samples = &sample, .count = 1 };
	struct err err = { 0 };

	for (size_t i = 0; i < shape.metric_count; i++) {
		metrics[i] = (struct metric){ .name = PICK(in, names), .kind = byte(in) % 5, .fold = byte(in) % 7 };
		metrics[i].exponent = (int)(int32_t)number(in);
	}
	for (size_t i = 0; i < shape.instance_count; i++)
		columns[i] = PICK(in, instances);
	if (sample_init(&sample, &shape, &err) < 0)
		abort();
	sample.begin_ns = number(in);
	for (size_t i = 0; i < shape_slots(&shape); i++)
		if (byte(in) % 4)
			sample_put(&sample, i / shape.instance_count, i % shape.instance_count, number(in));
	(void)reduce_events.snapshot(reduce, &snapshot, &err);
	(void)series_events.snapshot(series, &snapshot, &err);
	sample_free(&sample);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, data + size };
	struct run_header header = { 0 };
	struct run_mark mark = { 0 };
	struct stats stats = { 0 };
	struct series series;
	struct reduce *reduce;
	struct err err = { 0 };

	if (reduce_open(&reduce, &err) < 0 || series_open(&series, NULL, 0, &err) < 0)
		abort();
	while (in.at < in.end)
		switch (byte(&in) % 5) {
		case 0:
			mark = (struct run_mark){ number(&in), byte(&in) % 2 ? MARK_COMMAND_START : MARK_COMMAND_END,
						  "" };
			(void)reduce_events.mark(reduce, &mark, &err);
			break;
		default:
			/* the shapes lie on the stack: always at the same place */
			(void)reduce_events.header(reduce, &header, &err);
			(void)series_events.header(&series, &header, &err);
			tell_sample(&in, reduce, &series);
		}
	if (reduce_finish(reduce, &stats, &err) < 0)
		abort();
	for (size_t i = 0; i < stats.count; i++)
		if (stats.at[i].value != stats.at[i].value || strpbrk(stats.at[i].key, " \n"))
			abort();
	stats_free(&stats);
	series_close(&series);
	reduce_close(reduce);
	return 0;
}
