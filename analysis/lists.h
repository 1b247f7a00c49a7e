/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is known about keys by their names, as tables (spec C.4, D.2, D.3, D.4). A key is "<family>.<rest>"; the
 * family of a key without a dot is the whole key.
 */
#ifndef ASSAY_ANALYSIS_LISTS_H
#define ASSAY_ANALYSIS_LISTS_H

#include <stdbool.h>

#include "base/text.h"

struct text key_family(const char *key);
bool key_is_of(const char *key, const char *family);

/* Kept out of a report by the lists of D.2; `present_day` adds what was taken off the report list in 2021 and 2022. */
bool key_is_denied(const char *key, bool present_day);

/* D.3: 1 % is enough. `testcase` is the runs' benchmark, or NULL. */
bool key_is_perf_metric(const char *key, const char *testcase);

/* A result of the benchmark itself: of the testcase's family, not one of its times, not denied. */
bool key_is_result(const char *key, const char *testcase);

/* Is the family that of the benchmark? "fio" is that of "fio-basic". */
bool family_is_testcase(struct text family, const char *testcase);

/* "sched_debug.cpu.curr->pid.13": one of many, made for the statistics over all; never a row. */
bool key_is_numbered(const char *key);

/* Is it a percentage, so that a change of it is told as a difference? */
bool key_is_points(const char *key);

/* D.4: `largest` sample of both groups, `delta` of their medians; `max_half_only`: what of the rule ran on Ruby before
 * 2.4. perf-profile is in the table, its exemption is the caller's. */
bool is_large_enough(const char *key, double largest, double delta, bool max_half_only);

/* D.1 step 5 */
bool is_hidden_on_machine(const char *key, const char *tbox_group);

/* D.1 step 3: does the failure or pass need company in the base group, and under which names? Up to
 * SIBLINGS_MAX endings that replace the key's last word, whose start is *ret_stem bytes in; 0: it needs none. */
#define SIBLINGS_MAX 3
size_t key_siblings(const char *key, size_t *ret_stem, const char *ret_ending[static SIBLINGS_MAX]);

#endif
