/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/metrics_page.h"
#include "collectors/collector.h"

enum { MARKDOWN = 256 };

static const struct flag flags[] = {
	{ 'j', "json", NULL, "As JSON." },
	{ MARKDOWN, "markdown", NULL, "All that is known of all keys, as a page: docs/metrics.md." },
	{ 'R', "root", "DIR", "Of a recorded tree instead of this machine." },
	{ 0 },
};

static double interval_of(const struct collector *c)
{
	return (c->interval_ms ? c->interval_ms : 1000) / 1000.0;
}

static void show_one(const struct collector *c, const struct host *host)
{
	struct err why;

	printf("%s: %s\n\n  source    %s\n  interval  %g s%s\n", c->name, c->description, c->source, interval_of(c),
	       c->dear ? ", in the lane of the dear ones" : "");
	if (collector_probe(c, host, &why) == 0)
		printf("  here      works\n");
	else
		printf("  here      off: %s\n", why.text);
	for (const struct option *o = c->options; o && o->name; o++)
		printf("  option    %s=%s  %s (default %s)\n", o->name, option_type_name(o->type), o->help,
		       o->otherwise ? o->otherwise : "none");
	if (c->hints)
		printf("\n  %-28s %-10s %-7s %s\n", "key", "kind", "unit", "help");
	for (const struct hint *h = c->hints; h && h->key; h++)
		printf("  %-28s %-10s %-7s %s\n", h->key, kind_name(h->kind), unit_name(h->unit),
		       h->help ? h->help : "");
}

static int show_json(const struct host *host)
{
	json_t *list = json_array();
	char *text;

	for (const struct collector *const *c = collectors; *c; c++) {
		struct err why;
		int r = collector_probe(*c, host, &why);
		json_t *one = json_pack("{s:s, s:s, s:s, s:f, s:b, s:b}", "name", (*c)->name, "description",
					(*c)->description, "source", (*c)->source, "interval_s", interval_of(*c),
					"dear", (*c)->dear, "works", r == 0);

		if (r < 0)
			(void)json_object_set_new(one, "why", json_string(why.text));
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

static int collectors_main(const struct verb *self, int argc, char **argv)
{
	const char *root = NULL;
	struct host host;
	struct err err;
	bool json = false;
	int c, status = EXIT_DONE;

	while ((c = next_option(self, argc, argv)) != -1) {
		if (c == 'j')
			json = true;
		else if (c == MARKDOWN)
			return metrics_page() < 0 ? EXIT_FAILED : EXIT_DONE;
		else if (c == 'R')
			root = optarg;
		else
			return option_status(c);
	}
	if (host_open_root(&host, root, &err) < 0)
		return failed(self, &err);
	if (optind < argc) {
		for (; optind < argc; optind++) {
			const struct collector *one = collector_find(argv[optind]);

			if (!one) {
				status = usage_error(self, "no collector '%s'", argv[optind]);
				break;
			}
			show_one(one, &host);
		}
	} else if (json) {
		status = show_json(&host);
	} else {
		for (const struct collector *const *one = collectors; *one; one++) {
			struct err why;

			if (collector_probe(*one, &host, &why) == 0)
				printf("%-14s %4g s  %s\n", (*one)->name, interval_of(*one), (*one)->description);
			else
				printf("%-14s  off   %s\n", (*one)->name, why.text);
		}
	}
	host_close(&host);
	return status;
}

const struct verb verb_collectors = {
	.name = "collectors",
	.summary = "List what can be sampled here, and why something cannot.",
	.usage = "collectors [OPTION]... [NAME]...",
	.flags = flags,
	.help = "With a NAME: its source, its options and what is known of its keys.\n\n"
		"  assay collectors\n"
		"  assay collectors slabinfo\n",
	.main = collectors_main,
};
