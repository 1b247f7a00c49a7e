/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/mail.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/plot.h"
#include "analysis/report.h"
#include "analysis/results.h"

#define DETAILS_DASHES 98
#define STARS	       99
#define BOX_LEFT       18
#define SHORT_ID       10

/* What a table is about: its first result that changed, else its first result. */
static const struct compare_row *subject_of(const struct compare_table *t)
{
	const struct compare_row *first = NULL;

	for (size_t i = 0; i < t->row_count; i++) {
		if (!t->rows[i].kpi)
			continue;
		if (t->rows[i].changed)
			return &t->rows[i];
		first = first ? first : &t->rows[i];
	}
	return first;
}

static const struct compare_table *first_table(const struct comparison *c)
{
	const struct compare_table *with_rows = NULL;

	for (size_t i = 0; i < c->table_count; i++) {
		const struct compare_row *row = subject_of(&c->tables[i]);

		if (row && row->changed)
			return &c->tables[i];
		if (!with_rows && (row || c->tables[i].row_count || c->tables[i].function_count))
			with_rows = &c->tables[i];
	}
	return with_rows;
}

static const char *direction_of(const struct compare_row *row)
{
	int better = results_direction(NULL, row->key);
	double change = row->cells[1].change;

	if (better == 0)
		return change < 0 ? "decrease" : "increase";
	return (change > 0) == (better > 0) ? "improvement" : "regression";
}

/* "4.3% improvement"; older mails had a minus before a regression. */
static void put_change(const struct compare_row *row, enum mail_shape shape, struct buf *ret)
{
	double change = row->cells[1].change;
	bool minus = shape == MAIL_2016 && strcmp(direction_of(row), "improvement") != 0 && change < 0;

	(void)buf_printf(ret, "%s%.1f%s %s", minus ? "-" : "", fabs(change), row->points ? " points" : "%",
			 direction_of(row));
}

static void put_line(const char *text, struct buf *ret)
{
	report_plain(text, ret);
	(void)buf_putc(ret, '\n');
}

static const char *fact(const struct mail *m, const char *name, const char *otherwise)
{
	const char *value = m->facts ? pairs_get(m->facts, name) : NULL;

	return value ? value : otherwise;
}

/* "96 threads 2 sockets Intel(R) Xeon(R) Platinum 8260L CPU @ 2.40GHz (Cascade Lake) with 128G memory" */
static void put_machine(const struct mail *m, struct buf *ret)
{
	const char *name = fact(m, "cpu.code_name", NULL), *kib = fact(m, "memory.total_kib", NULL);

	(void)buf_printf(ret, "%s threads ", fact(m, "cpu.threads", "?"));
	if (m->shape == MAIL_2024)
		(void)buf_printf(ret, "%s sockets ", fact(m, "cpu.sockets", "?"));
	report_plain(fact(m, "cpu.name", fact(m, "arch", "unknown processor")), ret);
	if (name && m->shape == MAIL_2024) {
		(void)buf_puts(ret, " (");
		report_plain(name, ret);
		(void)buf_putc(ret, ')');
	}
	if (kib)
		(void)buf_printf(ret, " with %.0fG memory", round(strtod(kib, NULL) / (1 << 20)));
}

static bool is_parameter(const char *name)
{
	static const char *const not [] = {
		"testcase", "tbox_group", "rootfs", "kconfig", "compiler", "commit", "run"
	};

	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++)
		if (strcmp(name, not [i]) == 0)
			return false;
	return true;
}

static void put_parameters(const struct compare_table *t, struct buf *ret)
{
	for (size_t i = 0; i < t->axes.count; i++) {
		if (!is_parameter(t->axes.at[i].name))
			continue;
		(void)buf_putc(ret, '\t');
		report_plain(t->axes.at[i].name, ret);
		(void)buf_puts(ret, ": ");
		put_line(t->axes.at[i].value, ret);
	}
}

int mail_subject(const struct mail *m, struct buf *ret)
{
	const struct compare_table *t = first_table(m->comparison);
	const struct compare_row *row = t ? subject_of(t) : NULL;

	if (!row)
		return ret->failed;
	report_plain(row->key, ret);
	(void)buf_puts(ret, m->shape == MAIL_2024 ? "  " : " ");
	if (row->changed)
		put_change(row, m->shape, ret);
	else
		(void)buf_puts(ret, "no change");
	return ret->failed;
}

static void put_headers(const struct mail *m, struct buf *ret)
{
	const char *title = m->head.title, *id = m->head.id ? m->head.id : m->head.name;
	size_t subsystem = title ? strcspn(title, ":") : 0;

	(void)buf_printf(ret, "From %s %s\nFrom: %s\n", m->from, m->date, m->from);
	if (m->to)
		(void)buf_printf(ret, "To: %s\n", m->to);
	(void)buf_printf(ret,
			 "Date: %s\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
			 "Content-Transfer-Encoding: 8bit\nSubject: ",
			 m->date);
	if (m->shape == MAIL_2016)
		(void)buf_puts(ret, "[assay] ");
	else if (m->tree)
		(void)buf_printf(ret, "[%s:%s] ", m->tree, m->branch ? m->branch : "master");
	if (subsystem && title[subsystem] == ':')
		(void)buf_printf(ret, "[%.*s] ", (int)subsystem, title);
	if (m->shape == MAIL_2024)
		(void)buf_printf(ret, " %.*s:  ", SHORT_ID, id);
	else
		(void)buf_printf(ret, "%.*s: ", SHORT_ID, id);
	(void)mail_subject(m, ret);
	(void)buf_puts(ret, "\n\n");
}

static void put_commit(const struct mail_commit *c, struct buf *ret)
{
	report_plain(c->id ? c->id : c->name, ret);
	if (c->title) {
		(void)buf_puts(ret, " (\"");
		report_plain(c->title, ret);
		(void)buf_puts(ret, "\")");
	}
}

static void put_opening(const struct mail *m, const struct compare_table *t, struct buf *ret)
{
	const struct compare_row *row = subject_of(t);
	bool old = m->shape == MAIL_2016;
	size_t told = 0;

	(void)buf_puts(ret, old ? "Greetings,\n\nour runs show " : "Hello,\n\nour runs show ");
	for (size_t i = 0; i < t->row_count; i++) {
		if (!t->rows[i].kpi || !t->rows[i].changed)
			continue;
		(void)buf_puts(ret, told++ ? " and a " : "a ");
		put_change(&t->rows[i], m->shape, ret);
		(void)buf_puts(ret, " of ");
		report_plain(t->rows[i].key, ret);
	}
	if (told == 0 && row) {
		(void)buf_puts(ret, "no change of ");
		report_plain(row->key, ret);
		(void)buf_puts(ret, " beyond the noise");
	} else if (told == 0) {
		(void)buf_puts(ret, "changes");
	}
	(void)buf_puts(ret, old ? " due to commit:\n\n\ncommit: " : " on:\n\n\ncommit: ");
	put_commit(&m->head, ret);
	(void)buf_putc(ret, '\n');
	if (m->url) {
		report_plain(m->url, ret);
		(void)buf_putc(ret, ' ');
		put_line(m->branch ? m->branch : "", ret);
	}
}

static void put_what_ran(const struct mail *m, const struct compare_table *t, struct buf *ret)
{
	const char *testcase = pairs_get(&t->axes, "testcase");

	if (m->shape == MAIL_2024) {
		(void)buf_puts(ret, "\ntestcase: ");
		put_line(testcase ? testcase : "unnamed", ret);
		(void)buf_puts(ret, "test machine: ");
		put_machine(m, ret);
		(void)buf_puts(ret, "\nparameters:\n\n");
		put_parameters(t, ret);
	} else {
		(void)buf_puts(ret, "\n\nin testcase: ");
		put_line(testcase ? testcase : "unnamed", ret);
		(void)buf_puts(ret, "on test machine: ");
		put_machine(m, ret);
		(void)buf_puts(ret, "\nwith following parameters:\n\n");
		put_parameters(t, ret);
	}
}

/* A word of a command line as a shell reads it back. */
static void put_word(const char *name, const char *value, struct buf *ret)
{
	bool plain = *value &&
		     value[strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%+=:,./_-")] ==
			     '\0';

	(void)buf_printf(ret, " -p %s=", name);
	if (!plain)
		(void)buf_putc(ret, '\'');
	for (; *value; value++)
		if (*value == '\'')
			(void)buf_puts(ret, "'\\''");
		else
			(void)buf_putc(ret, (unsigned char)*value < ' ' || *value == 0x7f ? '?' : *value);
	if (!plain)
		(void)buf_putc(ret, '\'');
}

static void put_reproduce(const struct mail *m, const struct compare_table *t, struct buf *ret)
{
	const char *testcase = pairs_get(&t->axes, "testcase"), *command = fact(m, "command", NULL);

	if (!command)
		return;
	(void)buf_puts(ret, m->shape == MAIL_2016 ? "\nTo reproduce, with each of the commits:\n\n"
						  : "\nEach run was made by:\n\n");
	(void)buf_printf(ret, "\tassay run -n %s", testcase ? testcase : "unnamed");
	for (size_t i = 0; i < t->axes.count; i++)
		if (is_parameter(t->axes.at[i].name))
			put_word(t->axes.at[i].name, t->axes.at[i].value, ret);
	put_word(m->comparison->axis, m->head.name, ret);
	(void)buf_puts(ret, " -- ");
	put_line(command, ret);
}

static void put_tables(const struct mail *m, const struct compare_table *first, struct buf *ret)
{
	struct comparison one = *m->comparison;

	one.table_count = 1;
	one.tables = (struct compare_table *)first;
	(void)buf_putc(ret, '\n');
	(void)report_text(&one, ret);
	for (size_t i = 0; i < m->comparison->table_count; i++) {
		if (&m->comparison->tables[i] == first || m->comparison->tables[i].row_count == 0)
			continue;
		(void)buf_putc(ret, '\n');
		for (size_t k = 0; k < STARS; k++)
			(void)buf_putc(ret, '*');
		(void)buf_putc(ret, '\n');
		put_machine(m, ret);
		(void)buf_putc(ret, '\n');
		one.tables = &m->comparison->tables[i];
		(void)report_text(&one, ret);
	}
}

static void put_plots(const struct compare_table *t, struct buf *ret)
{
	size_t drawn = 0;

	for (size_t i = 0; i < t->row_count; i++) {
		const struct compare_row *row = &t->rows[i];
		struct plot plot = { .title = row->key };

		if (!row->kpi || !row->changed || !row->cells[0].values || !row->cells[1].values)
			continue;
		plot.good = (struct values){ row->cells[0].values, row->cells[0].runs };
		plot.bad = (struct values){ row->cells[1].values, row->cells[1].runs };
		if (drawn++ == 0)
			(void)buf_putc(ret, '\n');
		(void)plot_ascii(&plot, ret);
	}
	if (drawn)
		(void)buf_puts(ret, "\n\n[+] run of the base\n[O] run of the head\n");
}

/* ---- the box of other tests ---- */

struct box {
	struct buf *lines; /* [line] of the right column */
	const char **left;
	size_t count, room;
};

static struct buf *box_line(struct box *b, const char *left)
{
	if (b->count == b->room) {
		size_t room = b->room ? 2 * b->room : 16;
		struct buf *lines = realloc(b->lines, room * sizeof(*lines));
		const char **lefts;

		if (!lines)
			return NULL;
		b->lines = lines;
		lefts = realloc(b->left, room * sizeof(*lefts));
		if (!lefts)
			return NULL;
		b->left = lefts;
		b->room = room;
	}
	b->lines[b->count] = (struct buf){ 0 };
	b->left[b->count] = left;
	return &b->lines[b->count++];
}

static int fill_box(const struct mail *m, const struct compare_table *t, struct box *ret)
{
	const char *testcase = pairs_get(&t->axes, "testcase"), *left = "test parameters";
	const struct compare_row *row = subject_of(t);
	struct buf *line = box_line(ret, "testcase: change");

	if (!line)
		return -ENOMEM;
	report_plain(testcase ? testcase : "unnamed", line);
	if (row) {
		(void)buf_puts(line, ": ");
		report_plain(row->key, line);
		(void)buf_putc(line, ' ');
		put_change(row, m->shape, line);
	}
	line = box_line(ret, "test machine");
	if (!line)
		return -ENOMEM;
	put_machine(m, line);
	for (size_t i = 0; i < t->axes.count; i++) {
		if (!is_parameter(t->axes.at[i].name))
			continue;
		line = box_line(ret, left);
		if (!line)
			return -ENOMEM;
		report_plain(t->axes.at[i].name, line);
		(void)buf_putc(line, '=');
		report_plain(t->axes.at[i].value, line);
		left = "";
	}
	return 0;
}

static void put_border(size_t width, struct buf *ret)
{
	(void)buf_putc(ret, '+');
	for (size_t i = 0; i < BOX_LEFT; i++)
		(void)buf_putc(ret, '-');
	(void)buf_putc(ret, '+');
	for (size_t i = 0; i < width + 2; i++)
		(void)buf_putc(ret, '-');
	(void)buf_puts(ret, "+\n");
}

/* Other tables whose result changed, too. */
static int put_others(const struct mail *m, const struct compare_table *first, struct buf *ret)
{
	struct box box = { 0 };
	size_t width = 0, from = 0, tables = 0, *ends = calloc(m->comparison->table_count + 1, sizeof(*ends));
	int r = ends ? 0 : -ENOMEM;

	for (size_t i = 0; i < m->comparison->table_count && r == 0; i++) {
		const struct compare_table *t = &m->comparison->tables[i];
		const struct compare_row *row = subject_of(t);

		if (t == first || !row || !row->changed)
			continue;
		r = fill_box(m, t, &box);
		ends[tables++] = box.count;
	}
	for (size_t i = 0; i < box.count; i++)
		width = box.lines[i].len > width ? box.lines[i].len : width;
	if (tables && r == 0)
		(void)buf_puts(ret, "\nOther tests changed with the commit, too:\n\n");
	for (size_t t = 0; t < tables && r == 0; from = ends[t++]) {
		put_border(width, ret);
		for (size_t i = from; i < ends[t]; i++)
			(void)buf_printf(ret, "| %-*s| %-*s |\n", BOX_LEFT - 1, box.left[i], (int)width,
					 box.lines[i].len ? box.lines[i].data : "");
	}
	if (tables && r == 0)
		put_border(width, ret);
	for (size_t i = 0; i < box.count; i++)
		buf_free(&box.lines[i]);
	free(box.lines);
	free(box.left);
	free(ends);
	return r;
}

int mail_write(const struct mail *m, struct buf *ret)
{
	const struct compare_table *t = first_table(m->comparison);

	if (!t)
		return -ENOENT;
	if (m->from)
		put_headers(m, ret);
	put_opening(m, t, ret);
	put_what_ran(m, t, ret);
	if (put_others(m, t, ret) < 0)
		return -ENOMEM;
	(void)buf_puts(ret, "\n\nDetails are as below:\n");
	for (size_t i = 0; i < DETAILS_DASHES; i++)
		(void)buf_putc(ret, '-');
	(void)buf_puts(ret, ">\n\n");
	put_reproduce(m, t, ret);
	put_tables(m, t, ret);
	put_plots(t, ret);
	(void)buf_puts(ret, "\n\nThese numbers are measurements of one machine and one configuration; on others they "
			    "may be different.\n");
	return ret->failed;
}
