/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   Node 0, zone      DMA      3      1      2      2      2      1      0      0      1      1      3
 *
 * Free blocks of 2^order pages, by order from 0; how many orders there are is the kernel's choice. The instance
 * "Node.0.zone.DMA" is the line's own words.
 */
#include <errno.h>

#include "collectors/layout.h"

static const struct hint hints[] = {
	/* key kind   unit        help */
	{ "*", GAUGE, UNIT_COUNT, "Free blocks of 2^order pages in that zone; the key ends in the order." },
	{ 0 },
};

static int learn_line(struct layout *l, struct text line, struct err *err)
{
	cleanup_buf struct buf instance = { 0 };
	struct text rest = line, node, zone;
	int r;

	if (!text_skip(&rest, "Node ") || !text_cut(&rest, ",", &node) || !text_skip(&rest, " zone ") ||
	    !text_word(&rest, &zone))
		return layout_begin(l, line, err); /* not a line of that shape */
	(void)buf_printf(&instance, "Node.%.*s.zone.%.*s", TEXT_ARGS(text_trim(node)), TEXT_ARGS(zone));
	if (instance.failed)
		return err_set(err, -ENOMEM, "%s: no memory", l->collector->name);
	r = layout_begin(l, (struct text){ line.at, zone.end }, err);
	return r < 0 ? r : layout_name_all(l, rest, "", instance.data, err);
}

static int buddyinfo_open(const struct collector *self, void *state, const struct host *host, struct err *err)
{
	struct layout *l = state;
	struct text rest = { 0 }, line;
	int r = layout_open(l, self, host, err);

	if (r == 0)
		rest = procfile_first(&l->file);
	while (r == 0 && text_line(&rest, &line))
		r = learn_line(l, line, err);
	layout_end(l);
	return r;
}

const struct collector collector_buddyinfo = {
	.name = "buddyinfo",
	.description = "Free blocks of memory by their size, by zone",
	.source = "proc/buddyinfo",
	.hints = hints,
	.state_size = sizeof(struct layout),
	.open = buddyinfo_open,
	LAYOUT_STATE,
};
