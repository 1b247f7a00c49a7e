/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.css and report.js stand beside this file and are embedded. */
#include <math.h>

#include "analysis/report.h"
#include "base/html.h"

#include "analysis/report_css.h"
#include "analysis/report_js.h"

#define DOTS_WIDTH  150
#define DOTS_HEIGHT 18

static void put_number(double v, struct buf *ret)
{
	(void)buf_printf(ret, fabs(v) < 1000 ? "%.2f" : fabs(v) > 1e8 ? "%.4g" : "%.0f", v);
}

/* The runs of a row: those of the base above, those of the heads below, over one scale. */
static void put_dots(const struct compare_row *row, size_t columns, struct buf *ret)
{
	double least = HUGE_VAL, most = -HUGE_VAL;

	for (size_t c = 0; c < columns && row->cells[c].values; c++)
		for (unsigned i = 0; i < row->cells[c].runs; i++)
			if (isfinite(row->cells[c].values[i])) {
				least = fmin(least, row->cells[c].values[i]);
				most = fmax(most, row->cells[c].values[i]);
			}
	if (!(most >= least))
		return;
	(void)buf_printf(ret, "<svg width=\"%d\" height=\"%d\" role=\"img\"><title>%g to %g</title>", DOTS_WIDTH,
			 DOTS_HEIGHT, least, most);
	(void)buf_printf(ret, "<line x1=\"0\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>", DOTS_WIDTH, DOTS_HEIGHT / 2,
			 DOTS_HEIGHT / 2);
	for (size_t c = 0; c < columns && row->cells[c].values; c++)
		for (unsigned i = 0; i < row->cells[c].runs; i++) {
			double v = row->cells[c].values[i];
			double x =
				most > least ? 4 + (v - least) / (most - least) * (DOTS_WIDTH - 8) : DOTS_WIDTH / 2.0;
			double y = columns > 1 ? 4 + (double)c / (double)(columns - 1) * (DOTS_HEIGHT - 8) : 4;

			if (isfinite(v))
				(void)buf_printf(ret, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"/>",
						 c ? "h" : "b", x, y);
		}
	(void)buf_puts(ret, "</svg>");
}

static void put_cell(const struct compare_row *row, size_t column, struct buf *ret)
{
	const struct compare_cell *cell = &row->cells[column];
	double percent = cell->mean > 0 ? 100 * cell->stddev / cell->mean : 0;

	if (row->function) {
		(void)buf_printf(ret, "<td data-v=\"%g\">%.0f:%u", cell->mean, cell->fails, cell->runs);
		return;
	}
	if (report_is_absent(row, column)) {
		(void)buf_puts(ret, "<td data-v=\"NaN\">");
		return;
	}
	(void)buf_printf(ret, "<td data-v=\"%.17g\">", cell->mean);
	put_number(cell->mean, ret);
	if (percent > 2)
		(void)buf_printf(ret, " <span class=\"mute\">± %.0f%%</span>", percent);
}

static void put_change(const struct compare_row *row, size_t head, bool judged, struct buf *ret)
{
	const struct compare_cell *cell = &row->cells[head];
	const struct verdict *v = cell->verdict;
	const char *word = row->function ? NULL : report_word(row, head);
	bool changed = v ? v->word == VERDICT_CHANGED : row->changed;

	(void)buf_printf(ret, "<td data-v=\"%.17g\" class=\"%s\">", word && !*word ? NAN : cell->change,
			 !changed	    ? "mute"
			 : cell->change < 0 ? "down"
					    : "up");
	if (word)
		(void)buf_puts(ret, word);
	else if (row->function)
		(void)buf_printf(ret, "%+.0f%%", cell->change);
	else
		report_amount(cell->change, !row->points, ret);
	if (!judged)
		return;
	(void)buf_printf(ret, "<td data-v=\"%g\" class=\"mute\">", v ? v->low : NAN);
	if (v && isfinite(v->low))
		report_interval_of(v, ret);
	(void)buf_printf(ret, "<td data-v=\"%g\">", v ? row->function ? v->p : v->q : NAN);
	if (v) {
		struct buf q = { 0 };

		report_probability(row->function ? v->p : v->q, &q);
		(void)html_text(ret, q.len ? q.data : "");
		buf_free(&q);
	}
}

static void put_rows(const struct compare_table *t, const struct compare_row *rows, size_t count, struct buf *ret)
{
	for (size_t i = 0; i < count; i++) {
		const struct compare_row *row = &rows[i];

		(void)buf_puts(ret, "<tr>");
		put_cell(row, 0, ret);
		for (size_t head = 1; head < t->column_count; head++) {
			put_change(row, head, t->heads != NULL, ret);
			put_cell(row, head, ret);
		}
		(void)buf_puts(ret, "<td>");
		put_dots(row, t->column_count, ret);
		(void)buf_puts(ret, "<td class=\"key\">");
		(void)html_text(ret, row->key);
		for (size_t head = 1; head < t->column_count; head++)
			if (row->members && row->cells[head].verdict)
				(void)buf_printf(ret, " <span class=\"mute\">%u/%u</span>",
						 row->cells[head].verdict->changed, row->members);
		(void)buf_putc(ret, '\n');
		put_rows(t, row->listed, row->listed_count, ret);
	}
}

static void put_heading(const char *text, const char *class, struct buf *ret)
{
	(void)buf_printf(ret, "<th%s scope=\"col\"><button type=\"button\">", class);
	(void)html_text(ret, text);
	(void)buf_puts(ret, "</button>");
}

static void put_block(const struct compare_table *t, const char *title, const struct compare_row *rows, size_t count,
		      struct buf *ret)
{
	if (count == 0)
		return;
	if (*title)
		(void)buf_printf(ret, "<h3>%s</h3>\n", title);
	(void)buf_puts(ret, "<table class=\"rows\"><thead><tr>");
	put_heading(t->columns[0], "", ret);
	for (size_t head = 1; head < t->column_count; head++) {
		put_heading("change", "", ret);
		if (t->heads) {
			put_heading("95 % interval", "", ret);
			put_heading("q", "", ret);
		}
		put_heading(t->columns[head], "", ret);
	}
	(void)buf_puts(ret, "<th scope=\"col\">runs");
	put_heading("key", " class=\"key\"", ret);
	(void)buf_puts(ret, "<tbody>\n");
	put_rows(t, rows, count, ret);
	(void)buf_puts(ret, "</table>\n");
}

static void put_said(const struct compare_table *t, struct buf *ret)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < t->row_count; i++)
		for (size_t head = 1; head < t->column_count && t->rows[i].kpi; head++)
			report_result(t, &t->rows[i], head, &text);
	for (size_t head = 1; head < t->column_count; head++)
		report_runs(t, head, &text);
	(void)buf_puts(ret, "<ul>\n");
	for (struct text rest = buf_text(&text), line; text_line(&rest, &line);) {
		struct buf one = { 0 };

		(void)buf_add_text(&one, line);
		(void)buf_puts(ret, "<li>");
		(void)html_text(ret, one.len ? one.data : "");
		(void)buf_putc(ret, '\n');
		buf_free(&one);
	}
	for (size_t i = 0; i < t->warning_count; i++) {
		(void)buf_puts(ret, "<li class=\"warning\">");
		(void)html_text(ret, t->warnings[i]);
		(void)buf_putc(ret, '\n');
	}
	(void)buf_puts(ret, "</ul>\n");
	buf_free(&text);
}

static void put_related(const struct compare_table *t, struct buf *ret)
{
	if (t->related_count == 0)
		return;
	(void)buf_puts(ret, "<h3>Most related to the change of the result, from run to run</h3>\n<ol>\n");
	for (size_t i = 0; i < t->related_count; i++) {
		(void)buf_puts(ret, "<li><code>");
		(void)html_text(ret, t->related[i]->key);
		(void)buf_printf(ret, "</code> <span class=\"mute\">%.2f</span>\n", t->related[i]->moves);
	}
	(void)buf_puts(ret, "</ol>\n");
}

static void put_table(const struct comparison *c, const struct compare_table *t, struct buf *ret)
{
	(void)buf_puts(ret, "<h2>");
	(void)html_text(ret, c->axis);
	for (size_t k = 0; k < t->column_count; k++) {
		(void)buf_puts(ret, k == 0 ? " " : k == 1 ? " against " : ", ");
		(void)html_text(ret, t->columns[k]);
	}
	(void)buf_puts(ret, "</h2>\n<p class=\"mute\">");
	for (size_t k = 0; k < t->axes.count; k++) {
		(void)buf_puts(ret, k ? ", " : "");
		(void)html_text(ret, t->axes.at[k].name);
		(void)buf_puts(ret, " = ");
		(void)html_text(ret, t->axes.at[k].value);
	}
	(void)buf_puts(ret, "</p>\n");
	if (t->heads)
		put_said(t, ret);
	put_block(t, "Failures", t->functions, t->function_count, ret);
	put_related(t, ret);
	put_block(t, "", t->rows, t->row_count, ret);
	put_block(t, "Weak evidence, one in five may be false", t->weak, t->weak_count, ret);
	put_block(t, "The noise changed", t->noise, t->noise_count, ret);
}

int report_html(const struct comparison *c, struct buf *ret)
{
	(void)buf_puts(ret, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
	(void)html_text(ret, c->axis);
	for (size_t k = 0; c->table_count && k < c->tables[0].column_count; k++) {
		(void)buf_puts(ret, k == 1 ? " against " : " ");
		(void)html_text(ret, c->tables[0].columns[k]);
	}
	(void)buf_printf(
		ret,
		"</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n%s</style></head><body>\n"
		"<h1>What changed</h1>\n<p class=\"filter\"><label>Only keys with <input id=\"filter\" type=\"search\" "
		"placeholder=\"words; -word for without\"></label></p>\n",
		report_css);
	for (size_t i = 0; i < c->table_count; i++)
		put_table(c, &c->tables[i], ret);
	return buf_printf(ret, "<script>\n%s</script></body></html>\n", report_js);
}
