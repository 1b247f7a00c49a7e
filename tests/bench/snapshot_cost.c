/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a full snapshot of all collectors costs, read, cut into numbers and encoded into a segment, set against a bare
 * loop of pread over the same files: those that the collectors hold open.
 *
 *   snapshot-cost.ratio         CPU seconds of our thread / of the bare loop (the kernel's own share is in both)
 *   snapshot-cost.instructions  the same by user-space instructions beyond the loop's, per value; where perf events are
 *   per-value.ns                CPU nanoseconds of a snapshot per value
 *
 * Rounds of both sides alternate, so that a change of clock or a busy neighbour hits both; the figures are of the sums
 * over the quicker half of the rounds of each side.
 *
 *   bench_snapshot_cost [--root TREE] [--name NAME] [COLLECTOR]
 *
 * A recorded tree lies in the page cache, where a pread copies and the kernel makes no text: there the bare loop is a
 * lower bound that no machine has, and the figures are called snapshot-cost.*-NAME. Lines that begin with '#', on
 * stderr, tell of each collector by itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collectors/collector.h"
#include "host/clock.h"
#include "proto/segment.h"

#define ROUNDS    400 /* at most */
#define SNAPSHOTS 5 /* a round */
#define RUNS      128
#define FILES     16384

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

/* An attribute of sysfs, and what the collectors know to be one record: the end is where a read falls short. */
static bool is_one_record(const char *path)
{
	static const char *const names[] = { "/proc/loadavg", "/proc/meminfo", "/proc/pressure/", "/proc/softirqs",
					     "/proc/stat", "/proc/uptime", "/sys/" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(path, names[i], strlen(names[i])) == 0)
			return true;
	return strncmp(path, "/proc/", 6) == 0 && strstr(path, "/net/") && !strstr(path, "/dev") &&
	       (strstr(path, "snmp") || strstr(path, "netstat") || strstr(path, "sockstat") || strstr(path, "xfrm"));
}

/* What the collector that was just opened holds open: descriptors from `first` on. */
static void add_files(int first, bool live)
{
	for (int fd = first; fd < FILES && file_count < FILES; fd++) {
		struct bare *f = &files[file_count];
		char link[64], path[512];
		struct stat st;
		ssize_t n;

		if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
			continue;
		(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, path, sizeof(path) - 1);
		path[n < 0 ? 0 : n] = '\0';
		*f = (struct bare){ .fd = fd, .once = live && is_one_record(path), .size = (size_t)16 << 20 };
		f->buf = malloc(f->size);
		f->size = f->buf ? 2 * read_whole(f) + 128 : 0;
		free(f->buf);
		f->buf = malloc(f->size);
		if (f->buf)
			file_count++;
	}
}

static int next_descriptor(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)close(fd);
	return fd;
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
		else if (shape_slots(&runs[i].shape) > 0)
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
static double quicker_half(uint64_t *rounds, int count)
{
	double sum = 0;

	qsort(rounds, (size_t)count, sizeof(*rounds), by_size);
	for (int i = 0; i < count / 2; i++)
		sum += (double)rounds[i];
	return sum / (count / 2) / SNAPSHOTS;
}

static size_t count_values(const struct sample *s)
{
	size_t count = 0;

	for (size_t slot = 0; slot < shape_slots(s->shape); slot++)
		count += sample_has(s, slot);
	return count;
}

static size_t first_file[RUNS + 1]; /* of each collector in `files` */

static uint64_t bare_of(size_t collector)
{
	uint64_t begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	for (size_t i = first_file[collector]; i < first_file[collector + 1]; i++)
		bytes_read += read_whole(&files[i]);
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/* Each collector by itself, for whoever looks for the dear one: without the encoding. */
static void each_collector(void)
{
	struct err err;

	for (size_t i = 0; i < run_count; i++) {
		uint64_t least = UINT64_MAX, bare = UINT64_MAX;

		for (int round = 0; round < 50; round++) {
			uint64_t begin = clock_ns(CLOCK_THREAD_CPUTIME_ID), ns;

			(void)collector_run_sample(&runs[i], &err);
			ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
			least = ns < least ? ns : least;
			ns = bare_of(i);
			bare = ns < bare ? ns : bare;
		}
		fprintf(stderr, "# %-14s %9.1f us, bare %9.1f us, ratio %6.2f, %6zu values of %5zu files\n",
			runs[i].collector->name, (double)least / 1000, (double)bare / 1000, (double)least / (double)bare,
			count_values(&runs[i].sample), first_file[i + 1] - first_file[i]);
	}
}

static void print(const char *figure, const char *name, double value, const char *unit)
{
	printf("%s%s%s %.3f %s\n", figure, name ? "-" : "", name ? name : "", value, unit);
}

int main(int argc, char **argv)
{
	static uint64_t ours[ROUNDS], bare[ROUNDS];
	const char *root = NULL, *name = NULL, *only = NULL;
	struct rlimit limit;
	struct host host;
	struct err err;
	int fd, rounds = ROUNDS;
	uint64_t at, instructions[2] = { 0 };
	double ours_ns, bare_ns;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--root") == 0 && i + 1 < argc)
			root = argv[++i];
		else if (strcmp(argv[i], "--name") == 0 && i + 1 < argc)
			name = argv[++i];
		else
			only = argv[i];
	}
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) { /* as the agent does */
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
	if (host_open_root(&host, root, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	for (const struct collector *const *c = collectors; *c && run_count < RUNS; c++) {
		int first = next_descriptor();

		if (only && strcmp(only, (*c)->name) != 0)
			continue;
		if (collector_run_open(&runs[run_count], *c, &host, NULL, &err) < 0) {
			fprintf(stderr, "# left out: %s\n", err.text);
			continue;
		}
		first_file[run_count++] = file_count;
		add_files(first, host.live);
	}
	first_file[run_count] = file_count;
	fd = instructions_open();
	at = one_round(snapshot) + one_round(bare_loop);
	if (at > 5000000) /* not longer than some seconds */
		rounds = at > 200000000 ? 10 : (int)(UINT64_C(2000000000) / at);
	for (int i = 0; i < rounds; i++) {
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
	ours_ns = quicker_half(ours, rounds);
	bare_ns = quicker_half(bare, rounds);
	print("snapshot-cost.ours", name, ours_ns / 1000, "us");
	print("snapshot-cost.bare", name, bare_ns / 1000, "us");
	print("snapshot-cost.values", name, (double)values_put, "values");
	print("snapshot-cost.ratio", name, ours_ns / bare_ns, "x");
	if (fd >= 0)
		print("snapshot-cost.instructions", name,
		      (double)(instructions[0] - instructions[1]) / rounds / SNAPSHOTS / (double)values_put, "a value");
	if (name)
		print("snapshot-cost.beyond", name, (ours_ns - bare_ns) / (double)values_put, "ns a value");
	print("per-value.ns", name, ours_ns / (double)values_put, "ns");
	return bytes_read == 0;
}
