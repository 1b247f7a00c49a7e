/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of an exec collector: "name value [unit] [counter|gauge]". */
#ifndef ASSAY_COLLECTORS_EXEC_LINE_H
#define ASSAY_COLLECTORS_EXEC_LINE_H

#include "base/err.h"
#include "base/metric.h"

struct exec_line {
	struct text name;
	enum kind kind;
	enum unit unit;
	int exponent;        /* digits behind the point, 9 at most */
	struct text decimal; /* the value as it stands there, checked */
};

/* -EBADMSG: it is none; `err` says what is wrong with it. Allocates nothing. */
int exec_line_read(struct text line, struct exec_line *ret, struct err *err);

/* The value in units of 10^-exponent; false when that does not fit. */
bool exec_line_value(const struct exec_line *line, int exponent, uint64_t *ret);

#endif
