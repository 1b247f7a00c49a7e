/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules that find numbers: labels, lines, tables, csv, json. */
#include <errno.h>
#include <stdlib.h>

#include "analysis/results_read.h"

#define FIELDS_MAX 64

static int read_stream(const struct place *at, json_t *object, unsigned *ret)
{
	struct place here = place_inside(at, "stream");
	const char *stream;

	*ret = STREAM_OUT;
	if (place_text(at, object, "stream", false, &stream) < 0)
		return at->err->code;
	if (!stream || strcmp(stream, "stdout") == 0)
		return 0;
	*ret = strcmp(stream, "any") == 0 ? STREAM_OUT | STREAM_ERROR : STREAM_ERROR;
	return *ret == STREAM_ERROR && strcmp(stream, "stderr") != 0 ? place_wrong(&here, "is stdout, stderr or any")
								     : 0;
}

static int read_reject(struct results_rules *rules, const struct place *at, json_t *value, size_t i)
{
	if (!json_is_string(value))
		return place_wrong(at, "must be text, a pattern");
	return rules_pattern(at, json_string_value(value), &rules->reject[i]);
}

/* ---- labels ---- */

/* Does "{name}" stand in it? */
static bool has_word(const char *label, struct text name)
{
	for (const char *at = label; at && (at = strchr(at, '{')); at++)
		if (strncmp(at + 1, name.at, text_len(name)) == 0 && at[1 + text_len(name)] == '}')
			return true;
	return false;
}

/* A word or a number? A number that has a label is told apart by it. */
static int add_finding(struct results_rules *rules, const struct place *at, const char *label, const char *name,
		       int *ret)
{
	int word;

	if (!has_word(label, text_of(name))) {
		int r = rules_name(rules, at, name, true, ret);

		if (r == 0 && label)
			rules->labelled[*ret] = true;
		return r;
	}
	word = names_add(&rules->words, text_of(name));
	*ret = -1 - word;
	return word < 0 ? err_set(at->err, -ENOMEM, "no memory") : 0;
}

static int read_label(const struct place *at, json_t *object, char **ret)
{
	const char *label;

	if (place_text(at, object, "label", false, &label) < 0)
		return at->err->code;
	*ret = label ? text_copy(text_of(label)) : NULL;
	return label && !*ret ? err_set(at->err, -ENOMEM, "no memory") : 0;
}

/* Each word of it is found by something, and there is one. */
static int check_label(const struct results_rules *rules, const struct place *at, const char *label)
{
	struct place here = place_inside(at, "label");
	const char *at_word, *end;
	size_t words = 0;

	for (at_word = label; at_word && (at_word = strchr(at_word, '{')); at_word = end) {
		end = strchr(at_word, '}');
		if (!end)
			return place_wrong(&here, "a '}' is missing");
		if (names_find(&rules->words, (struct text){ at_word + 1, end }, -1) < 0)
			return place_wrong(&here, "has a word that neither `labels` nor this rule finds");
		words++;
	}
	if (!label)
		return 0;
	return words ? 0 : place_wrong(&here, "has no word, as in \"{test}\"");
}

/* ---- labels, lines ---- */

static int read_groups(struct results_rules *rules, const struct place *at, struct line_rule *line, bool all_words)
{
	struct place here = place_inside(at, "pattern");
	size_t groups = 0;

	while (pattern_group(line->pattern, groups))
		groups++;
	if (groups == 0)
		return place_wrong(&here, "has no named group (?<name>...)");
	line->names = calloc(groups, sizeof(*line->names));
	if (!line->names)
		return err_set(at->err, -ENOMEM, "no memory");
	for (size_t k = 0; k < groups; k++) {
		const char *name = pattern_group(line->pattern, k);

		if (all_words) {
			int word = names_add(&rules->words, text_of(name));

			line->names[k] = -1 - word;
			if (word < 0)
				return err_set(at->err, -ENOMEM, "no memory");
		} else if (add_finding(rules, &here, line->label, name, &line->names[k]) < 0) {
			return at->err->code;
		}
	}
	return check_label(rules, at, line->label);
}

static int read_label_rule(struct results_rules *rules, const struct place *at, json_t *value, size_t i)
{
	static const char *const keys[] = { "pattern", "stream", NULL };
	struct line_rule *line = &rules->labels[i];
	struct place here = place_inside(at, "pattern");
	const char *pattern;

	if (place_only(at, value, keys) < 0 || place_text(at, value, "pattern", true, &pattern) < 0 ||
	    read_stream(at, value, &line->streams) < 0 || rules_pattern(&here, pattern, &line->pattern) < 0)
		return at->err->code;
	return read_groups(rules, at, line, true);
}

static int read_line(struct results_rules *rules, const struct place *at, json_t *value, size_t i)
{
	static const char *const keys[] = { "pattern", "stream", "unfinished", "label", "suffixes", NULL };
	struct line_rule *line = &rules->lines[i];
	struct place here = place_inside(at, "pattern");
	json_t *unfinished = json_object_get(value, "unfinished"), *suffixes = json_object_get(value, "suffixes");
	const char *pattern;

	if (place_only(at, value, keys) < 0 || place_text(at, value, "pattern", true, &pattern) < 0 ||
	    read_stream(at, value, &line->streams) < 0 || read_label(at, value, &line->label) < 0 ||
	    rules_pattern(&here, pattern, &line->pattern) < 0)
		return at->err->code;
	here = place_inside(at, "unfinished");
	if (unfinished && !json_is_boolean(unfinished))
		return place_wrong(&here, "is true or false");
	line->unfinished = json_is_true(unfinished);
	here = place_inside(at, "suffixes");
	line->suffixes = (unsigned)json_integer_value(suffixes);
	if (suffixes && line->suffixes != 1000 && line->suffixes != 1024)
		return place_wrong(&here, "is 1000 or 1024, what a k stands for");
	return read_groups(rules, at, line, false);
}

/* ---- tables ---- */

static int read_columns(struct results_rules *rules, const struct place *at, json_t *columns, struct table_rule *table)
{
	const char *name;
	json_t *value;

	if (!json_is_object(columns) || json_object_size(columns) == 0)
		return place_wrong(at, "must be a map, name: place");
	table->columns = calloc(json_object_size(columns), sizeof(*table->columns));
	if (!table->columns)
		return err_set(at->err, -ENOMEM, "no memory");
	json_object_foreach(columns, name, value)
	{
		struct place here = place_inside(at, name);
		struct table_column *column = &table->columns[table->column_count++];
		json_int_t field = json_integer_value(value);

		if (!json_is_integer(value) || field < 1 || field > (json_int_t)table->fields)
			return place_wrong(&here, "must be a place, 1 to `fields`");
		column->field = (unsigned)field;
		if (add_finding(rules, &here, table->label, name, &column->name) < 0)
			return at->err->code;
	}
	return 0;
}

static int read_table(struct results_rules *rules, const struct place *at, json_t *value, size_t i)
{
	static const char *const keys[] = { "after", "fields", "columns", "stream", "label", NULL };
	struct table_rule *table = &rules->tables[i];
	json_t *fields = json_object_get(value, "fields");
	struct place here = place_inside(at, "after");
	const char *after;

	if (place_only(at, value, keys) < 0 || place_text(at, value, "after", true, &after) < 0 ||
	    read_stream(at, value, &table->streams) < 0 || read_label(at, value, &table->label) < 0 ||
	    rules_pattern(&here, after, &table->after) < 0)
		return at->err->code;
	here = place_inside(at, "fields");
	if (!json_is_integer(fields) || json_integer_value(fields) < 1 || json_integer_value(fields) > FIELDS_MAX)
		return place_wrong(&here, "must be a number, 1 to 64");
	table->fields = (unsigned)json_integer_value(fields);
	here = place_inside(at, "columns");
	if (read_columns(rules, &here, json_object_get(value, "columns"), table) < 0)
		return at->err->code;
	return check_label(rules, at, table->label);
}

/* ---- csv ---- */

static int read_titles(struct results_rules *rules, const struct place *at, json_t *columns, struct csv_rule *csv)
{
	const char *name;
	json_t *value;

	if (!json_is_object(columns) || json_object_size(columns) == 0)
		return place_wrong(at, "must be a map, name: title of its column");
	csv->columns = calloc(json_object_size(columns), sizeof(*csv->columns));
	if (!csv->columns)
		return err_set(at->err, -ENOMEM, "no memory");
	json_object_foreach(columns, name, value)
	{
		struct place here = place_inside(at, name);
		struct csv_column *column = &csv->columns[csv->column_count++];

		if (!json_is_string(value) || json_string_length(value) == 0)
			return place_wrong(&here, "must be text, the title of a column");
		column->title = text_copy(text_of(json_string_value(value)));
		if (!column->title)
			return err_set(at->err, -ENOMEM, "no memory");
		if (add_finding(rules, &here, csv->label, name, &column->name) < 0)
			return at->err->code;
	}
	return 0;
}

static int read_csv(struct results_rules *rules, const struct place *at, json_t *value, size_t i)
{
	static const char *const keys[] = { "after", "separator", "columns", "stream", "label", NULL };
	struct csv_rule *csv = &rules->csv[i];
	struct place here = place_inside(at, "after");
	const char *after, *separator;

	if (place_only(at, value, keys) < 0 || place_text(at, value, "after", true, &after) < 0 ||
	    place_text(at, value, "separator", false, &separator) < 0 || read_stream(at, value, &csv->streams) < 0 ||
	    read_label(at, value, &csv->label) < 0 || rules_pattern(&here, after, &csv->after) < 0)
		return at->err->code;
	here = place_inside(at, "separator");
	csv->separator = separator ? *separator : ',';
	if (separator && (strlen(separator) != 1 || *separator == '"'))
		return place_wrong(&here, "is one character");
	here = place_inside(at, "columns");
	if (read_titles(rules, &here, json_object_get(value, "columns"), csv) < 0)
		return at->err->code;
	return check_label(rules, at, csv->label);
}

/* ---- json ---- */

static int read_path(const struct place *at, json_t *value, struct json_path *ret)
{
	struct err why = { 0 };
	int r;

	if (!json_is_string(value))
		return place_wrong(at, "must be text, a path");
	r = json_path_compile(text_n(json_string_value(value), json_string_length(value)), ret, &why);
	return r < 0 ? err_set(at->err, r, "%s: %s", at->text, why.text) : 0;
}

static int read_paths(struct results_rules *rules, const struct place *at, json_t *values, struct json_rule *json)
{
	const char *name;
	json_t *value;

	if (!json_is_object(values) || json_object_size(values) == 0)
		return place_wrong(at, "must be a map, name: path");
	json->values = calloc(json_object_size(values), sizeof(*json->values));
	if (!json->values)
		return err_set(at->err, -ENOMEM, "no memory");
	json_object_foreach(values, name, value)
	{
		struct place here = place_inside(at, name);
		struct json_value *one = &json->values[json->value_count++];

		if (read_path(&here, value, &one->path) < 0 ||
		    add_finding(rules, &here, json->label, name, &one->name) < 0)
			return at->err->code;
	}
	return 0;
}

static int read_json(struct results_rules *rules, const struct place *at, json_t *value, size_t i)
{
	static const char *const keys[] = { "at", "values", "stream", "label", NULL };
	struct json_rule *json = &rules->json[i];
	json_t *path = json_object_get(value, "at");
	struct place here = place_inside(at, "at");

	if (place_only(at, value, keys) < 0 || read_stream(at, value, &json->streams) < 0 ||
	    read_label(at, value, &json->label) < 0 || (path && read_path(&here, path, &json->at) < 0))
		return at->err->code;
	here = place_inside(at, "values");
	if (read_paths(rules, &here, json_object_get(value, "values"), json) < 0)
		return at->err->code;
	return check_label(rules, at, json->label);
}

int rules_finders(struct results_rules *r, const struct place *at, json_t *root)
{
	if (rules_list(r, at, root, "reject", sizeof(*r->reject), &r->reject, &r->reject_count, read_reject) < 0 ||
	    rules_list(r, at, root, "labels", sizeof(*r->labels), &r->labels, &r->label_count, read_label_rule) < 0 ||
	    rules_list(r, at, root, "lines", sizeof(*r->lines), &r->lines, &r->line_count, read_line) < 0 ||
	    rules_list(r, at, root, "tables", sizeof(*r->tables), &r->tables, &r->table_count, read_table) < 0 ||
	    rules_list(r, at, root, "csv", sizeof(*r->csv), &r->csv, &r->csv_count, read_csv) < 0 ||
	    rules_list(r, at, root, "json", sizeof(*r->json), &r->json, &r->json_count, read_json) < 0)
		return at->err->code;
	return 0;
}

static void free_lines(struct line_rule *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		pattern_free(lines[i].pattern);
		free(lines[i].names);
		free(lines[i].label);
	}
	free(lines);
}

void rules_finders_free(struct results_rules *rules)
{
	for (size_t i = 0; i < rules->reject_count; i++)
		pattern_free(rules->reject[i]);
	free(rules->reject);
	free_lines(rules->labels, rules->label_count);
	free_lines(rules->lines, rules->line_count);
	for (size_t i = 0; i < rules->table_count; i++) {
		pattern_free(rules->tables[i].after);
		free(rules->tables[i].columns);
		free(rules->tables[i].label);
	}
	free(rules->tables);
	for (size_t i = 0; i < rules->csv_count; i++) {
		struct csv_rule *csv = &rules->csv[i];

		pattern_free(csv->after);
		for (size_t k = 0; k < csv->column_count; k++)
			free(csv->columns[k].title);
		free(csv->columns);
		free(csv->label);
	}
	free(rules->csv);
	for (size_t i = 0; i < rules->json_count; i++) {
		struct json_rule *json = &rules->json[i];

		json_path_free(&json->at);
		for (size_t k = 0; k < json->value_count; k++)
			json_path_free(&json->values[k].path);
		free(json->values);
		free(json->label);
	}
	free(rules->json);
}
