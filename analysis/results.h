/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a benchmark's numbers are read from its kept output: rules that travel with the run as the fact
 * "benchmark.results" (JSON, written by benchmarks/ from a YAML file), so that a server needs no YAML and an old run can
 * be read anew. Patterns are pcre2 with bounds on matching, so that no pattern can hang a server.
 */
#ifndef ASSAY_ANALYSIS_RESULTS_H
#define ASSAY_ANALYSIS_RESULTS_H

#include "analysis/stats.h"
#include "base/text.h"

#define RESULTS_FACT "benchmark.results"

struct results_rules;

/* -EINVAL names the rule and what is wrong with it. */
int results_compile(struct text json, struct results_rules **ret, struct err *err);
/* The results found in the output, as "<testcase>.<name>"; *ret_count how many. No result is not an error. */
int results_apply(const struct results_rules *rules, const char *testcase, struct text out, struct text error_out,
		  struct stats *ret, size_t *ret_count, struct err *err);
void results_free(struct results_rules *rules);

/* Is more of it better? 1, -1, 0 unknown: what the rules say, else the table of spec B.5. `rules` may be NULL. */
int results_direction(const struct results_rules *rules, const char *key);

#endif
