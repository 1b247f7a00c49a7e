/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which model-specific registers turbostat is made of, on which processors they are, and what counts the same where
 * they cannot be read. Addresses are those of Intel's Software Developer's Manual, volume 4, and of AMD's Processor
 * Programming References; the kernel's arch/x86/include/asm/msr-index.h has them all.
 */
#ifndef ASSAY_COLLECTORS_TURBOSTAT_REGISTERS_H
#define ASSAY_COLLECTORS_TURBOSTAT_REGISTERS_H

#include "host/processor.h"

enum scope { PER_THREAD, PER_CORE, PER_PACKAGE };

struct turbostat_register {
	const char *metric;
	uint32_t address;
	enum scope scope;
	bool fixed; /* does not change while the machine runs: read once */
	bool (*on)(const struct processor *p); /* NULL: every x86 */
	const char *columns; /* of the report that are made of it; for the notes */
	const char *pmu, *event; /* of sysfs, which counts the same; NULL: none */
};

extern const struct turbostat_register turbostat_registers[]; /* ends at the row without metric */

#endif
