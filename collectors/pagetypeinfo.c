/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   Page block order: 9
 *   Pages per block:  512
 *
 *   Free pages count per migrate type at order       0      1      2 ...
 *   Node    0, zone      DMA, type    Unmovable      1      0 >100000 ...
 *
 *   Number of blocks type     Unmovable      Movable  Reclaimable ...
 *   Node 0, zone      DMA            1            7            0 ...
 *
 *   Number of mixed blocks    Unmovable ...        with CONFIG_PAGE_OWNER only, and rows as above
 *
 * An instance is "Node0.DMA.Unmovable". The kernel counts no further than 100000: ">100000" is recorded as 100000.
 */
#include <errno.h>

#include "collectors/layout.h"
#include "collectors/only_root.h"

static const struct hint hints[] = {
	/* key       kind   unit        help */
	{ "blocks", GAUGE, UNIT_COUNT, "Page blocks of that type; the key ends in the type." },
	{ "mixed",  GAUGE, UNIT_COUNT, "Page blocks of that type that also hold pages of another one." },
	{ "*",      GAUGE, UNIT_COUNT, "Free blocks of 2^order pages of that type, 100000 at most; the key ends in the order." },
	{ 0 },
};

/* What stands over the rows of the second kind. */
struct heading {
	const char *metric; /* NULL: none yet */
	struct text types;
};

static int no_memory(const struct layout *l, struct err *err)
{
	return err_set(err, -ENOMEM, "%s: no memory", l->collector->name);
}

/* One number a type, in the order of the heading; more numbers than types have no name. */
static int name_types(struct layout *l, const struct heading *heading, struct text numbers, const struct buf *zone,
		      struct err *err)
{
	cleanup_buf struct buf instance = { 0 };
	struct text types = heading->types, word, type;
	int r = 0;

	while (r == 0 && layout_next(&numbers, &word)) {
		bool named = text_word(&types, &type);

		buf_clear(&instance);
		if (named && buf_printf(&instance, "%s.%.*s", zone->data, TEXT_ARGS(type)) < 0)
			return no_memory(l, err);
		r = layout_name(l, named ? heading->metric : NULL, instance.data, err);
	}
	return r;
}

static int learn_row(struct layout *l, const struct heading *heading, struct text line, struct err *err)
{
	cleanup_buf struct buf instance = { 0 };
	struct text rest = line, node, zone, type;
	bool each_type;
	int r;

	if (!text_skip(&rest, "Node") || !text_cut(&rest, ",", &node) || !text_skip(&rest, " zone ") ||
	    !text_word(&rest, &zone))
		return layout_begin(l, line, err);
	each_type = zone.end[-1] == ',';
	type.end = zone.end;
	zone.end -= each_type;
	if (each_type && !(text_skip(&rest, " type ") && text_word(&rest, &type)))
		return layout_begin(l, line, err);
	if (!each_type && !heading->metric)
		return layout_begin(l, line, err);
	if (buf_printf(&instance, "Node%.*s.%.*s", TEXT_ARGS(text_trim(node)), TEXT_ARGS(zone)) < 0)
		return no_memory(l, err);
	r = layout_begin(l, (struct text){ line.at, type.end }, err);
	if (r == 0 && !each_type)
		return name_types(l, heading, rest, &instance, err);
	if (r == 0 && buf_printf(&instance, ".%.*s", TEXT_ARGS(type)) < 0)
		return no_memory(l, err);
	return r < 0 ? r : layout_name_all(l, rest, "", instance.data, err);
}

static int pagetypeinfo_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct layout *l = state;
	struct heading heading = { 0 };
	struct text rest = { 0 }, line;
	int r = layout_open(l, self, host, err);

	if (r == 0)
		rest = procfile_first(&l->file);
	while (r == 0 && text_line(&rest, &line)) {
		struct text types = line;

		if (text_skip(&types, "Number of blocks type "))
			heading = (struct heading){ "blocks", types };
		else if (text_skip(&types, "Number of mixed blocks "))
			heading = (struct heading){ "mixed", types };
		r = learn_row(l, &heading, line, err);
	}
	layout_end(l);
	return only_root_explain(self, r, err);
}

const struct collector collector_pagetypeinfo = {
	.name = "pagetypeinfo",
	.description = "Free blocks of memory by size and by what may be moved, by zone",
	.source = "proc/pagetypeinfo",
	.hints = hints,
	.state_size = sizeof(struct layout),
	.dear = true, /* the kernel walks its free lists with interrupts off */
	.probe = only_root_probe,
	.open = pagetypeinfo_open,
	LAYOUT_STATE,
};
