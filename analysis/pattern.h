/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcre2 with bounds: on a pattern's size and nesting, on steps and memory of a match, on all matches together. */
#ifndef ASSAY_ANALYSIS_PATTERN_H
#define ASSAY_ANALYSIS_PATTERN_H

#include "base/err.h"
#include "base/text.h"

struct pattern;

/* -EINVAL: `err` tells the character (from 1) and why. */
int pattern_compile(struct text text, struct pattern **ret, struct err *err);
void pattern_free(struct pattern *p);

/* Its named groups, by number: the name of the nth (from 0), and NULL behind the last. */
const char *pattern_group(const struct pattern *p, size_t nth);

/* What one use of many patterns over one output may cost. Zero it to begin; matcher_close() ends it. */
struct matcher {
	void *context, *data; /* of pcre2 */
	uint64_t spent;	      /* of the budget that all its matches share */
};

int matcher_open(struct matcher *m, struct err *err);
void matcher_close(struct matcher *m);

/* 1 found, 0 not, -EMFILE with `err` filled: these patterns cost too much over this output. */
int matcher_find(struct matcher *m, const struct pattern *p, struct text line, struct err *err);

/* The nth named group of the last find. False: it took no part. */
bool matcher_group(const struct matcher *m, const struct pattern *p, size_t nth, struct text line, struct text *ret);

#endif
