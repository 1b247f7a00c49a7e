/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arithmetic over what was found in an output, for the rules of analysis/results.h. Small on purpose: no state, no
 * loops, and work and depth bounded by the expression's length (512 characters, 32 levels).
 *
 *   sum     = product { ("+" | "-") product }
 *   product = factor { ("*" | "/") factor }
 *   factor  = "-" factor | NUMBER | NAME | "(" sum ")" | FUNCTION "(" sum ")" | "round" "(" sum "," NUMBER ")"
 *
 * A name stands for all values that were found under it, in order. Operators, floor() and round() work value by value;
 * sum() mean() geomean() median() stddev() min() max() first() last() count() make one of many; geomean() only of
 * values above zero. Where a value is missing, or lists of different lengths meet, the outcome is missing, too: never a
 * guess.
 */
#ifndef ASSAY_ANALYSIS_EXPRESSION_H
#define ASSAY_ANALYSIS_EXPRESSION_H

#include "base/err.h"
#include "base/names.h"

#define COLUMN_MAX 100000

/* The values of one name. Zero it to begin. */
struct column {
	double *at;
	size_t count, room;
};

int column_put(struct column *c, double value); /* 0, -ENOMEM, -EMSGSIZE beyond COLUMN_MAX */
void column_free(struct column *c);

/* What the names are, and how much there is of each. */
struct scope {
	const struct names *names;
	const bool *many;	      /* [name] may it have more than one value? */
	const struct column *columns; /* [name]; NULL: only check */
	bool of_label;		      /* only what one label has: count() of nothing is missing, not 0 */
	uint64_t *budget;	      /* values that may yet be looked at, by all expressions together; or NULL */
};

/* -EINVAL: not an expression; `err` tells the character (from 1) and why. *many: it may have more than one value. */
int expression_check(const struct scope *scope, struct text expression, bool *many, struct err *err);

/* An expression that was checked. *ret: its values, none where one is missing; column_free() it. 0, -ENOMEM, or
 * -EMSGSIZE when the scope's budget is spent. */
int expression_values(const struct scope *scope, struct text expression, struct column *ret, struct err *err);

#endif
