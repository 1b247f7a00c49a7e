/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * netdev.<interface>.<counter>/s: what an interface counted in a second, over the time in which it was seen (spec A.4).
 * An interface that goes away and comes back adds neither progress nor time for the gap.
 */
#include <stdlib.h>

#include "analysis/reduce.h"
#include "analysis/view.h"

struct interface {
	struct flow *counters; /* [row] */
	size_t room;
};

struct netdev {
	struct interface *interfaces; /* [column] */
	size_t room;
};

static int netdev_sample(void *state, const struct sight *s)
{
	size_t rows = s->track->metrics.count, columns = s->track->instances.count;
	struct netdev *n = state;

	if (view_room(&n->interfaces, &n->room, columns, sizeof(*n->interfaces)) < 0)
		return -ENOMEM;
	for (size_t column = 0; column < columns; column++) {
		struct interface *i = &n->interfaces[column];

		if (view_room(&i->counters, &i->room, rows, sizeof(*i->counters)) < 0)
			return -ENOMEM;
		for (size_t row = 0; row < rows; row++) {
			double step;

			if (is_counter(&s->track->meaning[row]) && sight_step(s, (int)row, (int)column, &step))
				flow_add(&i->counters[row], step, s->seconds);
		}
	}
	return 0;
}

static int put_rate(const struct flow *flow, const char *interface, const char *counter, struct stats *ret)
{
	cleanup_buf struct buf key = { 0 };

	if (flow->seconds <= 0 || flow->amount <= 0)
		return 0;
	(void)key_of("netdev", interface, counter, &key);
	if (buf_puts(&key, "/s") < 0)
		return -ENOMEM;
	return stats_set(ret, key.data, flow->amount / flow->seconds);
}

static int netdev_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "netdev");
	struct netdev *n = state;
	int r = 0;

	for (size_t column = 0; column < n->room; column++)
		for (size_t row = 0; row < n->interfaces[column].room && r == 0; row++)
			r = put_rate(&n->interfaces[column].counters[row], names_at(&t->instances, (int)column),
				     names_at(&t->metrics, (int)row), ret);
	return r;
}

static void netdev_free(void *state)
{
	struct netdev *n = state;

	for (size_t column = 0; column < n->room; column++)
		free(n->interfaces[column].counters);
	free(n->interfaces);
}

static const struct view_key keys[] = {
	{ "netdev.<interface>.<counter>/s", UNIT_NONE, "What the interface counted in a second, over the time in which it was seen." },
	{ 0 },
};

static const char *const collectors[] = { "netdev", NULL };

const struct view view_netdev = { "netdev", collectors, sizeof(struct netdev), netdev_sample, netdev_finish, netdev_free, keys };
