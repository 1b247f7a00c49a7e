/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two series drawn: one joined by lines (the base, "good"), one as marks only (the head, "bad"), over the number of the
 * sample. `plot_ascii` is the block of the kernel test robot's mails, to the character (docs/metrics-and-report, E.1).
 */
#ifndef ASSAY_ANALYSIS_PLOT_H
#define ASSAY_ANALYSIS_PLOT_H

#include "analysis/values.h"
#include "base/buf.h"

#define PLOT_COLUMNS 80
#define PLOT_ROWS    20

struct plot {
	const char *title;        /* a key */
	struct values good, bad;  /* either may be empty; what is no finite number is drawn as 0 in text, not at all in SVG */
	/* SVG only: names of the series, and where vertical lines stand (change points), from 0. */
	const char *good_name, *bad_name;
	const size_t *cuts;
	size_t cut_count;
};

/* 20 rows of 80 columns; no newline behind the last. Result: the buffer's; -EINVAL: no values. */
int plot_ascii(const struct plot *p, struct buf *ret);

/* An <svg> element that needs no style sheet. The same results. */
int plot_svg(const struct plot *p, struct buf *ret);

/* The steps of an axis from `least` to `most`: *ret_from, *ret_to and the distance that is returned, all multiples. */
double plot_tics(double least, double most, double *ret_from, double *ret_to);

#endif
