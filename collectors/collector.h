/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A source of metrics: one constant, in one file, that the agent only reads.
 *
 * Order:     probe; then open, sample..., close. Close follows every open, also a failed one: all cleaning up stands
 *            in close, once.
 * Results:   0, or -errno with `err` filled. Collectors never log.
 * Units:     raw, as the kernel gives them; the shape names unit and exponent.
 * Ownership: the agent owns the state: zeroed, options filled in, then opened. `out` is lent for one call and cleared
 *            before it; a slot nobody put is absent, not zero.
 * Threads:   one thread calls them all; a collector needs no lock.
 * Cost:      sample allocates nothing, copies no strings, uses no floating point.
 */
#ifndef ASSAY_COLLECTORS_COLLECTOR_H
#define ASSAY_COLLECTORS_COLLECTOR_H

#include "base/option.h"
#include "base/pairs.h"
#include "base/sample.h"
#include "host/host.h"

struct collector {
	const char *name;               /* its file, its [section], its metrics' prefix: "proc-vmstat" */
	const char *description;        /* one line, for `assay collectors` */
	const char *source;             /* what it lives by: "proc/meminfo"; patterns of host_glob, blanks between */
	const struct option *options;   /* where each lands in the state; may be NULL */
	const struct hint *hints;       /* kind and unit by key; ends at the row without one */
	size_t state_size;
	unsigned interval_ms;           /* default; 0 is 1000 */
	bool dear;                      /* sampled in the second lane, so that it makes no cheap one late */
	/* Can this host give it? NULL: if the first pattern of `source` has a file that can be opened. */
	int (*probe)(const struct collector *self, const struct host *host, struct err *err);
	/* Take what is kept between samples. The one place that allocates. */
	int (*open)(const struct collector *self, void *state, const struct host *host, struct err *err);
	/* What open found: metrics x instances ("num_objs" x "dentry"), good until close. Its `generation` is 0: the
	 * agent counts. */
	const struct shape *(*shape)(const void *state);
	/* -ESTALE: there is something new to measure; open me anew. What went away is only absent. Another failure
	 * leaves absent what could not be read, and what was put stands; one that put nothing is asked again after a
	 * minute, or at its next tick when it says -EAGAIN. */
	int (*sample)(void *state, struct sample *out, struct err *err);
	void (*close)(void *state);
	/* What a reader of the numbers should know and no number tells, by short names: which source was taken, what is
	 * left out and why ("without.node-loads", "the PMU does not have it"). After open; they become facts of the
	 * run, "<collector>." before them. 0 or -ENOMEM. NULL: there is nothing to tell. */
	int (*notes)(const void *state, struct pairs *ret);
	/* Opening anew: what outlives a generation (totals, a setting of the machine) goes from `old`, which is closed
	 * then, into `state`, which is opened next. NULL: nothing does. */
	void (*inherit)(void *state, void *old);
};

/* All of collectors/list.def, ends at NULL. */
extern const struct collector *const collectors[];

const struct collector *collector_find(const char *name); /* or NULL */

/* Does it work here? Calls probe, or opens the first file of `source`. */
int collector_probe(const struct collector *c, const struct host *host, struct err *err);

/*
 * A collector with its state and its sample: what the agent, `assay sample` and the tests drive.
 * open -> sample -> sample ... -> close. A sample that comes back -ESTALE is tried again after opening anew
 * (generation + 1), three times at most, before it is reported. After that the shape is another one: who kept the old one by its address
 * must look at the generation.
 */
struct collector_run {
	const struct collector *collector;
	const struct host *host;
	const char *const *options;
	void *state;
	struct shape shape;   /* the collector's, with our generation; of no metrics when opening anew failed */
	struct sample sample; /* the last one taken */
	bool is_open;
	uint64_t opened_ns; /* when it began to open; 0: it was sampled since */
};

/* `options`: "name", "value", ... pairs ending at NULL, or NULL; lent until close. On failure nothing is to close. */
int collector_run_open(struct collector_run *run, const struct collector *c, const struct host *host,
		       const char *const *options, struct err *err);

/* The same, but the first sample opens it. */
void collector_run_later(struct collector_run *run, const struct collector *c, const struct host *host,
			 const char *const *options);

/* Does it know of levels only? Then no reading before or after a thing tells more of it. By its hints. */
bool collector_is_of_levels(const struct collector *c);

/*
 * Fills run->sample with begin and cost. One that was opened just now (host.fresh_ns) gives what that read, and its begin is
 * that of opening.
 * On failure the slots are absent that the collector could not put; those it could (the other lines of a file with a
 * bad one, the other nodes) hold good values and may be recorded. A collector that could not be opened anew is tried
 * again by the next call; its shape has no metrics until then.
 */
int collector_run_sample(struct collector_run *run, struct err *err);
/* Add what an open one has to tell, each under "<collector>.<name>". 0 or -ENOMEM. */
int collector_run_notes(const struct collector_run *run, struct pairs *ret);
void collector_run_close(struct collector_run *run); /* also of a zeroed one, and twice */

#endif
