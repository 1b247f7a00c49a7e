/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From sides to the runs and columns that compare() takes. compare() tells tables apart by all axes but the compared
 * one; what sides differ in on purpose is taken out of the axes here, and a column's heading put in.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/results.h"
#include "base/names.h"
#include "lab/history.h"
#include "lab/import.h"
#include "lab/lab.h"

struct input {
	const char *axis;
	const char **columns; /* [side]; lent by the sides */
	struct names dropped; /* axes that keep no runs apart */
	struct names kpis;    /* by the rules that travelled with the runs */
	const char *rules;    /* those looked at last; lent by a run */
	struct compare_run *runs;
	struct stats *stats; /* [run] */
	struct pairs *axes;  /* [run] */
	size_t count;	     /* of runs taken */
};

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* The axes that two queries both ask for, with other values. */
static int note_differing_queries(const struct lab_side *sides, size_t count, struct names *ret)
{
	for (size_t i = 0; i < sides[0].where.count; i++) {
		const struct pair *p = &sides[0].where.at[i];

		for (size_t s = 1; s < count; s++) {
			const char *other = pairs_get(&sides[s].where, p->name);

			if (other && strcmp(other, p->value) != 0 && names_add(ret, text_of(p->name)) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

static int note_if_differing(const struct lab_side *sides, size_t count, const char *name, struct names *ret)
{
	const char *first = pairs_get(&sides[0].runs.at[0].axes, name);

	for (size_t s = 0; s < count; s++)
		for (size_t i = 0; i < sides[s].runs.count; i++)
			if (!same(first, pairs_get(&sides[s].runs.at[i].axes, name)))
				return names_add(ret, text_of(name)) < 0 ? -ENOMEM : 0;
	return 0;
}

static int note_differing_runs(const struct lab_side *sides, size_t count, struct names *ret)
{
	int r = 0;

	for (size_t s = 0; s < count; s++)
		for (size_t i = 0; i < sides[s].runs.count; i++)
			for (size_t a = 0; a < sides[s].runs.at[i].axes.count && r == 0; a++)
				r = note_if_differing(sides, count, sides[s].runs.at[i].axes.at[a].name, ret);
	return r;
}

/* A fact, where the run has no such axis: queries take it for one as well. */
static const char *axis_of(const struct store_run *run, const char *axis)
{
	const char *value = pairs_get(&run->axes, axis);

	return value ? value : pairs_get(&run->facts, axis);
}

/* The value of the axis that all runs of a side share, or NULL. */
static const char *value_of(const struct lab_side *side, const char *axis)
{
	const char *value = axis_of(&side->runs.at[0], axis);

	for (size_t i = 1; i < side->runs.count; i++)
		if (!same(value, axis_of(&side->runs.at[i], axis)))
			return NULL;
	return value;
}

/* Head the columns by the values of an axis; false where these do not tell the sides apart. */
static bool headed_by(struct input *in, const struct lab_side *sides, size_t count, const char *axis)
{
	for (size_t s = 0; s < count; s++) {
		in->columns[s] = value_of(&sides[s], axis);
		if (!in->columns[s])
			return false;
		for (size_t before = 0; before < s; before++)
			if (strcmp(in->columns[before], in->columns[s]) == 0)
				return false;
	}
	in->axis = axis;
	return true;
}

static int head_columns(struct input *in, const struct lab_side *sides, size_t count, const char *asked)
{
	bool by_id = false, pinned = asked != NULL;
	int r = note_differing_queries(sides, count, &in->dropped);

	in->axis = asked ? asked : in->dropped.count == 1 ? in->dropped.at[0] : "commit";
	for (size_t s = 0; s < count; s++) {
		by_id |= sides[s].by_id;
		pinned |= pairs_get(&sides[s].where, in->axis) != NULL;
	}
	if (r == 0 && by_id)
		r = note_differing_runs(sides, count, &in->dropped);
	if (r < 0 || headed_by(in, sides, count, in->axis))
		return r;
	if (!pinned && in->dropped.count == 1 && headed_by(in, sides, count, in->dropped.at[0]))
		return 0;
	if (!pinned)
		in->axis = by_id ? "run" : "query";
	for (size_t s = 0; s < count; s++)
		in->columns[s] = sides[s].name;
	return 0;
}

static int check(const struct lab_side *sides, size_t count, size_t *ret_runs, struct err *err)
{
	*ret_runs = 0;
	if (count < 2)
		return err_set(err, -EINVAL, "a comparison needs a base and at least one head");
	for (size_t s = 0; s < count; s++) {
		*ret_runs += sides[s].runs.count;
		if (*ret_runs > LAB_RUNS_MAX)
			return err_set(err, -E2BIG, "more than %d runs to compare; narrow the queries, or add limit=N",
				       LAB_RUNS_MAX);
		if (sides[s].runs.count == 0)
			return err_set(err, -ENOENT, "no run is called %s", sides[s].name);
		for (size_t before = 0; before < s; before++) {
			const struct store_runs *a = &sides[before].runs, *b = &sides[s].runs;

			for (size_t i = 0; i < a->count; i++)
				for (size_t k = 0; k < b->count; k++)
					if (strcmp(a->at[i].id.text, b->at[k].id.text) == 0)
						return err_set(err, -EINVAL, "run %s is in %s and in %s",
							       a->at[i].id.text, sides[before].name, sides[s].name);
		}
	}
	return 0;
}

/* The axes a run is compared by: its own, less the dropped ones, and the heading of its column. */
static int axes_of(const struct input *in, const struct store_run *run, const char *column, struct pairs *ret)
{
	for (size_t i = 0; i < run->axes.count; i++) {
		const struct pair *p = &run->axes.at[i];

		if (names_find(&in->dropped, text_of(p->name), 0) < 0 && pairs_set(ret, p->name, p->value) < 0)
			return -ENOMEM;
	}
	return pairs_set(ret, in->axis, column);
}

/* "1" where all runs of a side agree, else "several values". */
static int put_value(const struct lab_side *side, const char *axis, struct buf *ret)
{
	const char *value = value_of(side, axis);

	return buf_puts(ret, value ? value : "several values");
}

/* Axes besides the compared one in which the sides differ, since whoever asked named them so. */
static int put_caution(const struct input *in, const struct lab_side *sides, size_t count, struct buf *ret)
{
	size_t told = 0;

	for (size_t d = 0; d < in->dropped.count; d++) {
		const char *name = in->dropped.at[d];

		if (strcmp(name, in->axis) == 0 || strcmp(name, "run") == 0)
			continue;
		(void)buf_printf(
			ret, "%s%s (",
			told++ ? ", "
			       : "the groups differ in more than one thing, any of which may be behind a change: ",
			name);
		for (size_t s = 0; s < count; s++) {
			if (s)
				(void)buf_puts(ret, "; ");
			(void)put_value(&sides[s], name, ret);
		}
		(void)buf_putc(ret, ')');
	}
	return ret->failed;
}

/* What the benchmark is about, by the rules that its runs brought along. Rules that cannot be read name nothing. */
static int note_kpis(struct input *in, const struct store_run *run)
{
	const char *rules = pairs_get(&run->facts, RESULTS_FACT), *testcase = pairs_get(&run->axes, "testcase");
	struct results_rules *compiled;
	struct err none;
	int r;

	if (!rules || !testcase || same(rules, in->rules))
		return 0;
	in->rules = rules;
	if (results_compile(text_of(rules), &compiled, &none) < 0)
		return 0;
	r = results_kpis(compiled, testcase, &in->kpis);
	results_free(compiled);
	return r;
}

double lab_when(const struct store_run *run)
{
	bool guessed = pairs_get(&run->facts, IMPORTED_FACT) && !pairs_get(&run->facts, "imported.time");

	return guessed ? 0 : (double)run->realtime_ns / 1e9;
}

static int take_run(struct input *in, const struct lab_side *side, size_t which, const char *column, struct err *err)
{
	const struct store_run *run = &side->runs.at[which];
	size_t i = in->count++;
	int r;

	if (axes_of(in, run, column, &in->axes[i]) < 0 || note_kpis(in, run) < 0)
		return err_set(err, -ENOMEM, "run %s: no memory", run->id.text);
	r = lab_stats(side->store, &run->id, &in->stats[i], err);
	if (r < 0)
		return err_prefix(err, "run %s: ", run->id.text);
	in->runs[i] = (struct compare_run){
		.stats = &in->stats[i],
		.axes = &in->axes[i],
		.incomplete = !run->complete || run->signal != 0,
		.when = lab_when(run),
		.host = run->host,
		.boot = pairs_get(&run->facts, "host.boot_id"),
		.facts = &run->facts,
	};
	return 0;
}

/* Runs there are, but none with a partner: say which axes keep them apart. */
static int no_partners(const struct input *in, const struct lab_side *sides, size_t count, struct err *err)
{
	struct names apart = { 0 };
	struct buf list = { 0 };
	int r = note_differing_runs(sides, count, &apart);

	for (size_t i = 0; i < apart.count && r == 0; i++)
		if (strcmp(apart.at[i], in->axis) != 0 && names_find(&in->dropped, text_of(apart.at[i]), 0) < 0)
			r = buf_printf(&list, "%s%s", list.len ? ", " : "", apart.at[i]);
	if (r < 0)
		r = err_set(err, -ENOMEM, "no memory to say why nothing can be compared");
	else
		r = err_set(err, -ENOENT,
			    "no runs of %s and %s are alike but for %s: they differ in %s, too; a query may name that",
			    sides[0].name, sides[1].name, in->axis, list.len ? list.data : "their axes");
	buf_free(&list);
	names_free(&apart);
	return r;
}

static void input_free(struct input *in)
{
	for (size_t i = 0; i < in->count; i++) {
		stats_free(&in->stats[i]);
		pairs_free(&in->axes[i]);
	}
	names_free(&in->dropped);
	names_free(&in->kpis);
	free(in->columns);
	free(in->runs);
	free(in->stats);
	free(in->axes);
}

int lab_compare(const struct lab_side *sides, size_t count, const struct lab_options *options, struct comparison *ret,
		struct err *err)
{
	struct compare_options asked = options->compare;
	struct lab_history history = { 0 };
	cleanup_buf struct buf caution = { 0 };
	struct input in = { 0 };
	size_t runs;
	int r = check(sides, count, &runs, err);

	if (r < 0)
		return r;
	in.columns = calloc(count, sizeof(*in.columns));
	in.runs = calloc(runs, sizeof(*in.runs));
	in.stats = calloc(runs, sizeof(*in.stats));
	in.axes = calloc(runs, sizeof(*in.axes));
	if (!in.columns || !in.runs || !in.stats || !in.axes || head_columns(&in, sides, count, asked.axis) < 0) {
		r = err_set(err, -ENOMEM, "no memory to compare %zu runs", runs);
		goto out;
	}
	for (size_t s = 0; s < count; s++)
		for (size_t i = 0; i < sides[s].runs.count && r == 0; i++)
			r = take_run(&in, &sides[s], i, in.columns[s], err);
	if (r == 0 && asked.rules == RULES_ASSAY && !options->no_history)
		r = lab_history_open(&history, sides, count, in.axis, &in.dropped, err);
	if (r < 0)
		goto out;
	if (put_caution(&in, sides, count, &caution) < 0) {
		r = err_set(err, -ENOMEM, "no memory to compare %zu runs", runs);
		goto out;
	}
	asked.caution = caution.len ? caution.data : NULL;
	asked.kpis = (const char *const *)in.kpis.at;
	asked.kpi_count = in.kpis.count;
	asked.history = history.runs;
	asked.history_count = history.count;
	asked.axis = in.axis;
	asked.columns = in.columns;
	asked.column_count = count;
	r = compare(in.runs, in.count, &asked, ret, err);
	if (r == 0 && ret->table_count == 0) {
		comparison_free(ret);
		r = no_partners(&in, sides, count, err);
	}
out:
	lab_history_close(&history);
	input_free(&in);
	return r;
}

int lab_compare_names(struct store *store, const char *const *names, size_t count, const struct lab_options *options,
		      struct comparison *ret, struct err *err)
{
	struct lab_side *sides = calloc(count ? count : 1, sizeof(*sides));
	int r = 0;

	if (!sides)
		return err_set(err, -ENOMEM, "no memory to compare %zu sides", count);
	for (size_t s = 0; s < count && r == 0; s++)
		r = lab_side_open(&sides[s], store, names[s], options->compare.axis, err);
	if (r == 0)
		r = lab_compare(sides, count, options, ret, err);
	for (size_t s = 0; s < count; s++)
		lab_side_close(&sides[s]);
	free(sides);
	return r;
}

int lab_mail(struct store *store, const char *const *names, size_t count, const struct lab_options *options,
	     struct mail *mail, struct buf *ret, struct err *err)
{
	struct comparison comparison = { 0 };
	struct lab_side head;
	int r = lab_compare_names(store, names, count, options, &comparison, err);

	if (r < 0)
		return r;
	r = lab_side_open(&head, store, names[1], options->compare.axis, err);
	if (r == 0) {
		mail->comparison = &comparison;
		mail->base.name = comparison.tables[0].columns[0];
		mail->head.name = comparison.tables[0].columns[1];
		mail->facts = &head.runs.at[head.runs.count - 1].facts;
		r = mail_write(mail, ret);
		if (r == -ENOENT)
			r = err_set(err, r, "no key of these runs is to be told of");
		else if (r < 0)
			r = err_set(err, r, "no memory for the mail");
		mail->comparison = NULL;
		mail->facts = NULL;
	}
	lab_side_close(&head);
	comparison_free(&comparison);
	return r;
}
