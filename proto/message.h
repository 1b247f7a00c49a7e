/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames that are few: packed and unpacked by protobuf-c. */
#ifndef ASSAY_PROTO_MESSAGE_H
#define ASSAY_PROTO_MESSAGE_H

#include "base/buf.h"
#include "base/run.h"
#include "proto/arena.h"
#include "proto/frame.h"

int message_put_header(const struct run_header *header, struct buf *out, struct err *err);

/* What a listener is told. `header` is filled for a header only. */
struct message_told {
	struct run_header header;
	bool end;
};

/*
 * Unpack a message of any kind but Shape, Snapshot and Block and tell `events` (may be NULL). Kinds that are not known
 * are passed over. The memory is of `arena`, and good until that is cleared. A failure of a listener is passed up.
 */
int message_tell(enum frame_kind kind, struct wire message, struct arena *arena, const struct run_events *events,
		 void *context, struct message_told *ret, struct err *err);

#endif
