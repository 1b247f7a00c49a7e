/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the wrapped command and all that comes from it use, in totals: collectors/process_tree.h tells how it is counted.
 * Of a recording, which knows no command, all processes.
 *
 *   proc/<pid>/stat     threads, time, faults, memory
 *   proc/<pid>/io       who may not read it lacks these of those processes
 *   proc/<pid>/status   context switches; those of several threads in proc/<pid>/task/<tid>/status
 *   proc/<pid>/fd       how many files are open
 */
#include <errno.h>

#include "collectors/collector.h"
#include "collectors/process_tree.h"
#include "host/clock.h"

enum { PROCESSES, RUNNING, BLOCKED, ZOMBIES, THREADS, VSIZE, RSS, FDS, UNREAD, SEEN, USED, METRICS = USED + USED_COUNT };

struct process_totals {
	char *pids;
	int64_t budget, most;
	struct process_tree tree;
	bool begun; /* the command is a program now, and no longer waits to become it */
	struct metric metrics[METRICS];
	struct shape shape;
};

static const struct option options[] = {
	{ "pids", OPT_TEXT, offsetof(struct process_totals, pids), "",
	  "Processes to measure with all that come from them, blanks between; without one, the command." },
	{ "budget", OPT_DURATION, offsetof(struct process_totals, budget), "5ms",
	  "CPU time for reading at a time; what is not reached keeps its numbers and is first the next time." },
	{ "most", OPT_NUMBER, offsetof(struct process_totals, most), "16384", "Processes to measure at most; others are counted." },
	{ 0 },
};

static const struct hint hints[] = {
	/* key                           kind     unit        help */
	{ "processes",                   GAUGE,   UNIT_COUNT, "Processes, those that ended and were not waited for among them." },
	{ "running",                     GAUGE,   UNIT_COUNT, "Processes whose first thread runs or could." },
	{ "blocked",                     GAUGE,   UNIT_COUNT, "Processes whose first thread waits uninterruptibly, mostly for a device." },
	{ "zombies",                     GAUGE,   UNIT_COUNT, "Processes that ended and were not waited for." },
	{ "threads",                     GAUGE,   UNIT_COUNT, "Threads." },
	{ "vsize",                       GAUGE,   UNIT_BYTES, "Address space." },
	{ "rss",                         GAUGE,   UNIT_BYTES, "Resident memory; what processes share counts in each." },
	{ "fds",                         GAUGE,   UNIT_COUNT, "Open files; a file counts in each process that has it." },
	{ "unread",                      GAUGE,   UNIT_COUNT, "Processes and threads that a look did not reach, whose numbers are older." },
	{ "seen",                        COUNTER, UNIT_COUNT, "Processes that came, and lived long enough to be seen." },
	{ "utime",                       COUNTER, UNIT_TICKS, "CPU time in programs." },
	{ "stime",                       COUNTER, UNIT_TICKS, "CPU time in the kernel." },
	{ "minflt",                      COUNTER, UNIT_COUNT, "Page faults that needed no device." },
	{ "majflt",                      COUNTER, UNIT_COUNT, "Page faults that read from a device." },
	{ "rchar",                       COUNTER, UNIT_BYTES, "Bytes that read() and the like returned, wherever from." },
	{ "wchar",                       COUNTER, UNIT_BYTES, "Bytes handed to write() and the like." },
	{ "syscr",                       COUNTER, UNIT_COUNT, "Calls of read() and the like." },
	{ "syscw",                       COUNTER, UNIT_COUNT, "Calls of write() and the like." },
	{ "read_bytes",                  COUNTER, UNIT_BYTES, "Bytes fetched from block devices." },
	{ "write_bytes",                 COUNTER, UNIT_BYTES, "Bytes to be written to block devices." },
	{ "cancelled_write_bytes",       COUNTER, UNIT_BYTES, "Of these, what was dropped before it was written." },
	{ "voluntary_ctxt_switches",     COUNTER, UNIT_COUNT, "Switches of threads that had to wait, as far as they lived long enough to be seen." },
	{ "nonvoluntary_ctxt_switches",  COUNTER, UNIT_COUNT, "Switches of threads that could have gone on, as far as they lived long enough to be seen." },
	{ 0 },
};

static const char *const instances[] = { "" };

static int process_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct process_totals *p = state;
	bool named = text_len(text_trim(text_of(p->pids))) > 0;
	int r;

	if (!named && host->live && !host->command)
		return err_set(err, -ENODATA, "process: there is no command; the option pids names processes to measure");
	p->budget = host->live ? p->budget : INT64_MAX / 64; /* a recording is looked at once */
	if (p->most < 1 || p->most > 1 << 20)
		return err_set(err, -EINVAL, "process: most: from 1 to 1M");
	for (size_t i = 0; i < METRICS; i++) {
		p->metrics[i].name = self->hints[i].key;
		hint_apply(self->hints, &p->metrics[i]);
	}
	p->shape = (struct shape){ self->name, 0, p->metrics, METRICS, instances, 1 };
	r = process_tree_open(&p->tree, host, named ? p->pids : NULL, (size_t)p->most, err);
	if (r == 0 && p->tree.all && p->tree.count == 0)
		r = err_set(err, -ENOENT, "%s: there is no process", self->source);
	return r;
}

static const struct shape *process_shape(const void *state)
{
	return &((const struct process_totals *)state)->shape;
}

static void put_levels(const struct process_tree *t, struct sample *out)
{
	uint64_t level[SEEN] = { [PROCESSES] = t->count + t->not_measured };
	bool fds = t->count == 0;

	for (size_t i = 0; i < t->count; i++) {
		const struct process *p = &t->at[i];

		level[RUNNING] += p->state == 'R';
		level[BLOCKED] += p->state == 'D';
		level[ZOMBIES] += p->state == 'Z';
		level[THREADS] += p->threads;
		level[VSIZE] += p->vsize;
		level[RSS] += p->rss;
		level[FDS] += p->has_fds ? p->fds : 0;
		fds = fds || p->has_fds;
	}
	level[RSS] *= (uint64_t)t->host->page_size;
	level[UNREAD] = t->not_measured + t->not_read;
	for (size_t i = 0; i < SEEN; i++)
		if (i != FDS || fds)
			sample_put(out, i, 0, level[i]);
}

static int process_sample(void *state, struct sample *out, struct err *err)
{
	struct process_totals *p = state;
	int r = process_tree_look(&p->tree, (uint64_t)p->budget, err);

	if (r < 0)
		return r;
	if (p->begun || !p->tree.self)
		put_levels(&p->tree, out);
	p->begun = true;
	sample_put(out, SEEN, 0, p->tree.seen);
	for (size_t i = 0; i < USED_COUNT; i++)
		if (p->tree.has[i])
			sample_put(out, USED + i, 0, p->tree.used[i]);
	return 0;
}

/* proc/net/stat and proc/self/stat match as well. */
static int process_probe(const struct collector *self, const struct host *host, struct err *err)
{
	struct names found = { 0 };
	bool any = false;
	int r = host_glob(host, self->source, &found, err);

	for (size_t i = 0; i < found.count && r == 0 && !any; i++) {
		const char *number = found.at[i] + strlen("proc/");

		any = *number >= '0' && *number <= '9';
	}
	names_free(&found);
	return r < 0 || any ? r : err_set(err, -ENOENT, "%s: there is no process", self->source);
}

static void process_close(void *state)
{
	process_tree_close(&((struct process_totals *)state)->tree);
}

const struct collector collector_process = {
	.name = "process",
	.description = "What the command and all processes that come from it use",
	.source = "proc/*/stat",
	.options = options,
	.hints = hints,
	.state_size = sizeof(struct process_totals),
		.dear = true,
	.probe = process_probe,
	.open = process_open,
	.shape = process_shape,
	.sample = process_sample,
	.close = process_close,
};
