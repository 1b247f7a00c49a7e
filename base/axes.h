/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the axes of a run may be. The agent refuses to begin a run, and a store to take a segment, that has others: what
 * names a run is printed with it wherever it is shown, and is looked for by name.
 */
#ifndef ASSAY_BASE_AXES_H
#define ASSAY_BASE_AXES_H

#include "base/pairs.h"

#define AXES_MOST        64
#define AXIS_NAME_BYTES  64
#define AXIS_VALUE_BYTES 1024

/* 0; -EINVAL: a name that is empty, too long or not of [A-Za-z0-9_.-], a value that is too long, too many of them. */
int axes_check(const struct pairs *axes, struct err *err);

/* "name=value" of a command line, added. -EINVAL: it may not be, or has been given before. */
int axes_parse(struct pairs *axes, const char *what, const char *argument, struct err *err);

#endif
