/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cost.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/take.h"
#include "cli/cli.h"

#define SAMPLES 12 /* and one before, which finds the caches cold */

struct cost {
	const struct collector *collector;
	size_t values;
	uint64_t bytes;	 /* by a sample */
	uint64_t cpu_ns; /* by a sample */
	bool bytes_known;
};

const char *lane_name(const struct collector *c)
{
	return c->dear ? "dear" : "cheap";
}

static double interval_s(const struct collector *c)
{
	return (c->interval_ms ? c->interval_ms : 1000) / 1000.0;
}

static double cpu_percent(const struct cost *c)
{
	return (double)c->cpu_ns / 1e7 / interval_s(c->collector);
}

/* Bytes that this thread has read so far; false where the kernel does not count them. */
static bool bytes_read(uint64_t *ret)
{
	cleanup_fd int fd = open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC);
	char part[512];
	ssize_t n = fd < 0 ? -1 : read(fd, part, sizeof(part));
	struct text rest;

	if (n <= 0)
		return false;
	rest = text_n(part, (size_t)n);
	return text_skip(&rest, "rchar:") && text_u64(&rest, ret);
}

static uint64_t cpu_now(void)
{
	struct timespec t;

	return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) < 0 ? 0
							      : (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static size_t values_of(const struct sample *s)
{
	size_t n = 0;

	for (size_t word = 0; word < (shape_slots(s->shape) + 63) / 64; word++)
		n += (size_t)__builtin_popcountll(s->present[word]);
	return n;
}

/* False: it does not work here. */
static bool measure(const struct collector *c, const struct host *host, struct cost *ret)
{
	struct collector_run run;
	uint64_t before, between, after, cpu;
	struct err err;
	bool known;

	*ret = (struct cost){ .collector = c };
	if (collector_probe(c, host, &err) < 0 || collector_run_open(&run, c, host, NULL, &err) < 0)
		return false;
	(void)collector_run_sample(&run, &err);
	ret->values = values_of(&run.sample);
	known = bytes_read(&before) && bytes_read(&between);
	cpu = cpu_now();
	for (int i = 0; i < SAMPLES; i++) {
		(void)collector_run_sample(&run, &err);
		ret->values = values_of(&run.sample) > ret->values ? values_of(&run.sample) : ret->values;
	}
	ret->cpu_ns = (cpu_now() - cpu) / SAMPLES;
	ret->bytes_known = known && bytes_read(&after);
	if (ret->bytes_known)
		ret->bytes = (after - between - (between - before)) / SAMPLES; /* looking costs some itself */
	collector_run_close(&run);
	return true;
}

static int by_cpu(const void *a, const void *b)
{
	double left = cpu_percent(a), right = cpu_percent(b);

	return left < right ? 1 : left > right ? -1 : 0;
}

static double by_value(const struct cost *c)
{
	return c->values ? (double)c->cpu_ns / (double)c->values : 0;
}

static void put_line(struct buf *to, const struct cost *c, const char *name, const char *lane)
{
	(void)buf_printf(to, "%-14s %7zu ", name, c->values);
	if (c->bytes_known)
		(void)buf_printf(to, "%9llu ", (unsigned long long)c->bytes);
	else
		(void)buf_printf(to, "%9s ", "-");
	(void)buf_printf(to, "%9.1f %8.0f ", (double)c->cpu_ns / 1e3, by_value(c));
	if (c->collector)
		(void)buf_printf(to, "%6g s  %-5s %8.4f\n", interval_s(c->collector), lane, cpu_percent(c));
}

static void put_table(struct buf *to, const struct cost *costs, size_t count)
{
	struct cost total = { .bytes_known = true };
	double percent = 0;

	(void)buf_printf(to, "%-14s %7s %9s %9s %8s %8s  %-5s %8s\n", "collector", "values", "bytes", "us", "ns/value",
			 "interval", "lane", "CPU %");
	for (size_t i = 0; i < count; i++) {
		put_line(to, &costs[i], costs[i].collector->name, lane_name(costs[i].collector));
		total.values += costs[i].values;
		total.bytes += costs[i].bytes;
		total.cpu_ns += costs[i].cpu_ns;
		total.bytes_known = total.bytes_known && costs[i].bytes_known;
		percent += cpu_percent(&costs[i]);
	}
	put_line(to, &total, "all", "");
	(void)buf_printf(to, "%8s  %-5s %8.4f\n", "", "", percent);
}

static void put_json(struct buf *to, const struct cost *costs, size_t count)
{
	(void)buf_puts(to, "[");
	for (size_t i = 0; i < count; i++) {
		const struct cost *c = &costs[i];

		(void)buf_puts(to, i ? ",\n{\"name\":" : "{\"name\":");
		(void)json_text(to, text_of(c->collector->name));
		(void)buf_printf(to, ",\"values\":%zu,", c->values);
		if (c->bytes_known)
			(void)buf_printf(to, "\"bytes\":%llu,", (unsigned long long)c->bytes);
		(void)buf_printf(
			to, "\"us\":%.3f,\"ns_per_value\":%.1f,\"interval_s\":%g,\"lane\":\"%s\",\"cpu_percent\":%.5f}",
			(double)c->cpu_ns / 1e3, by_value(c), interval_s(c->collector), lane_name(c->collector),
			cpu_percent(c));
	}
	(void)buf_puts(to, "]\n");
}

int cost_print(const struct collector *const *list, const struct host *host, bool json, struct err *err)
{
	cleanup_free struct cost *costs = NULL;
	cleanup_buf struct buf out = { 0 };
	size_t room = 0, count = 0;

	while (list[room])
		room++;
	costs = calloc(room + 1, sizeof(*costs));
	if (!costs)
		return err_set(err, -ENOMEM, "no memory for %zu collectors", room);
	for (size_t i = 0; i < room; i++)
		count += measure(list[i], host, &costs[count]);
	qsort(costs, count, sizeof(*costs), by_cpu);
	if (json)
		put_json(&out, costs, count);
	else
		put_table(&out, costs, count);
	if (out.failed || print_out(&out) < 0)
		return err_set(err, -EIO, "the table could not be written");
	return 0;
}
