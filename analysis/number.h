/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text -> double, strictly: the whole text is one finite decimal number, with an optional exponent. */
#ifndef ASSAY_ANALYSIS_NUMBER_H
#define ASSAY_ANALYSIS_NUMBER_H

#include "base/text.h"

/* False for "", "nan", "inf", "0x1", "1e999", "1 " and what is longer than 127 characters. */
bool number_read(struct text text, double *ret);

/* value x 10^-exponent, as exact as a double can: 123 with exponent 2 is 1.23. */
double number_scale(double value, int exponent);

#endif
