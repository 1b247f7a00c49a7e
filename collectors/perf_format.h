/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the kernel writes down events of a PMU, in sys/bus/event_source/devices/<pmu>/:
 *
 *   config:0-7,32-35       format/event: the bits that a term sets, from the lowest up
 *   event=0x3c,umask=0x1   events/cpu-cycles: terms; "inv" alone is inv=1, "core=?" wants a value of the user
 *
 * The terms of a user's "cpu/event=0x3c,umask=1/" have the same form, and may name an event as well ("cpu/slots/").
 */
#ifndef ASSAY_COLLECTORS_PERF_FORMAT_H
#define ASSAY_COLLECTORS_PERF_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"

#define PERF_WORDS  3 /* config, config1, config2 */
#define PERF_RANGES 8
#define PERF_TERMS  32

/* What perf_event_open(2) wants to know of an event, without what is said of how it is counted. */
struct perf_code {
	uint32_t type;
	uint64_t config[PERF_WORDS];
	bool exclude_user, exclude_kernel, exclude_hypervisor;
};

struct perf_format {
	unsigned word; /* of config[] */
	unsigned count;
	struct {
		uint8_t first, last;
	} at[PERF_RANGES];
};

/* -EINVAL: not of that form; -EOPNOTSUPP: a word that there is no place for (config3 and above). */
int perf_format_parse(struct text text, struct perf_format *ret, struct err *err);

/* Set the bits of a term; what they were is gone. -ERANGE: the value has more bits. */
int perf_format_put(const struct perf_format *format, uint64_t value, struct perf_code *code, struct err *err);

struct perf_term {
	struct text name;
	bool given; /* a value was */
	bool asked; /* "=?": the user's to give */
	uint64_t value;
};

/* Terms by name; a later one takes the place of an earlier one of its name. Views of the text. */
struct perf_terms {
	struct perf_term at[PERF_TERMS];
	size_t count;
};

/* Adds to `ret`. -EINVAL names the term, or tells that there are more than PERF_TERMS. */
int perf_terms_parse(struct text text, struct perf_terms *ret, struct err *err);

/* One term beside those that are there. -EINVAL: there is no room for more. */
int perf_terms_add(struct perf_terms *terms, const struct perf_term *term, struct err *err);

#endif
