/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/results_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define LIST_MAX 256

int place_wrong(const struct place *at, const char *what)
{
	return err_set(at->err, -EINVAL, "%s: %s", at->text, what);
}

struct place place_inside(const struct place *at, const char *key)
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
	return place_inside(at, key);
}

/* An object holds these keys and no others; `keys` ends at NULL. */
int place_only(const struct place *at, json_t *object, const char *const *keys)
{
	const char *key;
	json_t *value;

	if (!json_is_object(object))
		return place_wrong(at, "must be a map");
	json_object_foreach(object, key, value)
	{
		struct place here = place_inside(at, key);
		const char *const *k = keys;

		while (*k && strcmp(*k, key) != 0)
			k++;
		if (!*k)
			return place_wrong(&here, "no such key here");
	}
	return 0;
}

int place_text(const struct place *at, json_t *object, const char *key, bool required, const char **ret)
{
	json_t *value = json_object_get(object, key);
	struct place here = place_inside(at, key);

	*ret = NULL;
	if (!value)
		return required ? place_wrong(&here, "is missing") : 0;
	*ret = json_string_value(value);
	if (!*ret || json_string_length(value) != strlen(*ret))
		return place_wrong(&here, "must be text (in quotes where it looks like a number)");
	return 0;
}

int rules_list(struct results_rules *rules, const struct place *at, json_t *object, const char *key, size_t size,
	       void *array, size_t *count, read_one read)
{
	json_t *list = json_object_get(object, key);
	struct place here = place_inside(at, key);
	void **memory = array;

	if (!list)
		return 0;
	if (!json_is_array(list) || json_array_size(list) == 0 || json_array_size(list) > LIST_MAX)
		return place_wrong(&here, "must be a list of 1 to 256 entries");
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

int rules_pattern(const struct place *at, const char *text, struct pattern **ret)
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

int rules_name(struct results_rules *rules, const struct place *at, const char *name, bool many, int *ret)
{
	size_t known = rules->names.count;

	if (!is_name(name))
		return place_wrong(at, "a name is made of letters, digits and '_'");
	*ret = names_add(&rules->names, text_of(name));
	if (*ret < 0)
		return err_set(at->err, -ENOMEM, "no memory");
	if ((size_t)*ret >= rules->many_room) {
		size_t room = 2 * rules->names.room;
		bool *grown = realloc(rules->many, room * sizeof(*grown));

		rules->many = grown ? grown : rules->many;
		grown = grown ? realloc(rules->labelled, room * sizeof(*grown)) : NULL;
		if (!grown)
			return err_set(at->err, -ENOMEM, "no memory");
		rules->labelled = grown;
		rules->many_room = room;
	}
	if ((size_t)*ret >= known) {
		rules->many[*ret] = many;
		rules->labelled[*ret] = false;
	} else if (!many || !rules->many[*ret])
		return place_wrong(at, "that name is taken");
	return 0;
}
