/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing JSON: the parts that need care. What is no UTF-8 becomes U+FFFD; what is no finite number becomes null.
 * Results: that of the buffer (base/buf.h).
 */
#ifndef ASSAY_BASE_JSON_H
#define ASSAY_BASE_JSON_H

#include "base/buf.h"
#include "base/pairs.h"

int json_text(struct buf *b, struct text t);   /* "quoted and escaped" */
int json_number(struct buf *b, double value);  /* shortest form that reads back as the same double */
int json_pairs(struct buf *b, const struct pairs *p);

#endif
