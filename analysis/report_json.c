/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

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

static void put_known(const char *name, double value, struct buf *ret)
{
	if (isfinite(value))
		put_member(name, value, ret);
	else
		(void)buf_printf(ret, ",\"%s\":null", name);
}

static void put_verdict(const struct compare_row *row, const struct verdict *v, struct buf *ret)
{
	static const char *const words[] = { "untested", "changed", "unchanged", "undecided" };
	static const char *const flags[] = { "history", "history-only", "gated", "outlier" };
	size_t told = 0;

	(void)buf_printf(ret, ",\"verdict\":\"%s\"", words[v->word]);
	put_known("p", v->p, ret);
	if (row->function)
		return;
	put_known("q", v->q, ret);
	put_known("d", v->d, ret);
	put_known("se", v->se, ret);
	put_known("df", v->df, ret);
	put_known("ci_low", v->low, ret);
	put_known("ci_high", v->high, ret);
	put_flag("ci_percent", v->percent, ret);
	if (row->members)
		(void)buf_printf(ret, ",\"members_changed\":%u", v->changed);
	if (row->kpi) {
		put_known("detectable", v->detectable, ret);
		put_known("runs_needed", v->runs_needed, ret);
	}
	(void)buf_puts(ret, ",\"flags\":[");
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (v->flags & 1U << i)
			(void)buf_printf(ret, "%s\"%s\"", told++ ? "," : "", flags[i]);
	(void)buf_putc(ret, ']');
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
	if (cell->values) {
		(void)buf_puts(ret, ",\"values\":[");
		for (unsigned i = 0; i < cell->runs; i++) {
			if (i)
				(void)buf_putc(ret, ',');
			(void)json_number(ret, cell->values[i]);
		}
		(void)buf_putc(ret, ']');
	}
	if (cell->verdict)
		put_verdict(row, cell->verdict, ret);
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
		if (row->members)
			(void)buf_printf(ret, ",\"members\":%u", row->members);
		if (row->moves > 0)
			put_member("moves", row->moves, ret);
		(void)buf_printf(ret, ",\"direction\":%d,\"cells\":[", results_direction(NULL, row->key));
		for (size_t column = 0; column < columns; column++)
			put_cell(row, column, ret);
		(void)buf_putc(ret, ']');
		if (row->listed_count) {
			(void)buf_puts(ret, ",\"changed_members\":[");
			put_rows(row->listed, row->listed_count, columns, false, ret);
			(void)buf_putc(ret, ']');
		}
		(void)buf_putc(ret, '}');
	}
}

static void put_texts(const char *name, const char *const *texts, size_t count, struct buf *ret)
{
	(void)buf_printf(ret, ",\"%s\":[", name);
	for (size_t i = 0; i < count; i++) {
		if (i)
			(void)buf_putc(ret, ',');
		(void)json_text(ret, text_of(texts[i]));
	}
	(void)buf_putc(ret, ']');
}

static void put_block(const char *name, const struct compare_row *rows, size_t count, size_t columns, struct buf *ret)
{
	(void)buf_printf(ret, ",\"%s\":[", name);
	put_rows(rows, count, columns, false, ret);
	(void)buf_putc(ret, ']');
}

/* What RULES_ASSAY tells of a table besides its rows. */
static void put_judgement(const struct compare_table *t, struct buf *ret)
{
	put_member("q", t->q, ret);
	(void)buf_printf(ret, ",\"history_runs\":%zu,\"unit\":\"%s\"", t->history_runs, t->by_boot ? "boot" : "run");
	put_flag("few", t->few, ret);
	(void)buf_puts(ret, ",\"heads\":[");
	for (size_t i = 1; i < t->column_count; i++) {
		const struct compare_head *h = &t->heads[i];

		(void)buf_printf(ret, "%s{\"value\":", i > 1 ? "," : "");
		(void)json_text(ret, text_of(t->columns[i]));
		(void)buf_printf(ret, ",\"order\":\"%s\"", h->order);
		put_flag("adjusted", h->adjusted, ret);
		put_member("unrest", h->unrest, ret);
		(void)buf_printf(ret, ",\"tested\":%zu,\"shown\":%zu", h->tested, h->shown);
		put_member("expected_false", t->q * (double)h->shown, ret);
		(void)buf_putc(ret, '}');
	}
	(void)buf_putc(ret, ']');
	put_texts("warnings", t->warnings, t->warning_count, ret);
	(void)buf_puts(ret, ",\"related\":[");
	for (size_t i = 0; i < t->related_count; i++) {
		if (i)
			(void)buf_putc(ret, ',');
		(void)json_text(ret, text_of(t->related[i]->key));
	}
	(void)buf_putc(ret, ']');
	put_texts("only_base", t->only_base, t->only_base_count, ret);
	put_texts("only_head", t->only_head, t->only_head_count, ret);
	put_block("weak", t->weak, t->weak_count, t->column_count, ret);
	put_block("noise", t->noise, t->noise_count, t->column_count, ret);
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
	(void)buf_putc(ret, ']');
	if (t->heads)
		put_judgement(t, ret);
	(void)buf_printf(ret, ",\"keys\":%zu,\"rows\":[", t->keys);
	put_rows(t->functions, t->function_count, t->column_count, false, ret);
	put_rows(t->rows, t->row_count, t->column_count, t->function_count > 0, ret);
	(void)buf_puts(ret, "]}");
}

int report_json(const struct comparison *c, struct buf *ret)
{
	(void)buf_printf(ret, "{\"rules\":\"%s\",\"axis\":", c->rules == RULES_LKP ? "lkp" : "assay");
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
