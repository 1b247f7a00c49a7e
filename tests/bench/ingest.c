/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What it costs to store a segment: segments a second and CPU a segment, one put a sync and many. The segments are as
 * the agent seals them every 5 s: 5 snapshots of 4000 slots of which one in eight moves.
 *
 *   bench_ingest [FOLDER]    on the file system of FOLDER; /tmp
 *
 * Beside it, a bare loop that writes the same bytes and waits for the disk once a file.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "proto/segment.h"
#include "store/store.h"

#define SEGMENTS  512
#define METRICS   4000
#define SNAPSHOTS 5

struct price {
	double wall, cpu; /* seconds */
};

static _Noreturn void die(const char *words)
{
	(void)fprintf(stderr, "bench_ingest: %s\n", words);
	abort();
}

static double clock_s(clockid_t id)
{
	struct timespec t;

	(void)clock_gettime(id, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct price price_now(void)
{
	return (struct price){ clock_s(CLOCK_MONOTONIC), clock_s(CLOCK_PROCESS_CPUTIME_ID) };
}

static void say(const char *what, const struct price *begin, size_t bytes)
{
	struct price end = price_now();
	double wall = end.wall - begin->wall, cpu = end.cpu - begin->cpu;

	printf("%s.rate %.0f segments/s\n", what, SEGMENTS / wall);
	printf("%s.cpu %.1f us/segment\n", what, 1e6 * cpu / SEGMENTS);
	printf("%s.value %.1f ns/value\n", what, 1e9 * cpu / ((double)SEGMENTS * METRICS * SNAPSHOTS));
	printf("%s.bytes %.2f MB/s\n", what, 1e-6 * (double)bytes / wall);
}

/* ---- the segments ---- */

struct metrics {
	char names[METRICS][16];
	struct metric at[METRICS];
	struct shape shape;
	struct sample sample;
};

static void metrics_make(struct metrics *m)
{
	static const char *const whole[] = { "" };
	struct err err;

	for (size_t i = 0; i < METRICS; i++) {
		(void)snprintf(m->names[i], sizeof(m->names[i]), "metric_%zu", i);
		m->at[i] = (struct metric){ .name = m->names[i], .kind = COUNTER, .unit = UNIT_COUNT };
	}
	m->shape = (struct shape){ "bench", 1, m->at, METRICS, whole, 1 };
	if (sample_init(&m->sample, &m->shape, &err) < 0)
		die(err.text);
}

static void sealed_make(struct metrics *m, struct segment_writer **w, const struct ulid *run, uint32_t sequence,
			struct buf *ret)
{
	struct run_header header = { *run, sequence, "box-1", "b", "1", sequence * UINT64_C(5000000000),
				     sequence * UINT64_C(5000000000), 1000000000 };
	struct buf open = { 0 };
	struct err err;
	int r = *w ? segment_writer_next(*w, &header, &open, &err) : segment_writer_open(w, &header, &open, &err);

	for (uint64_t i = 0; r == 0 && i < SNAPSHOTS; i++) {
		uint64_t tick = (uint64_t)sequence * SNAPSHOTS + i;
		struct snapshot snapshot = { tick, tick * 1000000000, 1000, &m->sample, 1 };

		for (size_t slot = 0; slot < METRICS; slot++)
			sample_put(&m->sample, slot, 0, slot % 8 ? slot : tick * (slot * 37 % 1000));
		r = segment_put_snapshot(*w, &snapshot, &open, &err);
	}
	if (r == 0)
		r = segment_seal(buf_text(&open), 3, ret, &err);
	if (r < 0)
		die(err.text);
	buf_free(&open);
}

/* ---- both sides ---- */

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	return remove(path);
}

static void through_the_store(const char *folder, const struct ulid *run, const struct buf *sealed, size_t batch_of)
{
	char path[4096], what[32];
	struct store_options options = { .path = path };
	enum put_result results[STORE_BATCH_MAX];
	struct store_batch *batch = store_batch_new();
	struct store *store;
	struct price begin;
	struct err err;
	size_t bytes = 0;

	(void)snprintf(path, sizeof(path), "%s/store-%zu", folder, batch_of);
	if (!batch || store_open(&store, &options, &err) < 0)
		die(err.text);
	begin = price_now();
	for (size_t i = 0; i < SEGMENTS; i++) {
		bytes += sealed[i].len;
		if (store_put_segment(store, run, (uint32_t)i + 1, buf_text(&sealed[i]), batch, &results[i % batch_of],
				      &err) < 0)
			die(err.text);
		if ((i + 1) % batch_of == 0 && store_sync(store, batch, &err) < 0)
			die(err.text);
	}
	if (store_sync(store, batch, &err) < 0)
		die(err.text);
	(void)snprintf(what, sizeof(what), "ingest.batch-%zu", batch_of);
	say(what, &begin, bytes);
	store_batch_free(batch);
	store_close(store);
}

static void bare(const char *folder, const struct buf *sealed)
{
	struct price begin = price_now();
	char path[4096];
	size_t bytes = 0;

	for (size_t i = 0; i < SEGMENTS; i++) {
		int fd;

		(void)snprintf(path, sizeof(path), "%s/bare-%zu", folder, i);
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0 || write(fd, sealed[i].data, sealed[i].len) != (ssize_t)sealed[i].len || fdatasync(fd) < 0)
			die(path);
		(void)close(fd);
		bytes += sealed[i].len;
	}
	say("ingest.bare", &begin, bytes);
}

int main(int argc, char **argv)
{
	static const size_t batches[] = { 1, 8, 64 };
	static struct metrics metrics;
	static struct buf sealed[SEGMENTS];
	struct segment_writer *w = NULL;
	char folder[2048];
	struct ulid run;
	struct err err;

	(void)snprintf(folder, sizeof(folder), "%s/assay-bench.XXXXXX", argc > 1 ? argv[1] : "/tmp");
	if (!mkdtemp(folder))
		die(folder);
	if (ulid_make(1000000000000, &run, &err) < 0)
		die(err.text);
	metrics_make(&metrics);
	for (uint32_t i = 0; i < SEGMENTS; i++)
		sealed_make(&metrics, &w, &run, i + 1, &sealed[i]);
	segment_writer_close(w);
	bare(folder, sealed);
	for (size_t i = 0; i < sizeof(batches) / sizeof(*batches); i++)
		through_the_store(folder, &run, sealed, batches[i]);
	for (size_t i = 0; i < SEGMENTS; i++)
		buf_free(&sealed[i]);
	sample_free(&metrics.sample);
	(void)nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}
