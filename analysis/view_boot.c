/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine's memory as the run found it (spec A.4): boot-meminfo.<Name>, boot-slabinfo.num_objs, and .num_pages,
 * the slabs of all caches times their pages; all of the first sample, which is taken before the command starts.
 */
#include <stdlib.h>

#include "analysis/view.h"

struct boot {
	double *meminfo; /* [row] */
	size_t room;
	double objects, pages;
};

static int take_meminfo(struct boot *b, const struct sight *s)
{
	const struct track *t = s->track;

	if (view_room(&b->meminfo, &b->room, t->metrics.count, sizeof(*b->meminfo)) < 0)
		return -ENOMEM;
	for (int row = 0; row < (int)t->metrics.count; row++) {
		uint64_t value;

		if (track_value(t, s->sample, row, track_column(t, ""), &value))
			b->meminfo[row] = (double)value;
	}
	return 0;
}

static void take_slabs(struct boot *b, const struct sight *s)
{
	const struct track *t = s->track;
	int objects = track_row(t, "num_objs"), slabs = track_row(t, "num_slabs"), each = track_row(t, "pagesperslab");

	for (int column = 0; column < (int)t->instances.count; column++) {
		uint64_t value, pages;

		if (track_value(t, s->sample, objects, column, &value))
			b->objects += (double)value;
		if (track_value(t, s->sample, slabs, column, &value) && track_value(t, s->sample, each, column, &pages))
			b->pages += (double)value * (double)pages;
	}
}

static int boot_sample(void *state, const struct sight *s)
{
	if (s->track->samples > 0)
		return 0;
	if (strcmp(s->track->collector, "meminfo") == 0)
		return take_meminfo(state, s);
	take_slabs(state, s);
	return 0;
}

static int boot_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "meminfo");
	struct boot *b = state;
	int r = 0;

	for (size_t row = 0; row < b->room && r == 0; row++)
		if (b->meminfo[row] > 0)
			r = stats_setf(ret, b->meminfo[row], "boot-meminfo.%s", names_at(&t->metrics, (int)row));
	if (r == 0 && b->objects > 0)
		r = stats_set(ret, "boot-slabinfo.num_objs", b->objects);
	if (r == 0 && b->pages > 0)
		r = stats_set(ret, "boot-slabinfo.num_pages", b->pages);
	return r;
}

static void boot_free(void *state)
{
	free(((struct boot *)state)->meminfo);
}

static const struct view_key keys[] = {
	{ "boot-meminfo.<Name>",     UNIT_NONE,  "A line of /proc/meminfo as the run found it, before the command was started." },
	{ "boot-slabinfo.num_objs",  UNIT_COUNT, "Objects of all slab caches as the run found them." },
	{ "boot-slabinfo.num_pages", UNIT_PAGES, "Pages of all slab caches as the run found them." },
	{ 0 },
};

static const char *const collectors[] = { "meminfo", "slabinfo", NULL };

const struct view view_boot = { "boot", collectors, sizeof(struct boot), boot_sample, boot_finish, boot_free, keys };
