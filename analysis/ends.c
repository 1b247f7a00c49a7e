/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/ends.h"

#include <stdlib.h>

int ends_sample(struct ends *e, const struct sight *s)
{
	const struct track *t = s->track;

	if (view_room(&e->rows, &e->room, t->metrics.count, sizeof(*e->rows)) < 0)
		return -ENOMEM;
	for (int row = 0; row < (int)t->metrics.count; row++) {
		struct ends_row *r = &e->rows[row];

		if (view_room(&r->at, &r->room, t->instances.count, sizeof(*r->at)) < 0)
			return -ENOMEM;
		for (int column = 0; column < (int)t->instances.count; column++) {
			struct ends_slot *slot = &r->at[column];
			uint64_t value;

			if (!track_value(t, s->sample, row, column, &value))
				continue;
			if (!slot->seen && e->samples == 0)
				slot->first = value;
			slot->last = value;
			slot->seen = true;
		}
	}
	e->samples++;
	return 0;
}

void ends_free(struct ends *e)
{
	for (size_t row = 0; row < e->room; row++)
		free(e->rows[row].at);
	free(e->rows);
}

static const struct ends_slot *slot_of(const struct ends *e, int row, int column)
{
	if (row < 0 || column < 0 || (size_t)row >= e->room || (size_t)column >= e->rows[row].room)
		return NULL;
	return e->rows[row].at[column].seen ? &e->rows[row].at[column] : NULL;
}

bool ends_went(const struct ends *e, int row, int column, uint64_t *ret)
{
	const struct ends_slot *slot = slot_of(e, row, column);

	if (!slot)
		return false;
	/* Cleared meanwhile: what it has counted since is all that is known. */
	*ret = e->samples > 1 && slot->last >= slot->first ? slot->last - slot->first : slot->last;
	return true;
}

bool ends_last(const struct ends *e, int row, int column, uint64_t *ret)
{
	const struct ends_slot *slot = slot_of(e, row, column);

	if (slot)
		*ret = slot->last;
	return slot;
}
