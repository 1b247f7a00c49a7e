/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run is told in: the events a segment holds, in the order of their writing.
 *
 * The reader of segments (proto) and the readers of stored runs (store) call a `struct run_events`; analysis, dump and
 * export are such listeners. So the rooms that read and the rooms that understand need not know each other.
 *
 * Ownership: all that a listener is handed is lent for the call.
 * Results:   a listener returns 0, or -errno with `err` filled, which ends the reading and is passed up.
 */
#ifndef ASSAY_BASE_RUN_H
#define ASSAY_BASE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pairs.h"
#include "base/sample.h"
#include "base/ulid.h"

struct run_header {
	struct ulid run;
	uint32_t sequence;       /* of the segment; 1 is the first of a run */
	const char *host;        /* its name */
	const char *boot_id;     /* /proc/sys/kernel/random/boot_id */
	const char *agent_version;
	uint64_t realtime_ns;    /* both clocks at one moment */
	uint64_t monotonic_ns;
	uint64_t tick_ns;        /* the sampler's tick */
};

/* Names that the agent gives itself; the others are the user's. */
#define MARK_COMMAND_START "command.start" /* after the opening snapshot, just before the command runs */
#define MARK_COMMAND_END   "command.end"   /* just after it ended; the closing snapshot follows */
#define MARK_COMMAND_STOP  "command.stop"  /* its user stopped it; sampling stands still until it goes on */
#define MARK_COMMAND_CONTINUE "command.continue"
#define MARK_SUSPEND       "suspend"       /* the machine slept; value: seconds */
#define MARK_CLOCK         "clock"         /* the wall clock was set; value: by how many seconds, with sign */
#define MARK_DROPPED       "dropped"       /* snapshots that found no place in the spool; value: how many */
#define MARK_MISSED        "missed"        /* deadlines that passed without a snapshot; value: how many */

struct run_mark {
	uint64_t monotonic_ns;
	const char *name;
	const char *value; /* "" without one */
};

/* A number that was not sampled but told: rusage of the command, results of a parser that is a program. */
struct run_result {
	const char *key; /* whole: "hackbench.time.user_time" */
	double value;
	const char *unit;
	int direction; /* 1 more is better, -1 less is, 0 not said */
};

enum output_stream { OUTPUT_STDOUT = 1, OUTPUT_STDERR = 2 };

struct run_output {
	enum output_stream stream;
	uint64_t offset; /* of data in the stream; a gap is what was not kept */
	const char *data;
	size_t length;
};

struct run_end {
	bool exited;     /* false: the agent never saw the end */
	int exit_code;   /* when signal is 0 */
	int signal;      /* that ended it, or 0 */
	uint64_t ticks_missed;
	uint64_t bytes_dropped;    /* of snapshots that found no place in the spool */
	uint64_t output_dropped;   /* bytes of stdout and stderr that were shown and not kept */
	uint64_t collector_errors; /* samples that failed */
};

/* A line for people about what went wrong in the run: "slabinfo: proc/slabinfo: Permission denied". */
struct run_log {
	uint64_t monotonic_ns;
	const char *source; /* the collector, "agent", or "kmsg": text is a record of /dev/kmsg then, its escapes as they are */
	const char *text;
};

#define LOG_SOURCE_AGENT  "agent"
#define LOG_SOURCE_KERNEL "kmsg"
#define LOG_TIME_LIMIT    "the command was ended: its time limit was over"

/* Was the kernel's log read while the run went on? KERNEL_LOG_READ, or "unknown: Permission denied": what is not told
 * of the kernel then may have happened all the same. */
#define KERNEL_LOG_FACT "kernel.log"
#define KERNEL_LOG_READ "read"

struct run_events {
	int (*header)(void *context, const struct run_header *header, struct err *err);
	int (*snapshot)(void *context, const struct snapshot *snapshot, struct err *err);
	int (*mark)(void *context, const struct run_mark *mark, struct err *err);
	int (*result)(void *context, const struct run_result *result, struct err *err);
	int (*output)(void *context, const struct run_output *output, struct err *err);
	int (*log)(void *context, const struct run_log *log, struct err *err);
	/* Axes and facts; may come more than once, later values replace earlier ones. */
	int (*facts)(void *context, const struct pairs *axes, const struct pairs *facts, struct err *err);
	int (*end)(void *context, const struct run_end *end, struct err *err);
	/* Any may be NULL: not of interest. */
};

#endif
