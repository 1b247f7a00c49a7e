/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/judge_lines.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/discovery.h"
#include "base/buf.h"
#include "base/names.h"

/* ".CPU12" -> ".CPU#", ".cpu12" -> ".cpu#" */
static int group_key(const char *key, struct buf *ret)
{
	buf_clear(ret);
	for (const char *at = key; *at;) {
		if ((strncmp(at, ".CPU", 4) == 0 || strncmp(at, ".cpu", 4) == 0) && isdigit((unsigned char)at[4])) {
			(void)buf_add(ret, at, 4);
			(void)buf_putc(ret, '#');
			at += 4 + strspn(at + 4, "0123456789");
		} else {
			(void)buf_putc(ret, *at++);
		}
	}
	return ret->failed;
}

int make_lines(const struct judge_metric *metrics, size_t count, struct judgement *j)
{
	size_t *group = calloc(count + 1, sizeof(*group)), *size = calloc(count + 1, sizeof(*size));
	size_t *line = calloc(count + 1, sizeof(*line)); /* of a group, + 1 */
	struct names names = { 0 };
	struct buf key = { 0 };
	int r = group && size && line ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && r == 0; i++) {
		int g = group_key(metrics[i].key, &key) < 0 ? -ENOMEM : names_add(&names, buf_text(&key));

		if (g < 0)
			r = g;
		else
			size[group[i] = (size_t)g]++;
	}
	j->lines = r == 0 ? arena_take(&j->arena, count, sizeof(*j->lines)) : NULL;
	if (!j->lines)
		r = -ENOMEM;
	for (size_t i = 0; i < count && r == 0; i++) {
		bool grouped = size[group[i]] >= GROUP_LEAST;

		if (!grouped || !line[group[i]]) {
			struct judged_line *l = &j->lines[j->line_count++];

			l->group = grouped;
			l->key = arena_copy(&j->arena, grouped ? names_at(&names, (int)group[i]) : metrics[i].key);
			line[group[i]] = j->line_count;
			r = l->key ? 0 : -ENOMEM;
		}
		j->metrics[i].line = line[group[i]] - 1;
		j->lines[line[group[i]] - 1].members++;
	}
	names_free(&names);
	buf_free(&key);
	free(group);
	free(size);
	free(line);
	return r;
}

/* Two runs a side tell nothing by themselves: computed, not claimed. */
static double claim_of(const struct judged *j)
{
	bool few = j->difference.count_a <= 2 && j->difference.count_b <= 2;

	return few && j->history.d0 == 0 ? NAN : j->evidence.p;
}

void decide_lines(struct judgement *j, const size_t *first, const size_t *members, const struct judge_options *o,
		  double *values, double *p, double *q, size_t *order)
{
	for (size_t l = 0; l < j->line_count; l++) {
		struct judged_line *line = &j->lines[l];

		for (size_t i = 0; i < line->members; i++)
			values[i] = claim_of(&j->metrics[members[first[l] + i]]);
		p[l] = line->group ? group_p(claim_of(&line->sum), simes(values, line->members, q)) : values[0];
	}
	j->tested = adjust_bh(p, j->line_count, order, q);
	for (size_t l = 0; l < j->line_count; l++) {
		j->lines[l].p = p[l];
		j->lines[l].q = q[l];
		j->lines[l].shown = q[l] <= o->q;
		j->shown += j->lines[l].shown;
	}
	for (size_t l = 0; l < j->line_count; l++) {
		struct judged_line *line = &j->lines[l];

		if (!line->shown)
			continue;
		for (size_t i = 0; i < line->members; i++)
			values[i] = claim_of(&j->metrics[members[first[l] + i]]);
		(void)adjust_bh(values, line->members, order, q);
		for (size_t i = 0; i < line->members; i++) {
			struct judged *m = &j->metrics[members[first[l] + i]];

			m->changed = !line->group || q[i] <= o->q * (double)j->shown / (double)j->tested;
			line->changed += m->changed;
		}
	}
}

void list_members(const struct judgement *j, size_t count, size_t *first, size_t *members)
{
	size_t *next = first + 1;

	for (size_t l = 0; l < j->line_count; l++)
		next[l] = l ? next[l - 1] + j->lines[l - 1].members : 0;
	for (size_t i = 0; i < count; i++)
		members[next[j->metrics[i].line]++] = i;
	first[0] = 0;
}
