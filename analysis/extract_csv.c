/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of values with a separator between them, below a line of titles. */
#include <errno.h>
#include <stdlib.h>

#include "analysis/extract.h"
#include "analysis/number.h"

/* The next field, without its quotes; a separator may stand inside them. False: none is left. */
static bool next_field(struct text *rest, char separator, struct text *ret)
{
	const char *at = rest->at;
	bool quoted = false;

	if (!at)
		return false;
	for (; at < rest->end && (quoted || *at != separator); at++)
		if (*at == '"')
			quoted = !quoted;
	*ret = text_trim((struct text){ rest->at, at });
	if (text_len(*ret) >= 2 && *ret->at == '"' && ret->end[-1] == '"') {
		ret->at++;
		ret->end--;
	}
	rest->at = at < rest->end ? at + 1 : NULL;
	return true;
}

static unsigned split(struct text line, char separator, struct text *ret)
{
	unsigned count = 0;

	while (count < CSV_FIELDS && next_field(&line, separator, &ret[count]))
		count++;
	return count;
}

static void take_titles(const struct csv_rule *rule, struct open_csv *state, struct text line)
{
	struct text titles[CSV_FIELDS];

	state->fields = split(line, rule->separator, titles);
	for (size_t i = 0; i < rule->column_count; i++) {
		state->places[i] = 0;
		for (unsigned f = 0; f < state->fields && !state->places[i]; f++)
			if (text_is(titles[f], rule->columns[i].title))
				state->places[i] = f + 1;
	}
}

/* 1: it is a row of the table, 0: it is not. */
static int take_row(struct extract *x, const struct csv_rule *rule, const struct open_csv *state, struct text line)
{
	struct text fields[CSV_FIELDS];
	double value;
	int label;

	if (split(line, rule->separator, fields) != state->fields)
		return 0;
	for (size_t i = 0; i < rule->column_count; i++)
		if (rule->columns[i].name >= 0 && state->places[i] &&
		    !number_read(fields[state->places[i] - 1], &value))
			return 0;
	for (size_t i = 0; i < rule->column_count; i++)
		if (rule->columns[i].name < 0 && state->places[i] &&
		    extract_word(x, rule->columns[i].name, fields[state->places[i] - 1]) < 0)
			return x->err->code;
	if (extract_label(x, rule->label, &label) < 0)
		return x->err->code;
	for (size_t i = 0; i < rule->column_count; i++)
		if (rule->columns[i].name >= 0 && state->places[i] &&
		    number_read(fields[state->places[i] - 1], &value) &&
		    extract_put(x, rule->columns[i].name, label, value) < 0)
			return x->err->code;
	return 1;
}

int extract_csv_line(struct extract *x, size_t nth, struct text line)
{
	const struct csv_rule *rule = &x->rules->csv[nth];
	struct open_csv *state = &x->csv[nth];
	int r;

	if (state->open) {
		r = take_row(x, rule, state, line);
		if (r != 0)
			return r < 0 ? r : 0;
	}
	r = matcher_find(&x->matcher, rule->after, line, x->err);
	state->open = r > 0;
	if (r > 0)
		take_titles(rule, state, line);
	return r < 0 ? r : 0;
}
