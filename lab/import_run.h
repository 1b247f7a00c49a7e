/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAB_IMPORT_RUN_H
#define ASSAY_LAB_IMPORT_RUN_H

#include "analysis/stats.h"
#include "lab/import.h"

/* `when_ms` is when a run began, or about when it was recorded with `known` false. */
struct import_moment {
	uint64_t when_ms;
	bool known;
};

struct import {
	struct store *store;
	const struct pairs *given; /* axes */
	struct import_count *count;
	/* What is done with each run: import_run(). */
	int (*take)(struct import *in, const char *path, const struct pairs *axes, const struct stats *stats,
		    struct import_moment moment, struct err *err);
};

/* One file, of a kind that its content tells. */
int import_file(struct import *in, const char *path, const struct pairs *axes, struct err *err);

/* A run of one segment, put into the store. */
int import_run(struct import *in, const char *path, const struct pairs *axes, const struct stats *stats,
	       struct import_moment moment, struct err *err);

#endif
