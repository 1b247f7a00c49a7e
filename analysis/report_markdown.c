/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "analysis/report.h"

/* In a cell: what Markdown would take for its own is escaped, what would end the line is '?'. */
static void put_plain(const char *text, struct buf *ret)
{
	for (; *text; text++) {
		if (strchr("\\`*_{}[]<>|#!~", *text))
			(void)buf_putc(ret, '\\');
		(void)buf_putc(ret, (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
	}
}

/* In a code span, where only the quote and the cell's end would end it. */
static void put_code(const char *text, struct buf *ret)
{
	(void)buf_putc(ret, '`');
	for (; *text; text++) {
		if (*text == '|')
			(void)buf_putc(ret, '\\');
		(void)buf_putc(ret, (unsigned char)*text < ' ' || *text == 0x7f || *text == '`' ? '?' : *text);
	}
	(void)buf_putc(ret, '`');
}

static void put_mean(const struct compare_row *row, size_t column, struct buf *ret)
{
	const struct compare_cell *cell = &row->cells[column];
	double percent = cell->mean > 0 ? 100 * cell->stddev / cell->mean : 0;

	if (row->function) {
		(void)buf_printf(ret, " %.0f:%u |", cell->fails, cell->runs);
		return;
	}
	if (report_is_absent(row, column))
		(void)buf_puts(ret, " |");
	else
		(void)buf_printf(ret,
				 fabs(cell->mean) < 1000  ? " %.2f"
				 : fabs(cell->mean) > 1e8 ? " %.4g"
							  : " %.0f",
				 cell->mean);
	if (report_is_absent(row, column))
		return;
	if (percent > 2)
		(void)buf_printf(ret, " ± %.0f%%", percent);
	(void)buf_puts(ret, " |");
}

static void put_head(const struct compare_row *row, size_t head, bool judged, struct buf *ret)
{
	const struct verdict *v = row->cells[head].verdict;
	const char *word = row->function ? NULL : report_word(row, head);

	(void)buf_putc(ret, ' ');
	if (word)
		(void)buf_puts(ret, word);
	else if (row->function)
		(void)buf_printf(ret, "%+.0f%%", row->cells[head].change);
	else
		report_amount(row->cells[head].change, !row->points, ret);
	(void)buf_puts(ret, " |");
	if (judged) {
		(void)buf_putc(ret, ' ');
		if (v && isfinite(v->low))
			report_interval_of(v, ret);
		(void)buf_puts(ret, " | ");
		if (v)
			report_probability(row->function ? v->p : v->q, ret);
		(void)buf_puts(ret, " |");
	}
	put_mean(row, head, ret);
}

static void put_rows(const struct compare_table *t, const struct compare_row *rows, size_t count, struct buf *ret)
{
	for (size_t i = 0; i < count; i++) {
		const struct compare_row *row = &rows[i];

		(void)buf_puts(ret, "|");
		put_mean(row, 0, ret);
		for (size_t head = 1; head < t->column_count; head++)
			put_head(row, head, t->heads != NULL, ret);
		(void)buf_putc(ret, ' ');
		put_code(row->key, ret);
		for (size_t head = 1; head < t->column_count; head++)
			if (row->members && row->cells[head].verdict)
				(void)buf_printf(ret, " %u/%u", row->cells[head].verdict->changed, row->members);
		(void)buf_puts(ret, " |\n");
		put_rows(t, row->listed, row->listed_count, ret);
	}
}

static void put_block(const struct compare_table *t, const char *title, const struct compare_row *rows, size_t count,
		      struct buf *ret)
{
	if (count == 0)
		return;
	(void)buf_printf(ret, "\n%s%s| ", title, *title ? "\n\n" : "");
	put_plain(t->columns[0], ret);
	for (size_t head = 1; head < t->column_count; head++) {
		(void)buf_puts(ret, t->heads ? " | change | 95 % interval | q | " : " | change | ");
		put_plain(t->columns[head], ret);
	}
	(void)buf_puts(ret, " | |\n|---:");
	for (size_t head = 1; head < t->column_count; head++)
		(void)buf_puts(ret, t->heads ? "|---:|---:|---:|---:" : "|---:|---:");
	(void)buf_puts(ret, "|:---|\n");
	put_rows(t, rows, count, ret);
}

static void put_said(const struct compare_table *t, struct buf *ret)
{
	struct buf text = { 0 };

	for (size_t head = 1; head < t->column_count; head++)
		report_runs(t, head, &text);
	for (size_t i = 0; i < t->row_count; i++)
		for (size_t head = 1; head < t->column_count && t->rows[i].kpi; head++)
			report_result(t, &t->rows[i], head, &text);
	for (size_t i = 0; i < t->warning_count; i++)
		(void)buf_printf(&text, "warning: %s\n", t->warnings[i]);
	for (struct text rest = buf_text(&text), line; text_line(&rest, &line);) {
		struct buf one = { 0 };

		(void)buf_add_text(&one, line);
		(void)buf_puts(ret, "- ");
		put_plain(one.len ? one.data : "", ret);
		(void)buf_putc(ret, '\n');
		buf_free(&one);
	}
	buf_free(&text);
}

int report_markdown(const struct comparison *c, struct buf *ret)
{
	for (size_t i = 0; i < c->table_count; i++) {
		const struct compare_table *t = &c->tables[i];

		(void)buf_puts(ret, i ? "\n### " : "### ");
		put_plain(c->axis, ret);
		(void)buf_putc(ret, ' ');
		for (size_t k = 0; k < t->column_count; k++) {
			if (k)
				(void)buf_puts(ret, k == 1 ? " against " : ", ");
			put_plain(t->columns[k], ret);
		}
		(void)buf_puts(ret, "\n\n");
		for (size_t k = 0; k < t->axes.count; k++) {
			(void)buf_puts(ret, k ? ", " : "");
			put_plain(t->axes.at[k].name, ret);
			(void)buf_puts(ret, " = ");
			put_plain(t->axes.at[k].value, ret);
		}
		(void)buf_puts(ret, t->axes.count ? "\n\n" : "");
		if (t->heads)
			put_said(t, ret);
		put_block(t, "Failures:", t->functions, t->function_count, ret);
		put_block(t, "", t->rows, t->row_count, ret);
		put_block(t, "Weak evidence, one in five may be false:", t->weak, t->weak_count, ret);
		put_block(t, "The noise changed:", t->noise, t->noise_count, ret);
	}
	return ret->failed;
}
