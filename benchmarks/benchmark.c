/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "benchmarks/benchmark.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "analysis/results.h"
#include "base/take.h"
#include "benchmarks/tree.h"

/* What is handed to analysis/results.h as it stands. */
static const char *const rule_keys[] = { "reject", "labels", "lines", "tables", "csv", "json", "let",
					     "results", NULL };
static const char *const own_keys[] = { "name", "description", "programs", "axes", NULL };

struct source {
	const char *path;
	struct tree root;
	struct err *err;
};

static bool is_among(const char *const *keys, const char *key)
{
	while (*keys && strcmp(*keys, key) != 0)
		keys++;
	return *keys != NULL;
}

static int wrong(const struct source *s, const struct tree *node, const char *what)
{
	return tree_wrong_key(s->path, node, s->err, what);
}

static int no_memory(const struct source *s)
{
	return err_set(s->err, -ENOMEM, "%s: no memory", s->path);
}

static int read_word(const struct source *s, const struct tree *node, char **ret)
{
	if (node->kind != TREE_SCALAR || !*node->text)
		return wrong(s, node, "must be text");
	*ret = text_copy(text_of(node->text));
	return *ret ? 0 : no_memory(s);
}

/* It becomes part of keys and of paths. */
static bool is_benchmark_name(const char *name)
{
	size_t n = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");

	return n > 0 && name[n] == '\0' && *name != '-';
}

static int read_programs(const struct source *s, const struct tree *node, struct benchmark *ret)
{
	if (node->kind != TREE_LIST || node->count == 0)
		return wrong(s, node, "must be a list of names of programs");
	ret->programs = calloc(node->count + 1, sizeof(*ret->programs));
	if (!ret->programs)
		return no_memory(s);
	for (size_t i = 0; i < node->count; i++)
		if (read_word(s, &node->children[i], &ret->programs[i]) < 0)
			return s->err->code;
	return 0;
}

/* ---- axes: kept as words, "-g --groups", "-T=threads =process", "#-d" (axes.c reads them) ---- */

static bool is_option(const char *text)
{
	return text[0] == '-' && text[1] != '\0' && !strpbrk(text, " \t=");
}

static int add_word(const struct source *s, struct buf *words, const char *a, const char *b, const char *c)
{
	if (words->len)
		(void)buf_putc(words, ' ');
	return buf_printf(words, "%s%s%s", a, b, c) < 0 ? no_memory(s) : 0;
}

static int read_option_list(const struct source *s, const struct tree *node, struct buf *words)
{
	for (size_t i = 0; i < node->count; i++) {
		const struct tree *option = &node->children[i];

		if (option->kind != TREE_SCALAR || !is_option(option->text))
			return wrong(s, option, "must be an option, as -g or --groups");
		if (add_word(s, words, option->text, "", "") < 0)
			return s->err->code;
	}
	return node->count ? 0 : wrong(s, node, "names no option");
}

static int read_option_map(const struct source *s, const struct tree *node, struct buf *words)
{
	for (size_t i = 0; i < node->count; i++) {
		const struct tree *row = &node->children[i];
		bool count = strcmp(row->key, "count") == 0, otherwise = strcmp(row->key, "otherwise") == 0;
		int r;

		if (row->kind != TREE_SCALAR || !*row->text || strpbrk(row->text, " \t"))
			return wrong(s, row, "must be one word");
		if (count && !is_option(row->text))
			return wrong(s, row, "must be the option that is counted");
		if (!count && !otherwise && !is_option(row->key))
			return wrong(s, row, "is no option, and neither 'count' nor 'otherwise'");
		if (count)
			r = add_word(s, words, "#", row->text, "");
		else
			r = add_word(s, words, otherwise ? "" : row->key, "=", row->text);
		if (r < 0)
			return r;
	}
	return node->count ? 0 : wrong(s, node, "names no option");
}

static int read_axes(const struct source *s, const struct tree *node, struct benchmark *ret)
{
	if (node->kind != TREE_MAP)
		return wrong(s, node, "must be a map, parameter: options");
	for (size_t i = 0; i < node->count; i++) {
		const struct tree *axis = &node->children[i];
		cleanup_buf struct buf words = { 0 };
		int r;

		if (!is_benchmark_name(axis->key))
			return wrong(s, axis, "a parameter's name is made of letters, digits, '_' and '-'");
		if (axis->kind == TREE_LIST)
			r = read_option_list(s, axis, &words);
		else if (axis->kind == TREE_MAP)
			r = read_option_map(s, axis, &words);
		else
			r = wrong(s, axis, "must be a list of options, or a map of options and their meaning");
		if (r < 0)
			return r;
		if (pairs_set(&ret->axes, axis->key, words.data) < 0)
			return no_memory(s);
	}
	return 0;
}

/* ---- rules of results ---- */

static json_t *to_json(const struct tree *node);

static json_t *scalar_to_json(const struct tree *node)
{
	struct text rest = text_of(node->text);
	int64_t number;

	if (!node->quoted && text_i64(&rest, &number) && rest.at == rest.end && *node->text != ' ')
		return json_integer(number);
	if (!node->quoted && (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0))
		return json_boolean(*node->text == 't');
	return json_string(node->text); /* NULL where it is not UTF-8, which libyaml has refused */
}

static json_t *to_json(const struct tree *node)
{
	json_t *ret = node->kind == TREE_SCALAR ? scalar_to_json(node)
		      : node->kind == TREE_LIST ? json_array()
						: json_object();

	for (size_t i = 0; ret && i < node->count; i++) {
		const struct tree *child = &node->children[i];
		json_t *value = to_json(child);

		/* the list or map takes the value, also when it fails */
		if ((node->kind == TREE_LIST ? json_array_append_new(ret, value)
					     : json_object_set_new(ret, child->key, value)) < 0) {
			json_decref(ret);
			return NULL;
		}
	}
	return ret;
}

/* Where in the file is "lines/0/pattern"? As near as there is something. */
static const struct tree *node_of(const struct source *s, const char *place)
{
	struct text rest = text_of(place), part;
	const struct tree *node = &s->root;

	rest.end = strstr(place, ": ") ? strstr(place, ": ") : rest.end;
	while (rest.at < rest.end) {
		const struct tree *inner = NULL;
		uint64_t nth;

		part = rest;
		if (!text_cut(&rest, "/", &part))
			rest.at = rest.end;
		for (size_t i = 0; node->kind == TREE_MAP && i < node->count; i++)
			if (text_is(part, node->children[i].key))
				inner = &node->children[i];
		if (node->kind == TREE_LIST && text_u64(&part, &nth) && nth < node->count)
			inner = &node->children[nth];
		if (!inner)
			break;
		node = inner;
	}
	return node;
}

static int check_rules(const struct source *s, const char *json)
{
	struct results_rules *rules = NULL;
	struct err why = { 0 };
	int r = results_compile(text_of(json), &rules, &why);

	results_free(rules);
	if (r == -EINVAL)
		return tree_wrong(s->path, node_of(s, why.text), s->err, why.text);
	return r < 0 ? err_set(s->err, r, "%s: %s", s->path, why.text) : 0;
}

/* A benchmark without these keys is only timed. */
static int read_rules(const struct source *s, struct benchmark *ret)
{
	json_t *rules = json_object();
	cleanup_free char *json = NULL;

	for (const char *const *key = rule_keys; *key; key++) {
		const struct tree *node = tree_get(&s->root, *key);

		if (node && json_object_set_new(rules, *key, to_json(node)) < 0) {
			json_decref(rules);
			return no_memory(s);
		}
	}
	if (json_object_size(rules) == 0) {
		json_decref(rules);
		return 0;
	}
	json = json_dumps(rules, JSON_COMPACT);
	json_decref(rules);
	if (!json)
		return no_memory(s);
	if (check_rules(s, json) < 0)
		return s->err->code;
	ret->results_json = take(&json);
	return 0;
}

static int read_benchmark(const struct source *s, struct benchmark *ret)
{
	const struct tree *node;

	if (s->root.kind != TREE_MAP)
		return tree_wrong(s->path, &s->root, s->err, "must be a map");
	for (size_t i = 0; i < s->root.count; i++)
		if (!is_among(own_keys, s->root.children[i].key) && !is_among(rule_keys, s->root.children[i].key))
			return wrong(s, &s->root.children[i], "no such key here");
	node = tree_get(&s->root, "name");
	if (!node)
		return tree_wrong(s->path, &s->root, s->err, "'name' is missing");
	if (read_word(s, node, &ret->name) < 0)
		return s->err->code;
	if (!is_benchmark_name(ret->name))
		return wrong(s, node, "is made of letters, digits, '_' and '-'");
	node = tree_get(&s->root, "description");
	if (!node)
		return tree_wrong(s->path, &s->root, s->err, "'description' is missing");
	if (read_word(s, node, &ret->description) < 0)
		return s->err->code;
	node = tree_get(&s->root, "programs");
	if (!node)
		return tree_wrong(s->path, &s->root, s->err, "'programs' is missing");
	if (read_programs(s, node, ret) < 0)
		return s->err->code;
	node = tree_get(&s->root, "axes");
	if (node && read_axes(s, node, ret) < 0)
		return s->err->code;
	return read_rules(s, ret);
}

static int read_whole(const char *path, struct buf *ret, struct err *err)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	char part[8192];
	ssize_t n;

	if (fd < 0)
		return err_set(err, -errno, "%s: %s", path, err_name(errno));
	ret->ceiling = (size_t)1 << 20;
	while ((n = read(fd, part, sizeof(part))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, -errno, "%s: %s", path, err_name(errno));
		if (buf_add(ret, part, (size_t)n) < 0)
			return err_set(err, ret->failed, "%s: %s", path, err_name(ret->failed));
	}
	return 0;
}

int benchmark_parse(const char *path, struct text text, struct benchmark *ret, struct err *err)
{
	struct source s = { .path = path, .err = err };
	struct benchmark b = { .path = text_copy(text_of(path)) };
	int r = b.path ? tree_read(path, text, &s.root, err) : no_memory(&s);

	if (r == 0)
		r = read_benchmark(&s, &b);
	tree_free(&s.root);
	if (r < 0)
		benchmark_free(&b);
	else
		*ret = b;
	return r;
}

int benchmark_read(const char *path, struct benchmark *ret, struct err *err)
{
	cleanup_buf struct buf text = { 0 };
	int r = read_whole(path, &text, err);

	return r < 0 ? r : benchmark_parse(path, buf_text(&text), ret, err);
}

int benchmark_read_naming(const char *path, const char *program, struct benchmark *ret, struct err *err)
{
	cleanup_buf struct buf text = { 0 };
	int r = read_whole(path, &text, err);

	if (r == 0 && !memmem(text.data, text.len, program, strlen(program)))
		r = err_set(err, -ENOENT, "%s: does not name %s", path, program);
	return r < 0 ? r : benchmark_parse(path, buf_text(&text), ret, err);
}

void benchmark_free(struct benchmark *b)
{
	for (char **p = b->programs; p && *p; p++)
		free(*p);
	free(b->programs);
	free(b->name);
	free(b->description);
	free(b->path);
	free(b->results_json);
	pairs_free(&b->axes);
	*b = (struct benchmark){ 0 };
}
