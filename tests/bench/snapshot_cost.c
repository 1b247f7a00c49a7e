/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a full snapshot of all collectors costs, read, cut into numbers and encoded into a segment, set against a bare
 * loop of pread over the same files.
 *
 *   snapshot-cost.ratio         CPU seconds of our thread / of the bare loop (the kernel's own share is in both)
 *   snapshot-cost.instructions  the same by user-space instructions beyond the loop's, per value; where perf events are
 *   per-value.ns                CPU nanoseconds of a snapshot per value
 *
 * Rounds of both sides alternate, so that a change of clock or a busy neighbour hits both; the figures are of the sums
 * over the quicker half of the rounds of each side.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collectors/collector.h"
#include "host/clock.h"
#include "proto/segment.h"

#define ROUNDS    400
#define SNAPSHOTS 5 /* a round */
#define RUNS      128
#define FILES     8192

static struct collector_run runs[RUNS];
static size_t run_count;

struct bare {
	int fd;
	bool once; /* the short read is the end, as our reader knows it */
	char *buf;
	size_t size;
};
static struct bare files[FILES];
static size_t file_count;

/* Files of one record, where the kernel tells the end by a short read: both sides spare the second call there. */
static bool is_one_record(const char *path)
{
	static const char *const names[] = { "proc/loadavg", "proc/meminfo", "proc/net/netstat", "proc/net/snmp",
					     "proc/net/snmp6", "proc/net/sockstat", "proc/net/sockstat6",
					     "proc/net/xfrm_stat", "proc/pressure/cpu", "proc/pressure/io",
					     "proc/pressure/irq", "proc/pressure/memory", "proc/softirqs", "proc/stat",
					     "proc/uptime" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], path) == 0)
			return true;
	return strncmp(path, "sys/", 4) == 0;
}

static size_t read_whole(const struct bare *f)
{
	size_t len = 0;
	ssize_t n;

	while (len < f->size && (n = pread(f->fd, f->buf + len, f->size - len, (off_t)len)) > 0) {
		len += (size_t)n;
		if (f->once && n % 4096 != 0)
			break;
	}
	return len;
}

static void add_file(const struct host *host, const char *path)
{
	struct bare *f = &files[file_count];

	/* The name of an idle state and the list of CPUs are read at open only. */
	if (file_count == FILES || strcmp(path + strlen(path) - 5, "/name") == 0 ||
	    (strncmp(path, "sys/devices/system/cpu/", 23) == 0 && !strchr(path + 23, '/')))
		return;
	f->fd = host_open(host, path);
	if (f->fd < 0)
		return;
	f->once = is_one_record(path);
	f->size = (size_t)4 << 20;
	f->buf = malloc(f->size);
	f->size = f->buf ? 2 * read_whole(f) + 128 : 0;
	free(f->buf);
	f->buf = malloc(f->size);
	if (f->buf)
		file_count++;
}

static void add_files(const struct host *host, const struct collector *c)
{
	struct text source = text_of(c->source), pattern;
	struct err err;

	while (text_word(&source, &pattern)) {
		struct names paths = { 0 };
		char *copy = text_copy(pattern);

		if (copy && host_glob(host, copy, &paths, &err) == 0)
			for (size_t i = 0; i < paths.count; i++)
				add_file(host, paths.at[i]);
		names_free(&paths);
		free(copy);
	}
}

static int instructions_open(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t instructions_read(int fd)
{
	uint64_t value = 0;

	return fd >= 0 && read(fd, &value, sizeof(value)) == (ssize_t)sizeof(value) ? value : 0;
}

static uint64_t values_put;

static struct segment_writer *writer;
static struct buf segment;
static struct run_header header = { .run = { "01J00000000000000000000000" }, .host = "", .boot_id = "", .agent_version = "" };

/* A segment as the agent makes it: five snapshots, then the next one. */
static void next_segment(void)
{
	struct err err;
	int r;

	header.sequence++;
	buf_clear(&segment);
	r = writer ? segment_writer_next(writer, &header, &segment, &err) :
		     segment_writer_open(&writer, &header, &segment, &err);
	if (r < 0) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
}

static void snapshot(void)
{
	static uint64_t tick;
	struct sample samples[RUNS];
	struct snapshot all = { .tick = tick++, .monotonic_ns = clock_monotonic(), .samples = samples };
	struct err err;

	for (size_t i = 0; i < run_count; i++) {
		if (collector_run_sample(&runs[i], &err) < 0)
			fprintf(stderr, "%s: %s\n", runs[i].collector->name, err.text);
		else
			samples[all.count++] = runs[i].sample;
	}
	if (all.tick % SNAPSHOTS == 0)
		next_segment();
	if (segment_put_snapshot(writer, &all, &segment, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
}

static uint64_t bytes_read;

static void bare_loop(void)
{
	for (size_t i = 0; i < file_count; i++)
		bytes_read += read_whole(&files[i]);
}

static uint64_t one_round(void (*side)(void))
{
	uint64_t begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	for (int i = 0; i < SNAPSHOTS; i++)
		side();
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* ns of one snapshot, over the quicker half of the rounds. */
static double quicker_half(uint64_t *rounds)
{
	double sum = 0;

	qsort(rounds, ROUNDS, sizeof(*rounds), by_size);
	for (int i = 0; i < ROUNDS / 2; i++)
		sum += (double)rounds[i];
	return sum / (ROUNDS / 2) / SNAPSHOTS;
}

static size_t count_values(const struct sample *s)
{
	size_t count = 0;

	for (size_t slot = 0; slot < shape_slots(s->shape); slot++)
		count += sample_has(s, slot);
	return count;
}

/* Each collector by itself, for whoever looks for the dear one. */
static void each_collector(void)
{
	struct err err;

	for (size_t i = 0; i < run_count; i++) {
		uint64_t least = UINT64_MAX;

		for (int round = 0; round < 200; round++) {
			(void)collector_run_sample(&runs[i], &err);
			if (runs[i].sample.cost_ns < least)
				least = runs[i].sample.cost_ns;
		}
		fprintf(stderr, "# %-14s %8.1f us %6zu values\n", runs[i].collector->name, (double)least / 1000,
			count_values(&runs[i].sample));
	}
}

int main(int argc, char **argv)
{
	static uint64_t ours[ROUNDS], bare[ROUNDS];
	struct host host;
	struct err err;
	int fd;
	uint64_t at, instructions[2] = { 0 };
	double ours_ns, bare_ns;

	if (host_open_root(&host, NULL, &err) < 0)
		return 1;
	for (const struct collector *const *c = collectors; *c && run_count < RUNS; c++) {
		if (argc > 1 && strcmp(argv[1], (*c)->name) != 0)
			continue;
		if (collector_run_open(&runs[run_count], *c, &host, NULL, &err) < 0) {
			fprintf(stderr, "# left out: %s\n", err.text);
			continue;
		}
		if (runs[run_count].shape.metric_count == 0) { /* nothing to measure here, such as no NFS */
			collector_run_close(&runs[run_count]);
			continue;
		}
		run_count++;
		add_files(&host, *c);
	}
	fd = instructions_open();
	snapshot();
	bare_loop();
	for (int i = 0; i < ROUNDS; i++) {
		at = instructions_read(fd);
		ours[i] = one_round(snapshot);
		instructions[0] += instructions_read(fd) - at;
		at = instructions_read(fd);
		bare[i] = one_round(bare_loop);
		instructions[1] += instructions_read(fd) - at;
	}
	for (size_t i = 0; i < run_count; i++)
		values_put += count_values(&runs[i].sample);
	each_collector();
	ours_ns = quicker_half(ours);
	bare_ns = quicker_half(bare);
	printf("snapshot-cost.ours %.1f us\n", ours_ns / 1000);
	printf("snapshot-cost.bare %.1f us\n", bare_ns / 1000);
	printf("snapshot-cost.values %llu values\n", (unsigned long long)values_put);
	printf("snapshot-cost.ratio %.3f x\n", ours_ns / bare_ns);
	if (fd >= 0)
		printf("snapshot-cost.instructions %.1f a value\n",
		       (double)(instructions[0] - instructions[1]) / ROUNDS / SNAPSHOTS / (double)values_put);
	printf("per-value.ns %.1f ns\n", ours_ns / (double)values_put);
	return bytes_read == 0;
}
