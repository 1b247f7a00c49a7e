/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of reports that were printed by others, and runs that would print so again.
 *
 * What is printed is rounded: a mean of "22022" is any number of [22022, 22023), and the change beside it was computed
 * from the unrounded ones. fit_row() looks for means that print as the same digits and give the printed change; from
 * these, and from deviations in the middle of what prints as the same percentage, two runs a column are made.
 */
#ifndef ASSAY_TESTS_ANALYSIS_PRINTED_H
#define ASSAY_TESTS_ANALYSIS_PRINTED_H

#include <stdio.h>

#include "tests/analysis/compare_rig.h"

#define HEADS_MAX   3
#define PRINTED_MAX 300

static const char *const column_names[HEADS_MAX + 1] = { "base", "head1", "head2", "head3" };

struct printed_cell {
	struct text mean, change; /* change: of heads */
	bool has_deviation;
	double deviation; /* percent */
	double fitted;
	bool missing;
};

struct printed_row {
	struct text line; /* as it stood there, blanks squeezed or not */
	struct printed_cell cells[HEADS_MAX + 1];
	size_t columns;
	bool points;
	char key[400];
};

static inline double number_of(struct text t)
{
	char digits[64];

	assert_true(text_len(t) < sizeof(digits));
	memcpy(digits, t.at, text_len(t));
	digits[text_len(t)] = '\0';
	return strtod(digits, NULL);
}

/* The next word of the line; a newline ends it and stays. */
static inline bool next_word(struct text *rest, struct text *ret)
{
	text_skip_blanks(rest);
	*ret = (struct text){ rest->at, rest->at };
	while (ret->end < rest->end && *ret->end != ' ' && *ret->end != '\n')
		ret->end++;
	rest->at = ret->end;
	return text_len(*ret) > 0;
}

/* "±", then the number with its '%', in the same word or in the next. */
static inline bool read_deviation(struct text *rest, struct printed_cell *cell)
{
	struct text ahead = *rest, word;

	if (!next_word(&ahead, &word) || !text_skip(&word, "±"))
		return true;
	if (text_len(word) == 0 && !next_word(&ahead, &word))
		return false;
	if (!text_ends(word, "%"))
		return false;
	word.end--;
	cell->has_deviation = true;
	cell->deviation = number_of(word);
	*rest = ahead;
	return true;
}

static inline bool is_number(struct text word)
{
	for (const char *at = word.at; at < word.end; at++)
		if (!strchr("-+.0123456789e", *at))
			return false;
	return text_len(word) && (word.at[0] == '-' || (word.at[0] >= '0' && word.at[0] <= '9'));
}

/* False, and nothing taken, where no row stands. */
static inline bool read_row(struct text *rest, size_t columns, struct printed_row *ret)
{
	struct text at = *rest, word;

	*ret = (struct printed_row){ .columns = columns };
	for (size_t i = 0; i < columns; i++) {
		struct printed_cell *cell = &ret->cells[i];

		if (i && !next_word(&at, &cell->change))
			return false;
		if (!next_word(&at, &cell->mean) || !is_number(cell->mean) || !read_deviation(&at, cell))
			return false;
	}
	if (!next_word(&at, &word) || text_len(word) >= sizeof(ret->key))
		return false;
	memcpy(ret->key, word.at, text_len(word));
	ret->points = !text_ends(ret->cells[1].change, "%");
	ret->line = (struct text){ rest->at, at.at };
	*rest = at;
	return true;
}

/* What prints as these digits: [low, high). */
static inline void range_of(struct text mean, double *low, double *high)
{
	double value = number_of(mean);
	const char *e = memchr(mean.at, 'e', text_len(mean));

	if (e) {
		double half = 0.5e-3 * pow(10, number_of((struct text){ e + 1, mean.end }));

		*low = value - half;
		*high = value + half;
	} else if (memchr(mean.at, '.', text_len(mean))) {
		*low = value == 0 && mean.at[0] != '-' ? 0 : value - 0.005;
		*high = value + 0.005;
	} else { /* cut toward zero */
		*low = value < 0 ? value - 1 : value;
		*high = value < 0 ? value : value + 1;
	}
}

static inline bool prints_as(double change, const struct printed_cell *head, bool points)
{
	char digits[64];

	(void)snprintf(digits, sizeof(digits), fabs(change) >= 100000 ? "%+.2g%s" : "%+.1f%s", change,
		       points ? "" : "%");
	return text_is(head->change, digits);
}

static inline double change_of(double base, double head, bool points)
{
	return points ? head - base : 100 * (head - base) / (base != 0 ? base : 1e-100);
}

static inline bool is_nothing(const struct printed_cell *cell)
{
	return text_is(cell->mean, "0.00") && (!cell->has_deviation || cell->deviation == -1);
}

/* A mean of a head for a given one of the base, if there is one. */
static inline bool fit_head(double base, struct printed_cell *head, bool points)
{
	double low, high, change;
	struct text digits = head->change;

	if (is_nothing(head) && prints_as(change_of(base, 0, points), head, points)) {
		head->fitted = 0;
		head->missing = true;
		return true;
	}
	range_of(head->mean, &low, &high);
	if (!points)
		digits.end--;
	change = number_of(digits);
	for (int step = -10; step <= 10; step++) {
		double half = fabs(change) >= 100000 ? fabs(change) / 20 : 0.05;
		double wanted = change + half * step / 10.5;
		double mean = points ? base + wanted : base * (1 + wanted / 100);

		mean = fmin(fmax(mean, low + (high - low) * 0.001), low + (high - low) * 0.999);
		if (prints_as(change_of(base, mean, points), head, points)) {
			head->fitted = mean;
			head->missing = false;
			return true;
		}
	}
	return false;
}

static inline bool fit_row(struct printed_row *row)
{
	struct printed_cell *base = &row->cells[0];
	double low, high;
	const int steps = 2000;

	range_of(base->mean, &low, &high);
	for (int step = is_nothing(base) ? -1 : 0; step < steps; step++) {
		bool all = true;

		base->missing = step < 0;
		base->fitted = step < 0 ? 0 : low + (high - low) * (step + 0.5) / steps;
		for (size_t i = 1; i < row->columns && all; i++)
			all = fit_head(base->fitted, &row->cells[i], row->points);
		if (all)
			return true;
	}
	return false;
}

static inline void put_row(struct rig *rig, const struct printed_row *row)
{
	for (size_t i = 0; i < row->columns; i++) {
		const struct printed_cell *cell = &row->cells[i];
		double deviation = cell->has_deviation ? fabs(cell->fitted) * (cell->deviation + 0.5) / 100 : 0;

		if (!cell->missing)
			put(rig, column_names[i], row->key, cell->fitted - deviation, cell->fitted + deviation);
	}
}

/* Make runs of all rows and compare them; rig->c has every row then. */
static inline void compare_printed(struct rig *rig, struct printed_row *rows, size_t count)
{
	rig->options.all = true;
	for (size_t i = 0; i < count; i++)
		if (fit_row(&rows[i]))
			put_row(rig, &rows[i]);
		else
			fail_msg("nothing prints as %.*s", TEXT_ARGS(rows[i].line));
	run_compare(rig);
	assert_int_equal(rig->c.table_count, 1);
	assert_int_equal(rig->c.tables[0].row_count, count);
}

/* Runs of blanks as one, none at the ends. */
static inline struct buf squeezed(struct text t)
{
	struct buf b = { 0 };
	struct text word;

	while (text_word(&t, &word)) {
		if (b.len)
			(void)buf_putc(&b, ' ');
		(void)buf_add_text(&b, word);
	}
	return b;
}

#endif
