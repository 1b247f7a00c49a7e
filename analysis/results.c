/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "analysis/results_rules.h"

#define RULES_SIZE ((size_t)256 << 10)
#define LIST_MAX   256
#define FIELDS_MAX 64

/* Where in the rules: "results/2/value". */
struct place {
	char text[160];
	struct err *err;
};

static int wrong(const struct place *at, const char *what)
{
	return err_set(at->err, -EINVAL, "%s: %s", at->text, what);
}

static struct place inside(const struct place *at, const char *key)
{
	struct place ret = { .err = at->err };
	int n = snprintf(ret.text, sizeof(ret.text), "%s%s%s", at->text, *at->text ? "/" : "", key);

	if (n < 0 || n >= (int)sizeof(ret.text))
		ret = *at; /* less precise, not wrong */
	return ret;
}

static struct place nth(const struct place *at, size_t i)
{
	char key[24];

	(void)snprintf(key, sizeof(key), "%zu", i);
	return inside(at, key);
}

/* An object holds these keys and no others; `keys` ends at NULL. */
static int only(const struct place *at, json_t *object, const char *const *keys)
{
	const char *key;
	json_t *value;

	if (!json_is_object(object))
		return wrong(at, "must be a map");
	json_object_foreach(object, key, value)
	{
		struct place here = inside(at, key);
		const char *const *k = keys;

		while (*k && strcmp(*k, key) != 0)
			k++;
		if (!*k)
			return wrong(&here, "no such key here");
	}
	return 0;
}

static int get_text(const struct place *at, json_t *object, const char *key, bool required, const char **ret)
{
	json_t *value = json_object_get(object, key);
	struct place here = inside(at, key);

	*ret = NULL;
	if (!value)
		return required ? wrong(&here, "is missing") : 0;
	*ret = json_string_value(value);
	if (!*ret || json_string_length(value) != strlen(*ret))
		return wrong(&here, "must be text (in quotes where it looks like a number)");
	return 0;
}

/* A list under `key`, each element given to `read`. */
typedef int (*read_one)(struct results_rules *rules, const struct place *at, json_t *value, size_t i);

static int read_list(struct results_rules *rules, const struct place *at, json_t *object, const char *key, size_t size,
		     void *array, size_t *count, read_one read)
{
	json_t *list = json_object_get(object, key);
	struct place here = inside(at, key);
	void **memory = array;

	if (!list)
		return 0;
	if (!json_is_array(list) || json_array_size(list) == 0 || json_array_size(list) > LIST_MAX)
		return wrong(&here, "must be a list of 1 to 256 entries");
	*memory = calloc(json_array_size(list), size);
	if (!*memory)
		return err_set(at->err, -ENOMEM, "no memory");
	for (size_t i = 0; i < json_array_size(list); i++) {
		struct place entry = nth(&here, i);
		int r;

		*count = i + 1;
		r = read(rules, &entry, json_array_get(list, i), i);
		if (r < 0)
			return r;
	}
	return 0;
}

static int read_pattern(const struct place *at, const char *text, struct pattern **ret)
{
	struct err why = { 0 };
	int r = pattern_compile(text_of(text), ret, &why);

	return r < 0 ? err_set(at->err, r, "%s: %s", at->text, why.text) : 0;
}

static bool is_name(const char *s)
{
	size_t n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");

	return n > 0 && n <= 64 && s[n] == '\0' && (*s < '0' || *s > '9');
}

static int add_name(struct results_rules *rules, const struct place *at, const char *name, bool many, int *ret)
{
	size_t known = rules->names.count;

	if (!is_name(name))
		return wrong(at, "a name is made of letters, digits and '_'");
	*ret = names_add(&rules->names, text_of(name));
	if (*ret < 0)
		return err_set(at->err, -ENOMEM, "no memory");
	if ((size_t)*ret >= rules->many_room) {
		bool *grown = realloc(rules->many, 2 * rules->names.room * sizeof(*grown));

		if (!grown)
			return err_set(at->err, -ENOMEM, "no memory");
		rules->many = grown;
		rules->many_room = 2 * rules->names.room;
	}
	if ((size_t)*ret >= known)
		rules->many[*ret] = many;
	else if (!many || !rules->many[*ret])
		return wrong(at, "that name is taken");
	return 0;
}

static int read_stream(const struct place *at, json_t *object, unsigned *ret)
{
	struct place here = inside(at, "stream");
	const char *stream;

	*ret = STREAM_OUT;
	if (get_text(at, object, "stream", false, &stream) < 0)
		return at->err->code;
	if (!stream || strcmp(stream, "stdout") == 0)
		return 0;
	*ret = strcmp(stream, "any") == 0 ? STREAM_OUT | STREAM_ERROR : STREAM_ERROR;
	return *ret == STREAM_ERROR && strcmp(stream, "stderr") != 0 ? wrong(&here, "is stdout, stderr or any") : 0;
}

static int read_reject(struct results_rules *rules, const struct place *at, json_t *value, size_t i)
{
	if (!json_is_string(value))
		return wrong(at, "must be text, a pattern");
	return read_pattern(at, json_string_value(value), &rules->reject[i]);
}

static int read_line(struct results_rules *rules, const struct place *at, json_t *value, size_t i)
{
	static const char *const keys[] = { "pattern", "stream", "unfinished", NULL };
	struct line_rule *line = &rules->lines[i];
	struct place here = inside(at, "pattern");
	json_t *unfinished = json_object_get(value, "unfinished");
	const char *pattern;
	size_t groups = 0;

	if (only(at, value, keys) < 0 || get_text(at, value, "pattern", true, &pattern) < 0 ||
	    read_stream(at, value, &line->streams) < 0 || read_pattern(&here, pattern, &line->pattern) < 0)
		return at->err->code;
	here = inside(at, "unfinished");
	if (unfinished && !json_is_boolean(unfinished))
		return wrong(&here, "is true or false");
	line->unfinished = json_is_true(unfinished);
	while (pattern_group(line->pattern, groups))
		groups++;
	here = inside(at, "pattern");
	if (groups == 0)
		return wrong(&here, "has no named group (?<name>...)");
	line->names = calloc(groups, sizeof(*line->names));
	if (!line->names)
		return err_set(at->err, -ENOMEM, "no memory");
	for (size_t k = 0; k < groups; k++)
		if (add_name(rules, &here, pattern_group(line->pattern, k), true, &line->names[k]) < 0)
			return at->err->code;
	return 0;
}

static int read_columns(struct results_rules *rules, const struct place *at, json_t *columns, struct table_rule *table)
{
	const char *name;
	json_t *value;

	if (!json_is_object(columns) || json_object_size(columns) == 0)
		return wrong(at, "must be a map, name: place");
	table->columns = calloc(json_object_size(columns), sizeof(*table->columns));
	if (!table->columns)
		return err_set(at->err, -ENOMEM, "no memory");
	json_object_foreach(columns, name, value)
	{
		struct place here = inside(at, name);
		json_int_t field = json_integer_value(value);

		if (!json_is_integer(value) || field < 1 || field > (json_int_t)table->fields)
			return wrong(&here, "must be a place, 1 to `fields`");
		table->columns[table->column_count].field = (unsigned)field;
		if (add_name(rules, &here, name, true, &table->columns[table->column_count++].name) < 0)
			return at->err->code;
	}
	return 0;
}

static int read_table(struct results_rules *rules, const struct place *at, json_t *value, size_t i)
{
	static const char *const keys[] = { "after", "fields", "columns", "stream", NULL };
	struct table_rule *table = &rules->tables[i];
	json_t *fields = json_object_get(value, "fields");
	struct place here = inside(at, "after");
	const char *after;

	if (only(at, value, keys) < 0 || get_text(at, value, "after", true, &after) < 0 ||
	    read_stream(at, value, &table->streams) < 0 || read_pattern(&here, after, &table->after) < 0)
		return at->err->code;
	here = inside(at, "fields");
	if (!json_is_integer(fields) || json_integer_value(fields) < 1 || json_integer_value(fields) > FIELDS_MAX)
		return wrong(&here, "must be a number, 1 to 64");
	table->fields = (unsigned)json_integer_value(fields);
	here = inside(at, "columns");
	return read_columns(rules, &here, json_object_get(value, "columns"), table);
}

static int read_value(struct results_rules *rules, const struct place *at, json_t *value, struct value_rule *rule,
		      bool *many)
{
	const struct scope scope = { &rules->names, rules->many, NULL };
	struct place here = inside(at, "value");
	struct err why = { 0 };
	const char *name, *expression;
	int r;

	if (get_text(at, value, "name", true, &name) < 0 || get_text(at, value, "value", true, &expression) < 0)
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
	struct place here = inside(at, "name");
	bool many;

	if (only(at, value, keys) < 0 || read_value(rules, at, value, let, &many) < 0)
		return at->err->code;
	if (names_find(&rules->names, text_of(let->name), -1) >= 0)
		return wrong(&here, "that name is taken");
	return add_name(rules, &here, let->name, many, &let->scope_name);
}

static int read_result(struct results_rules *rules, const struct place *at, json_t *value, size_t i)
{
	static const char *const keys[] = { "name", "value", "unit", "direction", "kpi", NULL };
	struct value_rule *result = &rules->results[i];
	json_t *direction = json_object_get(value, "direction"), *kpi = json_object_get(value, "kpi");
	struct place here = inside(at, "value");
	const char *unit;
	bool many;

	if (only(at, value, keys) < 0 || read_value(rules, at, value, result, &many) < 0 ||
	    get_text(at, value, "unit", false, &unit) < 0)
		return at->err->code;
	if (many)
		return wrong(&here, "may have many values: say mean(), sum(), min(), max() or last() of it");
	here = inside(at, "name");
	for (const char *c = result->name; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			return wrong(&here, "holds a blank");
	for (size_t k = 0; k < i; k++)
		if (strcmp(rules->results[k].name, result->name) == 0)
			return wrong(&here, "there are two of that name");
	here = inside(at, "direction");
	result->direction = (int)json_integer_value(direction);
	if (direction && (!json_is_integer(direction) || result->direction < -1 || result->direction > 1))
		return wrong(&here, "is 1 (more is better), -1 (less is) or 0");
	here = inside(at, "kpi");
	result->kpi = json_is_true(kpi);
	return kpi && !json_is_boolean(kpi) ? wrong(&here, "is true or false") : 0;
}

static int read_rules(struct results_rules *r, const struct place *at, json_t *root)
{
	static const char *const keys[] = { "reject", "lines", "tables", "let", "results", NULL };
	struct place here = inside(at, "results");

	if (only(at, root, keys) < 0 ||
	    read_list(r, at, root, "reject", sizeof(*r->reject), &r->reject, &r->reject_count, read_reject) < 0 ||
	    read_list(r, at, root, "lines", sizeof(*r->lines), &r->lines, &r->line_count, read_line) < 0 ||
	    read_list(r, at, root, "tables", sizeof(*r->tables), &r->tables, &r->table_count, read_table) < 0 ||
	    read_list(r, at, root, "let", sizeof(*r->lets), &r->lets, &r->let_count, read_let) < 0 ||
	    read_list(r, at, root, "results", sizeof(*r->results), &r->results, &r->result_count, read_result) < 0)
		return at->err->code;
	return r->result_count ? 0 : wrong(&here, "is missing");
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
	for (size_t i = 0; i < rules->reject_count; i++)
		pattern_free(rules->reject[i]);
	for (size_t i = 0; i < rules->line_count; i++) {
		pattern_free(rules->lines[i].pattern);
		free(rules->lines[i].names);
	}
	for (size_t i = 0; i < rules->table_count; i++) {
		pattern_free(rules->tables[i].after);
		free(rules->tables[i].columns);
	}
	free(rules->reject);
	free(rules->lines);
	free(rules->tables);
	free_values(rules->lets, rules->let_count);
	free_values(rules->results, rules->result_count);
	names_free(&rules->names);
	free(rules->many);
	free(rules);
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
		if (strcmp(rules->results[i].name, name + 1) == 0 && rules->results[i].direction)
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
