/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/compare.h"
#include "analysis/results.h"
#include "base/json.h"

static void put_member(const char *name, double value, struct buf *ret)
{
	(void)buf_printf(ret, ",\"%s\":", name);
	(void)json_number(ret, value);
}

static void put_flag(const char *name, bool value, struct buf *ret)
{
	(void)buf_printf(ret, ",\"%s\":%s", name, value ? "true" : "false");
}

static void put_cell(const struct compare_row *row, size_t column, struct buf *ret)
{
	const struct compare_cell *cell = &row->cells[column], *base = &row->cells[0];
	bool percentage = !row->function && !row->points;

	(void)buf_puts(ret, column ? ",{\"mean\":" : "{\"mean\":");
	(void)json_number(ret, cell->mean);
	put_member("stddev", cell->stddev, ret);
	(void)buf_printf(ret, ",\"runs\":%u,\"have\":%u", cell->runs, cell->have);
	if (column) {
		put_member("delta", cell->mean - base->mean, ret);
		if (percentage && base->mean == 0 && cell->mean != 0)
			(void)buf_puts(ret, ",\"change\":null");
		else
			put_member("change", percentage && base->mean == 0 ? 0 : cell->change, ret);
	}
	if (row->function)
		put_member("fails", cell->fails, ret);
	(void)buf_putc(ret, '}');
}

static void put_rows(const struct compare_row *rows, size_t count, size_t columns, bool follows, struct buf *ret)
{
	for (size_t i = 0; i < count; i++) {
		const struct compare_row *row = &rows[i];

		(void)buf_puts(ret, i || follows ? ",\n   {\"key\":" : "\n   {\"key\":");
		(void)json_text(ret, text_of(row->key));
		put_flag("function", row->function, ret);
		put_flag("kpi", row->kpi, ret);
		put_flag("changed", row->changed, ret);
		put_flag("points", row->points, ret);
		(void)buf_printf(ret, ",\"direction\":%d,\"cells\":[", results_direction(NULL, row->key));
		for (size_t column = 0; column < columns; column++)
			put_cell(row, column, ret);
		(void)buf_puts(ret, "]}");
	}
}

static void put_table(const struct compare_table *t, struct buf *ret)
{
	(void)buf_puts(ret, "{\"axes\":");
	(void)json_pairs(ret, &t->axes);
	(void)buf_puts(ret, ",\"groups\":[");
	for (size_t i = 0; i < t->column_count; i++) {
		(void)buf_puts(ret, i ? ",{\"value\":" : "{\"value\":");
		(void)json_text(ret, text_of(t->columns[i]));
		(void)buf_printf(ret, ",\"runs\":%u,\"complete\":%u}", t->runs[i], t->complete[i]);
	}
	(void)buf_printf(ret, "],\"keys\":%zu,\"rows\":[", t->keys);
	put_rows(t->functions, t->function_count, t->column_count, false, ret);
	put_rows(t->rows, t->row_count, t->column_count, t->function_count > 0, ret);
	(void)buf_puts(ret, "]}");
}

int report_json(const struct comparison *c, struct buf *ret)
{
	(void)buf_puts(ret, "{\"axis\":");
	(void)json_text(ret, text_of(c->axis));
	(void)buf_printf(
		ret,
		",\"runs\":%zu,\"runs_left_out\":%zu,\"runs_incomplete\":%zu,\"groups_short\":%zu,\"keys\":%zu,"
		"\"tables\":[",
		c->runs, c->runs_left_out, c->runs_incomplete, c->groups_short, c->keys);
	for (size_t i = 0; i < c->table_count; i++) {
		(void)buf_puts(ret, i ? ",\n " : "\n ");
		put_table(&c->tables[i], ret);
	}
	return buf_puts(ret, "]}\n");
}
