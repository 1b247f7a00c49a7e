/* SPDX-License-Identifier: GPL-3.0-or-later */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "analysis/pattern.h"

#include <errno.h>
#include <stdlib.h>

#include <pcre2.h>

#define PATTERN_MAX 4096
#define NEST_MAX    32
#define GROUPS_MAX  64
#define PAIRS	    1024	       /* of group positions: more than a pattern of that length has */
#define LINE_SIZE   ((size_t)16 << 10) /* of a line that is looked at */
#define HEAP_KIB    1024u

/*
 * pcre2 bounds the steps of one match; here all matches over one output share a budget, in units of at most about 1 us.
 * A match costs by the square of the line, since to look for a run of characters from each place on is no step at all,
 * and more when it needs more steps than nearly every match of nearly every pattern. 100,000 lines of 80 characters
 * under ten honest patterns cost 2 million.
 */
#define BUDGET	   4000000u
#define STEPS	   1000u
#define STEPS_DEAR 50000u
#define COST_DEAR  10000u
#define COST_PARTS 4096u

struct pattern {
	pcre2_code *code;
	size_t group_count;
	struct {
		const char *name; /* in the code's own table */
		uint32_t number;
	} groups[GROUPS_MAX];
};

static int read_groups(struct pattern *p, struct err *err)
{
	uint32_t count = 0, entry = 0;
	PCRE2_SPTR table = NULL;

	(void)pcre2_pattern_info(p->code, PCRE2_INFO_NAMECOUNT, &count);
	(void)pcre2_pattern_info(p->code, PCRE2_INFO_NAMEENTRYSIZE, &entry);
	(void)pcre2_pattern_info(p->code, PCRE2_INFO_NAMETABLE, &table);
	if (count > GROUPS_MAX)
		return err_set(err, -EINVAL, "more than %d named groups", GROUPS_MAX);
	/* An entry is two bytes of number and the name. */
	for (uint32_t i = 0; i < count; i++, table += entry) {
		p->groups[i].number = (uint32_t)(table[0] << 8 | table[1]);
		p->groups[i].name = (const char *)table + 2;
	}
	p->group_count = count;
	return 0;
}

int pattern_compile(struct text text, struct pattern **ret, struct err *err)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	struct pattern *p = calloc(1, sizeof(*p));
	PCRE2_SIZE at = 0;
	int code = 0, r = 0;

	if (!context || !p) {
		r = err_set(err, -ENOMEM, "no memory");
		goto out;
	}
	(void)pcre2_set_max_pattern_length(context, PATTERN_MAX);
	(void)pcre2_set_parens_nest_limit(context, NEST_MAX);
	p->code = pcre2_compile((PCRE2_SPTR)text.at, text_len(text), PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UTF, &code,
				&at, context);
	if (!p->code) {
		PCRE2_UCHAR words[160] = { 0 };

		(void)pcre2_get_error_message(code, words, sizeof(words));
		r = err_set(err, -EINVAL, "character %zu of the pattern: %s", (size_t)at + 1, (const char *)words);
		goto out;
	}
	r = read_groups(p, err);
out:
	pcre2_compile_context_free(context);
	if (r < 0)
		pattern_free(p);
	else
		*ret = p;
	return r;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_code_free(p->code);
	free(p);
}

const char *pattern_group(const struct pattern *p, size_t nth)
{
	return nth < p->group_count ? p->groups[nth].name : NULL;
}

int matcher_open(struct matcher *m, struct err *err)
{
	m->context = pcre2_match_context_create(NULL);
	m->data = pcre2_match_data_create(PAIRS, NULL);
	if (!m->context || !m->data) {
		matcher_close(m);
		return err_set(err, -ENOMEM, "no memory");
	}
	(void)pcre2_set_heap_limit(m->context, HEAP_KIB);
	(void)pcre2_set_depth_limit(m->context, STEPS_DEAR);
	return 0;
}

void matcher_close(struct matcher *m)
{
	pcre2_match_context_free(m->context);
	pcre2_match_data_free(m->data);
	*m = (struct matcher){ 0 };
}

static int match(struct matcher *m, const struct pattern *p, struct text line, uint32_t steps)
{
	(void)pcre2_set_match_limit(m->context, steps);
	return pcre2_match(p->code, (PCRE2_SPTR)line.at, text_len(line), 0, PCRE2_NO_JIT, m->data, m->context);
}

static bool spend(struct matcher *m, uint64_t cost)
{
	m->spent += cost;
	return m->spent <= BUDGET;
}

int matcher_find(struct matcher *m, const struct pattern *p, struct text line, struct err *err)
{
	size_t length = text_len(line);
	int r;

	if (length > LINE_SIZE)
		return 0;
	if (!spend(m, 1 + length * length / COST_PARTS))
		return err_set(err, -EMFILE, "its patterns need too many steps on this output");
	r = match(m, p, line, STEPS);
	if (r == PCRE2_ERROR_MATCHLIMIT) {
		if (!spend(m, COST_DEAR))
			return err_set(err, -EMFILE, "its patterns need too many steps on this output");
		r = match(m, p, line, STEPS_DEAR);
	}
	return r >= 0; /* a match that hits a limit is none */
}

bool matcher_group(const struct matcher *m, const struct pattern *p, size_t nth, struct text line, struct text *ret)
{
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(m->data);
	uint32_t number = p->groups[nth].number;

	if (number >= pcre2_get_ovector_count(m->data) || at[2 * number] == PCRE2_UNSET ||
	    at[2 * number] > at[2 * number + 1])
		return false;
	*ret = text_n(line.at + at[2 * number], at[2 * number + 1] - at[2 * number]);
	return true;
}
