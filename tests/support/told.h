/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A listener that writes down what it is told, a line an event, so that a test can compare whole runs as text:
 *
 *   header 01J... 1 lab1 boot 0.1.0 1000 2000 3
 *   snapshot 0 2000 5
 *     meminfo/1 2000+7: MemTotal[]=16384 MemFree[]=-
 *   mark 2000 command.start
 */
#ifndef ASSAY_TESTS_SUPPORT_TOLD_H
#define ASSAY_TESTS_SUPPORT_TOLD_H

#include "base/buf.h"
#include "base/run.h"

extern const struct run_events told_events; /* context: a struct buf */

/* What `told_events` would write of it. */
void told_snapshot(struct buf *told, const struct snapshot *snapshot);

#endif
