/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One event's name -> its codes: one for each kind of core, or for each box of the uncore. */
#ifndef ASSAY_COLLECTORS_PERF_ENCODE_H
#define ASSAY_COLLECTORS_PERF_ENCODE_H

#include "collectors/perf_format.h"
#include "collectors/perf_pmus.h"

struct perf_found {
	struct perf_code code;
	size_t pmu;
	unsigned factor;
};

/* *ret: of malloc(), also to be freed on failure. -ENOENT and the like: this machine does not have it, `err` says why;
 * -EINVAL: that is no way to write an event. */
int perf_encode(struct perf_pmus *pmus, struct text name, struct perf_found **ret, size_t *count, struct err *err);

#endif
