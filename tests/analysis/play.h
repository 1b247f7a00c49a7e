/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run made by hand: shapes, samples, marks, told to the reducer; then its stats. */
#ifndef ASSAY_TESTS_ANALYSIS_PLAY_H
#define ASSAY_TESTS_ANALYSIS_PLAY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/reduce.h"

#define ABSENT INT64_MIN
#define SECOND UINT64_C(1000000000)

struct play {
	struct reduce *reduce;
	struct stats stats;
	struct err err;
};

static inline void play_open(struct play *p)
{
	*p = (struct play){ 0 };
	assert_int_equal(reduce_open(&p->reduce, &p->err), 0);
}

/* `values`: metric by metric, its instances one after the other; ABSENT where the sample has none. */
static inline void play_sample(struct play *p, const struct shape *shape, uint64_t ns, const int64_t *values)
{
	struct sample s = { 0 };
	struct snapshot snapshot = { .monotonic_ns = ns, .samples = &s, .count = 1 };

	assert_int_equal(sample_init(&s, shape, &p->err), 0);
	s.begin_ns = ns;
	for (size_t i = 0; i < shape_slots(shape); i++)
		if (values[i] != ABSENT)
			sample_put(&s, i / shape->instance_count, i % shape->instance_count, (uint64_t)values[i]);
	assert_int_equal(reduce_events.snapshot(p->reduce, &snapshot, &p->err), 0);
	sample_free(&s);
}

#define PLAY(p, shape, seconds, ...) \
	play_sample((p), (shape), (uint64_t)((seconds) * (double)SECOND), (const int64_t[]){ __VA_ARGS__ })

static inline void play_mark(struct play *p, const char *name, double seconds)
{
	struct run_mark mark = { (uint64_t)(seconds * (double)SECOND), name, "" };

	assert_int_equal(reduce_events.mark(p->reduce, &mark, &p->err), 0);
}

static inline void play_output(struct play *p, enum output_stream stream, uint64_t offset, const char *text)
{
	struct run_output o = { stream, offset, text, strlen(text) };

	assert_int_equal(reduce_events.output(p->reduce, &o, &p->err), 0);
}

static inline void play_fact(struct play *p, const char *name, const char *value)
{
	struct pairs axes = { 0 }, facts = { 0 };

	assert_int_equal(pairs_set(&facts, name, value), 0);
	assert_int_equal(reduce_events.facts(p->reduce, &axes, &facts, &p->err), 0);
	pairs_free(&facts);
}

static inline void play_axis(struct play *p, const char *name, const char *value)
{
	struct pairs axes = { 0 }, facts = { 0 };

	assert_int_equal(pairs_set(&axes, name, value), 0);
	assert_int_equal(reduce_events.facts(p->reduce, &axes, &facts, &p->err), 0);
	pairs_free(&axes);
}

static inline void play_end(struct play *p, int exit_code, int signal)
{
	struct run_end end = { .exited = true, .exit_code = exit_code, .signal = signal };

	assert_int_equal(reduce_events.end(p->reduce, &end, &p->err), 0);
}

static inline void play_finish(struct play *p)
{
	assert_int_equal(reduce_finish(p->reduce, &p->stats, &p->err), 0);
	reduce_close(p->reduce);
	p->reduce = NULL;
}

static inline void play_close(struct play *p)
{
	reduce_close(p->reduce);
	stats_free(&p->stats);
}

static inline void expect(const struct play *p, const char *key, double want)
{
	double have, slack = want < 0 ? -want * 1e-9 : want * 1e-9;

	if (!stats_get(&p->stats, key, &have))
		fail_msg("%s is not there, should be %.17g", key, want);
	if (have < want - slack || have > want + slack)
		fail_msg("%s is %.17g, should be %.17g", key, have, want);
}

static inline void expect_none(const struct play *p, const char *key)
{
	double have;

	if (stats_get(&p->stats, key, &have))
		fail_msg("%s is %.17g, should not be there", key, have);
}

#endif
