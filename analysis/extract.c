/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules and an output -> results. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/extract.h"
#include "analysis/number.h"
#include "base/buf.h"
#include "base/take.h"

#define LABEL_SIZE   160
#define LABELLED_MAX 1000000 /* labels x names */
#define BUDGET	     50000000

static int no_memory(struct extract *x)
{
	return err_set(x->err, -ENOMEM, "no memory");
}

int extract_put(struct extract *x, int name, int label, double value)
{
	int r = column_put(&x->columns[name], value);

	if (r == 0 && label != NO_LABEL)
		r = column_put(&x->by_label[label][name], value);
	return r < 0 ? err_set(x->err, r, "%s: too many values", names_at(&x->rules->names, name)) : 0;
}

int extract_word(struct extract *x, int name, struct text text)
{
	char **word = &x->words[-1 - name];

	free(*word);
	*word = text_copy(text);
	return *word ? 0 : no_memory(x);
}

/* It becomes part of a key: no blanks, nothing that is not ASCII. */
static int add_to_label(struct extract *x, struct buf *label, struct text t)
{
	for (; t.at < t.end; t.at++)
		(void)buf_putc(label, (unsigned char)*t.at <= ' ' || (unsigned char)*t.at >= 0x7f ? '_' : *t.at);
	if (label->len > LABEL_SIZE)
		return err_set(x->err, -EMSGSIZE, "a label of more than %d characters", LABEL_SIZE);
	return label->failed ? no_memory(x) : 0;
}

static int label_row(struct extract *x, struct text label, int *ret)
{
	size_t known = x->labels.count, names = x->rules->names.count;

	*ret = names_add(&x->labels, label);
	if (*ret < 0)
		return no_memory(x);
	if (x->labels.count == known)
		return 0;
	if (x->labels.count * (names + 1) > LABELLED_MAX)
		return err_set(x->err, -EMSGSIZE, "too many labels");
	if (x->labels.count > x->by_label_room) {
		size_t room = 2 * x->labels.count + 8;
		struct column **grown = realloc(x->by_label, room * sizeof(*grown));

		if (!grown)
			return no_memory(x);
		memset(grown + x->by_label_room, 0, (room - x->by_label_room) * sizeof(*grown));
		x->by_label = grown;
		x->by_label_room = room;
	}
	x->by_label[*ret] = calloc(names + 1, sizeof(**x->by_label));
	return x->by_label[*ret] ? 0 : no_memory(x);
}

int extract_label(struct extract *x, const char *pattern, int *ret)
{
	cleanup_buf struct buf label = { 0 };
	struct text rest = text_of(pattern ? pattern : "");

	*ret = NO_LABEL;
	while (rest.at < rest.end) {
		const char *open = memchr(rest.at, '{', text_len(rest)), *close;
		const char *word;

		if (add_to_label(x, &label, (struct text){ rest.at, open ? open : rest.end }) < 0)
			return x->err->code;
		if (!open)
			break;
		close = memchr(open, '}', (size_t)(rest.end - open)); /* it was checked to be there */
		word = x->words[names_find(&x->rules->words, (struct text){ open + 1, close }, -1)];
		if (!word)
			return 0;
		if (add_to_label(x, &label, text_of(word)) < 0)
			return x->err->code;
		rest.at = close + 1;
	}
	return label.len ? label_row(x, buf_text(&label), ret) : 0;
}

/* "1.5k" where the rule has suffixes. */
static bool read_number(const struct line_rule *rule, struct text t, double *ret)
{
	static const char letters[] = "kmgt";
	const char *letter = NULL;

	if (rule->suffixes && t.at < t.end)
		letter = memchr(letters, t.end[-1] | 0x20, sizeof(letters) - 1);
	if (!letter)
		return number_read(rule->suffixes ? text_trim(t) : t, ret);
	t.end--; /* "1.5 G" is one, too */
	if (!number_read(text_trim(t), ret))
		return false;
	for (; letter >= letters; letter--)
		*ret *= rule->suffixes;
	return true;
}

/* The words that the line tells, and the numbers, all of them or none. */
static int take_line(struct extract *x, const struct line_rule *rule, struct text line)
{
	size_t groups = 0;
	struct text t;
	double value;
	int label, r = matcher_find(&x->matcher, rule->pattern, line, x->err);

	if (r <= 0)
		return r;
	for (; pattern_group(rule->pattern, groups); groups++)
		if (rule->names[groups] >= 0 && matcher_group(&x->matcher, rule->pattern, groups, line, &t) &&
		    !read_number(rule, t, &value))
			return 0; /* a word where a number should be: none of this line */
	for (size_t i = 0; i < groups; i++)
		if (rule->names[i] < 0 && matcher_group(&x->matcher, rule->pattern, i, line, &t) &&
		    extract_word(x, rule->names[i], t) < 0)
			return x->err->code;
	if (extract_label(x, rule->label, &label) < 0)
		return x->err->code;
	for (size_t i = 0; i < groups; i++)
		if (rule->names[i] >= 0 && matcher_group(&x->matcher, rule->pattern, i, line, &t) &&
		    read_number(rule, t, &value) && extract_put(x, rule->names[i], label, value) < 0)
			return x->err->code;
	return 0;
}

/* Is it a row of the table? Its words, by column. */
static bool row_of(const struct table_rule *rule, struct text line, struct text *ret)
{
	struct text word;
	unsigned fields = 0;
	double value;

	while (text_word(&line, &word)) {
		if (++fields > rule->fields)
			return false;
		for (size_t i = 0; i < rule->column_count; i++) {
			if (rule->columns[i].field != fields)
				continue;
			if (rule->columns[i].name >= 0 && !number_read(word, &value))
				return false;
			ret[i] = word;
		}
	}
	return fields == rule->fields;
}

static int put_row(struct extract *x, const struct table_rule *rule, const struct text *words)
{
	double value;
	int label;

	for (size_t i = 0; i < rule->column_count; i++)
		if (rule->columns[i].name < 0 && extract_word(x, rule->columns[i].name, words[i]) < 0)
			return x->err->code;
	if (extract_label(x, rule->label, &label) < 0)
		return x->err->code;
	for (size_t i = 0; i < rule->column_count; i++)
		if (rule->columns[i].name >= 0 && number_read(words[i], &value) &&
		    extract_put(x, rule->columns[i].name, label, value) < 0)
			return x->err->code;
	return 0;
}

static int take_row(struct extract *x, size_t nth, struct text line)
{
	const struct table_rule *rule = &x->rules->tables[nth];
	cleanup_free struct text *words = calloc(rule->column_count, sizeof(*words));
	int r;

	if (!words)
		return no_memory(x);
	if (x->in_table[nth] && row_of(rule, line, words))
		return put_row(x, rule, words);
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
	for (size_t i = 0; i < rules->label_count && r == 0; i++)
		if (rules->labels[i].streams & stream && finished)
			r = take_line(x, &rules->labels[i], line);
	for (size_t i = 0; i < rules->line_count && r == 0; i++)
		if (rules->lines[i].streams & stream && (finished || rules->lines[i].unfinished))
			r = take_line(x, &rules->lines[i], line);
	for (size_t i = 0; i < rules->table_count && r == 0; i++)
		if (rules->tables[i].streams & stream && finished)
			r = take_row(x, i, line);
	for (size_t i = 0; i < rules->csv_count && r == 0; i++)
		if (rules->csv[i].streams & stream && finished)
			r = extract_csv_line(x, i, line);
	return r;
}

static int take_stream(struct extract *x, unsigned stream, struct text whole)
{
	struct text line, rest = whole;
	int r = 0;

	while (r == 0 && !x->rejected && text_line(&rest, &line))
		r = look(x, stream, line, line.end < rest.end);
	for (size_t i = 0; i < x->rules->table_count; i++)
		x->in_table[i] = false; /* a table does not go on in the other stream */
	for (size_t i = 0; i < x->rules->csv_count; i++)
		x->csv[i].open = false;
	if (r == 0 && !x->rejected)
		r = extract_json(x, stream, whole);
	return r;
}

/* One result: "{}" in its name is `label`. */
static int put_result(struct extract *x, const struct value_rule *rule, const struct scope *scope, const char *testcase,
		      const char *label, struct stats *ret, size_t *ret_count)
{
	const char *hole = label ? strstr(rule->name, "{}") : NULL;
	struct column value = { 0 };
	int r = expression_values(scope, text_of(rule->value), &value, x->err);

	if (r == 0 && value.count == 1 && isfinite(value.at[0])) {
		if (hole)
			r = stats_setf(ret, value.at[0], "%s.%.*s%s%s", testcase, (int)(hole - rule->name), rule->name,
				       label, hole + 2);
		else
			r = stats_setf(ret, value.at[0], "%s.%s", testcase, rule->name);
		if (r < 0)
			r = no_memory(x);
		++*ret_count;
	}
	column_free(&value);
	return r;
}

/* The results of one label, over its own numbers and those that have none. */
static int put_labelled(struct extract *x, int label, struct scope scope, const char *testcase, struct stats *ret,
			size_t *ret_count)
{
	const struct results_rules *rules = x->rules;
	cleanup_free struct column *columns = calloc(rules->names.count + 1, sizeof(*columns));
	int r = 0;

	if (!columns)
		return no_memory(x);
	for (size_t i = 0; i < rules->names.count; i++)
		columns[i] = rules->labelled[i] ? x->by_label[label][i] : x->columns[i];
	scope.columns = columns;
	scope.of_label = true;
	for (size_t i = 0; i < rules->result_count && r == 0; i++)
		if (rules->results[i].labelled)
			r = put_result(x, &rules->results[i], &scope, testcase, names_at(&x->labels, label), ret,
				       ret_count);
	return r;
}

static int put_results(struct extract *x, const char *testcase, struct stats *ret, size_t *ret_count)
{
	const struct results_rules *rules = x->rules;
	uint64_t budget = BUDGET;
	const struct scope scope = {
		.names = &rules->names, .many = rules->many, .columns = x->columns, .budget = &budget
	};
	int r = 0;

	for (size_t i = 0; i < rules->let_count && r == 0; i++)
		r = expression_values(&scope, text_of(rules->lets[i].value), &x->columns[rules->lets[i].scope_name],
				      x->err);
	for (size_t i = 0; i < rules->result_count && r == 0; i++)
		if (!rules->results[i].labelled)
			r = put_result(x, &rules->results[i], &scope, testcase, NULL, ret, ret_count);
	for (size_t label = 0; label < x->labels.count && r == 0; label++)
		r = put_labelled(x, (int)label, scope, testcase, ret, ret_count);
	return r;
}

static int open_extract(struct extract *x)
{
	const struct results_rules *rules = x->rules;

	x->columns = calloc(rules->names.count + 1, sizeof(*x->columns));
	x->words = calloc(rules->words.count + 1, sizeof(*x->words));
	x->in_table = calloc(rules->table_count + 1, sizeof(*x->in_table));
	x->csv = calloc(rules->csv_count + 1, sizeof(*x->csv));
	if (!x->columns || !x->words || !x->in_table || !x->csv)
		return no_memory(x);
	for (size_t i = 0; i < rules->csv_count; i++) {
		x->csv[i].places = calloc(rules->csv[i].column_count, sizeof(*x->csv[i].places));
		if (!x->csv[i].places)
			return no_memory(x);
	}
	return 0;
}

static void close_extract(struct extract *x)
{
	const struct results_rules *rules = x->rules;

	for (size_t i = 0; x->columns && i < rules->names.count; i++)
		column_free(&x->columns[i]);
	for (size_t i = 0; x->words && i < rules->words.count; i++)
		free(x->words[i]);
	for (size_t i = 0; x->csv && i < rules->csv_count; i++)
		free(x->csv[i].places);
	for (size_t i = 0; i < x->by_label_room; i++) {
		for (size_t k = 0; x->by_label[i] && k < rules->names.count; k++)
			column_free(&x->by_label[i][k]);
		free(x->by_label[i]);
	}
	free(x->by_label);
	free(x->columns);
	free(x->words);
	free(x->in_table);
	free(x->csv);
	names_free(&x->labels);
	matcher_close(&x->matcher);
}

int results_apply(const struct results_rules *rules, const char *testcase, struct text out, struct text error_out,
		  struct stats *ret, size_t *ret_count, struct err *err)
{
	struct extract x = { .rules = rules, .err = err };
	int r = matcher_open(&x.matcher, err);

	*ret_count = 0;
	if (r < 0)
		return r;
	r = open_extract(&x);
	if (r == 0)
		r = take_stream(&x, STREAM_OUT, out);
	if (r == 0)
		r = take_stream(&x, STREAM_ERROR, error_out);
	if (r == 0 && !x.rejected)
		r = put_results(&x, testcase, ret, ret_count);
	close_extract(&x);
	return r;
}
