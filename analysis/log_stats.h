/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel's log and the command's stderr say in a run -> function stats (spec A.3.12): 1 where a thing happened.
 *
 *   dmesg.<id>              a crash or a bug, by its head; dmesg.boot_failures with any of them
 *   dmesg.timestamp:<id>    seconds since boot of the first one; dmesg.timestamp:last: of the last message at all
 *   kmsg.<id>               any other message of the kernel of level error or worse
 *   stderr.<id>             a line of the command's stderr; stderr.has_stderr with any
 *   last_state.OOM          the kernel killed for want of memory
 *
 * What programs write into the log (facility other than 0) is no message of the kernel. The lines of a backtrace
 * belong to the message before them and have no id. Each family has at most LOG_IDS_MAX ids; `<family>.more_ids` is
 * there when more messages came.
 */
#ifndef ASSAY_ANALYSIS_LOG_STATS_H
#define ASSAY_ANALYSIS_LOG_STATS_H

#include "analysis/stats.h"
#include "base/buf.h"

#define LOG_IDS_MAX 256

struct log_seen {
	char *id;
	double seconds; /* since boot; negative: not told */
};

struct log_ids {
	struct log_seen *at;
	size_t count, room;
	bool more;
};

struct log_stats {
	struct log_ids crashes, errors, lines;
	struct buf lockdep; /* "possible circular locking ... A is trying to acquire lock: at: f ...", as far as it came */
	int lockdep_lines;
	double lockdep_seconds;
	double last;        /* seconds of the latest message */
	bool stamped, out_of_memory;
	struct buf scratch;
};

/* A record of /dev/kmsg, or a line of the console. 0 or -ENOMEM. */
int log_stats_kernel(struct log_stats *s, struct text record);
int log_stats_error_lines(struct log_stats *s, struct text text);

/* `read`: the kernel's log was read, so that nothing in it means a clean run (dmesg.boot_failures is 0 then). */
int log_stats_finish(const struct log_stats *s, bool read, struct stats *ret);
void log_stats_free(struct log_stats *s);

#endif
