/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison as the kernel test robot prints it (spec D.6 to D.8):
 *
 *   152694c82950a093 63dfa1004322d596417f23da43c
 *   ---------------- ---------------------------
 *          fail:runs  %reproduction    fail:runs
 *              |             |             |
 *             1:4          -25%            :4     dmesg.WARNING:at_ip__fsnotify_parent/0x
 *            %stddev     %change         %stddev
 *                \          |                \
 *       492322 ±  8%     +15.1%     566574 ±  2%  meminfo.Active(anon)
 */
#include <math.h>

#include "analysis/report.h"

#define BASE_WIDTH 16

static const char rule[] = "=========================================================================================";
_Static_assert(sizeof(rule) == 89 + 1, "the rule above a table is 89 wide");

static void put_mean(double mean, struct buf *ret)
{
	if (fabs(mean) < 1000)
		(void)buf_printf(ret, "%10.2f", mean);
	else if (fabs(mean) > 100000000)
		(void)buf_printf(ret, "%10.4g", mean);
	else
		(void)buf_printf(ret, "%10.0f", trunc(mean));
}

static void put_deviation(const struct compare_cell *cell, enum era era, struct buf *ret)
{
	double percent = cell->mean != 0 ? 100 * cell->stddev / cell->mean : cell->stddev;

	if (era == ERA_2016)
		(void)buf_printf(ret, " ±%3.0f%%", cell->have == 0 || cell->runs < 2 ? -1 : trunc(percent));
	else if (cell->have && percent > 2)
		(void)buf_printf(ret, " ±%3.0f%%", trunc(percent));
	else
		(void)buf_puts(ret, "      ");
}

static void put_change(double change, bool points, struct buf *ret)
{
	if (!isfinite(change))
		(void)buf_printf(ret, "%10s", isnan(change) ? "NaN" : change > 0 ? "+Inf" : "-Inf");
	else if (fabs(change) >= 100000)
		(void)buf_printf(ret, "%+10.2g", change);
	else
		(void)buf_printf(ret, "%+10.1f", change);
	(void)buf_puts(ret, points ? "  " : "% ");
}

static void put_fails(const struct compare_cell *cell, struct buf *ret)
{
	if (cell->fails == 0)
		(void)buf_printf(ret, "%11s:%-4u", "", cell->runs);
	else
		(void)buf_printf(ret, "%11.0f:%-4u", trunc(cell->fails), cell->runs);
}

static void put_number(const struct compare_row *row, size_t column, enum era era, struct buf *ret)
{
	const struct compare_cell *cell = &row->cells[column];
	const char *word = report_word(row, column);

	if (column && word)
		(void)buf_printf(ret, "%10s  ", word);
	else if (column)
		put_change(cell->change, row->points, ret);
	if (report_is_absent(row, column)) {
		(void)buf_printf(ret, "%16s", "");
		return;
	}
	put_mean(cell->mean, ret);
	put_deviation(cell, era, ret);
}

static void put_row(const struct compare_row *row, size_t columns, enum era era, bool intervals, struct buf *ret)
{
	for (size_t i = 0; i < columns; i++) {
		if (row->function) {
			if (i)
				(void)buf_printf(ret, "%10.0f%% ", row->cells[i].change);
			put_fails(&row->cells[i], ret);
		} else {
			put_number(row, i, era, ret);
		}
		if (i && intervals)
			report_interval(row, i, ret);
	}
	(void)buf_puts(ret, "  ");
	report_plain(row->key, ret);
	report_row_end(row, columns, ret);
}

int report_row(const struct compare_row *row, size_t columns, enum era era, struct buf *ret)
{
	put_row(row, columns, era, false, ret);
	return ret->failed;
}

void report_rows(const struct comparison *c, const struct compare_row *rows, size_t count, size_t columns,
		 struct buf *ret)
{
	for (size_t i = 0; i < count; i++) {
		put_row(&rows[i], columns, c->era, c->intervals, ret);
		(void)buf_putc(ret, '\n');
		report_rows(c, rows[i].listed, rows[i].listed_count, columns, ret);
	}
}

/* The beginning of `text`, `width` characters at most, set to the right in that many. */
static void put_right(const char *text, size_t width, struct buf *ret)
{
	size_t characters = 0, bytes = 0;

	for (; text[bytes]; bytes++) {
		bool begins = ((unsigned char)text[bytes] & 0xc0) != 0x80; /* not the rest of a UTF-8 character */

		if (begins && characters == width)
			break;
		characters += begins;
	}
	for (size_t i = characters; i < width; i++)
		(void)buf_putc(ret, ' ');
	for (size_t i = 0; i < bytes; i++)
		(void)buf_putc(ret, (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i]);
}

static void put_axes(const struct pairs *axes, struct buf *ret)
{
	if (axes->count == 0)
		return;
	for (size_t i = 0; i < axes->count; i++) {
		if (i)
			(void)buf_putc(ret, '/');
		report_plain(axes->at[i].name, ret);
	}
	(void)buf_puts(ret, ":\n  ");
	for (size_t i = 0; i < axes->count; i++) {
		if (i)
			(void)buf_putc(ret, '/');
		report_plain(axes->at[i].value, ret);
	}
	(void)buf_puts(ret, "\n\n");
}

static void put_columns(const struct compare_table *t, const char *axis, enum era era, struct buf *ret)
{
	size_t head_width = era == ERA_PRESENT ? 27 : 26;

	report_plain(axis, ret);
	(void)buf_puts(ret, ": \n");
	for (size_t i = 0; i < t->column_count; i++) {
		(void)buf_puts(ret, "  ");
		report_plain(t->columns[i], ret);
		(void)buf_putc(ret, '\n');
	}
	(void)buf_putc(ret, '\n');
	for (size_t i = 0; i < t->column_count; i++) {
		put_right(t->columns[i], i ? head_width : BASE_WIDTH, ret);
		(void)buf_putc(ret, ' ');
	}
	(void)buf_putc(ret, '\n');
	for (size_t i = 0; i < t->column_count; i++) {
		for (size_t k = 0; k < (i ? head_width : BASE_WIDTH); k++)
			(void)buf_putc(ret, '-');
		(void)buf_putc(ret, ' ');
	}
	(void)buf_putc(ret, '\n');
}

/* Two lines: that of the base, then for each head. */
static void put_heads(const char *const base[2], const char *const head[2], size_t columns, bool intervals,
		      struct buf *ret)
{
	for (size_t line = 0; line < 2; line++) {
		(void)buf_puts(ret, base[line]);
		for (size_t i = 1; i < columns; i++) {
			(void)buf_puts(ret, head[line]);
			if (intervals)
				report_interval_head(line, ret);
		}
		(void)buf_putc(ret, '\n');
	}
}

void report_number_heads(const struct comparison *c, size_t columns, struct buf *ret)
{
	static const char *const base[2] = { "         %stddev", "             \\  " };
	static const char *const head[2] = { "     %change         %stddev", "        |                \\  " };

	put_heads(base, head, columns, c->intervals, ret);
}

static void put_table(const struct comparison *c, const struct compare_table *t, struct buf *ret)
{
	static const char *const function_base[2] = { "       fail:runs", "           |    " };
	static const char *const function_head[2] = { "  %reproduction    fail:runs", "         |             |    " };

	(void)buf_printf(ret, "%s\n", rule);
	put_axes(&t->axes, ret);
	report_verdict_head(t, ret);
	put_columns(t, c->axis, c->era, ret);
	if (t->function_count)
		put_heads(function_base, function_head, t->column_count, c->intervals, ret);
	report_rows(c, t->functions, t->function_count, t->column_count, ret);
	report_related(c, t, ret);
	if (t->row_count)
		report_number_heads(c, t->column_count, ret);
	report_rows(c, t->rows, t->row_count, t->column_count, ret);
	report_other_rows(c, t, ret);
	(void)buf_putc(ret, '\n');
}

/* What was judged is told also where nothing changed. */
static bool has_rows(const struct compare_table *t)
{
	return t->function_count || t->row_count || (t->heads && t->keys);
}

int report_text(const struct comparison *c, struct buf *ret)
{
	for (size_t i = 0; i < c->table_count; i++)
		if (has_rows(&c->tables[i]))
			put_table(c, &c->tables[i], ret);
	return ret->failed;
}
