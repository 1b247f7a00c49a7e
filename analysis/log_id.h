/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a message is about, in words that are the same in each run (spec A.3.12): "WARNING:at_mm/slab.c:#kfree".
 *
 * What stands before the first letter is cut, offsets ("+0x1/0x2") and addresses in brackets vanish; hex words, numbers,
 * numbers of devices, versions and days become '#'; quotes, backslashes, '$' and what is no ASCII become '~'; blanks
 * beside punctuation vanish, others become '_'; punctuation at the end is cut.
 */
#ifndef ASSAY_ANALYSIS_LOG_ID_H
#define ASSAY_ANALYSIS_LOG_ID_H

#include <stdbool.h>

#include "base/buf.h"

#define LOG_ID_MAX 200 /* bytes; a longer id is cut there */

/* The id of any message; "" when no letter is in it. `ret` is emptied first. 0 or -ENOMEM. */
int log_id(struct text message, struct buf *ret);

/* Is it one of the heads by which a kernel tells of a crash or of a bug? Then its id, reduced to what does not
 * change from run to run. `ret` is emptied first. 1, 0 when it is none, -ENOMEM. */
int log_id_of_crash(struct text message, struct buf *ret);

/* A line of a dump (registers, stack, modules) that belongs to the message before it. */
bool log_line_is_dump(struct text message);

#endif
