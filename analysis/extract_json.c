/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON documents among other output: each begins with '{' or '[' at the beginning of a line. One that is torn, or is
 * none, gives nothing. Bounds: 16 that are none, 64 MiB of a document, ten million values looked at.
 */
#include <errno.h>
#include <stdio.h>

#include <jansson.h>

#include "analysis/extract.h"
#include "analysis/number.h"

#define NONE_MAX     16
#define DOCUMENT_MAX ((size_t)64 << 20)
#define VISITED_MAX  10000000

struct item {
	struct extract *x;
	const struct json_rule *rule;
	int name, label;
};

static int one_more(struct extract *x)
{
	return ++x->visited > VISITED_MAX ? err_set(x->err, -EMSGSIZE, "too many values in JSON documents") : 0;
}

static int take_word(void *of, json_t *value)
{
	struct item *item = of;
	char number[32];
	struct text t;

	if (one_more(item->x) < 0)
		return item->x->err->code;
	if (json_is_integer(value)) {
		(void)snprintf(number, sizeof(number), "%lld", (long long)json_integer_value(value));
		t = text_of(number);
	} else if (json_is_string(value)) {
		t = text_n(json_string_value(value), json_string_length(value));
	} else {
		return 0;
	}
	return extract_word(item->x, item->name, t);
}

static int take_number(void *of, json_t *value)
{
	struct item *item = of;
	double number;

	if (one_more(item->x) < 0)
		return item->x->err->code;
	if (json_is_number(value))
		number = json_number_value(value);
	else if (!json_is_string(value) ||
		 !number_read(text_n(json_string_value(value), json_string_length(value)), &number))
		return 0;
	return extract_put(item->x, item->name, item->label, number);
}

static int take_item(void *of, json_t *value)
{
	struct item *item = of;
	const struct json_rule *rule = item->rule;
	int r = one_more(item->x);

	for (size_t i = 0; i < rule->value_count && r == 0; i++) {
		item->name = rule->values[i].name;
		if (item->name < 0)
			r = json_path_each(&rule->values[i].path, value, take_word, item);
	}
	if (r == 0)
		r = extract_label(item->x, rule->label, &item->label);
	for (size_t i = 0; i < rule->value_count && r == 0; i++) {
		item->name = rule->values[i].name;
		if (item->name >= 0)
			r = json_path_each(&rule->values[i].path, value, take_number, item);
	}
	return r;
}

static int take_document(struct extract *x, unsigned stream, json_t *root)
{
	int r = 0;

	for (size_t i = 0; i < x->rules->json_count && r == 0; i++) {
		struct item item = { .x = x, .rule = &x->rules->json[i] };

		if (item.rule->streams & stream)
			r = json_path_each(&item.rule->at, root, take_item, &item);
	}
	return r;
}

int extract_json(struct extract *x, unsigned stream, struct text whole)
{
	struct text rest = whole, line;
	unsigned none = 0;
	int r = 0;

	if (x->rules->json_count == 0)
		return 0;
	while (r == 0 && none < NONE_MAX && text_line(&rest, &line)) {
		size_t size = (size_t)(whole.end - line.at);
		json_error_t why;
		json_t *root;

		if (!text_starts(line, "{") && !text_starts(line, "["))
			continue;
		if (size > DOCUMENT_MAX)
			size = DOCUMENT_MAX;
		root = json_loadb(line.at, size, JSON_DISABLE_EOF_CHECK, &why);
		if (!root) {
			none++;
			continue;
		}
		rest.at = line.at + why.position;
		r = take_document(x, stream, root);
		json_decref(root);
	}
	return r;
}
