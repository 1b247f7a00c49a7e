/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots as text, and as a segment in a file: `assay sample` writes both, `assay dump` reads one and prints the
 * other. */
#ifndef ASSAY_CLI_LINES_H
#define ASSAY_CLI_LINES_H

#include <stdio.h>

#include "base/buf.h"
#include "base/run.h"
#include "host/host.h"
#include "proto/segment.h"

/*
 * To stdout, in pieces that pass through `piece`: what is printed is bounded by nothing, memory is.
 * Text:  "# tick 3 at 1234.567890 s" and "proc-vmstat.nr_dirty 17 pages" for each slot that is present.
 * JSON:  {"tick":3,"monotonic_ns":N,"lateness_ns":N,"values":{KEY:NUMBER}} in one line, integers whole.
 * 0, or -errno when there is no memory or the output takes no more.
 */
int print_snapshot(struct buf *piece, const struct snapshot *snapshot, bool json);

struct segment_file {
	FILE *file;
	const char *path;
	struct segment_writer *writer;
	struct buf open; /* the whole of it; what is there is in the file, too, until the sealed form takes its place */
	size_t written;  /* of `open` */
};

int segment_file_open(struct segment_file *f, const struct host *host, const char *path, uint64_t tick_ns,
		      struct err *err);
int segment_file_put(struct segment_file *f, const struct snapshot *snapshot, struct err *err);
int segment_file_close(struct segment_file *f, struct err *err); /* seals, writes, closes */

#endif
