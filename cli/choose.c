/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which collectors a verb works with. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/option.h"
#include "base/take.h"
#include "cli/cli.h"
#include "cli/outside.h"
#include "collectors/collector.h"

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "no memory for the list of collectors");
}

/* ---- the list ---- */

static int add(struct chosen_list *list, const struct collector *c, bool by_all, struct err *err)
{
	struct chosen *at = realloc(list->at, (list->count + 1) * sizeof(*at));

	if (!at)
		return no_memory(err);
	list->at = at;
	at[list->count++] = (struct chosen){ .collector = c, .name = c->name, .by_all = by_all };
	return 0;
}

static int add_off(struct chosen_list *list, const struct collector *c, const char *why, struct err *err)
{
	struct off *off = realloc(list->off, (list->off_count + 1) * sizeof(*off));
	char *words = strdup(why);

	if (off)
		list->off = off;
	if (!off || !words) {
		free(words);
		return no_memory(err);
	}
	off[list->off_count++] = (struct off){ c, words };
	return 0;
}

static struct chosen *find(const struct chosen_list *list, const struct collector *c)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->at[i].collector == c)
			return &list->at[i];
	return NULL;
}

static void free_options(struct chosen *c)
{
	for (char **word = c->options; word && *word; word++)
		free(*word);
	free(c->options);
	c->options = NULL;
}

static void take_away(struct chosen_list *list, const struct collector *c)
{
	struct chosen *at = find(list, c);

	if (!at)
		return;
	free_options(at);
	memmove(at, at + 1, (size_t)(list->at + list->count - at - 1) * sizeof(*at));
	list->count--;
}

static int choose_all(const struct host *host, struct chosen_list *ret, struct err *err)
{
	int r = 0;

	for (const struct collector **c = ret->outside->at; *c && r == 0; c++) {
		struct err why;

		if (find(ret, *c))
			continue;
		if (collector_probe(*c, host, &why) == 0)
			r = add(ret, *c, true, err);
		else
			r = add_off(ret, *c, why.text, err);
	}
	return r;
}

/* ---- a word ---- */

/* Cuts `*rest` at the next `separator` that no '\\' stands before; NULL: there is nothing left. */
static char *cut(char **rest, char separator)
{
	char *begin = *rest, *c = begin;

	if (!begin)
		return NULL;
	while (*c && *c != separator)
		c += c[0] == '\\' && c[1] ? 2 : 1;
	*rest = *c ? c + 1 : NULL;
	*c = '\0';
	return begin;
}

static void without_backslashes(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		if (from[0] == '\\' && (from[1] == ',' || from[1] == ':' || from[1] == '\\'))
			from++;
		*to++ = *from;
	}
	*to = '\0';
}

static int add_option(struct chosen *c, const char *name, const char *value, struct err *err)
{
	size_t count = 0;
	char **options;

	while (c->options && c->options[count])
		count++;
	options = realloc(c->options, (count + 3) * sizeof(*options));
	if (!options)
		return no_memory(err);
	c->options = options;
	options[count] = strdup(name);
	options[count + 1] = options[count] ? strdup(value) : NULL;
	options[count + 2] = NULL;
	if (options[count] && options[count + 1])
		return 0;
	free(options[count]);
	options[count] = NULL;
	return no_memory(err);
}

static int no_option(const struct collector *c, const char *name, struct err *err)
{
	cleanup_buf struct buf known = { 0 };

	for (const struct option *o = c->options; o && o->name; o++)
		(void)buf_printf(&known, ", %s", o->name);
	return err_set(err, -EINVAL, "%s: no option '%s'; it has interval%s", c->name, name,
		       known.data ? known.data : "");
}

/* Would the collector take it? The state is a scratch one. */
static int check_option(const struct collector *c, const char *name, const char *value, struct err *err)
{
	void *state = calloc(1, c->state_size ? c->state_size : 1);
	int r = state ? option_set(c->options, state, name, value, err) : no_memory(err);

	if (state)
		options_free(c->options, state);
	free(state);
	if (r == -ENOENT)
		return no_option(c, name, err);
	return r == -EINVAL ? err_prefix(err, "%s: ", c->name) : r;
}

static int set_interval(struct chosen *c, const char *value, struct err *err)
{
	long long ns;

	if (parse_duration("interval", value, &ns, err) < 0)
		return err_prefix(err, "%s: ", c->name);
	if (ns <= 0)
		return err_set(err, -EINVAL, "%s: an interval must be longer than 0", c->name);
	c->interval_ns = (uint64_t)ns;
	return 0;
}

static int set(struct chosen *c, char *setting, struct err *err)
{
	char *equals = strchr(setting, '=');
	int r;

	without_backslashes(setting);
	if (!equals)
		return set_interval(c, setting, err);
	equals = strchr(setting, '=');
	*equals = '\0';
	if (strcmp(setting, "interval") == 0)
		return set_interval(c, equals + 1, err);
	r = check_option(c->collector, setting, equals + 1, err);
	return r < 0 ? r : add_option(c, setting, equals + 1, err);
}

static int choose_one(const struct host *host, char *word, struct chosen_list *ret, struct err *err)
{
	bool away = word[0] == '-';
	char *settings = away ? word + 1 : word, *name = cut(&settings, ':'), *setting;
	const struct collector *c = outside_find(ret->outside, name);
	struct chosen *at;
	int r;

	if (!c)
		return err_set(err, -ENOENT, "no collector '%s'; `assay collectors` lists them", name);
	if (away) {
		take_away(ret, c);
		return settings ? err_set(err, -EINVAL, "-%s: what is taken away has no settings", name) : 0;
	}
	at = find(ret, c);
	if (at && !at->by_all)
		return err_set(err, -EINVAL, "%s: named twice", name);
	if (!at) {
		if (collector_probe(c, host, err) < 0)
			return err_prefix(err, "%s does not work here: ", name);
		r = add(ret, c, false, err);
		if (r < 0)
			return r;
		at = &ret->at[ret->count - 1];
	}
	at->by_all = false;
	for (r = 0; r == 0 && (setting = cut(&settings, ':'));)
		r = set(at, setting, err);
	return r;
}

static int choose_words(const struct host *host, char *list, struct chosen_list *ret, struct err *err)
{
	char *word;
	int r = *list == '-' ? choose_all(host, ret, err) : 0;

	while (r == 0 && (word = cut(&list, ','))) {
		if (*word == '\0')
			continue;
		r = strcmp(word, "all") == 0 ? choose_all(host, ret, err) : choose_one(host, word, ret, err);
	}
	if (r == 0 && ret->count == 0 && ret->off_count == 0) /* nothing was named */
		r = err_set(err, -EINVAL, "the list of collectors is empty; 'none' chooses none");
	return r;
}

int choose_collectors(const struct host *host, const char *list, struct chosen_list *ret, struct err *err)
{
	cleanup_free char *words = strdup(list ? list : "all");
	int r;

	*ret = (struct chosen_list){ 0 };
	if (!words)
		return no_memory(err);
	if (strcmp(words, "none") == 0)
		return 0;
	ret->outside = calloc(1, sizeof(*ret->outside));
	if (!ret->outside)
		return no_memory(err);
	r = outside_load(ret->outside, err);
	for (size_t i = 0; i < ret->outside->refused_count; i++)
		log_warning("not taken: %s", ret->outside->refused[i].why);
	if (r == 0)
		r = choose_words(host, words, ret, err);
	if (r < 0)
		chosen_free(ret);
	return r;
}

void chosen_free(struct chosen_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free_options(&list->at[i]);
	for (size_t i = 0; i < list->off_count; i++)
		free(list->off[i].why);
	free(list->off);
	free(list->at);
	if (list->outside)
		outside_close(list->outside);
	free(list->outside);
	*list = (struct chosen_list){ 0 };
}
