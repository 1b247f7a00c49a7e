/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/json_path.h"

#include <errno.h>
#include <stdlib.h>

#include <jansson.h>

static int wrong(struct text whole, struct text rest, struct err *err, const char *what)
{
	int shown = text_len(whole) < 80 ? (int)text_len(whole) : 80;

	return err_set(err, -EINVAL, "character %zu of \"%.*s\": %s", (size_t)(rest.at - whole.at) + 1, shown, whole.at,
		       what);
}

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("_-%/ ", c));
}

static int take_key(struct text *rest, struct json_step *ret, struct text whole, struct err *err)
{
	const char *from = rest->at;

	while (rest->at < rest->end && is_plain(*rest->at))
		rest->at++;
	if (rest->at == from)
		return wrong(whole, *rest, err, "a key is missing");
	ret->key = text_copy((struct text){ from, rest->at });
	return ret->key ? 0 : err_set(err, -ENOMEM, "no memory");
}

/* Behind the '['. */
static int take_bracket(struct text *rest, struct json_step *ret, struct text whole, struct err *err)
{
	int64_t index;

	if (text_skip(rest, "*]")) {
		ret->all = true;
		return 0;
	}
	if (text_skip(rest, "\"")) {
		const char *from = rest->at;

		while (rest->at < rest->end && *rest->at != '"')
			rest->at++;
		ret->key = text_copy((struct text){ from, rest->at });
		if (!ret->key)
			return err_set(err, -ENOMEM, "no memory");
		return text_skip(rest, "\"]") ? 0 : wrong(whole, *rest, err, "a '\"]' is missing");
	}
	if (!text_i64(rest, &index) || index < -1000000 || index > 1000000)
		return wrong(whole, *rest, err, "is no number of an element, no '*' and no key in quotes");
	ret->index = (long)index;
	return text_skip(rest, "]") ? 0 : wrong(whole, *rest, err, "a ']' is missing");
}

int json_path_compile(struct text text, struct json_path *ret, struct err *err)
{
	struct text rest = text;
	struct json_path path = { .steps = calloc(JSON_PATH_STEPS, sizeof(*path.steps)) };
	int r = path.steps ? 0 : err_set(err, -ENOMEM, "no memory");

	while (r == 0 && rest.at < rest.end) {
		struct json_step *step = &path.steps[path.count];

		if (path.count == JSON_PATH_STEPS) {
			r = wrong(text, rest, err, "more than 16 steps");
			break;
		}
		path.count++;
		if (text_skip(&rest, "["))
			r = take_bracket(&rest, step, text, err);
		else if (path.count == 1 || text_skip(&rest, "."))
			r = take_key(&rest, step, text, err);
		else
			r = wrong(text, rest, err, "a '.' or a '[' is missing");
	}
	if (r < 0)
		json_path_free(&path);
	else
		*ret = path;
	return r;
}

void json_path_free(struct json_path *path)
{
	for (size_t i = 0; i < path->count; i++)
		free(path->steps[i].key);
	free(path->steps);
	*path = (struct json_path){ 0 };
}

typedef int (*visitor)(void *of, json_t *value);

/* As deep as the path has steps. */
static int walk(const struct json_step *step, size_t left, json_t *at, visitor visit, void *of)
{
	size_t size = json_array_size(at);
	const char *key;
	json_t *value;
	int r = 0;

	if (!at)
		return 0;
	if (left == 0)
		return visit(of, at);
	if (step->key)
		return walk(step + 1, left - 1, json_object_get(at, step->key), visit, of);
	if (!step->all) {
		size_t index = step->index < 0 ? size - (size_t)-step->index : (size_t)step->index;

		return walk(step + 1, left - 1, json_array_get(at, index), visit, of);
	}
	for (size_t i = 0; i < size && r == 0; i++)
		r = walk(step + 1, left - 1, json_array_get(at, i), visit, of);
	json_object_foreach(at, key, value)
	{
		if (r == 0)
			r = walk(step + 1, left - 1, value, visit, of);
	}
	return r;
}

int json_path_each(const struct json_path *path, json_t *root, visitor visit, void *of)
{
	return walk(path->steps, path->count, root, visit, of);
}
