/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of proc/lock_stat (collectors/lock_stat.c draws it). */
#ifndef ASSAY_COLLECTORS_LOCK_STAT_LINE_H
#define ASSAY_COLLECTORS_LOCK_STAT_LINE_H

#include "base/text.h"

enum lock_stat_kind { LOCK_STAT_OTHER, LOCK_STAT_CLASS, LOCK_STAT_POINT, LOCK_STAT_DASHES };

struct lock_stat_line {
	struct text class, function; /* as they stand there; the function of a point only */
	const char *numbers;
};

enum lock_stat_kind lock_stat_line(struct text line, struct lock_stat_line *ret);

#endif
