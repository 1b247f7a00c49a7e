/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the room itself asks of a shipper, beyond agent.h. */
#ifndef ASSAY_AGENT_SHIPPER_H
#define ASSAY_AGENT_SHIPPER_H

#include <stdatomic.h>
#include <stdint.h>

#include "agent/agent.h"

#define SHIPPER_WORDS 200 /* bytes of an answer's body that are shown */

/* A transfer ends (as -EAGAIN) when CLOCK_MONOTONIC passes *deadline_ns, which may change meanwhile. */
void shipper_obey(struct shipper *s, const _Atomic uint64_t *deadline_ns);

/* The first line of a body that a stranger sent, fit to be shown: at most SHIPPER_WORDS bytes, no control characters. */
void shipper_words(struct text body, char ret[SHIPPER_WORDS + 1]);

/* The address of a segment. -EINVAL: not http:// or https://, or with a query, a fragment or blanks. */
int shipper_address(const char *url, const struct ulid *run, uint32_t sequence, struct buf *ret, struct err *err);

/* What to make of an HTTP status: 0, -EEXIST, -EBADMSG or -EAGAIN. */
int shipper_verdict(long status);

#endif
