/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the text form of a comparison: report_text.c has the robot's table, report_verdict.c what is added to it. */
#ifndef ASSAY_ANALYSIS_REPORT_H
#define ASSAY_ANALYSIS_REPORT_H

#include "analysis/compare.h"

/* Keys and axes come from outside: what would move the cursor is printed as '?'. */
void report_plain(const char *text, struct buf *ret);

void report_rows(const struct comparison *c, const struct compare_row *rows, size_t count, size_t columns,
		 struct buf *ret);
void report_number_heads(const struct comparison *c, size_t columns, struct buf *ret);

/* ---- RULES_ASSAY; of other rows and tables they print nothing ---- */

/* What stands for a percentage of or to nothing: "new", "gone", ""; NULL: there is one. */
const char *report_word(const struct compare_row *row, size_t column);
bool report_is_absent(const struct compare_row *row, size_t column); /* no run of the column has it */

void report_probability(double p, struct buf *ret);                  /* three digits; "-" where it was not tested */
void report_amount(double amount, bool percent, struct buf *ret);    /* "+5.1%", "+0.31" */
void report_interval_of(const struct verdict *v, struct buf *ret);   /* "[+3.2%, +7.0%]" */
void report_runs(const struct compare_table *t, size_t head, struct buf *ret); /* two lines: how it was compared */
void report_result(const struct compare_table *t, const struct compare_row *row, size_t head, struct buf *ret); /* a line */

/* Interval and q of a head, and the two lines above them. */
void report_interval(const struct compare_row *row, size_t column, struct buf *ret);
void report_interval_head(size_t line, struct buf *ret);

void report_row_end(const struct compare_row *row, size_t columns, struct buf *ret);      /* behind the key */
void report_verdict_head(const struct compare_table *t, struct buf *ret);                  /* above the columns */
void report_related(const struct comparison *c, const struct compare_table *t, struct buf *ret);
void report_other_rows(const struct comparison *c, const struct compare_table *t, struct buf *ret);

#endif
