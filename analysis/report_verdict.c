/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What RULES_ASSAY adds to the robot's table: above the columns how the runs were made, what is said of each result and
 * what is to be kept in mind; behind a key how many of its CPUs changed; blocks of their own for the rest.
 *
 *   4 runs of v6.11 against 4 of v6.12, alternating; noise known from 20 earlier runs, too
 *   2104 lines tested, 12 shown, of which 0.6 may be false (q = 0.05)
 *   hackbench.throughput: changed by +5.1% [+3.2%, +7.0%], p = 0.0012
 */
#include <math.h>

#include "analysis/related.h"
#include "analysis/report.h"

#define INTERVAL_WIDTH 24
#define Q_WIDTH	       10
#define UNREST_TOLD    2 /* ratio of variances that a reader is told of */
#define ONLY_MOST      8 /* keys that are named */

void report_plain(const char *text, struct buf *ret)
{
	size_t from = ret->len;

	if (buf_puts(ret, text) < 0)
		return;
	for (; from < ret->len; from++)
		if ((unsigned char)ret->data[from] < ' ' || ret->data[from] == 0x7f)
			ret->data[from] = '?';
}

static bool is_judged(const struct compare_row *row, size_t column)
{
	return row->cells[column].verdict != NULL;
}

bool report_is_absent(const struct compare_row *row, size_t column)
{
	return row->cells[column].have == 0 && is_judged(row, column ? column : 1);
}

static bool is_nothing(double mean)
{
	return !(mean < 0 || mean > 0);
}

const char *report_word(const struct compare_row *row, size_t column)
{
	const struct compare_cell *base = &row->cells[0], *head = &row->cells[column];

	if (!is_judged(row, column))
		return NULL;
	if (base->have == 0 || head->have == 0)
		return "";
	if (row->points || is_nothing(base->mean) == is_nothing(head->mean))
		return NULL;
	return is_nothing(base->mean) ? "new" : "gone";
}

/* Three significant digits, or what is less than any. */
void report_probability(double p, struct buf *ret)
{
	if (isnan(p))
		(void)buf_puts(ret, "-");
	else if (p < 1e-300)
		(void)buf_puts(ret, "<1e-300");
	else
		(void)buf_printf(ret, "%.3g", p);
}

void report_amount(double amount, bool percent, struct buf *ret)
{
	if (percent)
		(void)buf_printf(ret, fabs(amount) < 1000 ? "%+.1f%%" : "%+.3g%%", amount);
	else
		(void)buf_printf(ret, fabs(amount) < 100 ? "%+.3g" : "%+.4g", amount);
}

void report_interval_of(const struct verdict *v, struct buf *ret)
{
	(void)buf_putc(ret, '[');
	report_amount(v->low, v->percent, ret);
	(void)buf_puts(ret, ", ");
	report_amount(v->high, v->percent, ret);
	(void)buf_putc(ret, ']');
}

void report_interval(const struct compare_row *row, size_t column, struct buf *ret)
{
	const struct verdict *v = row->cells[column].verdict;
	struct buf interval = { 0 }, q = { 0 };

	if (v && !isnan(v->low))
		report_interval_of(v, &interval);
	if (v)
		report_probability(row->function ? v->p : v->q, &q);
	(void)buf_printf(ret, "%*s%*s", INTERVAL_WIDTH, interval.len ? interval.data : "", Q_WIDTH,
			 q.len ? q.data : "");
	buf_free(&interval);
	buf_free(&q);
}

void report_interval_head(size_t line, struct buf *ret)
{
	(void)buf_printf(ret, "%*s%*s", INTERVAL_WIDTH, line ? "|" : "[95% interval]", Q_WIDTH, line ? "|" : "q");
}

void report_row_end(const struct compare_row *row, size_t columns, struct buf *ret)
{
	for (size_t i = 1; i < columns; i++) {
		const struct verdict *v = row->cells[i].verdict;

		/* What is printed is the difference of the means; what was judged is without the drift of the machine.
		 */
		if (v && v->percent && !row->function &&
		    (row->cells[i].change < v->low || row->cells[i].change > v->high))
			(void)buf_printf(ret, "  (%+.1f%% without the drift)", 100 * expm1(v->d));
		if (v && row->members && !isnan(v->se))
			(void)buf_printf(ret, "  %u/%u", v->changed, row->members);
		if (v && row->function) {
			(void)buf_puts(ret, "  p = ");
			report_probability(v->p, ret);
		}
	}
}

/* ---- above the columns ---- */

void report_runs(const struct compare_table *t, size_t head, struct buf *ret)
{
	const struct compare_head *h = &t->heads[head];
	const char *what = t->by_boot ? "boot" : "run";

	(void)buf_printf(ret, "%u %s%s of ", t->units[0], what, t->units[0] == 1 ? "" : "s");
	report_plain(t->columns[0], ret);
	(void)buf_printf(ret, " against %u of ", t->units[head]);
	report_plain(t->columns[head], ret);
	(void)buf_printf(ret, ", order %s", h->order);
	if (h->adjusted)
		(void)buf_puts(ret, "; the machine drifted, and that is taken out of the changes");
	if (t->history_runs)
		(void)buf_printf(ret, "; noise known from %zu earlier runs, too", t->history_runs);
	if (h->unrest > UNREST_TOLD)
		(void)buf_printf(ret, ", %.1f times as large now", sqrt(h->unrest));
	(void)buf_printf(ret, "\n%zu line%s tested, %zu shown", h->tested, h->tested == 1 ? "" : "s", h->shown);
	if (h->shown)
		(void)buf_printf(ret, ", of which %.1f may be false (q = %g)", t->q * (double)h->shown, t->q);
	(void)buf_putc(ret, '\n');
}

void report_result(const struct compare_table *t, const struct compare_row *row, size_t head, struct buf *ret)
{
	const struct verdict *v = row->cells[head].verdict;

	report_plain(row->key, ret);
	if (t->column_count > 2) {
		(void)buf_puts(ret, " of ");
		report_plain(t->columns[head], ret);
	}
	switch (v->word) {
	case VERDICT_CHANGED:
		(void)buf_puts(ret, ": changed by ");
		break;
	case VERDICT_UNCHANGED:
		(void)buf_puts(ret, ": unchanged within ±1%");
		break;
	case VERDICT_UNDECIDED:
		(void)buf_puts(ret, ": undecided, ");
		break;
	case VERDICT_NONE:
		(void)buf_puts(ret, ": too few runs to tell\n");
		return;
	}
	if (!isnan(v->low)) {
		if (v->word == VERDICT_UNCHANGED)
			(void)buf_puts(ret, ", ");
		report_amount(v->percent ? row->cells[head].change : row->cells[head].mean - row->cells[0].mean,
			      v->percent, ret);
		(void)buf_putc(ret, ' ');
		report_interval_of(v, ret);
		(void)buf_puts(ret, ", p = ");
		report_probability(v->q, ret);
	}
	if (v->word == VERDICT_UNDECIDED && isfinite(v->detectable))
		(void)buf_printf(ret, "; so many runs would show %.1f%%, 1%% takes %.0f a side", v->detectable,
				 v->runs_needed);
	(void)buf_putc(ret, '\n');
}

static void put_only(const char *which, const char *const *keys, size_t count, struct buf *ret)
{
	if (count == 0)
		return;
	(void)buf_puts(ret, "only in ");
	report_plain(which, ret);
	for (size_t i = 0; i < count && i < ONLY_MOST; i++) {
		(void)buf_puts(ret, i ? ", " : ": ");
		report_plain(keys[i], ret);
	}
	if (count > ONLY_MOST)
		(void)buf_printf(ret, " and %zu more", count - ONLY_MOST);
	(void)buf_putc(ret, '\n');
}

void report_verdict_head(const struct compare_table *t, struct buf *ret)
{
	if (!t->heads)
		return;
	for (size_t head = 1; head < t->column_count; head++)
		report_runs(t, head, ret);
	for (size_t i = 0; i < t->row_count; i++)
		for (size_t head = 1; head < t->column_count && t->rows[i].kpi; head++)
			report_result(t, &t->rows[i], head, ret);
	for (size_t i = 0; i < t->warning_count; i++) {
		(void)buf_puts(ret, "warning: ");
		report_plain(t->warnings[i], ret);
		(void)buf_putc(ret, '\n');
	}
	put_only(t->columns[0], t->only_base, t->only_base_count, ret);
	put_only(t->column_count > 2 ? "the others" : t->columns[1], t->only_head, t->only_head_count, ret);
	(void)buf_putc(ret, '\n');
}

/* ---- blocks ---- */

static const char *first_result(const struct compare_table *t)
{
	for (size_t i = 0; i < t->row_count; i++)
		if (t->rows[i].kpi)
			return t->rows[i].key;
	return "the result";
}

static void put_block(const struct comparison *c, const struct compare_table *t, const char *title,
		      const struct compare_row *rows, size_t count, struct buf *ret)
{
	if (count == 0)
		return;
	(void)buf_printf(ret, "%s\n", title);
	report_number_heads(c, t->column_count, ret);
	report_rows(c, rows, count, t->column_count, ret);
}

/* First those that surely move with it, then those that may. */
void report_related(const struct comparison *c, const struct compare_table *t, struct buf *ret)
{
	size_t i = 0;

	if (t->related_count == 0)
		return;
	(void)buf_puts(ret, "most related to the change of ");
	report_plain(first_result(t), ret);
	(void)buf_puts(ret, "; these move with it from run to run, too:\n");
	report_number_heads(c, t->column_count, ret);
	for (bool surely = true; i < t->related_count; i++) {
		struct compare_row row = *t->related[i];

		if (surely && row.moves < RELATED_FROM)
			(void)buf_puts(ret, i ? "and perhaps:\n" : "perhaps:\n");
		surely = row.moves >= RELATED_FROM;
		row.listed_count = 0;
		report_rows(c, &row, 1, t->column_count, ret);
	}
	(void)buf_puts(ret, "\nall that changed:\n");
}

void report_other_rows(const struct comparison *c, const struct compare_table *t, struct buf *ret)
{
	put_block(c, t, "\nweak evidence, one in five may be false:", t->weak, t->weak_count, ret);
	put_block(c, t, "\nthe noise changed:", t->noise, t->noise_count, ret);
}
