/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run: collectors, a command, segments.
 *
 *   sampler   ticks at absolute deadlines, asks each collector when it is due     -> snapshot
 *   recorder  puts snapshots, marks, output ... into the open segment of the spool -> sealed segment
 *   shipper   takes the oldest sealed segment to where it belongs, then unlinks it
 *   command   the wrapped program: process group, terminal, signals, output, rusage
 *
 * agent_run() sets all of them to work, for one execution of one command.
 */
#ifndef ASSAY_AGENT_AGENT_H
#define ASSAY_AGENT_AGENT_H

#include "base/pairs.h"
#include "base/run.h"
#include "collectors/collector.h"

struct collector_choice {
	const struct collector *collector;
	uint64_t interval_ns;       /* 0: its default */
	const char *const *options; /* "name", "value" ..., NULL; or NULL */
};

struct agent_plan {
	const struct host *host;
	const char *spool;           /* folder; made when not there */
	struct ulid run;
	struct pairs axes, facts;    /* testcase, parameters ...; the machine's */
	const struct collector_choice *choices;
	size_t choice_count;
	uint64_t tick_ns;            /* default 1 s */
	uint64_t seal_ns;            /* a segment is sealed after this long; default 5 s */
	size_t spool_ceiling;        /* bytes; default 1 GiB */
	size_t output_kept;          /* bytes kept of stdout and stderr, each: the first and the last half; default 8 MiB */
	char *const *command;        /* argv, ends at NULL */
	uint64_t timeout_ns;         /* 0: none. Then SIGTERM to its group, 10 s later SIGKILL */
	bool quiet;                  /* keep the command's output, do not show it */
	/* Where sealed segments go: a URL, or a callback (the local store). Exactly one. */
	const char *url;
	int (*deliver)(void *context, const struct ulid *run, uint32_t sequence, struct text sealed, struct err *err);
	void *deliver_context;
	const char *deliver_to;      /* its folder, absolute: for a later agent_push(); NULL: the default one */
	uint64_t grace_ns;           /* for what is not delivered when the command ends; 0: 10 s for a URL, 2 s else */
	/* Told about what is worth a line to the person; from any thread. */
	void (*notice)(void *context, const char *text);
	void *notice_context;
};

struct agent_outcome {
	bool not_run;            /* the command could not be executed */
	bool timed_out;          /* it was ended by timeout_ns */
	struct run_end end;
	uint64_t elapsed_ns;
	uint32_t segments;       /* sealed */
	uint32_t undelivered;    /* still in the spool when the command was done and the grace was over */
	const char *undelivered_why; /* static or NULL */
	struct err delivery;     /* the last failure of delivery, if any */
};

/*
 * Runs the command and returns when its segments are delivered or the grace is over; what is left stays in the spool
 * for `assay push`. 0 when the command was started, however it ended; else -errno, nothing was run, and nothing of
 * it is kept: ret->not_run tells whether it was the command that could not be executed (-ENOENT, -EACCES ...).
 *
 * The process: call it from the main thread, best before there are others. Until it returns, signals that are passed
 * on to the command (INT TERM HUP QUIT USR1 USR2 ALRM TSTP CONT) are blocked, SIGPIPE is ignored, all children are
 * waited for, and orphans of the command become children. A command that is sent SIGINT and goes on is waited for.
 * When this process is killed, the command's process group gets SIGTERM (agent/guard.h).
 */
int agent_run(const struct agent_plan *plan, struct agent_outcome *ret, struct err *err);

/* ---- spool and shipper, for `assay push` ---- */

/*
 *   SPOOL/<ulid>/000001.seg   sealed, waiting
 *   SPOOL/<ulid>/000002.open  being written; its writer holds a lock (flock) on SPOOL/<ulid>/lock
 *   SPOOL/<ulid>/000001.refused   sealed; the other side would not take it
 *   SPOOL/<ulid>/reserve      64 KiB for the run's last words, if the disk is full by then
 *   SPOOL/<ulid>/to           the URL, or "local:" and the folder that `deliver` delivers to
 */
struct push_report {
	size_t segments, bytes;  /* delivered */
	size_t recovered;        /* open segments whose writer is dead: cut at the last whole frame and sealed */
	size_t left;             /* could not be delivered */
	size_t busy;             /* runs whose agent is alive; left alone */
	size_t lost_bytes;       /* behind the last whole frame */
	struct err last;         /* the last failure; code 0: none */
};

struct push_plan {
	const char *spool;
	const char *url;         /* NULL: each run's own `to` */
	int (*deliver)(void *context, const struct ulid *run, uint32_t sequence, struct text sealed, struct err *err);
	/* Called before the segments of a run that is not for a URL: its `deliver_to`, "" for the default one. Or NULL. */
	int (*turn_to)(void *context, const char *folder, struct err *err);
	void *deliver_context;
	uint64_t patience_ns;    /* a run is left when nothing was delivered for so long; each is tried once at least */
	void (*progress)(void *context, const struct push_report *so_far);
	void *progress_context;
};

/*
 * Deliver all that the spool holds, the oldest run first, also what was refused before. A dead agent's run gets an End
 * frame that says exited = false. 0, and ret->left tells what stayed; -errno: the spool could not be read.
 */
int agent_push(const struct push_plan *plan, struct push_report *ret, struct err *err);

/* ---- one PUT, for `assay push RUN --to URL` of stored segments ---- */
struct shipper;
int shipper_open(struct shipper **ret, const char *url, struct err *err);
/* 0: 2xx. -EEXIST: 409, other bytes are there. -EBADMSG: refused for good (4xx). -EAGAIN: later (no connection, 429, 503, 5xx);
 * *retry_ns is what Retry-After said, or 0. */
int shipper_put(struct shipper *s, const struct ulid *run, uint32_t sequence, struct text sealed, uint64_t *retry_ns,
		struct err *err);
void shipper_close(struct shipper *s);

#endif
