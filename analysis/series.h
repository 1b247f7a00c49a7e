/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times and values of chosen keys of one run, as sampled: for `assay show`, plots, exports. */
#ifndef ASSAY_ANALYSIS_SERIES_H
#define ASSAY_ANALYSIS_SERIES_H

#include "base/run.h"

struct series_point {
	uint64_t monotonic_ns; /* when the collector was asked */
	double value;          /* exponent applied */
};

struct series_line {
	char *key;
	enum kind kind;
	enum unit unit;
	struct series_point *at;
	size_t count, room;
};

struct series_binding;

struct series {
	struct series_line *lines; /* one for each key, in the order in which they were first seen */
	size_t count, room;
	uint64_t start_ns, end_ns; /* command.start, command.end; 0 unknown */
	/* private */
	const char *const *globs;
	size_t glob_count;
	struct names *index; /* the lines, by key */
	struct series_binding *bindings;
	size_t binding_count;
};

int series_open(struct series *s, const char *const *globs, size_t glob_count, struct err *err);
extern const struct run_events series_events; /* context: struct series * */
void series_close(struct series *s);

#endif
