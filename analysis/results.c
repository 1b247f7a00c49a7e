/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "analysis/results_read.h"

#define RULES_SIZE ((size_t)256 << 10)

static int read_value(struct results_rules *rules, const struct place *at, json_t *value, struct value_rule *rule,
		      bool *many)
{
	const struct scope scope = { .names = &rules->names, .many = rules->many };
	struct place here = place_inside(at, "value");
	struct err why = { 0 };
	const char *name, *expression;
	int r;

	if (place_text(at, value, "name", true, &name) < 0 || place_text(at, value, "value", true, &expression) < 0)
		return at->err->code;
	rule->name = text_copy(text_of(name));
	rule->value = text_copy(text_of(expression));
	rule->scope_name = -1;
	if (!rule->name || !rule->value)
		return err_set(at->err, -ENOMEM, "no memory");
	r = expression_check(&scope, text_of(expression), many, &why);
	return r < 0 ? err_set(at->err, r, "%s: %s", here.text, why.text) : 0;
}

static int read_let(struct results_rules *rules, const struct place *at, json_t *value, size_t i)
{
	static const char *const keys[] = { "name", "value", NULL };
	struct value_rule *let = &rules->lets[i];
	struct place here = place_inside(at, "name");
	bool many;

	if (place_only(at, value, keys) < 0 || read_value(rules, at, value, let, &many) < 0)
		return at->err->code;
	if (names_find(&rules->names, text_of(let->name), -1) >= 0)
		return place_wrong(&here, "that name is taken");
	return rules_name(rules, &here, let->name, many, &let->scope_name);
}

static int read_result(struct results_rules *rules, const struct place *at, json_t *value, size_t i)
{
	static const char *const keys[] = { "name", "value", "unit", "direction", "kpi", NULL };
	struct value_rule *result = &rules->results[i];
	json_t *direction = json_object_get(value, "direction"), *kpi = json_object_get(value, "kpi");
	struct place here = place_inside(at, "value");
	const char *unit;
	bool many;

	if (place_only(at, value, keys) < 0 || read_value(rules, at, value, result, &many) < 0 ||
	    place_text(at, value, "unit", false, &unit) < 0)
		return at->err->code;
	if (many)
		return place_wrong(&here, "may have many values: say mean(), sum(), min(), max() or last() of it");
	here = place_inside(at, "name");
	for (const char *c = result->name; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			return place_wrong(&here, "holds a blank");
	for (size_t k = 0; k < i; k++)
		if (strcmp(rules->results[k].name, result->name) == 0)
			return place_wrong(&here, "there are two of that name");
	here = place_inside(at, "direction");
	result->direction = (int)json_integer_value(direction);
	if (direction && (!json_is_integer(direction) || result->direction < -1 || result->direction > 1))
		return place_wrong(&here, "is 1 (more is better), -1 (less is) or 0");
	here = place_inside(at, "kpi");
	result->kpi = json_is_true(kpi);
	result->labelled = strstr(result->name, "{}") != NULL;
	if (result->kpi && result->labelled)
		return place_wrong(&here, "is for a result whose name is known before");
	return kpi && !json_is_boolean(kpi) ? place_wrong(&here, "is true or false") : 0;
}

static int read_rules(struct results_rules *r, const struct place *at, json_t *root)
{
	static const char *const keys[] = {
		"reject", "labels", "lines", "tables", "csv", "json", "let", "results", NULL
	};
	struct place here = place_inside(at, "results");

	if (place_only(at, root, keys) < 0 || rules_finders(r, at, root) < 0 ||
	    rules_list(r, at, root, "let", sizeof(*r->lets), &r->lets, &r->let_count, read_let) < 0 ||
	    rules_list(r, at, root, "results", sizeof(*r->results), &r->results, &r->result_count, read_result) < 0)
		return at->err->code;
	return r->result_count ? 0 : place_wrong(&here, "is missing");
}

int results_compile(struct text json, struct results_rules **ret, struct err *err)
{
	struct place top = { .err = err };
	struct results_rules *rules;
	json_error_t why;
	json_t *root;
	int r;

	if (text_len(json) > RULES_SIZE)
		return err_set(err, -EINVAL, "rules of more than 256 KiB");
	root = json_loadb(json.at, text_len(json), JSON_REJECT_DUPLICATES, &why);
	if (!root)
		return err_set(err, -EINVAL, "not JSON: line %d, column %d: %s", why.line, why.column, why.text);
	rules = calloc(1, sizeof(*rules));
	r = rules ? read_rules(rules, &top, root) : err_set(err, -ENOMEM, "no memory");
	json_decref(root);
	if (r < 0)
		results_free(rules);
	else
		*ret = rules;
	return r;
}

static void free_values(struct value_rule *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(values[i].name);
		free(values[i].value);
	}
	free(values);
}

void results_free(struct results_rules *rules)
{
	if (!rules)
		return;
	rules_finders_free(rules);
	free_values(rules->lets, rules->let_count);
	free_values(rules->results, rules->result_count);
	names_free(&rules->names);
	names_free(&rules->words);
	free(rules->many);
	free(rules->labelled);
	free(rules);
}

/* "cpu.ops" is "{}.ops". */
static bool is_result(const struct value_rule *result, struct text key)
{
	struct text rest = text_of(result->name), before;
	const char *hole = strstr(result->name, "{}");

	if (!hole)
		return text_same(rest, key);
	before = (struct text){ rest.at, hole };
	rest.at = hole + 2;
	return text_len(key) > text_len(before) + text_len(rest) && memcmp(key.at, before.at, text_len(before)) == 0 &&
	       text_ends(key, rest.at);
}

int results_direction(const struct results_rules *rules, const char *key)
{
	static const struct {
		const char *pattern;
		int direction;
	} known[] = {
		{ "*.throughput", 1 },	       { "aim7.jobs-per-min", 1 }, { "fsmark.files_per_sec", 1 },
		{ "fsmark.app_overhead", -1 }, { "blogbench.*_score", 1 },
	};
	const char *name = strchr(key, '.');

	for (size_t i = 0; rules && name && i < rules->result_count; i++)
		if (rules->results[i].direction && is_result(&rules->results[i], text_of(name + 1)))
			return rules->results[i].direction;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (text_glob(text_of(key), known[i].pattern))
			return known[i].direction;
	return 0;
}

int results_kpis(const struct results_rules *rules, const char *testcase, struct names *ret)
{
	struct buf key = { 0 };
	int r = 0;

	for (size_t i = 0; i < rules->result_count && r >= 0; i++) {
		if (!rules->results[i].kpi)
			continue;
		buf_clear(&key);
		r = buf_printf(&key, "%s.%s", testcase, rules->results[i].name);
		if (r >= 0)
			r = names_add(ret, buf_text(&key));
	}
	buf_free(&key);
	return r < 0 ? -ENOMEM : 0;
}
