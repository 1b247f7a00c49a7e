/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a snapshot costs to encode, beside a bare memcpy of its values; and what it weighs, on the wire in segments of
 * 5 s and packed as a run of 10 minutes. 300, 5000 and 300000 slots of which 5 % move each second: counters at a rate
 * of their own with noise, as the kernel's do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "proto/segment.h"

#define PER_SEGMENT 5
#define INSTANCES   4

struct machine {
	struct shape shape;
	struct sample sample;
	uint64_t dice;
	int64_t *rate; /* 0: stands still */
};

static void die(const struct err *err)
{
	(void)fprintf(stderr, "segment_put: %s\n", err->text);
	abort();
}

static uint64_t now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static uint64_t roll(struct machine *m, uint64_t sides)
{
	m->dice = m->dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (m->dice >> 33) % sides;
}

static void machine_open(struct machine *m, size_t slots)
{
	static const char *const instances[INSTANCES] = { "CPU0", "CPU1", "CPU2", "CPU3" };
	size_t count = slots / INSTANCES;
	struct metric *metrics = calloc(count, sizeof(*metrics));
	struct err err = { 0 };

	m->dice = 1;
	m->rate = calloc(slots, sizeof(*m->rate));
	if (!metrics || !m->rate)
		abort();
	for (size_t i = 0; i < count; i++) {
		char *name = malloc(32);

		if (!name)
			abort();
		(void)snprintf(name, 32, "nr_counter_%zu", i);
		metrics[i] = (struct metric){ name, COUNTER, UNIT_COUNT, 0, FOLD_SUM };
	}
	m->shape = (struct shape){ "bench", 1, metrics, count, instances, INSTANCES };
	if (sample_init(&m->sample, &m->shape, &err) != 0)
		die(&err);
	for (size_t slot = 0; slot < slots; slot++) {
		sample_put(&m->sample, slot / INSTANCES, slot % INSTANCES, roll(m, 4) ? 0 : roll(m, 1 << 24));
		/* What moves stands together: the lines of a busy device, the fields of a busy CPU. */
		m->rate[slot] = slot / 8 % 20 == 3 ? (int64_t)(INT64_C(1) << roll(m, 14)) : 0;
	}
}

static void machine_tick(struct machine *m)
{
	for (size_t slot = 0; slot < shape_slots(&m->shape); slot++)
		if (m->rate[slot])
			m->sample.values[slot] += m->rate[slot] + (int64_t)roll(m, (uint64_t)m->rate[slot] / 4 + 1);
}

static void machine_close(struct machine *m)
{
	for (size_t i = 0; i < m->shape.metric_count; i++)
		free((char *)(uintptr_t)m->shape.metrics[i].name);
	free((struct metric *)(uintptr_t)m->shape.metrics);
	sample_free(&m->sample);
	free(m->rate);
}

struct sums {
	uint64_t put_ns, copy_ns, read_ns;
	size_t wire, sealed; /* bytes of all segments */
};

static void segment_over(struct text open, struct segment_packer *packer, struct sums *sums)
{
	cleanup_buf struct buf sealed = { 0 };
	struct err err = { 0 };
	uint64_t begin;

	if (segment_seal(open, 3, &sealed, &err) != 0)
		die(&err);
	sums->wire += text_len(open);
	sums->sealed += sealed.len;
	begin = now_ns();
	if (segment_read(open, NULL, false, NULL, NULL, NULL, &err) != 0)
		die(&err);
	sums->read_ns += now_ns() - begin;
	if (segment_read(buf_text(&sealed), NULL, false, &segment_packer_events, packer, NULL, &err) != 0)
		die(&err);
}

static void bench(size_t slots, uint64_t seconds)
{
	struct machine m;
	struct segment_writer *writer = NULL;
	struct segment_packer *packer;
	struct sums sums = { 0 };
	struct run_header header = { { "01J8ZQ4B3N5R7T9VWXYZ012345" }, 0, "lab1", "b007", "0.1.0", 1, 2, 1000000000 };
	cleanup_buf struct buf out = { 0 }, packed = { 0 };
	int64_t *copy = malloc(slots * sizeof(*copy));
	double values = (double)slots * (double)seconds;
	struct err err = { 0 };
	uint64_t begin;

	if (!copy || segment_packer_open(&packer, &err) != 0)
		abort();
	machine_open(&m, slots);
	for (uint64_t tick = 0; tick < seconds; tick++) {
		struct snapshot s = { tick, (tick + 1) * 1000000000, 50000 + roll(&m, 20000), &m.sample, 1 };
		int r = 0;

		s.monotonic_ns += s.lateness_ns;
		m.sample.begin_ns = s.monotonic_ns + 60;
		m.sample.cost_ns = 100000 + roll(&m, 20000);
		if (tick % PER_SEGMENT == 0) {
			header.sequence++;
			buf_clear(&out);
			r = writer ? segment_writer_next(writer, &header, &out, &err)
				   : segment_writer_open(&writer, &header, &out, &err);
		}
		begin = now_ns();
		r = r ? r : segment_put_snapshot(writer, &s, &out, &err);
		if (r != 0)
			die(&err);
		if (tick % PER_SEGMENT) /* the first one of a segment writes the names, too */
			sums.put_ns += now_ns() - begin;
		begin = now_ns();
		memcpy(copy, m.sample.values, slots * sizeof(*copy));
		__asm__ volatile("" : : "r"(copy) : "memory");
		if (tick % PER_SEGMENT)
			sums.copy_ns += now_ns() - begin;
		if (tick % PER_SEGMENT == PER_SEGMENT - 1)
			segment_over(buf_text(&out), packer, &sums);
		machine_tick(&m);
	}
	if (segment_packer_finish(packer, SEGMENT_PACK_LEVEL, &packed, &err) != 0)
		die(&err);
	printf("segment-put.%zu.put %.3f ns/slot\n", slots, (double)sums.put_ns / values * 5 / 4);
	printf("segment-put.%zu.memcpy %.3f ns/slot\n", slots, (double)sums.copy_ns / values * 5 / 4);
	printf("segment-put.%zu.ratio %.2f x\n", slots, (double)sums.put_ns / (double)sums.copy_ns);
	printf("segment-put.%zu.read %.3f ns/slot\n", slots, (double)sums.read_ns / values);
	printf("segment-put.%zu.wire %.4f bytes/value\n", slots, (double)sums.wire / values);
	printf("segment-put.%zu.sealed %.4f bytes/value\n", slots, (double)sums.sealed / values);
	printf("segment-put.%zu.packed %.4f bytes/value\n", slots, (double)packed.len / values);
	begin = now_ns();
	if (segment_read(buf_text(&packed), NULL, false, NULL, NULL, NULL, &err) != 0)
		die(&err);
	printf("segment-put.%zu.read-packed %.3f ns/slot\n", slots, (double)(now_ns() - begin) / values);
	segment_packer_close(packer);
	segment_writer_close(writer);
	machine_close(&m);
	free(copy);
}

int main(void)
{
	bench(300, 600);
	bench(5000, 600);
	bench(300000, 60);
	return 0;
}
