/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How well memory was placed, in percent over the run; ours, as the kernel test robot has none:
 *
 *   numa-numastat.node<n>.numa_hit%       of the pages got from the node, those that were wanted from it
 *   numa-numastat.node<n>.local_node%     of the pages got from the node, those that a task running on it asked for
 *   numa-numastat.numa_hit%, .local_node% the same of all nodes together
 *   proc-vmstat.numa_hint_faults_local%   of the faults that tell where a page is used, those on the page's own node
 */
#include <stdlib.h>

#include "analysis/view.h"

enum { HIT, MISS, LOCAL, OTHER, PARTS };

static const char *const parts[PARTS] = { "numa_hit", "numa_miss", "local_node", "other_node" };

struct node {
	double pages[PARTS];
};

struct numa {
	struct node *of; /* [column] */
	size_t room;
	double faults, local_faults;
};

static void take_faults(struct numa *n, const struct sight *s)
{
	int column = track_column(s->track, "");
	double all, local;

	if (!sight_step(s, track_row(s->track, "numa_hint_faults"), column, &all) ||
	    !sight_step(s, track_row(s->track, "numa_hint_faults_local"), column, &local))
		return;
	n->faults += all;
	n->local_faults += local;
}

static int numa_sample(void *state, const struct sight *s)
{
	struct numa *n = state;

	if (strcmp(s->track->collector, "proc-vmstat") == 0) {
		take_faults(n, s);
		return 0;
	}
	if (view_room(&n->of, &n->room, s->track->instances.count, sizeof(*n->of)) < 0)
		return -ENOMEM;
	for (int part = 0; part < PARTS; part++) {
		int row = track_row(s->track, parts[part]);
		double step;

		for (int column = 0; column < (int)s->track->instances.count; column++)
			if (sight_step(s, row, column, &step))
				n->of[column].pages[part] += step;
	}
	return 0;
}

static int put(double share, double rest, const char *of, const char *name, struct stats *ret)
{
	return share > 0 ? stats_setf(ret, 100 * share / (share + rest), "%s%s%%", of, name) : 0;
}

static int put_node(const struct node *node, const char *of, struct stats *ret)
{
	int r = put(node->pages[HIT], node->pages[MISS], of, parts[HIT], ret);

	return r < 0 ? r : put(node->pages[LOCAL], node->pages[OTHER], of, parts[LOCAL], ret);
}

static int numa_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "numa-numastat");
	struct numa *n = state;
	struct node all = { 0 };
	int r = 0;

	for (size_t column = 0; column < n->room && r == 0; column++) {
		cleanup_buf struct buf of = { 0 };

		(void)buf_printf(&of, "numa-numastat.%s.", names_at(&t->instances, (int)column));
		r = of.failed ? -ENOMEM : put_node(&n->of[column], of.data, ret);
		for (int part = 0; part < PARTS; part++)
			all.pages[part] += n->of[column].pages[part];
	}
	if (r == 0)
		r = put_node(&all, "numa-numastat.", ret);
	if (r == 0)
		r = put(n->local_faults, n->faults - n->local_faults, "proc-vmstat.", "numa_hint_faults_local", ret);
	return r;
}

static void numa_free(void *state)
{
	free(((struct numa *)state)->of);
}

static const struct view_key keys[] = {
	{ "numa-numastat.node<n>.numa_hit%",      UNIT_PERCENT, "Of the pages got from the node, those that were wanted from it." },
	{ "numa-numastat.node<n>.local_node%",    UNIT_PERCENT, "Of the pages got from the node, those that a task running on it asked for." },
	{ "numa-numastat.{numa_hit,local_node}%", UNIT_PERCENT, "The same of all nodes together." },
	{ "proc-vmstat.numa_hint_faults_local%",  UNIT_PERCENT, "Of the faults that tell where a page is used, those on the page's own node." },
	{ 0 },
};

static const char *const collectors[] = { "numa-numastat", "proc-vmstat", NULL };

const struct view view_numa = { "numa", collectors, sizeof(struct numa), numa_sample, numa_finish, numa_free, keys };
