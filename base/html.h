/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_BASE_HTML_H
#define ASSAY_BASE_HTML_H

#include "base/buf.h"

/* Text into a page or an attribute in quotes: what HTML would take for its own is escaped. Result: the buffer's. */
int html_text(struct buf *b, const char *s);

#endif
