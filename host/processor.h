/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which processor it is, by number, and what its makers called that design while they made it. */
#ifndef ASSAY_HOST_PROCESSOR_H
#define ASSAY_HOST_PROCESSOR_H

#include <stdbool.h>

#include "base/pairs.h"
#include "host/host.h"

enum vendor { VENDOR_OTHER, VENDOR_INTEL, VENDOR_AMD }; /* Hygon's are AMD's by their registers */

struct processor {
	enum vendor vendor;
	unsigned family, model, stepping; /* as the kernel counts them: the extension is added */
};

/* Of an x86; 0 or -ENOMEM. All zero where proc/cpuinfo does not tell. */
int processor_read(const struct host *host, struct processor *ret);

/*
 * The code name, "Cascade Lake", of the facts cpu.vendor, cpu.family, cpu.model, cpu.stepping and cpu.name; of an arm
 * part its name, "Neoverse-N1". NULL: not known. Names are those that the makers' documents and the kernel's
 * arch/x86/include/asm/intel-family.h and arch/arm64/include/asm/cputype.h use.
 */
const char *processor_code_name(const struct pairs *facts);

#endif
