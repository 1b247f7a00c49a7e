/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/take.h"
#include "cli/cli.h"
#include "cli/cost.h"
#include "cli/metrics_page.h"
#include "cli/outside.h"
#include "host/limits.h"

enum { MARKDOWN = 256, COST };

static const struct flag flags[] = {
	{ 'j', "json", NULL, "As JSON." },
	{ COST, "cost", NULL, "Take samples of them, and tell what one costs." },
	{ MARKDOWN, "markdown", NULL, "All that is known of all keys, as a page: docs/metrics.md." },
	{ 'R', "root", "DIR", "Of a recorded tree instead of this machine." },
	{ 0 },
};

static double interval_of(const struct collector *c)
{
	return (c->interval_ms ? c->interval_ms : 1000) / 1000.0;
}

static void show_one(const struct outside *o, const struct collector *c, const struct host *host)
{
	struct err why;

	printf("%s: %s\n\n", c->name, c->description);
	if (outside_file(o, c))
		printf("  from      %s\n", outside_file(o, c));
	if (*c->source)
		printf("  source    %s\n", c->source);
	printf("  interval  %g s%s\n", interval_of(c), c->dear ? ", in the lane of the dear ones" : "");
	if (collector_probe(c, host, &why) == 0)
		printf("  here      works\n");
	else
		printf("  here      off: %s\n", why.text);
	for (const struct option *one = c->options; one && one->name; one++)
		printf("  option    %s=%s  %s (default %s)\n", one->name, option_type_name(one->type), one->help,
		       one->otherwise ? one->otherwise : "none");
	if (c->hints)
		printf("\n  %-28s %-10s %-7s %s\n", "key", "kind", "unit", "help");
	for (const struct hint *h = c->hints; h && h->key; h++)
		printf("  %-28s %-10s %-7s %s\n", h->key, kind_name(h->kind), unit_name(h->unit),
		       h->help ? h->help : "");
}

static int show_json(const struct outside *o, const struct host *host)
{
	json_t *list = json_array();
	char *text;

	for (size_t i = 0; i < o->count; i++) {
		const struct collector *c = o->at[i];
		struct err why;
		int r = collector_probe(c, host, &why);
		json_t *one =
			json_pack("{s:s, s:s, s:s, s:f, s:b, s:b}", "name", c->name, "description", c->description,
				  "source", c->source, "interval_s", interval_of(c), "dear", c->dear, "works", r == 0);

		if (r < 0)
			(void)json_object_set_new(one, "why", json_string(why.text));
		if (outside_file(o, c))
			(void)json_object_set_new(one, "file", json_string(outside_file(o, c)));
		(void)json_array_append_new(list, one);
	}
	text = json_dumps(list, JSON_INDENT(2));
	json_decref(list);
	if (!text)
		return EXIT_FAILED;
	puts(text);
	free(text);
	return EXIT_DONE;
}

static void show_list(const struct outside *o, const struct host *host)
{
	for (size_t i = 0; i < o->count; i++) {
		const struct collector *c = o->at[i];
		const char *file = outside_file(o, c);
		struct err why;

		if (collector_probe(c, host, &why) == 0)
			printf("%-14s %4g s  %s", c->name, interval_of(c), c->description);
		else
			printf("%-14s  off   %s", c->name, why.text);
		printf(file ? "  [%s]\n" : "\n", file);
	}
	for (size_t i = 0; i < o->refused_count; i++)
		printf("%-14s  off   not taken: %s\n", "-", o->refused[i].why);
}

/* Those that are named, or all; ends at NULL. NULL: no memory, or a name that is none, which was said then. */
static const struct collector **choose(const struct verb *self, const struct outside *o, char **names, int count)
{
	const struct collector **list = calloc(o->count + (size_t)count + 1, sizeof(*list));

	for (size_t i = 0; list && count == 0 && i < o->count; i++)
		list[i] = o->at[i];
	for (int i = 0; list && i < count; i++) {
		list[i] = outside_find(o, names[i]);
		if (!list[i]) {
			(void)usage_error(self, "no collector '%s'", names[i]);
			free(list);
			return NULL;
		}
	}
	return list;
}

static int show(const struct verb *self, const struct outside *o, const struct host *host, char **names, int count,
		bool json, bool cost)
{
	cleanup_free const struct collector **list = choose(self, o, names, count);
	struct err err;

	if (!list)
		return EXIT_BAD_USAGE;
	if (cost)
		return cost_print(list, host, json, &err) < 0 ? failed(self, &err) : EXIT_DONE;
	if (count) {
		for (int i = 0; i < count; i++)
			show_one(o, list[i], host);
		return EXIT_DONE;
	}
	if (json)
		return show_json(o, host);
	show_list(o, host);
	return EXIT_DONE;
}

static int collectors_main(const struct verb *self, int argc, char **argv)
{
	const char *root = NULL;
	struct outside outside;
	struct host host;
	struct rlimit before;
	struct err err;
	bool json = false, cost = false;
	int c, status;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'j')
			json = true;
		else if (c == COST)
			cost = true;
		else if (c == MARKDOWN)
			return metrics_page() < 0 ? EXIT_FAILED : EXIT_DONE;
		else if (c == 'R')
			root = optarg;
		else
			return option_status(c);
	}
	(void)limits_raise_files(&before); /* it ends with this process */
	if (host_open_root(&host, root, &err) < 0)
		return failed(self, &err);
	if (outside_load(&outside, &err) < 0) {
		status = failed(self, &err);
	} else {
		status = show(self, &outside, &host, argv + optind, argc - optind, json, cost);
		outside_close(&outside);
	}
	host_close(&host);
	return status;
}

const struct verb verb_collectors = {
	.name = "collectors",
	.summary = "List what can be sampled here, and why something cannot.",
	.usage = "collectors [OPTION]... [NAME]...",
	.flags = flags,
	.help = "With a NAME: its source, its options and what is known of its keys. Collectors from outside the "
		"program - "
		"shared\n"
		"objects and programs, in the folders of $ASSAY_PLUGINS and in ~/.config/assay/collectors.yaml - are "
		"shown with "
		"their file.\n"
		"--cost: values, bytes read, microseconds and nanoseconds by value of one sample, and the share of a "
		"CPU at its "
		"interval.\n\n"
		"  assay collectors\n"
		"  assay collectors slabinfo\n"
		"  assay collectors --cost --json\n",
	.main = collectors_main,
};
