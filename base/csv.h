/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_BASE_CSV_H
#define ASSAY_BASE_CSV_H

#include "base/buf.h"

/* A field of RFC 4180: in quotes where it has to be, quotes doubled. Result: the buffer's. */
int csv_field(struct buf *b, const char *text);

#endif
