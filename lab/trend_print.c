/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/plot.h"
#include "base/json.h"
#include "lab/trend.h"

static int name_width(const struct trend *t)
{
	size_t width = strlen(t->by);

	for (size_t i = 0; i < t->count; i++)
		width = strlen(t->points[i].name) > width ? strlen(t->points[i].name) : width;
	return width > 40 ? 40 : (int)width;
}

/* At least `width` wide; control characters do not reach a terminal. */
static void put_name(const char *name, int width, struct buf *ret)
{
	size_t from = ret->len;

	(void)buf_printf(ret, "%-*s", width, name);
	for (; from < ret->len; from++)
		if ((unsigned char)ret->data[from] < ' ' || ret->data[from] == 0x7f)
			ret->data[from] = '?';
}

static void put_point(const struct trend *t, size_t i, int width, struct buf *ret)
{
	const struct trend_point *p = &t->points[i];
	time_t seconds = (time_t)(p->realtime_ns / 1000000000);
	char when[20] = "";
	struct tm utc;

	if (gmtime_r(&seconds, &utc))
		(void)strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &utc);
	put_name(p->name, width, ret);
	(void)buf_printf(ret, "  %s %5u ", when, p->runs);
	(void)buf_printf(ret, fabs(p->mean) < 1000 ? "%12.2f" : fabs(p->mean) > 1e8 ? "%12.4g" : "%12.0f", p->mean);
	if (p->runs > 1 && p->mean > 0)
		(void)buf_printf(ret, "  ± %.1f%%", 100 * p->stddev / p->mean);
	if (t->changes.outlier && t->changes.outlier[i])
		(void)buf_puts(ret, "  outlier");
	(void)buf_putc(ret, '\n');
}

static void put_change(const struct trend *t, const struct change_point *c, struct buf *ret)
{
	(void)buf_puts(ret, "---- ");
	if (isnan(c->percent))
		(void)buf_printf(ret, "from %.6g to %.6g", c->before, c->after);
	else
		(void)buf_printf(ret, "%+.1f%%", c->percent);
	if (!isnan(c->low))
		(void)buf_printf(ret, " [%+.1f%%, %+.1f%%]", c->low, c->high);
	if (c->first != c->last) {
		(void)buf_puts(ret, ", somewhere from ");
		put_name(t->points[c->first].name, 0, ret);
		(void)buf_puts(ret, " to ");
		put_name(t->points[c->last].name, 0, ret);
	}
	(void)buf_putc(ret, '\n');
}

int trend_text(const struct trend *t, struct buf *ret)
{
	int width = name_width(t);
	size_t change = 0, runs = 0;

	for (size_t i = 0; i < t->count; i++)
		runs += t->points[i].runs;
	(void)buf_printf(ret, "%s: %zu run%s in %zu point%s by %s", t->key, runs, runs == 1 ? "" : "s", t->count,
			 t->count == 1 ? "" : "s", t->by);
	if (t->without)
		(void)buf_printf(ret, "; %zu without it", t->without);
	(void)buf_printf(ret, "\n\n%-*s  %-16s %5s %12s\n", width, t->by, "first run (UTC)", "runs", "mean");
	for (size_t i = 0; i < t->count; i++) {
		for (; change < t->changes.count && t->changes.points[change].at == i; change++)
			put_change(t, &t->changes.points[change], ret);
		put_point(t, i, width, ret);
	}
	if (t->changes.last_p < SUSPECT_P)
		(void)buf_printf(ret,
				 "\nsuspect: the last point does not fit the level before it (p = %.2g); run it and "
				 "the one before again, in turns\n",
				 t->changes.last_p);
	return ret->failed;
}

static void put_known(const char *name, double value, struct buf *ret)
{
	(void)buf_printf(ret, ",\"%s\":", name);
	(void)json_number(ret, value);
}

int trend_json(const struct trend *t, struct buf *ret)
{
	(void)buf_puts(ret, "{\"key\":");
	(void)json_text(ret, text_of(t->key));
	(void)buf_puts(ret, ",\"by\":");
	(void)json_text(ret, text_of(t->by));
	put_known("sigma", t->changes.sigma, ret);
	(void)buf_puts(ret, ",\"points\":[");
	for (size_t i = 0; i < t->count; i++) {
		const struct trend_point *p = &t->points[i];

		(void)buf_puts(ret, i ? ",\n {\"name\":" : "\n {\"name\":");
		(void)json_text(ret, text_of(p->name));
		(void)buf_printf(ret, ",\"time_ns\":%" PRIu64, p->realtime_ns);
		put_known("mean", p->mean, ret);
		put_known("stddev", p->stddev, ret);
		(void)buf_printf(ret, ",\"runs\":%u,\"outlier\":%s}", p->runs,
				 t->changes.outlier && t->changes.outlier[i] ? "true" : "false");
	}
	(void)buf_puts(ret, "],\"changes\":[");
	for (size_t i = 0; i < t->changes.count; i++) {
		const struct change_point *c = &t->changes.points[i];

		(void)buf_printf(ret, "%s{\"at\":%zu,\"first\":%zu,\"last\":%zu,\"name\":", i ? "," : "", c->at,
				 c->first, c->last);
		(void)json_text(ret, text_of(t->points[c->at].name));
		put_known("before", c->before, ret);
		put_known("after", c->after, ret);
		put_known("change", c->percent, ret);
		put_known("ci_low", c->low, ret);
		put_known("ci_high", c->high, ret);
		put_known("p", c->p, ret);
		(void)buf_putc(ret, '}');
	}
	(void)buf_printf(ret, "],\"without\":%zu,\"suspect\":", t->without);
	(void)json_number(ret, t->changes.last_p < SUSPECT_P ? t->changes.last_p : NAN);
	return buf_puts(ret, "}\n");
}

int trend_svg(const struct trend *t, struct buf *ret)
{
	double *values = calloc(t->count + 1, sizeof(*values));
	size_t *cuts = calloc(t->changes.count + 1, sizeof(*cuts));
	struct plot plot = { .title = t->key,
			     .good = { values, t->count },
			     .good_name = t->by,
			     .cuts = cuts,
			     .cut_count = t->changes.count };
	int r = -ENOMEM;

	if (values && cuts) {
		for (size_t i = 0; i < t->count; i++)
			values[i] = t->points[i].mean;
		for (size_t i = 0; i < t->changes.count; i++)
			cuts[i] = t->changes.points[i].at;
		r = plot_svg(&plot, ret);
	}
	free(values);
	free(cuts);
	return r;
}
