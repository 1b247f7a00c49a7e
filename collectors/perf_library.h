/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libpfm4, which knows the events of the machine's PMUs by the names the vendors gave them. Loaded when somebody first
 * asks for such a name: it looks at all its PMUs then, which costs some ms of CPU that a run without one need not pay.
 *
 * Names are the library's: "INST_RETIRED:ANY_P", "L2_RQSTS.MISS:u", "skx::INST_RETIRED". An uncore event without a PMU
 * before it ("UNC_M_CLOCKTICKS") is given once for each box of that kind.
 * Threads: one at a time, after the first call any.
 */
#ifndef ASSAY_COLLECTORS_PERF_LIBRARY_H
#define ASSAY_COLLECTORS_PERF_LIBRARY_H

#include "collectors/perf_format.h"

/* How many codes were written; -ENOENT: no such event here; -EINVAL: the event is there, what is said of it is wrong;
 * -ELIBACC: no library. */
int perf_library_find(const char *name, struct perf_code *ret, size_t room, struct err *err);

#endif
