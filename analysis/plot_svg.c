/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "analysis/plot.h"
#include "base/html.h"

#define WIDTH  720
#define HEIGHT 300
#define LEFT   80
#define RIGHT  16
#define TOP    34
#define BOTTOM 26

struct area {
	double from, to;
	size_t samples;
};

static double x_of(const struct area *a, double sample)
{
	return a->samples < 2 ? LEFT + (WIDTH - LEFT - RIGHT) / 2.0
			      : LEFT + sample * (WIDTH - LEFT - RIGHT) / (double)(a->samples - 1);
}

static double y_of(const struct area *a, double y)
{
	return TOP + (a->to - y) / (a->to - a->from) * (HEIGHT - TOP - BOTTOM);
}

static void find_range(struct values v, double *least, double *most)
{
	for (size_t i = 0; i < v.count; i++)
		if (isfinite(v.at[i])) {
			*least = fmin(*least, v.at[i]);
			*most = fmax(*most, v.at[i]);
		}
}

static void put_axis(const struct area *a, double tic, struct buf *ret)
{
	for (int i = 0; a->from + i * tic <= a->to + tic / 2 && i < 40; i++) {
		double value = a->from + i * tic, y = y_of(a, value);

		(void)buf_printf(
			ret,
			"<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#999\" stroke-opacity=\".35\"/>"
			"<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
			LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4, fabs(value) < tic / 1e6 ? 0 : value);
	}
}

static void put_series(const struct area *a, struct values v, const char *colour, int joined, struct buf *ret)
{
	bool begun = false;

	if (joined) {
		(void)buf_printf(ret, "<path fill=\"none\" stroke=\"%s\" d=\"", colour);
		for (size_t i = 0; i < v.count; i++) {
			if (isfinite(v.at[i]))
				(void)buf_printf(ret, "%s%.1f %.1f", begun ? "L" : "M", x_of(a, (double)i),
						 y_of(a, v.at[i]));
			begun = isfinite(v.at[i]); /* a gap is a gap */
		}
		(void)buf_puts(ret, "\"/>\n");
	}
	for (size_t i = 0; i < v.count; i++)
		if (isfinite(v.at[i]))
			(void)buf_printf(
				ret, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%g</title></circle>\n",
				x_of(a, (double)i), y_of(a, v.at[i]), colour, v.at[i]);
}

static void put_legend(const char *name, const char *colour, int x, struct buf *ret)
{
	(void)buf_printf(ret, "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">", x,
			 HEIGHT - 10, colour, x + 9, HEIGHT - 6);
	(void)html_text(ret, name);
	(void)buf_puts(ret, "</text>\n");
}

int plot_svg(const struct plot *p, struct buf *ret)
{
	static const char good[] = "#3b7dd8", bad[] = "#d2691e";
	double least = HUGE_VAL, most = -HUGE_VAL, tic;
	struct area a;

	find_range(p->good, &least, &most);
	find_range(p->bad, &least, &most);
	if (!(most >= least))
		return -EINVAL;
	tic = plot_tics(least, most, &a.from, &a.to);
	a.samples = p->good.count > p->bad.count ? p->good.count : p->bad.count;
	(void)buf_printf(ret,
			 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
			 "role=\"img\" "
			 "font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\">\n<title>",
			 WIDTH, HEIGHT, WIDTH, HEIGHT);
	(void)html_text(ret, p->title);
	(void)buf_printf(ret, "</title>\n<text x=\"%d\" y=\"18\" font-size=\"14\">", LEFT);
	(void)html_text(ret, p->title);
	(void)buf_puts(ret, "</text>\n");
	put_axis(&a, tic, ret);
	for (size_t i = 0; i < p->cut_count; i++)
		(void)buf_printf(
			ret,
			"<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-dasharray=\"5 4\"/>\n",
			x_of(&a, (double)p->cuts[i] - 0.5), x_of(&a, (double)p->cuts[i] - 0.5), TOP, HEIGHT - BOTTOM,
			bad);
	put_series(&a, p->good, good, true, ret);
	put_series(&a, p->bad, bad, false, ret);
	if (p->good_name)
		put_legend(p->good_name, good, LEFT, ret);
	if (p->bad_name)
		put_legend(p->bad_name, bad, (LEFT + WIDTH) / 2, ret);
	return buf_puts(ret, "</svg>\n");
}
