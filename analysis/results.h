/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a benchmark's numbers are read from its kept output: rules that travel with the run as the fact
 * "benchmark.results" (JSON, written by benchmarks/ from a YAML file), so that a server needs no YAML and an old run
 * can be read anew. Patterns are pcre2 with bounds on matching, so that no pattern can hang a server.
 *
 *   { "reject":  [ PATTERN ... ],
 *     "labels":  [ { "pattern": "^# function '(?<function>[^']+)'", "stream": "stdout" } ... ],
 *     "lines":   [ { "pattern": "Time: (?<time>[0-9.]+)", "stream": "stdout", "unfinished": false, "suffixes": 1000,
 *                    "label": "{function}" } ... ],
 *     "tables":  [ { "after": PATTERN, "fields": 5, "columns": { NAME: NUMBER ... }, "stream", "label" } ... ],
 *     "csv":     [ { "after": PATTERN, "separator": ",", "columns": { NAME: TITLE ... }, "stream", "label" } ... ],
 *     "json":    [ { "at": PATH, "values": { NAME: PATH ... }, "stream", "label" } ... ],
 *     "let":     [ { "name": NAME, "value": EXPRESSION } ... ],
 *     "results": [ { "name": NAME, "value": EXPRESSION, "unit": "KB/s", "direction": 1, "kpi": true } ... ] }
 *
 * reject   a line of either stream that matches: the output holds no result at all
 * lines    each line that matches gives its named groups a value more, all of them or, where one is no number, none
 * tables   after a line that matches, words of the lines that have exactly `fields` of them, by their place (from 1);
 *          the first other line ends the table
 * csv      after a line of titles, fields of the lines that have as many; a title that is not there gives nothing
 * json     of each document that begins at the beginning of a line: the values at paths (analysis/json_path.h) below
 *          each value at `at`, which is the document itself unless said otherwise
 * labels   words that tell what the numbers behind them belong to, until the word is found again
 * label    of a finder: made of words, each in braces, of `labels` or of the finder's own names, which then are words and
 *          no numbers. A result with "{}" in its name is made once for each label, of the numbers found under it
 * suffixes a number may end in k, M, G, T: so many, so many times so many, ...
 * stream   "stdout" unless said otherwise; "stderr"; "any": the one, then the other
 * unfinished  also look at a last line without newline; without it such a line is torn, and not believed
 * let      names for parts; they may use those before them
 * results  one number each, from the names above; analysis/expression.h has the arithmetic. One that misses a value is
 *          absent. Required, as is the name and the value of each
 */
#ifndef ASSAY_ANALYSIS_RESULTS_H
#define ASSAY_ANALYSIS_RESULTS_H

#include "analysis/stats.h"
#include "base/text.h"

#define RESULTS_FACT "benchmark.results"

struct results_rules;

/* -EINVAL: the words begin with the place, "results/2/value: ...", and say what is wrong there. */
int results_compile(struct text json, struct results_rules **ret, struct err *err);
/* The results found in the output, as "<testcase>.<name>"; *ret_count how many. No result is not an error. -ENOMEM;
 * -EMSGSIZE, -EMFILE: the output is too much for these rules. */
int results_apply(const struct results_rules *rules, const char *testcase, struct text out, struct text error_out,
		  struct stats *ret, size_t *ret_count, struct err *err);
void results_free(struct results_rules *rules);

/* Is more of it better? 1, -1, 0 unknown: what the rules say, else the table of spec B.5. `rules` may be NULL. */
int results_direction(const struct results_rules *rules, const char *key);

/* The results that the benchmark is about, those said to be "kpi", added to `ret` as "<testcase>.<name>". -ENOMEM. */
struct names;
int results_kpis(const struct results_rules *rules, const char *testcase, struct names *ret);

#endif
