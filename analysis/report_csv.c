/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "analysis/report.h"
#include "base/csv.h"
#include "base/json.h"

static const char head_line[] = "axes,key,kind,base,base_mean,base_stddev,base_runs,head,mean,stddev,runs,change,unit,"
				"ci_low,ci_high,ci_unit,p,q,verdict\r\n";

static void put_number(double value, struct buf *ret)
{
	(void)buf_putc(ret, ',');
	if (isfinite(value))
		(void)json_number(ret, value);
}

static void put_axes(const struct pairs *axes, struct buf *ret)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < axes->count; i++)
		(void)buf_printf(&text, "%s%s=%s", i ? "/" : "", axes->at[i].name, axes->at[i].value);
	(void)csv_field(ret, text.len ? text.data : "");
	buf_free(&text);
}

static void put_line(const struct compare_table *t, const struct compare_row *row, size_t head, struct buf *ret)
{
	static const char *const words[] = { "untested", "changed", "unchanged", "undecided" };
	const struct compare_cell *base = &row->cells[0], *cell = &row->cells[head];
	const struct verdict *v = cell->verdict;
	bool no_percent = !row->function && !row->points && !(base->mean < 0 || base->mean > 0);

	put_axes(&t->axes, ret);
	(void)buf_putc(ret, ',');
	(void)csv_field(ret, row->key);
	(void)buf_printf(ret, ",%s,", row->function ? "failure" : row->kpi ? "result" : "number");
	(void)csv_field(ret, t->columns[0]);
	put_number(base->have || row->function ? base->mean : NAN, ret);
	put_number(base->have ? base->stddev : NAN, ret);
	(void)buf_printf(ret, ",%u,", base->runs);
	(void)csv_field(ret, t->columns[head]);
	put_number(cell->have || row->function ? cell->mean : NAN, ret);
	put_number(cell->have ? cell->stddev : NAN, ret);
	(void)buf_printf(ret, ",%u", cell->runs);
	put_number(no_percent ? NAN : cell->change, ret);
	(void)buf_printf(ret, ",%s", row->points || row->function ? "points" : "%");
	put_number(v ? v->low : NAN, ret);
	put_number(v ? v->high : NAN, ret);
	(void)buf_printf(ret, ",%s",
			 !v || isnan(v->low) ? ""
			 : v->percent	     ? "%"
			 : row->points	     ? "points"
					     : "of the key");
	put_number(v ? v->p : NAN, ret);
	put_number(v ? v->q : NAN, ret);
	(void)buf_printf(ret, ",%s\r\n", v ? words[v->word] : row->changed ? "changed" : "");
}

static void put_rows(const struct compare_table *t, const struct compare_row *rows, size_t count, struct buf *ret)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t head = 1; head < t->column_count; head++)
			put_line(t, &rows[i], head, ret);
		put_rows(t, rows[i].listed, rows[i].listed_count, ret);
	}
}

int report_csv(const struct comparison *c, struct buf *ret)
{
	(void)buf_puts(ret, head_line);
	for (size_t i = 0; i < c->table_count; i++) {
		const struct compare_table *t = &c->tables[i];

		put_rows(t, t->functions, t->function_count, ret);
		put_rows(t, t->rows, t->row_count, ret);
		put_rows(t, t->weak, t->weak_count, ret);
	}
	return ret->failed;
}
