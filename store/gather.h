/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read one segment through and keep what the catalog learns from it. Private to the room.
 */
#ifndef ASSAY_STORE_GATHER_H
#define ASSAY_STORE_GATHER_H

#include <stdbool.h>

#include "base/run.h"
#include "proto/segment.h"

/* What one segment may teach; more is -EMSGSIZE. So a hostile segment cannot make the catalog slow. */
#define GATHER_PAIRS   16384 /* axes and facts, counted each time they are told */
#define GATHER_RESULTS 65536

struct gathered_result {
	char *key, *unit;
	double value;
	int direction;
};

struct gathered {
	char *host;
	uint64_t realtime_ns;
	struct pairs axes, facts;
	size_t pairs_told;
	struct gathered_result *results;
	size_t result_count, result_room;
	bool has_start, has_stop; /* marks command.start, command.end */
	uint64_t start_ns, stop_ns;
	bool ended;
	struct run_end end;
};

/* -EBADMSG: no segment, or one of another run or sequence; -EMSGSIZE; -ENOMEM. Free `ret` in any case. */
int gather(struct gathered *ret, const struct segment_limits *limits, const struct ulid *run, uint32_t sequence,
	   struct text bytes, struct err *err);
void gathered_free(struct gathered *g);

#endif
