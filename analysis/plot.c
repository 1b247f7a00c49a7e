/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/plot.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_TOP   3
#define FRAME_ROWS  15
#define FRAME_RIGHT 76 /* column of the right border */
#define LABEL_MOST  24

struct grid {
	char cell[PLOT_ROWS][PLOT_COLUMNS];
	int left; /* column of the left border */
	double from, to;
	size_t samples;
};

/* With 20 steps in mind, as gnuplot has them. */
double plot_tics(double least, double most, double *ret_from, double *ret_to)
{
	double range, power, q, tic;

	if (!(most > least)) {
		double apart = least < 0 || least > 0 ? fabs(least) * 0.01 : 1;

		least -= apart;
		most += apart;
	}
	range = most - least;
	power = pow(10, floor(log10(range)));
	q = 20 * power / range;
	tic = power * (q > 40	? 0.05
		       : q > 20 ? 0.1
		       : q > 10 ? 0.2
		       : q > 4	? 0.5
		       : q > 2	? 1
		       : q > 1	? 2
				: ceil(range / power));
	*ret_from = floor(least / tic) * tic;
	*ret_to = ceil(most / tic) * tic;
	return tic;
}

static double shown(double v)
{
	return isfinite(v) ? v : 0;
}

static void find_range(struct values v, double *least, double *most)
{
	for (size_t i = 0; i < v.count; i++) {
		*least = fmin(*least, shown(v.at[i]));
		*most = fmax(*most, shown(v.at[i]));
	}
}

/* Rows are counted from the bottom border. */
static int row_of(const struct grid *g, double y)
{
	return (int)floor((FRAME_ROWS - 1) * (y - g->from) / (g->to - g->from) + 0.5);
}

static int column_of(const struct grid *g, size_t sample)
{
	int width = FRAME_RIGHT - g->left + 1;

	if (g->samples < 2)
		return g->left;
	return g->left + (int)floor((double)sample * (width - 1) / (double)(g->samples - 1) + 0.5);
}

static void put(struct grid *g, int column, int row, char c)
{
	g->cell[FRAME_TOP + FRAME_ROWS - 1 - row][column] = c;
}

static void put_frame(struct grid *g)
{
	for (int row = 0; row < FRAME_ROWS; row++) {
		bool border = row == 0 || row == FRAME_ROWS - 1;

		for (int column = g->left; border && column <= FRAME_RIGHT; column++)
			put(g, column, row, '-');
		put(g, g->left, row, border ? '+' : '|');
		put(g, FRAME_RIGHT, row, border ? '+' : '|');
	}
}

static void put_labels(struct grid *g, double tic, int width)
{
	for (int i = 0; g->from + i * tic <= g->to + tic / 2 && i < 2 * PLOT_ROWS; i++) {
		double y = g->from + i * tic;
		int row = row_of(g, y);
		char label[LABEL_MOST];
		int length = snprintf(label, sizeof(label), "%g", fabs(y) < tic / 1e6 ? 0 : y);

		memcpy(&g->cell[FRAME_TOP + FRAME_ROWS - 1 - row][2 + width - length], label, (size_t)length);
		if (row > 0 && row < FRAME_ROWS - 1) {
			put(g, g->left + 1, row, '-');
			put(g, g->left + 2, row, '+');
		}
	}
}

static int label_width(double from, double to, double tic)
{
	int width = 0;

	for (int i = 0; from + i * tic <= to + tic / 2 && i < 2 * PLOT_ROWS; i++) {
		double y = from + i * tic;
		int length = snprintf(NULL, 0, "%g", fabs(y) < tic / 1e6 ? 0 : y);

		width = length > width ? length : width;
	}
	return width;
}

static bool is_inside(const struct grid *g, int column)
{
	return column > g->left && column < FRAME_RIGHT;
}

/* Dots where the line is flat, colons where it is steep. */
static void put_line(struct grid *g, size_t sample, double y, double next)
{
	int x0 = column_of(g, sample), x1 = column_of(g, sample + 1), y0 = row_of(g, y), y1 = row_of(g, next);
	int dx = x1 - x0, dy = y1 - y0, steps = dx >= abs(dy) ? dx : abs(dy);

	for (int i = 1; i < steps; i++) {
		int column = x0 + (int)floor((double)i * dx / steps + 0.5);
		int row = y0 + (int)floor((double)i * dy / steps + 0.5);

		if (is_inside(g, column))
			put(g, column, row, dx >= abs(dy) ? '.' : ':');
	}
}

static void put_marks(struct grid *g, struct values v, char mark)
{
	for (size_t i = 0; i < v.count; i++)
		if (is_inside(g, column_of(g, i)))
			put(g, column_of(g, i), row_of(g, shown(v.at[i])), mark);
}

static void put_title(struct grid *g, const char *title)
{
	int length = (int)strnlen(title, PLOT_COLUMNS), at = (g->left + FRAME_RIGHT) / 2 - length / 2;

	at = at < 0 ? 0 : at;
	for (int i = 0; i < length && at + i < PLOT_COLUMNS; i++)
		g->cell[1][at + i] = isalnum((unsigned char)title[i]) || strchr("_.:+=-", title[i]) ? title[i] : '_';
}

int plot_ascii(const struct plot *p, struct buf *ret)
{
	double least = HUGE_VAL, most = -HUGE_VAL, tic;
	struct grid g;
	int width;

	find_range(p->good, &least, &most);
	find_range(p->bad, &least, &most);
	if (!(most >= least))
		return -EINVAL;
	memset(g.cell, ' ', sizeof(g.cell));
	tic = plot_tics(least, most, &g.from, &g.to);
	width = label_width(g.from, g.to, tic);
	g.left = width + 3;
	g.samples = p->good.count > p->bad.count ? p->good.count : p->bad.count;
	put_frame(&g);
	put_labels(&g, tic, width);
	for (size_t i = 0; i + 1 < p->good.count; i++)
		put_line(&g, i, shown(p->good.at[i]), shown(p->good.at[i + 1]));
	put_marks(&g, p->good, '+');
	put_marks(&g, p->bad, 'O');
	put_title(&g, p->title);
	for (int row = 0; row < PLOT_ROWS; row++) {
		if (row)
			(void)buf_putc(ret, '\n');
		(void)buf_add(ret, g.cell[row], PLOT_COLUMNS);
	}
	return ret->failed;
}
