/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/metrics_page.h"

#include "agent/usage.h"
#include "analysis/view.h"
#include "cli/cli.h"
#include "collectors/collector.h"

static const char head[] = "# Metrics\n\n"
			   "This page is printed by `assay collectors --markdown`; `cmake --build build/debug --target "
			   "metrics_page` writes it "
			   "anew.\n\n"
			   "A number's key is `<collector>.<instance>.<metric>`, without the middle where there is "
			   "only the whole. The tables "
			   "say what\n"
			   "the kernel's text does not: a name that no row knows is recorded all the same, as a gauge "
			   "without a unit. The first "
			   "row that\n"
			   "fits decides; `*` stands for any characters. A counter's stat is what went by in the run, "
			   "a gauge's is the mean over "
			   "it.\n"
			   "Fold: how the instances (CPUs, nodes) make the one number without instance.\n";

/* What Markdown would read as its own. */
static void put(struct buf *to, const char *text)
{
	for (const char *c = text ? text : ""; *c; c++) {
		if (strchr("|<>*_`\\[]", *c))
			(void)buf_putc(to, '\\');
		(void)buf_putc(to, *c);
	}
}

static void put_key(struct buf *to, const char *key)
{
	(void)buf_printf(to, "| `%s` | ", key);
}

static void put_hints(struct buf *to, const struct hint *hints)
{
	if (!hints || !hints->key)
		return;
	(void)buf_puts(to, "\n| key | kind | unit | fold | help |\n|---|---|---|---|---|\n");
	for (const struct hint *h = hints; h->key; h++) {
		put_key(to, h->key);
		(void)buf_printf(to, "%s | %s | %s | ", kind_name(h->kind), unit_name(h->unit), fold_name(h->fold));
		put(to, h->help);
		(void)buf_puts(to, " |\n");
	}
}

static void put_keys(struct buf *to, const struct view_key *keys)
{
	(void)buf_puts(to, "\n| key | unit | help |\n|---|---|---|\n");
	for (const struct view_key *k = keys; k && k->key; k++) {
		put_key(to, k->key);
		(void)buf_printf(to, "%s | ", unit_name(k->unit));
		put(to, k->help);
		(void)buf_puts(to, " |\n");
	}
}

static void put_options(struct buf *to, const struct option *options)
{
	if (!options || !options->name)
		return;
	(void)buf_puts(to, "\n| option | value | default | help |\n|---|---|---|---|\n");
	for (const struct option *o = options; o->name; o++) {
		put_key(to, o->name);
		put(to, option_type_name(o->type));
		(void)buf_puts(to, " | ");
		put(to, o->otherwise ? o->otherwise : "none");
		(void)buf_puts(to, " | ");
		put(to, o->help);
		(void)buf_puts(to, " |\n");
	}
}

static void put_collector(struct buf *to, const struct collector *c)
{
	(void)buf_printf(to, "\n### %s\n\n", c->name);
	put(to, c->description);
	(void)buf_printf(to, ". Source: `%s`; every %g s%s.\n", c->source,
			 (c->interval_ms ? c->interval_ms : 1000) / 1000.0, c->dear ? ", in the second lane" : "");
	put_options(to, c->options);
	put_hints(to, c->hints);
}

const char *option_type_name(int type)
{
	static const char *const names[] = { "", "yes|no", "NUMBER", "TIME", "TEXT" };

	return names[type];
}

int metrics_page(void)
{
	cleanup_buf struct buf page = { 0 };

	(void)buf_puts(&page, head);
	(void)buf_puts(&page, "\n## Collectors\n");
	for (const struct collector *const *c = collectors; *c; c++)
		put_collector(&page, *c);
	(void)buf_puts(&page, "\n## Views\n\nWhat no file of the kernel shows, made of recorded samples when a run is "
			      "read. `<x>` stands for a name, `{a,b}` for one of these.\n");
	for (const struct view *const *v = views; *v; v++) {
		(void)buf_printf(&page, "\n### View %s\n", (*v)->name);
		put_keys(&page, (*v)->keys);
	}
	(void)buf_puts(&page,
		       "\n## The run itself\n\nOf the command, as `time -v` tells it, under `<testcase>.time.`:\n");
	put_hints(&page, usage_hints);
	(void)buf_puts(&page, "\nOf the agent:\n");
	put_hints(&page, usage_own_hints);
	put_keys(&page, reduce_keys);
	return page.failed ? page.failed : print_out(&page);
}
