/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `time -v` tells of a command, as results "<testcase>.time.<label>" in its labels, units and rounding: times
 * are cut to 0.01 s, the elapsed one to whole seconds from an hour on, the percentage to a whole number.
 */
#ifndef ASSAY_AGENT_USAGE_H
#define ASSAY_AGENT_USAGE_H

#include "agent/command.h"
#include "base/metric.h"

extern const struct hint usage_hints[];     /* of the labels behind "<testcase>.time." */
extern const struct hint usage_own_hints[]; /* of what usage_tell_own() tells */

void usage_tell(const char *testcase, const struct command_end *end, long page_size,
		void (*put)(void *context, const struct run_result *result), void *context);

/* CPU seconds of this process so far, without its children. */
double usage_own_seconds(void);

/* "agent.cpu_seconds": since `before_s`; "agent.max_rss_kib": the most that this process, which may have made runs before,
 * ever had. */
void usage_tell_own(double before_s, void (*put)(void *context, const struct run_result *result), void *context);

#endif
