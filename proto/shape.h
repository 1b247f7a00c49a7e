/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shape frames, both ways. */
#ifndef ASSAY_PROTO_SHAPE_H
#define ASSAY_PROTO_SHAPE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/sample.h"
#include "proto/wire.h"

#define SHAPE_EXPONENT_MAX 18 /* 10^18 is the last power that 64 bits hold */

/* -EINVAL: not a shape that could be read back (no metric, no instance, no name, an exponent out of range). */
int shape_check(const struct shape *shape, struct err *err);

/* Append a Shape frame. Allocates nothing but `out`. */
int shape_put(const struct shape *shape, uint32_t id, struct buf *out, struct err *err);

/*
 * Read a Shape message. `*memory` holds all that `*ret` points to, for free(). -EMSGSIZE, before memory is taken:
 * more than `slots` slots.
 */
int shape_get(struct wire message, size_t slots, uint32_t *id, struct shape *ret, void **memory, struct err *err);

/* A copy; `*memory` holds all that `*ret` points to, for free(). */
int shape_copy(const struct shape *shape, struct shape *ret, void **memory, struct err *err);

/* Do they mean the same? */
bool shape_same(const struct shape *a, const struct shape *b);

#endif
