/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From judged lines to the rows of the table, surest first; or every metric by itself. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/verdict.h"

#define FEW_LINES 20   /* of the largest differences, where nothing can be told */
#define ALONE	  0.05 /* how often the interval misses of a number that nobody selected */

/* A line of the table to be, and what it is picked by. */
struct candidate {
	struct compare_row row;
	bool shown, weak;
	double size;
};

/* The row of one metric, as a line of its own or as a member of one. */
static int make_single(struct verdict_work *w, size_t metric, struct compare_row *ret)
{
	size_t row = w->metrics[metric];
	int r = verdict_row(w, w->in.keys[row], ret);

	if (r < 0)
		return r;
	for (size_t side = 0; side < w->in.side_count; side++)
		w->sides[side] = verdict_values(&w->in, row, side);
	if (verdict_cells(w, 1, ret) < 0)
		return -ENOMEM;
	for (size_t head = 1; head < w->in.side_count; head++) {
		const struct judgement *j = &w->heads[head].judgement;
		const struct judged *one = &j->metrics[metric];
		const struct judged_line *line = &j->lines[one->line];
		struct judge_metric m = verdict_metric(w, row, head);
		struct claim claim = {
			&m,
			&one->difference,
			&one->evidence,
			one->history.d0 > 0,
			one->changed ? w->q * (double)j->shown / (double)j->tested : ALONE,
		};
		struct verdict *v = verdict_of(w, &claim, ret, head);

		if (!v)
			return -ENOMEM;
		v->q = line->group ? NAN : line->q;
		v->word = isnan(v->p) ? VERDICT_NONE : one->changed ? VERDICT_CHANGED : VERDICT_UNDECIDED;
		ret->changed |= one->changed;
		ret->cells[head].verdict = v;
	}
	return 0;
}

/* "softirqs.CPU#.RCU" as it is printed. */
static char *printed(struct verdict_work *w, const char *key)
{
	char *copy = arena_copy(w->arena, key);

	for (char *at = copy; at && *at; at++)
		if (*at == '#' && at - copy >= 4 && (memcmp(at - 4, ".CPU", 4) == 0 || memcmp(at - 4, ".cpu", 4) == 0))
			*at = '*';
	return copy;
}

static int list_changed(struct verdict_work *w, size_t l, struct compare_row *row)
{
	size_t members = row->members;

	row->listed = arena_take(w->arena, members, sizeof(*row->listed));
	if (!row->listed)
		return -ENOMEM;
	for (size_t i = 0; i < members; i++) {
		struct compare_row *member = &row->listed[row->listed_count];

		if (make_single(w, w->members[w->first[l] + i], member) < 0)
			return -ENOMEM;
		row->listed_count += member->changed;
	}
	return 0;
}

static int make_group(struct verdict_work *w, size_t l, struct compare_row *ret)
{
	const struct judged_line *any = &w->heads[1].judgement.lines[l];
	char *key = printed(w, any->key);
	int r = key ? verdict_row(w, key, ret) : -ENOMEM;

	if (r < 0)
		return r;
	ret->members = (unsigned)any->members;
	w->sides[0] = any->summed.a;
	for (size_t head = 1; head < w->in.side_count; head++)
		w->sides[head] = w->heads[head].judgement.lines[l].summed.b;
	if (verdict_cells(w, any->whole ? any->whole : 1, ret) < 0)
		return -ENOMEM;
	for (size_t head = 1; head < w->in.side_count; head++) {
		const struct judgement *j = &w->heads[head].judgement;
		const struct judged_line *line = &j->lines[l];
		struct claim claim = {
			&line->summed,
			&line->sum.difference,
			&line->sum.evidence,
			line->sum.history.d0 > 0,
			line->shown ? w->q * (double)j->shown / (double)j->tested : ALONE,
		};
		struct verdict *v = verdict_of(w, &claim, ret, head);

		if (!v)
			return -ENOMEM;
		v->p = line->p;
		v->q = line->q;
		v->changed = (unsigned)line->changed;
		v->word = isnan(line->p) ? VERDICT_NONE : line->shown ? VERDICT_CHANGED : VERDICT_UNDECIDED;
		ret->changed |= line->shown;
		ret->cells[head].verdict = v;
	}
	return w->options->expand && ret->changed ? list_changed(w, l, ret) : 0;
}

/* Does anybody want the line, by its own name or by one of its members'? */
static bool line_is_wanted(const struct verdict_work *w, size_t l, const char *key)
{
	if (verdict_wanted(w, key))
		return true;
	for (size_t i = w->first[l]; i < w->first[l + 1]; i++)
		if (verdict_wanted(w, w->in.keys[w->metrics[w->members[i]]]))
			return true;
	return false;
}

static double size_of(const struct compare_row *row, size_t sides, bool few)
{
	double size = 0;

	for (size_t head = 1; head < sides; head++) {
		const struct verdict *v = row->cells[head].verdict;

		if (few && row->cells[0].mean != 0 && !row->points)
			size = fmax(size, fabs(row->cells[head].change));
		else if (!few && !isnan(v->d))
			size = fmax(size, fabs(v->d) / v->se);
	}
	return size;
}

static int make_candidate(struct verdict_work *w, size_t l, struct candidate *ret)
{
	const struct judged_line *any = &w->heads[1].judgement.lines[l];
	int r;

	for (size_t head = 1; head < w->in.side_count; head++) {
		const struct judged_line *line = &w->heads[head].judgement.lines[l];

		ret->shown |= line->shown;
		ret->weak |= line->q <= WEAK_Q;
	}
	ret->weak &= !ret->shown && w->options->weak;
	ret->shown |= w->few;
	if (!(ret->shown || ret->weak) || !line_is_wanted(w, l, any->key)) {
		ret->shown = ret->weak = false;
		return 0;
	}
	r = any->group ? make_group(w, l, &ret->row) : make_single(w, w->members[w->first[l]], &ret->row);
	ret->size = r < 0 ? 0 : size_of(&ret->row, w->in.side_count, w->few);
	if (w->few && !(ret->size > 0))
		ret->shown = false;
	return r;
}

static int by_size(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->size < y->size || x->size > y->size)
		return x->size > y->size ? -1 : 1;
	return strcmp(x->row.key ? x->row.key : "", y->row.key ? y->row.key : "");
}

/* The surest first, of these as many as are asked for. */
static size_t pick(const struct candidate *from, size_t count, bool weak, size_t most, struct compare_row *ret)
{
	size_t picked = 0;

	for (size_t i = 0; i < count && picked < most; i++)
		if (weak ? from[i].weak : from[i].shown)
			ret[picked++] = from[i].row;
	return picked;
}

/* Every metric by itself. */
int verdict_everything(struct verdict_work *w, struct compare_table *ret)
{
	for (size_t i = 0; i < w->metric_count; i++) {
		if (!verdict_wanted(w, w->in.keys[w->metrics[i]]))
			continue;
		if (make_single(w, i, &ret->rows[ret->row_count++]) < 0)
			return -ENOMEM;
	}
	return 0;
}

int verdict_lines(struct verdict_work *w, struct compare_table *ret)
{
	size_t lines = w->heads[1].judgement.line_count, most = w->options->top ? w->options->top : SIZE_MAX;
	struct candidate *candidates = calloc(lines + 1, sizeof(*candidates));
	int r = candidates ? 0 : -ENOMEM;

	for (size_t l = 0; l < lines && r == 0; l++)
		r = make_candidate(w, l, &candidates[l]);
	ret->weak = arena_take(w->arena, lines, sizeof(*ret->weak));
	if (r < 0 || !ret->weak) {
		free(candidates);
		return -ENOMEM;
	}
	qsort(candidates, lines, sizeof(*candidates), by_size);
	if (w->few && most > FEW_LINES)
		most = w->options->top ? most : FEW_LINES;
	ret->row_count += pick(candidates, lines, false, most, ret->rows + ret->row_count);
	ret->weak_count = pick(candidates, lines, true, SIZE_MAX, ret->weak);
	free(candidates);
	return 0;
}
