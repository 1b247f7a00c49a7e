/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts what happens into the open segment, and turns to a fresh one every so often; a thread of its own seals those
 * that are full, so that nobody who records waits for zstd or for the disk.
 *
 * Nothing here fails towards the one who records: a run goes on without a disk. What found no place is counted, a
 * snapshot as a whole, and told in the recording as soon as there is place again (MARK_DROPPED, a log line). Since
 * the samples of a segment stand on one another, snapshots go on in a fresh one then.
 *
 * Threads: any may record.
 */
#ifndef ASSAY_AGENT_RECORDER_H
#define ASSAY_AGENT_RECORDER_H

#include <pthread.h>
#include <stdbool.h>

#include "agent/spool.h"
#include "base/run.h"
#include "proto/segment.h"

struct recorder {
	/* Set by the caller, the rest zero. */
	struct spool *spool;
	struct run_header header; /* of the first segment, its text lent; sequence and clocks are filled in here */
	uint64_t seal_ns;
	void (*ready)(void *context, uint32_t sequence); /* segments up to it are whole */
	void *ready_context;
	void (*notice)(void *context, const char *text);
	void *notice_context;

	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	struct segment_writer *writer;
	struct buf out;            /* frames of one call */
	int fd;                    /* of the open segment, whose number is header.sequence */
	uint64_t begun_ns;         /* when it was begun */
	uint64_t not_before_ns;    /* the next one */
	size_t written;            /* bytes in it */
	bool content;              /* more than its header is in it */
	bool broken;               /* a snapshot for it was dropped: it takes no more of them */
	bool closing;
	bool complained;           /* of the drops that last */
	uint32_t sealed;           /* up to here */
	uint64_t untold_snapshots; /* dropped, and not told in the recording yet */
	uint64_t bytes_dropped;
};

/* The first segment is begun; -errno: it could not be, and nothing is left of it. */
int recorder_start(struct recorder *r, struct err *err);

void recorder_snapshot(struct recorder *r, const struct snapshot *snapshot);
void recorder_mark(struct recorder *r, const char *name, const char *value);
bool recorder_mark_at(struct recorder *r, uint64_t monotonic_ns, const char *name); /* false: it found no place */
void recorder_result(struct recorder *r, const struct run_result *result);
void recorder_output(struct recorder *r, const struct run_output *output);
void recorder_log(struct recorder *r, const char *source, const char *text);
void recorder_facts(struct recorder *r, const struct pairs *axes, const struct pairs *facts);

/* Bytes dropped so far. */
uint64_t recorder_dropped(struct recorder *r);

/* The last frame; all segments but the last are sealed then. That is left open: it is delivered from memory in most
 * cases, and need not be written and synced before it is removed. Returns how many segments there are. */
uint32_t recorder_finish(struct recorder *r, const struct run_end *end);

#endif
