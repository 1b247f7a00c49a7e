/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_COLLECTORS_VMSTAT_HINTS_H
#define ASSAY_COLLECTORS_VMSTAT_HINTS_H

#include "base/metric.h"

/* Of the items of proc/vmstat and sys/devices/system/node/node<N>/vmstat. */
extern const struct hint vmstat_hints[];

#endif
