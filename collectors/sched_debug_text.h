/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of the scheduler's debug file (collectors/sched_debug.c draws it). */
#ifndef ASSAY_COLLECTORS_SCHED_DEBUG_TEXT_H
#define ASSAY_COLLECTORS_SCHED_DEBUG_TEXT_H

#include "base/text.h"

#define SCHED_DEBUG_TASKS    "runnable tasks"
#define SCHED_DEBUG_DECIMALS 9

/* "cpu#3": the number and what stands before and behind it. False: a block without one. */
bool sched_debug_number(struct text heading, struct text *before, struct text *number, struct text *behind);

bool sched_debug_is_autogroup(struct text heading);
bool sched_debug_is_group(struct text heading); /* and not the root's */

/* "  .name : value"; in the head of the file the point may be missing. */
bool sched_debug_field(struct text line, bool in_head, struct text *name, const char **value);

/* A number; decimals beyond those of the exponent are cut. NULL: it is none, or too large. */
const char *sched_debug_value(const char *at, const char *end, int exponent, uint64_t *ret);
int sched_debug_decimals(struct text value);

/* A line that is no field: the heading of the block that begins there. False: it is blank, one of the tasks, or of the
 * file's head. */
bool sched_debug_heading(struct text line, bool in_head, bool in_tasks, struct text *heading);

#endif
