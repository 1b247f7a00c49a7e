/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the kernel was built and told to treat the machine; for this room only. */
#ifndef ASSAY_HOST_SETTINGS_H
#define ASSAY_HOST_SETTINGS_H

#include "base/pairs.h"
#include "host/host.h"

/* Sets mitigation.*, node.distances, kernel.config_hash, memory.thp and cpu.base_mhz, each if it is told; the release
 * and the name of the processor stand in `ret` already. 0 or -ENOMEM. */
int setting_facts(const struct host *host, struct pairs *ret);

#endif
