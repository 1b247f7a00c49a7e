/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which collectors a verb works with. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/option.h"
#include "base/take.h"
#include "cli/cli.h"
#include "collectors/collector.h"

static int add(struct chosen_list *list, const struct collector *c, uint64_t interval_ns, struct err *err)
{
	struct chosen *at = realloc(list->at, (list->count + 1) * sizeof(*at));

	if (!at)
		return err_set(err, -ENOMEM, "no memory for the list of collectors");
	list->at = at;
	at[list->count++] = (struct chosen){ c, interval_ns, c->name };
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
		return err_set(err, -ENOMEM, "no memory for the list of collectors");
	}
	off[list->off_count++] = (struct off){ c, words };
	return 0;
}

static int choose_all(const struct host *host, struct chosen_list *ret, struct err *err)
{
	int r = 0;

	for (const struct collector *const *c = collectors; *c && r == 0; c++) {
		struct err why;

		if (collector_probe(*c, host, &why) == 0)
			r = add(ret, *c, 0, err);
		else
			r = add_off(ret, *c, why.text, err);
	}
	return r;
}

static int choose_one(const struct host *host, struct text word, struct chosen_list *ret, struct err *err)
{
	struct text name = word, interval = { 0 };
	const char *colon = memchr(word.at, ':', text_len(word));
	cleanup_free char *n = NULL, *i = NULL;
	const struct collector *c;
	long long ns = 0;

	if (colon) {
		name.end = colon;
		interval = (struct text){ colon + 1, word.end };
	}
	n = text_copy(name);
	i = text_copy(colon ? interval : text_of(""));
	if (!n || !i)
		return err_set(err, -ENOMEM, "no memory for the list of collectors");
	c = collector_find(n);
	if (!c)
		return err_set(err, -ENOENT, "no collector '%s'; `assay collectors` lists them", n);
	if (colon && parse_duration(n, i, &ns, err) < 0)
		return err->code;
	if (colon && ns <= 0)
		return err_set(err, -EINVAL, "%s: an interval must be longer than 0", n);
	for (size_t k = 0; k < ret->count; k++)
		if (ret->at[k].collector == c)
			return err_set(err, -EINVAL, "%s: named twice", n);
	if (collector_probe(c, host, err) < 0)
		return err_prefix(err, "%s does not work here: ", n);
	return add(ret, c, (uint64_t)ns, err);
}

int choose_collectors(const struct host *host, const char *list, struct chosen_list *ret, struct err *err)
{
	struct text rest = text_of(list ? list : "");
	int r = 0;

	*ret = (struct chosen_list){ 0 };
	if (!list)
		return choose_all(host, ret, err);
	if (strcmp(list, "none") == 0)
		return 0;
	while (r == 0 && rest.at < rest.end) {
		const char *comma = memchr(rest.at, ',', text_len(rest));
		struct text word = { rest.at, comma ? comma : rest.end };

		rest.at = comma ? comma + 1 : rest.end;
		r = choose_one(host, word, ret, err);
	}
	if (r == 0 && ret->count == 0)
		r = err_set(err, -EINVAL, "the list of collectors is empty; 'none' chooses none");
	if (r < 0)
		chosen_free(ret);
	return r;
}

void chosen_free(struct chosen_list *list)
{
	for (size_t i = 0; i < list->off_count; i++)
		free(list->off[i].why);
	free(list->off);
	free(list->at);
	*list = (struct chosen_list){ 0 };
}
