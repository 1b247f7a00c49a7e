/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules and an output -> results. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/number.h"
#include "analysis/results_rules.h"
#include "base/take.h"

struct extract {
	const struct results_rules *rules;
	struct matcher matcher;
	struct column *columns; /* [name] */
	bool *in_table;		/* [table] */
	bool rejected;
	struct err *err;
};

static int put(struct extract *x, int name, double value)
{
	int r = column_put(&x->columns[name], value);

	return r < 0 ? err_set(x->err, r, "%s: too many values", names_at(&x->rules->names, name)) : 0;
}

static int take_line(struct extract *x, const struct line_rule *rule, struct text line)
{
	size_t groups = 0;
	struct text t;
	double value;
	int r = matcher_find(&x->matcher, rule->pattern, line, x->err);

	if (r <= 0)
		return r;
	for (; pattern_group(rule->pattern, groups); groups++)
		if (matcher_group(&x->matcher, rule->pattern, groups, line, &t) && !number_read(t, &value))
			return 0; /* a word where a number should be: none of this line */
	for (size_t i = 0; i < groups; i++)
		if (matcher_group(&x->matcher, rule->pattern, i, line, &t) && number_read(t, &value) &&
		    put(x, rule->names[i], value) < 0)
			return x->err->code;
	return 0;
}

/* Is it a row of the table? Its values, by column. */
static bool row_of(const struct table_rule *rule, struct text line, double *ret)
{
	struct text word;
	unsigned fields = 0;

	while (text_word(&line, &word)) {
		if (++fields > rule->fields)
			return false;
		for (size_t i = 0; i < rule->column_count; i++)
			if (rule->columns[i].field == fields && !number_read(word, &ret[i]))
				return false;
	}
	return fields == rule->fields;
}

static int take_row(struct extract *x, size_t nth, struct text line)
{
	const struct table_rule *rule = &x->rules->tables[nth];
	cleanup_free double *values = calloc(rule->column_count, sizeof(*values));
	int r;

	if (!values)
		return err_set(x->err, -ENOMEM, "no memory");
	if (x->in_table[nth] && row_of(rule, line, values)) {
		for (size_t i = 0; i < rule->column_count; i++)
			if (put(x, rule->columns[i].name, values[i]) < 0)
				return x->err->code;
		return 0;
	}
	r = matcher_find(&x->matcher, rule->after, line, x->err);
	x->in_table[nth] = r > 0;
	return r < 0 ? r : 0;
}

static int look(struct extract *x, unsigned stream, struct text line, bool finished)
{
	const struct results_rules *rules = x->rules;
	int r = 0;

	if (text_ends(line, "\r"))
		line.end--;
	for (size_t i = 0; i < rules->reject_count && r == 0; i++)
		r = matcher_find(&x->matcher, rules->reject[i], line, x->err);
	if (r != 0) {
		x->rejected = r > 0;
		return r < 0 ? r : 0;
	}
	for (size_t i = 0; i < rules->line_count && r == 0; i++)
		if (rules->lines[i].streams & stream && (finished || rules->lines[i].unfinished))
			r = take_line(x, &rules->lines[i], line);
	for (size_t i = 0; i < rules->table_count && r == 0; i++)
		if (rules->tables[i].streams & stream && finished)
			r = take_row(x, i, line);
	return r;
}

static int take_stream(struct extract *x, unsigned stream, struct text rest)
{
	struct text line;
	int r = 0;

	while (r == 0 && !x->rejected && text_line(&rest, &line))
		r = look(x, stream, line, line.end < rest.end);
	for (size_t i = 0; i < x->rules->table_count; i++)
		x->in_table[i] = false; /* a table does not go on in the other stream */
	return r;
}

static int put_results(struct extract *x, const char *testcase, struct stats *ret, size_t *ret_count)
{
	const struct results_rules *rules = x->rules;
	const struct scope scope = { &rules->names, rules->many, x->columns };
	int r = 0;

	for (size_t i = 0; i < rules->let_count && r == 0; i++)
		r = expression_values(&scope, text_of(rules->lets[i].value), &x->columns[rules->lets[i].scope_name],
				      x->err);
	for (size_t i = 0; i < rules->result_count && r == 0; i++) {
		struct column value = { 0 };

		r = expression_values(&scope, text_of(rules->results[i].value), &value, x->err);
		if (r == 0 && value.count == 1 && isfinite(value.at[0])) {
			if (stats_setf(ret, value.at[0], "%s.%s", testcase, rules->results[i].name) < 0)
				r = err_set(x->err, -ENOMEM, "no memory");
			++*ret_count;
		}
		column_free(&value);
	}
	return r;
}

int results_apply(const struct results_rules *rules, const char *testcase, struct text out, struct text error_out,
		  struct stats *ret, size_t *ret_count, struct err *err)
{
	struct extract x = { .rules = rules, .err = err };
	int r = matcher_open(&x.matcher, err);

	*ret_count = 0;
	if (r < 0)
		return r;
	x.columns = calloc(rules->names.count + 1, sizeof(*x.columns));
	x.in_table = calloc(rules->table_count + 1, sizeof(*x.in_table));
	if (!x.columns || !x.in_table)
		r = err_set(err, -ENOMEM, "no memory");
	if (r == 0)
		r = take_stream(&x, STREAM_OUT, out);
	if (r == 0)
		r = take_stream(&x, STREAM_ERROR, error_out);
	if (r == 0 && !x.rejected)
		r = put_results(&x, testcase, ret, ret_count);
	for (size_t i = 0; x.columns && i < rules->names.count; i++)
		column_free(&x.columns[i]);
	free(x.columns);
	free(x.in_table);
	matcher_close(&x.matcher);
	return r;
}
