/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the cpuid instruction tells of the CPU this thread runs on; for this room only. */
#ifndef ASSAY_HOST_CPUID_H
#define ASSAY_HOST_CPUID_H

#include "base/pairs.h"

/* Sets cpu.vendor, cpu.family, cpu.model, cpu.stepping, cpu.cache.*, cpu.base_mhz, cpu.tsc_mhz, and cpu.name where it is
 * not told yet; nothing where the CPU has no such instruction. 0 or -ENOMEM. */
int cpuid_facts(struct pairs *ret);

#endif
