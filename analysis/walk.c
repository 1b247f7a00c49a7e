/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/walk.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Where the walk stands in one run. */
struct walk_cursor {
	const struct stat_value *at;
	size_t left;
};

int key_walk_open(struct key_walk *w, const struct compare_run *const *runs, size_t count, struct arena *arena)
{
	*w = (struct key_walk){
		.runs = count,
		.values = arena_take(arena, count, sizeof(*w->values)),
		.have = arena_take(arena, count, sizeof(*w->have)),
		.cursors = arena_take(arena, count, sizeof(*w->cursors)),
	};
	if (!w->values || !w->have || !w->cursors)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		w->cursors[i] = (struct walk_cursor){ runs[i]->stats->at, runs[i]->stats->count };
	return 0;
}

const char *key_walk_next(struct key_walk *w)
{
	const char *key = NULL;

	for (size_t i = 0; i < w->runs; i++) {
		struct walk_cursor *c = &w->cursors[i];
		int order = c->left == 0 ? 1 : key ? strcmp(c->at->key, key) : -1;

		w->have[i] = order <= 0;
		if (order < 0) {
			key = c->at->key;
			memset(w->have, 0, i * sizeof(*w->have)); /* the runs before have a later key */
		}
	}
	for (size_t i = 0; i < w->runs; i++) {
		w->values[i] = 0;
		if (!w->have[i])
			continue;
		w->have[i] = isfinite(w->cursors[i].at->value);
		if (w->have[i])
			w->values[i] = w->cursors[i].at->value;
		w->cursors[i].at++;
		w->cursors[i].left--;
	}
	return key;
}

bool run_has_family(const struct compare_run *run, const char *prefix)
{
	const struct stats *stats = run->stats;
	size_t low = 0, high = stats->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(stats->at[middle].key, prefix) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < stats->count && text_starts(text_of(stats->at[low].key), prefix);
}
