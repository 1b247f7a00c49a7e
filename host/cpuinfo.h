/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc/cpuinfo, which every architecture writes its own way; for this room only. */
#ifndef ASSAY_HOST_CPUINFO_H
#define ASSAY_HOST_CPUINFO_H

#include "base/pairs.h"
#include "base/text.h"

/*
 * Sets cpu.vendor, cpu.family, cpu.model, cpu.stepping, cpu.name, cpu.microcode as the first CPU has them, and
 * cpu.threads, cpu.cores, cpu.sockets as the file lists them; each only if the file tells it. 0 or -ENOMEM.
 */
int cpuinfo_facts(struct text cpuinfo, struct pairs *ret);

#endif
