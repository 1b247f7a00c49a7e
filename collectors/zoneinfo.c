/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   Node 0, zone      DMA
 *     per-node stats                      in the node's first zone with pages, since 4.8: what follows is the node's
 *         nr_inactive_anon 100            node0: nr_inactive_anon
 *     pages free     3840                 node0.DMA: pages.free; and all that follows
 *           min      8
 *           scanned  0 (a: 12 i: 0)       pages.scanned, pages.scanned.a, pages.scanned.i; once
 *           protection: (0, 2900, 32000)  protection.0, protection.1 ...
 *         nr_free_pages 3840              pages.nr_free_pages
 *     pagesets
 *       cpu: 0                            pagesets.cpu0.count ...; "cpu: 0 pcp: 1" of old: pagesets.cpu0.pcp1.count
 *                 count: 0
 *     vm stats threshold: 6               pagesets.cpu0.vm_stats_threshold
 *     node_unreclaimable:  0              node0.DMA: node_unreclaimable
 *     start_pfn:           1
 *
 * Blanks in a key become '_'. A CPU or a node that comes or goes is a new generation, as the lines are others then.
 */
#include <errno.h>

#include "collectors/layout.h"

static const struct hint hints[] = {
	/* key                        kind     unit         help */
	{ "protection.*",             GAUGE,   UNIT_PAGES,  "Pages kept from allocations that could use that higher zone." },
	{ "pagesets.*.count",         GAUGE,   UNIT_PAGES,  "Free pages that the CPU keeps of that zone." },
	{ "pagesets.*.vm_stats_threshold", GAUGE, UNIT_COUNT, "How far a CPU counts before it tells the zone." },
	{ "pagesets.*.numa_*",        COUNTER, UNIT_PAGES,  "Pages of the zone that the CPU gave, by where they were wanted; old kernels." },
	{ "pagesets.*",               GAUGE,   UNIT_PAGES,  "How many pages a CPU keeps at most, and moves at once." },
	{ "pages.free",               GAUGE,   UNIT_PAGES,  "Free pages of the zone." },
	{ "pages.boost",              GAUGE,   UNIT_PAGES,  "By how much the watermarks are raised for now." },
	{ "pages.min",                GAUGE,   UNIT_PAGES,  "Watermark below which allocations reclaim themselves." },
	{ "pages.low",                GAUGE,   UNIT_PAGES,  "Watermark at which kswapd wakes up." },
	{ "pages.high",               GAUGE,   UNIT_PAGES,  "Watermark at which kswapd sleeps." },
	{ "pages.promo",              GAUGE,   UNIT_PAGES,  "Watermark above which pages are taken in from slower memory." },
	{ "pages.scanned*",           GAUGE,   UNIT_PAGES,  "Pages that reclaim looked at since it last freed some." },
	{ "pages.spanned",            GAUGE,   UNIT_PAGES,  "Pages from the zone's first to its last, holes included." },
	{ "pages.present",            GAUGE,   UNIT_PAGES,  "Pages of the zone that exist." },
	{ "pages.managed",            GAUGE,   UNIT_PAGES,  "Pages of the zone that may be given out." },
	{ "pages.cma",                GAUGE,   UNIT_PAGES,  "Pages set apart for contiguous allocations." },
	{ "*nr_dirtied",              COUNTER, UNIT_PAGES,  "Pages that became dirty." },
	{ "*nr_written",              COUNTER, UNIT_PAGES,  "Pages written back." },
	{ "*nr_throttled_written",    COUNTER, UNIT_PAGES,  "Pages written back while reclaim waited for it." },
	{ "*nr_vmscan_*",             COUNTER, UNIT_PAGES,  "Pages that reclaim wrote or marked to be freed at once." },
	{ "*nr_promote*",             COUNTER, UNIT_PAGES,  "Pages moved, or not moved, to a faster tier of memory." },
	{ "*nr_demote*",              COUNTER, UNIT_PAGES,  "Pages moved, or not moved, to a slower tier of memory." },
	{ "*nr_foll_pin_*",           COUNTER, UNIT_COUNT,  "Pins of user pages taken and given back." },
	{ "*nr_kernel_stack",         GAUGE,   UNIT_KIB,    "Memory of kernel stacks; before 4.9 the number of stacks." },
	{ "*nr_shadow_call_stack",    GAUGE,   UNIT_KIB,    "Memory of shadow call stacks." },
	{ "*nr_*_hugepages",          GAUGE,   UNIT_COUNT,  "Huge pages of that use." },
	{ "*nr_*_pmdmapped",          GAUGE,   UNIT_COUNT,  "Huge pages mapped as a whole." },
	{ "*nr_*",                    GAUGE,   UNIT_PAGES,  "Pages of the zone or node in that state." },
	{ "*numa_*",                  COUNTER, UNIT_PAGES,  "Pages of the zone, by where they were wanted and got." },
	{ "*workingset_nodes",        GAUGE,   UNIT_COUNT,  "Nodes of the page cache that hold shadows of evicted pages." },
	{ "*workingset_*",            COUNTER, UNIT_PAGES,  "Evicted pages that were wanted again." },
	{ "*pgpromote_*",             COUNTER, UNIT_PAGES,  "Pages moved, or fit to be moved, to a faster tier of memory." },
	{ "*pgdemote_*",              COUNTER, UNIT_PAGES,  "Pages moved to a slower tier of memory." },
	{ "start_pfn",                GAUGE,   UNIT_PAGES,  "Number of the zone's first page." },
	{ "*_unreclaimable",          GAUGE,   UNIT_COUNT,  "1: reclaim has given the zone or node up." },
	{ "*inactive_ratio",          GAUGE,   UNIT_COUNT,  "How many active pages there should be for one that is not." },
	{ "*",                        GAUGE,   UNIT_COUNT,  "A number of the zone or node, as the kernel names it." },
	{ 0 },
};

struct reader {
	struct layout *layout;
	struct buf node, zone;     /* "node0", "node0.DMA" */
	struct buf cpu;            /* "pagesets.cpu0."; empty outside of a CPU's part */
	const char *part;          /* "pages." */
	bool per_node;
	struct buf name;           /* of a metric; kept for its memory */
};

static int no_memory(const struct reader *r, struct err *err)
{
	return err_set(err, -ENOMEM, "%s: no memory", r->layout->collector->name);
}

static bool is_number(struct text word)
{
	word.at += *word.at == '-' && text_len(word) > 1;
	return *word.at >= '0' && *word.at <= '9';
}

/* Where the first word with a number is; or NULL. */
static const char *first_number(struct text line)
{
	struct text rest = line, word;

	while (layout_next(&rest, &word))
		if (is_number(word))
			return word.at;
	return NULL;
}

static int begin_zone(struct reader *r, struct text node, struct text zone, struct err *err)
{
	buf_clear(&r->node);
	buf_clear(&r->zone);
	buf_clear(&r->cpu);
	r->part = "";
	r->per_node = false;
	(void)buf_printf(&r->node, "node%.*s", TEXT_ARGS(node));
	(void)buf_printf(&r->zone, "node%.*s.%.*s", TEXT_ARGS(node), TEXT_ARGS(zone));
	return r->node.failed || r->zone.failed ? no_memory(r, err) : 0;
}

static int begin_cpu(struct reader *r, struct text rest, struct err *err)
{
	struct text cpu = { 0 }, set;

	(void)text_word(&rest, &cpu);
	buf_clear(&r->cpu);
	(void)buf_printf(&r->cpu, "pagesets.cpu%.*s.", TEXT_ARGS(cpu));
	text_skip_blanks(&rest);
	if (text_skip(&rest, "pcp:") && text_word(&rest, &set))
		(void)buf_printf(&r->cpu, "pcp%.*s.", TEXT_ARGS(set));
	return r->cpu.failed ? no_memory(r, err) : 0;
}

/* What the lines from here on belong to. 0: the line is such a heading, and no more; 1: it is not. */
static int begin_part(struct reader *r, struct text line, struct err *err)
{
	struct text rest = text_trim(line), node, zone;

	if (text_skip(&rest, "Node ") && text_cut(&rest, ",", &node) && text_skip(&rest, " zone ") &&
	    text_word(&rest, &zone))
		return begin_zone(r, node, zone, err);
	rest = text_trim(line);
	if (text_is(rest, "per-node stats")) {
		r->per_node = true;
		return 0;
	}
	if (text_skip(&rest, "cpu:"))
		return begin_cpu(r, rest, err);
	if (text_skip(&rest, "pages ")) {
		r->per_node = false;
		r->part = "pages.";
		return 1;
	}
	if (!text_is(rest, "pagesets"))
		return 1;
	r->part = "";
	return 0;
}

/* What is the CPU's is indented deeper than what is the zone's. */
static const char *prefix_of(struct reader *r, struct text line, struct text key)
{
	size_t indent = (size_t)(text_trim(line).at - line.at);

	if (text_is(key, "protection"))
		return "";
	if (r->cpu.len > 0 && (indent > 4 || text_is(key, "vm stats threshold")))
		return r->cpu.data;
	buf_clear(&r->cpu);
	return r->per_node ? "" : r->part;
}

/* The numbers behind the key: one; or several, each by the word before it or by its place. */
static int name_words(struct reader *r, struct text rest, bool by_place, struct err *err)
{
	const char *instance = r->per_node ? r->node.data : r->zone.data;
	struct text word, label = { 0 };
	size_t length = r->name.len;
	unsigned place = 0;
	int result = 0;

	while (result == 0 && layout_next(&rest, &word)) {
		if (!is_number(word)) {
			label = (struct text){ word.at, word.end - (word.end[-1] == ':') };
			result = layout_name(r->layout, NULL, NULL, err);
			continue;
		}
		r->name.len = length;
		r->name.data[length] = '\0';
		if (text_len(label) > 0)
			(void)buf_printf(&r->name, ".%.*s", TEXT_ARGS(label));
		else if (by_place || place > 0)
			(void)buf_printf(&r->name, ".%u", place);
		if (r->name.failed)
			return no_memory(r, err);
		result = layout_name(r->layout, r->name.data, instance, err);
		label = (struct text){ 0 };
		place++;
	}
	return result;
}

/* The line without its numbers. */
static struct text beginning_of(struct text line, const char *number)
{
	while (number > line.at && (number[-1] == ' ' || number[-1] == '\t' || number[-1] == '('))
		number--;
	return (struct text){ line.at, number };
}

static int learn_line(struct reader *r, struct text line, struct err *err)
{
	const char *number = first_number(line), *prefix;
	struct text key;
	int result = begin_part(r, line, err);

	if (result < 0)
		return result;
	key = text_trim((struct text){ line.at, number ? number : line.end });
	while (text_ends(key, "(") || text_ends(key, ":"))
		key = text_trim((struct text){ key.at, key.end - 1 });
	(void)text_skip(&key, "pages ");
	if (result == 0 || !number || r->zone.len == 0 || text_len(key) == 0)
		return layout_begin(r->layout, line, err);
	prefix = prefix_of(r, line, key);
	buf_clear(&r->name);
	(void)buf_printf(&r->name, "%s%.*s", prefix, TEXT_ARGS(key));
	if (r->name.failed)
		return no_memory(r, err);
	for (char *c = r->name.data; *c; c++)
		*c = *c == ' ' || *c == '\t' ? '_' : *c;
	result = layout_begin(r->layout, beginning_of(line, number), err);
	return result < 0 ? result : name_words(r, (struct text){ number, line.end }, text_is(key, "protection"), err);
}

static int zoneinfo_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct reader reader = { .layout = state, .part = "" };
	struct text rest = { 0 }, line;
	int r = layout_open(reader.layout, self, host, err);

	if (r == 0)
		rest = procfile_first(&reader.layout->file);
	while (r == 0 && text_line(&rest, &line))
		r = learn_line(&reader, line, err);
	layout_end(reader.layout);
	buf_free(&reader.node);
	buf_free(&reader.zone);
	buf_free(&reader.cpu);
	buf_free(&reader.name);
	return r;
}

const struct collector collector_zoneinfo = {
	.name = "zoneinfo",
	.description = "Pages of each memory zone by state, its watermarks, and what each CPU keeps of it",
	.source = "proc/zoneinfo",
	.hints = hints,
	.state_size = sizeof(struct layout),
	.interval_ms = 10000,
	.dear = true, /* with many CPUs: each of them has lines in each zone */
	.open = zoneinfo_open,
	LAYOUT_STATE,
};
