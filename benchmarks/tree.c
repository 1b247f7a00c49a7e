/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "benchmarks/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#define FILE_SIZE ((size_t)256 << 10)
#define NODES_MAX 20000
#define DEPTH_MAX 16

struct reader {
	yaml_parser_t parser;
	const char *name;
	size_t nodes;
	unsigned depth;
	struct err *err;
};

int tree_wrong(const char *name, const struct tree *node, struct err *err, const char *what)
{
	return err_set(err, -EINVAL, "%s:%u:%u: %s", name, node->line, node->column, what);
}

int tree_wrong_key(const char *name, const struct tree *node, struct err *err, const char *what)
{
	if (!node->key)
		return tree_wrong(name, node, err, what);
	return err_set(err, -EINVAL, "%s:%u:%u: %s: %s", name, node->key_line, node->key_column, node->key, what);
}

void tree_free(struct tree *node)
{
	for (size_t i = 0; i < node->count; i++)
		tree_free(&node->children[i]);
	free(node->children);
	free(node->key);
	free(node->text);
	*node = (struct tree){ 0 };
}

const struct tree *tree_get(const struct tree *map, const char *key)
{
	for (size_t i = 0; map->kind == TREE_MAP && i < map->count; i++)
		if (strcmp(map->children[i].key, key) == 0)
			return &map->children[i];
	return NULL;
}

static int no_memory(struct reader *r)
{
	return err_set(r->err, -ENOMEM, "%s: no memory", r->name);
}

static int wrong_at(struct reader *r, const yaml_mark_t *mark, const char *what)
{
	return err_set(r->err, -EINVAL, "%s:%zu:%zu: %s", r->name, mark->line + 1, mark->column + 1, what);
}

/* The next event, the caller's to delete. */
static int next(struct reader *r, yaml_event_t *event)
{
	const yaml_mark_t *mark = &r->parser.mark;

	if (yaml_parser_parse(&r->parser, event))
		return 0;
	if (r->parser.error == YAML_MEMORY_ERROR)
		return no_memory(r);
	if (r->parser.problem_mark.line || r->parser.problem_mark.column)
		mark = &r->parser.problem_mark;
	return wrong_at(r, mark, r->parser.problem ? r->parser.problem : "not YAML");
}

static int read_node(struct reader *r, yaml_event_t *event, struct tree *ret);

static struct tree *new_child(struct reader *r, struct tree *node)
{
	if (node->count == node->room) {
		size_t room = node->room ? 2 * node->room : 4;
		struct tree *grown = realloc(node->children, room * sizeof(*grown));

		if (!grown) {
			(void)no_memory(r);
			return NULL;
		}
		node->children = grown;
		node->room = room;
	}
	node->children[node->count] = (struct tree){ 0 };
	return &node->children[node->count++];
}

static int copy_scalar(struct reader *r, const yaml_event_t *event, char **ret)
{
	const char *value = (const char *)event->data.scalar.value;

	if (memchr(value, '\0', event->data.scalar.length))
		return wrong_at(r, &event->start_mark, "a NUL character");
	*ret = text_copy(text_n(value, event->data.scalar.length));
	return *ret ? 0 : no_memory(r);
}

static int read_key(struct reader *r, const yaml_event_t *event, const struct tree *map, struct tree *child)
{
	if (event->type != YAML_SCALAR_EVENT)
		return wrong_at(r, &event->start_mark, "a key must be one word");
	child->key_line = (unsigned)event->start_mark.line + 1;
	child->key_column = (unsigned)event->start_mark.column + 1;
	if (copy_scalar(r, event, &child->key) < 0)
		return r->err->code;
	for (size_t i = 0; i + 1 < map->count; i++)
		if (strcmp(map->children[i].key, child->key) == 0)
			return wrong_at(r, &event->start_mark, "this key stands here twice");
	return 0;
}

/* The children up to the end of the list or map whose beginning was read. */
static int read_children(struct reader *r, struct tree *node)
{
	yaml_event_type_t end = node->kind == TREE_MAP ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;

	for (;;) {
		struct tree *child;
		yaml_event_t event;
		int result = next(r, &event);

		if (result < 0)
			return result;
		if (event.type == end) {
			yaml_event_delete(&event);
			return 0;
		}
		child = new_child(r, node);
		result = child ? 0 : -ENOMEM;
		if (child && node->kind == TREE_MAP) {
			result = read_key(r, &event, node, child);
			if (!child->key)
				node->count--; /* a child of a map has a key */
			yaml_event_delete(&event);
			if (result < 0 || next(r, &event) < 0)
				return r->err->code;
		}
		if (result == 0)
			result = read_node(r, &event, child);
		yaml_event_delete(&event);
		if (result < 0)
			return result;
	}
}

static int read_collection(struct reader *r, struct tree *node)
{
	int result;

	if (r->depth == DEPTH_MAX)
		return tree_wrong(r->name, node, r->err, "nested too deeply");
	r->depth++;
	result = read_children(r, node);
	r->depth--;
	return result;
}

static bool has_anchor_or_tag(const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return event->data.scalar.anchor || event->data.scalar.tag;
	case YAML_SEQUENCE_START_EVENT:
		return event->data.sequence_start.anchor || event->data.sequence_start.tag;
	case YAML_MAPPING_START_EVENT:
		return event->data.mapping_start.anchor || event->data.mapping_start.tag;
	default:
		return true; /* an alias */
	}
}

/* `ret` may hold its key already. */
static int read_node(struct reader *r, yaml_event_t *event, struct tree *ret)
{
	ret->line = (unsigned)event->start_mark.line + 1;
	ret->column = (unsigned)event->start_mark.column + 1;
	if (++r->nodes > NODES_MAX)
		return tree_wrong(r->name, ret, r->err, "too long");
	if (has_anchor_or_tag(event))
		return tree_wrong(r->name, ret, r->err, "anchors, aliases and tags are not understood here");
	if (event->type == YAML_SCALAR_EVENT) {
		ret->kind = TREE_SCALAR;
		ret->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
		return copy_scalar(r, event, &ret->text);
	}
	ret->kind = event->type == YAML_MAPPING_START_EVENT ? TREE_MAP : TREE_LIST;
	return read_collection(r, ret);
}

/* stream start, document start, the node, document end, stream end */
static int read_document(struct reader *r, struct tree *ret)
{
	static const yaml_event_type_t before[] = { YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT };
	static const yaml_event_type_t after[] = { YAML_DOCUMENT_END_EVENT, YAML_STREAM_END_EVENT };
	yaml_event_t event;
	int result = 0;

	for (int i = 0; i < 2 && result == 0; i++) {
		if (next(r, &event) < 0)
			return r->err->code;
		if (event.type != before[i])
			result = wrong_at(r, &event.start_mark, "holds nothing");
		yaml_event_delete(&event);
	}
	if (result < 0 || next(r, &event) < 0)
		return r->err->code;
	result = read_node(r, &event, ret);
	yaml_event_delete(&event);
	for (int i = 0; i < 2 && result == 0; i++) {
		if (next(r, &event) < 0)
			return r->err->code;
		if (event.type != after[i])
			result = wrong_at(r, &event.start_mark, "a second document");
		yaml_event_delete(&event);
	}
	return result;
}

int tree_read(const char *name, struct text text, struct tree *ret, struct err *err)
{
	struct reader r = { .name = name, .err = err };
	struct tree root = { 0 };
	int result;

	if (text_len(text) > FILE_SIZE)
		return err_set(err, -EINVAL, "%s: larger than 256 KiB", name);
	if (!yaml_parser_initialize(&r.parser))
		return no_memory(&r);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text.at, text_len(text));
	result = read_document(&r, &root);
	yaml_parser_delete(&r.parser);
	if (result < 0)
		tree_free(&root);
	else
		*ret = root;
	return result;
}
