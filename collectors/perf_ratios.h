/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ratios that a user wants of events, one YAML mapping:
 *
 *   stall%: 100 * stalled-cycles-backend / cpu-cycles
 *   wide: "(L2_RQSTS:MISS + L2_RQSTS:REFERENCES) / instructions"     quoted, where YAML would read it otherwise
 */
#ifndef ASSAY_COLLECTORS_PERF_RATIOS_H
#define ASSAY_COLLECTORS_PERF_RATIOS_H

#include "base/buf.h"
#include "base/err.h"

/* A line "name: expression" for each, appended to `ret`; they are computed where runs are analysed. -EINVAL names the
 * line; else the error of the file. */
int perf_ratios_read(const char *path, struct buf *ret, struct err *err);

#endif
