/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/expression.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/expression_function.h"
#include "analysis/number.h"

#define LENGTH_MAX 512
#define DEPTH_MAX  32

struct parser {
	const struct scope *scope;
	struct text whole, rest;
	unsigned depth;
	struct err *err;
};

struct value {
	struct column c;
	bool many;
};

int column_put(struct column *c, double value)
{
	if (c->count == COLUMN_MAX)
		return -EMSGSIZE;
	if (c->count == c->room) {
		size_t room = c->room ? 2 * c->room : 8;
		double *at = realloc(c->at, room * sizeof(*at));

		if (!at)
			return -ENOMEM;
		c->at = at;
		c->room = room;
	}
	c->at[c->count++] = value;
	return 0;
}

void column_free(struct column *c)
{
	free(c->at);
	*c = (struct column){ 0 };
}

static int wrong(struct parser *p, const char *what)
{
	int shown = text_len(p->whole) < 80 ? (int)text_len(p->whole) : 80;

	return err_set(p->err, -EINVAL, "character %zu of \"%.*s\": %s", (size_t)(p->rest.at - p->whole.at) + 1, shown,
		       p->whole.at, what);
}

static int no_memory(struct parser *p)
{
	return err_set(p->err, -ENOMEM, "no memory");
}

static int one(struct parser *p, struct value *ret, double value)
{
	return column_put(&ret->c, value) < 0 ? no_memory(p) : 0;
}

static double apply(char symbol, double a, double b)
{
	switch (symbol) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	default:
		return a / b;
	}
}

/* left = left op right; `right` is consumed. A value that is no finite number (x / 0) makes all of it missing. */
static int combine(struct parser *p, char symbol, struct value *left, struct value *right)
{
	size_t a = left->c.count, b = right->c.count;
	size_t n = a > b ? a : b;
	struct column out = { 0 };

	if (a == 0 || b == 0 || (a != b && a != 1 && b != 1))
		n = 0;
	for (size_t i = 0; i < n; i++) {
		double value = apply(symbol, left->c.at[a == 1 ? 0 : i], right->c.at[b == 1 ? 0 : i]);

		if (!isfinite(value)) {
			out.count = 0;
			break;
		}
		if (column_put(&out, value) < 0) {
			column_free(&out);
			return no_memory(p);
		}
	}
	column_free(&left->c);
	column_free(&right->c);
	left->c = out;
	left->many = left->many || right->many;
	return 0;
}

static int call(struct parser *p, enum function f, struct value *v, double digits)
{
	if (f <= F_COUNT)
		v->many = false;
	if (v->c.count)
		function_apply(f, &v->c, digits);
	else if (f == F_COUNT && !p->scope->of_label)
		return one(p, v, 0);
	return 0;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool skip(struct parser *p, const char *what)
{
	text_skip_blanks(&p->rest);
	return text_skip(&p->rest, what);
}

static char next(struct parser *p)
{
	text_skip_blanks(&p->rest);
	return p->rest.at < p->rest.end ? *p->rest.at : '\0';
}

static struct text word(struct parser *p)
{
	const char *from = p->rest.at;

	while (p->rest.at < p->rest.end && (is_letter(*p->rest.at) || is_digit(*p->rest.at)))
		p->rest.at++;
	return (struct text){ from, p->rest.at };
}

static int number(struct parser *p, double *ret)
{
	const char *from = p->rest.at, *at = from;

	while (at < p->rest.end && (is_digit(*at) || *at == '.'))
		at++;
	if (at < p->rest.end && (*at == 'e' || *at == 'E')) {
		at++;
		if (at < p->rest.end && (*at == '+' || *at == '-'))
			at++;
		while (at < p->rest.end && is_digit(*at))
			at++;
	}
	if (!number_read((struct text){ from, at }, ret))
		return wrong(p, "not a number");
	p->rest.at = at;
	return 0;
}

static int sum(struct parser *p, struct value *ret);

static int arguments(struct parser *p, enum function f, struct value *ret)
{
	double digits = 1;
	int r = sum(p, ret);

	if (r == 0 && f == F_ROUND) {
		if (!skip(p, ","))
			return wrong(p, "round() wants a number of digits, as in round(x, 2)");
		(void)next(p);
		r = number(p, &digits);
		if (r == 0 && (digits < 0 || digits > 15 || digits != floor(digits)))
			return wrong(p, "the digits of round() are 0 to 15");
		digits = pow(10, digits);
	}
	if (r < 0)
		return r;
	return skip(p, ")") ? call(p, f, ret, digits) : wrong(p, "a ')' is missing");
}

static int name(struct parser *p, struct value *ret)
{
	struct parser before = *p;
	struct text t = word(p);
	const struct column *c;
	int row;

	if (skip(p, "(")) {
		for (int f = 0; f < FUNCTIONS; f++)
			if (text_is(t, function_names[f]))
				return arguments(p, f, ret);
		return wrong(&before, "no such function; there are sum mean geomean median stddev min max first last "
				      "count floor round");
	}
	row = names_find(p->scope->names, t, -1);
	if (row < 0)
		return wrong(&before, "nothing is found under that name");
	ret->many = p->scope->many[row];
	c = p->scope->columns ? &p->scope->columns[row] : NULL;
	if (c && p->scope->budget) {
		if (c->count > *p->scope->budget)
			return err_set(p->err, -EMSGSIZE, "too much arithmetic over too many values");
		*p->scope->budget -= c->count;
	}
	for (size_t i = 0; c && i < c->count; i++)
		if (one(p, ret, c->at[i]) < 0)
			return p->err->code;
	return 0;
}

static int factor(struct parser *p, struct value *ret)
{
	struct value zero = { 0 };
	double value;
	char c = next(p);
	int r;

	if (p->depth == DEPTH_MAX)
		return wrong(p, "nested too deeply");
	p->depth++;
	if (is_letter(c)) {
		r = name(p, ret);
	} else if (skip(p, "-")) {
		r = factor(p, ret);
		if (r == 0)
			r = one(p, &zero, -1);
		if (r == 0)
			r = combine(p, '*', ret, &zero);
		column_free(&zero.c);
	} else if (skip(p, "(")) {
		r = sum(p, ret);
		if (r == 0 && !skip(p, ")"))
			r = wrong(p, "a ')' is missing");
	} else if (is_digit(c) || c == '.') {
		r = number(p, &value);
		if (r == 0)
			r = one(p, ret, value);
	} else {
		r = wrong(p, "a number, a name or a '(' is missing");
	}
	p->depth--;
	return r;
}

/* One level of operators: operand { operator operand }. */
static int chain(struct parser *p, const char *operators, int (*operand)(struct parser *, struct value *),
		 struct value *ret)
{
	int r = operand(p, ret);

	while (r == 0) {
		struct value right = { 0 };
		char symbol = next(p);

		if (symbol == '\0' || !strchr(operators, symbol))
			break;
		p->rest.at++;
		r = operand(p, &right);
		if (r == 0)
			r = combine(p, symbol, ret, &right);
		column_free(&right.c);
	}
	return r;
}

static int product(struct parser *p, struct value *ret)
{
	return chain(p, "*/", factor, ret);
}

static int sum(struct parser *p, struct value *ret)
{
	return chain(p, "+-", product, ret);
}

static int whole(struct parser *p, struct value *ret)
{
	int r;

	if (text_len(p->whole) > LENGTH_MAX)
		return err_set(p->err, -EINVAL, "longer than %d characters", LENGTH_MAX);
	r = sum(p, ret);
	if (r == 0 && (next(p) != '\0' || p->rest.at < p->rest.end))
		r = wrong(p, "an operator is missing");
	return r;
}

int expression_check(const struct scope *scope, struct text expression, bool *many, struct err *err)
{
	struct scope names_only = { .names = scope->names, .many = scope->many };
	struct parser p = { &names_only, expression, expression, 0, err };
	struct value value = { 0 };
	int r = whole(&p, &value);

	column_free(&value.c);
	*many = value.many;
	return r;
}

int expression_values(const struct scope *scope, struct text expression, struct column *ret, struct err *err)
{
	struct parser p = { scope, expression, expression, 0, err };
	struct value value = { 0 };
	int r = whole(&p, &value);

	if (r < 0)
		column_free(&value.c);
	else
		*ret = value.c;
	return r;
}
