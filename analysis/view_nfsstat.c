/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nfsstat.<Side>.<section>.<op>.percent = 100 x requests of that procedure / requests of all procedures of its section,
 * over the run. Sections are "nfs.v3", "nfs.v4", "nfs.v4.operations" ...
 */
#include "analysis/view.h"

/* "nfs.v4.open" is of the section "nfs.v4"; "rpc.calls" is of none. */
static bool section_of(const char *metric, struct text *ret)
{
	const char *dot = strrchr(metric, '.');

	if (strncmp(metric, "nfs.", 4) != 0 || dot < metric + 4)
		return false;
	*ret = (struct text){ metric, dot };
	return true;
}

static double requests(const struct track *t, int row, int column)
{
	const struct slot *s = track_slot(t, row, column);

	return is_counter(&t->meaning[row]) && s->count > 1 ? (double)s->steps : 0;
}

static double all_requests(const struct track *t, struct text section, int column)
{
	double sum = 0;

	for (int row = 0; row < (int)t->metrics.count; row++) {
		struct text other;

		if (section_of(names_at(&t->metrics, row), &other) && text_same(section, other))
			sum += requests(t, row, column);
	}
	return sum;
}

static int nfsstat_finish(void *state, const struct view_end *end, struct stats *ret)
{
	const struct track *t = view_track(end, "nfsstat");
	int r = 0;

	for (int row = 0; t && row < (int)t->metrics.count; row++) {
		const char *metric = names_at(&t->metrics, row);
		struct text section;

		if (!section_of(metric, &section))
			continue;
		for (int column = 0; column < (int)t->instances.count && r == 0; column++) {
			double here = requests(t, row, column);

			if (here > 0)
				r = stats_setf(ret, 100 * here / all_requests(t, section, column),
					       "nfsstat.%s.%s.percent", names_at(&t->instances, column), metric);
		}
	}
	return r;
}

static const struct view_key keys[] = {
	{ "nfsstat.<Side>.<section>.<op>.percent", UNIT_PERCENT, "This procedure's share of the requests of its section over the run." },
	{ 0 },
};

const struct view view_nfsstat = { "nfsstat", NULL, 0, NULL, nfsstat_finish, NULL, keys };
