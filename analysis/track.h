/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is kept of one collector while a run is reduced: some words for each slot, nothing for each sample.
 *
 * Shapes of all generations are laid over each other by name: a row for each metric that was ever seen, a column for
 * each instance. What a counter counted is the sum of its steps:
 *
 *   forward                          the difference, also over samples and generations in which it was not there
 *   back, after it was not there     nothing: it began anew (a CPU that was away)
 *   back, 32 bits wide               a wrap, if the step is less than half of the range
 *   back by no more than an eighth   nothing: the kernel corrected itself (iowait, sums over CPUs read one by one)
 *   back, in a new generation        nothing: it began anew (another device of that name)
 *   back, otherwise                  a reset: the new value
 */
#ifndef ASSAY_ANALYSIS_TRACK_H
#define ASSAY_ANALYSIS_TRACK_H

#include "base/names.h"
#include "base/sample.h"

/* Where a sample lies. The opening snapshot is the window's time 0, so it is inside. A level is that of the samples inside;
 * the closing one, after the command, counts only as long as there is no other. */
enum phase { PHASE_AFTER = 1, PHASE_INSIDE = 2 };

/* A level over time: mean and largest. Zero it to begin. */
struct level {
	double sum, max;
	uint32_t count;
	enum phase phase;
};

void level_add(struct level *l, enum phase phase, double value);

static inline double level_mean(const struct level *l)
{
	return l->sum / l->count;
}

struct slot {
	uint64_t last;	/* raw, of the last sample that had it */
	uint32_t seen;	/* that sample's number, from 1; 0: never */
	uint32_t count; /* of samples that had it */
	bool moved;	/* it was not always zero */
	union {
		uint64_t steps;	    /* COUNTER, COUNTER32 */
		struct level level; /* all else */
	};
};

struct track {
	char *collector;
	struct names metrics, instances; /* rows, columns */
	struct metric *meaning;		 /* [row]; the first one's words; `name` is that of `metrics` */
	struct slot *slots;		 /* [row * columns_room + column] */
	size_t rows_room, columns_room;

	/* The shape that is sampled now. */
	const struct shape *shape; /* only compared, never looked into; NULL: bind before use */
	uint32_t generation;
	int *row_of, *column_of;      /* of its metrics and instances; -1: its meaning changed, not followed */
	int *metric_at, *instance_at; /* the other way round: [row], [column]; -1: not there now */
	size_t metric_count, instance_count;

	uint32_t samples;	    /* how many were taken */
	uint32_t since;		    /* number of the first one of this generation */
	uint64_t first_ns, last_ns; /* when the first and the last one began */
};

int track_open(struct track *t, const char *collector, struct err *err);
void track_close(struct track *t);

/* Lay `shape` over what is there. To be called when the shape is another one, also if it has the same address. */
int track_bind(struct track *t, const struct shape *shape, struct err *err);

/* Take a sample of the bound shape. One in which nothing is present is not counted. */
void track_sample(struct track *t, const struct sample *sample, enum phase phase);

static inline struct slot *track_slot(const struct track *t, int row, int column)
{
	return &t->slots[(size_t)row * t->columns_room + (size_t)column];
}

/*
 * The number in the sample that track_sample() is about to take, by row and column (-1 is allowed: false).
 * step: against the sample before, of which it must have been a part; false too where it began anew.
 */
bool track_value(const struct track *t, const struct sample *sample, int row, int column, uint64_t *ret);
bool track_step(const struct track *t, const struct sample *sample, int row, int column, uint64_t *ret);

static inline int track_row(const struct track *t, const char *metric)
{
	return names_find(&t->metrics, text_of(metric), -1);
}

static inline int track_column(const struct track *t, const char *instance)
{
	return names_find(&t->instances, text_of(instance), 0);
}

static inline bool is_counter(const struct metric *m)
{
	return m->kind == COUNTER || m->kind == COUNTER32;
}

#endif
