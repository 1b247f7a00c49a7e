/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a collector outside the program exports: one symbol, `assay_plugin`, which ASSAY_COLLECTOR() defines.
 *
 *   static const struct collector collector_mine = { .name = "mine", ... };
 *   ASSAY_COLLECTOR(collector_mine);
 *
 * A plugin shares structs with the program, so both must have been built from the same form of them. The number says so
 * by intention, the sizes by what the compiler made of it. The number changes with every change of a struct or a function
 * that the installed header shows.
 */
#ifndef ASSAY_COLLECTORS_ABI_H
#define ASSAY_COLLECTORS_ABI_H

#include "collectors/collector.h"
#include "host/procfile.h"

#define ASSAY_ABI 1

struct assay_plugin {
	uint32_t abi;
	uint32_t size; /* of struct collector; the next three of the other structs that both sides look into */
	uint32_t host_size, sample_size, procfile_size;
	const struct collector *collector;
};

#define ASSAY_COLLECTOR(which)                                                                                         \
	extern const struct assay_plugin assay_plugin;                                                                 \
	__attribute__((visibility("default"))) const struct assay_plugin assay_plugin = {                              \
		ASSAY_ABI,                sizeof(struct collector), sizeof(struct host), sizeof(struct sample),        \
		sizeof(struct procfile), &(which)                                                                     \
	}

#endif
