/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names that are the same on every machine: perf_event_open(2) says which number each has, and the kernel what it
 * stands for on its PMU. Numbers: include/uapi/linux/perf_event.h; names: as `perf list` has them.
 */
#ifndef ASSAY_COLLECTORS_PERF_NAMES_H
#define ASSAY_COLLECTORS_PERF_NAMES_H

#include "collectors/perf_format.h"

/* type is PERF_TYPE_HARDWARE, _SOFTWARE or _HW_CACHE. False: not such a name. */
bool perf_name_find(struct text name, struct perf_code *ret);

/* Cut ":u", ":k", ":h", or several of them, from the end of a name: only what happens there is counted. False: what
 * stands behind the last ':' is something else, and nothing is cut. */
bool perf_name_modifiers(struct text *name, struct perf_code *code);

#endif
