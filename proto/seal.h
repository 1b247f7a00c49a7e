/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacking of sealed segments; segment_seal() stands in segment.h. */
#ifndef ASSAY_PROTO_SEAL_H
#define ASSAY_PROTO_SEAL_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

bool seal_is(struct text bytes); /* by zstd's magic */

/* All that one zstd frame holds, in `ret`; -EMSGSIZE when that is more than `limit` bytes. */
int seal_unpack(struct text sealed, size_t limit, struct buf *ret, struct err *err);

#endif
